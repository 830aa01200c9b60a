//! The columns of a row as texts, and what they are read as.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::value::RawValue;
use shared::format::shortened;

/// The longest text of a column that names something, in bytes.
const LONGEST_NAME: usize = 500;
/// How much of a wrong value is shown.
const SHOWN: usize = 60;

/// A row of a table, its columns as texts: those of `COPY`, of SQL, or of JSON scalars.
pub trait Fields {
    /// The text of a column; none for SQL's NULL, JSON's `null`, and a column that the source has not.
    fn text(&self, column: &str) -> Option<&str>;
}

impl Fields for BTreeMap<String, String> {
    fn text(&self, column: &str) -> Option<&str> {
        self.get(column).map(String::as_str)
    }
}

impl<'a, const N: usize> Fields for [(&'a str, &'a str); N] {
    fn text(&self, column: &str) -> Option<&str> {
        self.iter().find(|(name, _)| *name == column).map(|(_, text)| *text)
    }
}

/// The fields of a row that came as a JSON object: `null` is no value, and what is nested stays JSON.
///
/// # Errors
/// When the text is no JSON object.
pub fn of_json(object: &str) -> Result<BTreeMap<String, String>, serde_json::Error> {
    let values: BTreeMap<String, &RawValue> = serde_json::from_str(object)?;
    let text = |value: &RawValue| match value.get() {
        "null" => Ok(None),
        quoted if quoted.starts_with('"') => serde_json::from_str(quoted).map(Some),
        other => Ok(Some(other.to_owned())),
    };
    let fields = values.into_iter().map(|(name, value)| Ok(text(value)?.map(|text| (name, text))));
    fields.filter_map(Result::transpose).collect()
}

/// A row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("table `{table}`, row {row}, column `{column}`: {fault}")]
pub struct RowError {
    /// The table.
    pub table: &'static str,
    /// The row's id as it stands there, or `?`.
    pub row: String,
    /// The column.
    pub column: &'static str,
    /// What is wrong.
    pub fault: RowFault,
}

/// What is wrong with a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum RowFault {
    /// There is no value.
    #[error("has no value, but one is needed")]
    Missing,
    /// The value is of another kind.
    #[error("`{text}` is not {expected}")]
    NotA {
        /// The value.
        text: String,
        /// What it must be.
        expected: &'static str,
    },
    /// The value is endless, or would disturb whoever reads it.
    #[error("is longer than {LONGEST_NAME} bytes or has control characters, so it names nothing")]
    NoName,
    /// The value is not JSON of the right shape.
    #[error("is not the JSON that is needed: {0}")]
    NotJson(String),
}

/// Reads the columns of one row of one table.
pub(super) struct Reader<'a> {
    table: &'static str,
    fields: &'a dyn Fields,
    fault: RefCell<Option<RowError>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(table: &'static str, fields: &'a dyn Fields) -> Self {
        Self { table, fields, fault: RefCell::default() }
    }

    /// What was read, or nothing in its place: the row is then [faulty](Self::fault).
    pub(super) fn or_fault<T: Default>(&self, read: Result<T, RowError>) -> T {
        read.unwrap_or_else(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    /// The first column that could not be read.
    pub(super) fn fault(self) -> Option<RowError> {
        self.fault.into_inner()
    }

    /// An error about a column.
    pub(super) fn error(&self, column: &'static str, fault: RowFault) -> RowError {
        let row = self.fields.text("id").map_or_else(|| "?".to_owned(), |id| shortened(id, SHOWN));
        RowError { table: self.table, row, column, fault }
    }

    pub(super) fn text(&self, column: &'static str) -> Option<&'a str> {
        self.fields.text(column)
    }

    pub(super) fn needed(&self, column: &'static str) -> Result<&'a str, RowError> {
        self.text(column).ok_or_else(|| self.error(column, RowFault::Missing))
    }

    /// A name: of a model, an image, a day.
    pub(super) fn name(&self, column: &'static str) -> Result<String, RowError> {
        self.needed(column)?;
        self.optional_name(column).map(Option::unwrap_or_default)
    }

    pub(super) fn optional_name(&self, column: &'static str) -> Result<Option<String>, RowError> {
        let Some(text) = self.text(column) else { return Ok(None) };
        if text.len() > LONGEST_NAME || text.chars().any(char::is_control) {
            return Err(self.error(column, RowFault::NoName));
        }
        Ok(Some(text.to_owned()))
    }

    /// A whole number in the range of its type.
    pub(super) fn number<T: FromStr>(&self, column: &'static str) -> Result<T, RowError> {
        self.needed(column)?;
        self.optional_number(column)?.ok_or_else(|| self.error(column, RowFault::Missing))
    }

    pub(super) fn optional_number<T: FromStr>(&self, column: &'static str) -> Result<Option<T>, RowError> {
        let Some(text) = self.text(column) else { return Ok(None) };
        let number = text.parse().map_err(|_| {
            let expected = "a whole number in the range of its column";
            self.error(column, RowFault::NotA { text: shortened(text, SHOWN), expected })
        })?;
        Ok(Some(number))
    }

    /// `t` and `f` as `COPY` writes them, `true` and `false` as SQL and JSON do.
    pub(super) fn flag(&self, column: &'static str) -> Result<bool, RowError> {
        match self.needed(column)? {
            "t" | "true" => Ok(true),
            "f" | "false" => Ok(false),
            text => {
                let fault = RowFault::NotA { text: shortened(text, SHOWN), expected: "`true` or `false`" };
                Err(self.error(column, fault))
            }
        }
    }
}
