//! Why a file of the site is not there, each case told apart and said in plain words.

/// Why something cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The site has no index, or an empty one.
    NoData,
    /// The server does not have the file.
    Missing {
        /// The file's address below the page.
        file: String,
    },
    /// The server could not be reached.
    Network {
        /// The file's address below the page.
        file: String,
        /// What the browser says.
        detail: String,
    },
    /// The server answered with an error.
    Status {
        /// The file's address below the page.
        file: String,
        /// The HTTP status.
        status: u16,
    },
    /// The file was written by a newer version of this product.
    Newer {
        /// The file's address below the page.
        file: String,
        /// What its `schema` field says.
        found: String,
    },
    /// The file is damaged, or is something else.
    Unreadable {
        /// The file's address below the page.
        file: String,
        /// Where and why reading failed.
        detail: String,
    },
}

impl Failure {
    /// The headline.
    pub fn title(&self) -> &'static str {
        match self {
            Self::NoData => "No data yet",
            Self::Missing { .. } => "Not found",
            Self::Network { .. } => "The data could not be reached",
            Self::Status { .. } => "The server could not deliver the data",
            Self::Newer { .. } => "The data is newer than this page",
            Self::Unreadable { .. } => "The data could not be read",
        }
    }

    /// What happened, and what to do.
    pub fn text(&self) -> String {
        match self {
            Self::NoData => "No snapshot has been published on this site so far. The first run of \
                `scorer publish` puts one here; `make demo` shows the page with the embedded corpus."
                .to_owned(),
            Self::Missing { file } => format!(
                "The list of snapshots names this run, but {file} does not exist on this site. \
                 Choose another run above."
            ),
            Self::Network { file, detail } => {
                format!("Loading {file} failed ({detail}). Check the connection, then try again.")
            }
            Self::Status { file, status } => {
                format!("The server answered {file} with status {status}. Try again in a minute.")
            }
            Self::Newer { file, found } => format!(
                "{file} has the schema “{found}”, which this version of the page does not know. \
                 Reload the page to get its newest version."
            ),
            Self::Unreadable { file, detail } => {
                format!(
                    "{file} is damaged or incomplete: {detail}. Try again; if it stays so, it has to be published anew."
                )
            }
        }
    }

    /// Whether trying again can help.
    pub fn can_retry(&self) -> bool {
        !matches!(self, Self::NoData)
    }
}
