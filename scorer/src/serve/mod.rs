//! Serving a site on this machine: what a static host does, so that what works here works there.
//!
//! Only the loopback interface is listened on. A site can stand below a path, as project pages do.

mod answer;
mod base_path;

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use tokio::net::TcpListener;

pub use answer::{caching, router};
pub use base_path::{BasePath, BasePathError};

use crate::exit::{ExitCode, Failure};
use crate::files::FileError;

/// The port that is tried first when none is asked for.
pub const DEFAULT_PORT: u16 = 8080;

/// How many ports are tried when none is asked for.
const TRIED: u16 = 100;

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
    /// Somebody else has the port.
    #[error("port {port} cannot be listened on")]
    Port {
        /// The port, or the first of those that were tried.
        port: u16,
        /// Why.
        source: io::Error,
    },
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
            Self::Port { .. } | Self::Server(_) => ExitCode::Unexpected,
            Self::File(error) => error.exit_code(),
        }
    }

    fn advice(&self) -> Option<String> {
        match self {
            Self::NoSite(_) => Some("make one with `scorer site` or `scorer demo --page dist`".to_owned()),
            Self::Port { .. } => Some("name another one with --port, or leave it out".to_owned()),
            Self::File(error) => error.advice(),
            Self::BasePath(_) | Self::Server(_) => None,
        }
    }
}

/// Serves a site until an interrupt, and ends at once then. `ready` is told the address.
///
/// # Errors
/// When there is no site, when the port is taken, or when `ready` fails.
pub fn serve(
    site: &Path,
    options: &ServeOptions,
    ready: impl FnOnce(&str) -> Result<(), FileError>,
) -> Result<(), ServeError> {
    if !site.join("index.html").is_file() {
        return Err(ServeError::NoSite(site.to_owned()));
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Server)?;
    let served = runtime.block_on(async {
        let listener = listen(options.port).await?;
        let address = listener.local_addr().map_err(ServeError::Server)?;
        ready(&format!("http://{address}{}", options.base_path))?;
        let server = axum::serve(listener, router(site, &options.base_path));
        tokio::select! {
            ended = server.into_future() => ended.map_err(ServeError::Server),
            () = interrupt() => Ok(()),
        }
    });
    runtime.shutdown_background();
    served
}

async fn listen(port: Option<u16>) -> Result<TcpListener, ServeError> {
    let bind = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let first = port.unwrap_or(DEFAULT_PORT);
    let tried = if port.is_some() { 1 } else { TRIED };
    let mut refused = None;
    for port in (first..=u16::MAX).take(usize::from(tried)) {
        match bind(port).await {
            Ok(listener) => return Ok(listener),
            Err(source) => refused = refused.or(Some(source)),
        }
    }
    Err(ServeError::Port { port: first, source: refused.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()) })
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
