//! Serving a site on this machine: what a static host does, so that what works here works there.
//!
//! Only the loopback interface is listened on. A site can stand below a path, as project pages do.

mod answer;
mod base_path;
mod contained;

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

pub use answer::{caching, router};
pub use base_path::{BasePath, BasePathError};

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;

/// The port that is tried first when none is asked for.
pub const DEFAULT_PORT: u16 = 8080;

/// How many ports are tried when none is asked for.
const TRIED: usize = 100;

/// How a site is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeOptions {
    /// The port, 0 for any; none: the default, or the next one that is free.
    pub port: Option<u16>,
    /// The path below which the site stands.
    pub base_path: BasePath,
}

/// A site cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is none.
    #[error("{}: has no index.html, so there is no site to serve", .0.display())]
    NoSite(PathBuf),
    /// The path is none.
    #[error(transparent)]
    BasePath(#[from] BasePathError),
    /// Somebody else has the port that was asked for.
    #[error("port {0} is taken")]
    Taken(u16),
    /// The port that was asked for is not given.
    #[error("port {port} cannot be listened on")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// None was asked for, and none is free.
    #[error("none of the ports from {DEFAULT_PORT} can be listened on, of {TRIED} tried")]
    NoPort(#[source] io::Error),
    /// The address cannot be told.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system gives no threads or sockets.
    #[error("the server stopped")]
    Server(#[source] io::Error),
}

impl Failure for ServeError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NoSite(_) => ExitCode::InputUnreadable,
            Self::BasePath(_) => ExitCode::Usage,
            Self::Taken(_) | Self::Port { .. } | Self::NoPort(_) => ExitCode::PortTaken,
            Self::Server(_) => ExitCode::Unexpected,
            Self::File(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NoSite(_) => Some("make one with `scorer site` or `scorer demo --page dist`".to_owned()),
            Self::Taken(_) | Self::Port { .. } => {
                Some("choose another with --port, or leave --port out".to_owned())
            }
            Self::NoPort(_) => Some("choose one with --port; 0 takes any that is free".to_owned()),
            Self::File(error) => error.advice(),
            Self::BasePath(_) | Self::Server(_) => None,
        }
    }
}

/// A port that is ours. Whoever comes before the site is served waits.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    base_path: BasePath,
}

/// Takes the port.
///
/// # Errors
/// When it is taken, or the system refuses.
pub fn listen(options: ServeOptions) -> Result<Listening, ServeError> {
    let listener = match options.port {
        Some(port) => bind(port).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(port),
            _ => ServeError::Port { port, source },
        })?,
        None => first_free()?,
    };
    listener.set_nonblocking(true).map_err(ServeError::Server)?;
    Ok(Listening { listener, base_path: options.base_path })
}

fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

fn first_free() -> Result<TcpListener, ServeError> {
    let mut refused = None;
    for port in (DEFAULT_PORT..).take(TRIED) {
        match bind(port) {
            Ok(listener) => return Ok(listener),
            Err(source) => refused = refused.or(Some(source)),
        }
    }
    Err(ServeError::NoPort(refused.unwrap_or_else(|| io::ErrorKind::AddrInUse.into())))
}

/// Serves a site until an interrupt, and ends at once then. `ready` is told the address.
///
/// # Errors
/// When there is no site, or when `ready` fails.
pub fn serve(
    site: &Path,
    listening: Listening,
    ready: impl FnOnce(&str) -> Result<(), FileError>,
) -> Result<(), ServeError> {
    if !site.join("index.html").is_file() {
        return Err(ServeError::NoSite(site.to_owned()));
    }
    let Listening { listener, base_path } = listening;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Server)?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Server)?;
        let address = listener.local_addr().map_err(ServeError::Server)?;
        ready(&format!("http://{address}{base_path}"))?;
        let server = axum::serve(listener, router(site, &base_path));
        tokio::select! {
            ended = server.into_future() => ended.map_err(ServeError::Server),
            () = interrupt() => Ok(()),
        }
    });
    runtime.shutdown_background();
    served
}

/// Waits for Ctrl-C, or on Unix for the polite signal to end.
async fn interrupt() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Nothing can stop it politely then.
        let never: Infallible = std::future::pending().await;
        match never {}
    }
}

#[cfg(test)]
mod tests;
