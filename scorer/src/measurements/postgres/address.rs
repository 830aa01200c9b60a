//! The address of a database, which may hold a password.

use std::fmt;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use crate::exit::{ExitCode, Failure};

/// The address of a database: `postgres://user@host:5432/name`, or `host=… dbname=…`.
///
/// It is never shown with its password; that is also why the command line takes it as a mere text, which clap would
/// repeat in its complaint.
#[derive(Clone)]
pub struct PostgresUrl(Config);

/// The text is no address of a database.
#[derive(Debug, thiserror::Error)]
#[error("this is not the address of a database (postgres://user@host:5432/name): {0}")]
pub struct PostgresUrlError(tokio_postgres::Error);

impl Failure for PostgresUrlError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

impl PostgresUrl {
    pub(super) fn config(&self) -> &Config {
        &self.0
    }

    /// The same with this password, unless it has one.
    #[must_use]
    pub fn or_password(mut self, password: &str) -> Self {
        if self.0.get_password().is_none() {
            self.0.password(password);
        }
        self
    }
}

impl FromStr for PostgresUrl {
    type Err = PostgresUrlError;

    fn from_str(text: &str) -> Result<Self, PostgresUrlError> {
        // Certificates are always verified, so that what libpq calls by these names is required.
        let text = text
            .replace("sslmode=verify-full", "sslmode=require")
            .replace("sslmode=verify-ca", "sslmode=require");
        let mut config: Config = text.parse().map_err(PostgresUrlError)?;
        config.application_name(concat!("scorer ", env!("CARGO_PKG_VERSION")));
        Ok(Self(config))
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = match self.0.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => "localhost".to_owned(),
        };
        let port = self.0.get_ports().first().copied().unwrap_or(5432);
        write!(formatter, "database {} at {host}:{port}", self.0.get_dbname().unwrap_or("of the user's name"))
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let url: PostgresUrl =
            "postgres://me:secret@db.example:6543/inferencex?sslmode=verify-full".parse().unwrap();
        assert_eq!(url.to_string(), "database inferencex at db.example:6543");
        assert!(!format!("{url:?}").contains("secret"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["postgres://host:port/x", "host", "mysql://x/y?z"] {
            assert!(text.parse::<PostgresUrl>().is_err(), "{text}");
        }
    }
}
