//! Which units of a ledger are scored: all, some by their ids, or those that a list names.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use shared::id::UnitId;

use super::{Ledger, LedgerError};
use crate::files::read_text;

/// The longest list that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// Some units, as `--units` names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Units {
    /// Every unit of the ledger.
    All,
    /// These.
    These(Vec<UnitId>),
    /// Those that a file lists, one a line.
    Listed(PathBuf),
}

impl FromStr for Units {
    type Err = Infallible;

    /// `all`, ids with commas between them, else the name of a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        if text == "all" {
            return Ok(Self::All);
        }
        let ids = text.split(',').map(UnitId::new).collect::<Result<Vec<_>, _>>();
        Ok(ids.map_or_else(|_| Self::Listed(PathBuf::from(text)), Self::These))
    }
}

impl Units {
    /// The ids, sorted, each once.
    ///
    /// # Errors
    /// When ledger or list cannot be read, or there are none. Whether each is there is for its reader to tell.
    pub fn of(&self, ledger: &Ledger) -> Result<Vec<UnitId>, LedgerError> {
        let mut ids = match self {
            Self::All => ledger.ids()?,
            Self::These(ids) => ids.clone(),
            Self::Listed(path) => listed(path)?,
        };
        ids.sort();
        ids.dedup();
        if ids.is_empty() {
            return Err(LedgerError::Empty(match self {
                Self::Listed(path) => path.clone(),
                Self::All | Self::These(_) => ledger.folder.clone(),
            }));
        }
        Ok(ids)
    }
}

/// The ids that a file lists: one a line; what stands behind `#`, and empty lines, are remarks.
fn listed(path: &Path) -> Result<Vec<UnitId>, LedgerError> {
    let text = read_text(path, LIMIT)?;
    let lines = text.lines().enumerate().map(|(index, line)| {
        let id = line.split('#').next().unwrap_or_default().trim();
        (index + 1, id)
    });
    let ids = lines.filter(|(_, id)| !id.is_empty()).map(|(line, id)| {
        UnitId::new(id).map_err(|source| LedgerError::Line { path: path.to_owned(), line, source })
    });
    ids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0123456789abcdef_db-dump-2026-09-28";
    const B: &str = "0123456789abcdff_db-dump-2026-09-28";

    fn of(text: &str, ledger: &Ledger) -> Result<Vec<String>, LedgerError> {
        let units = text.parse::<Units>().unwrap_or(Units::All);
        Ok(units.of(ledger)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn units_are_named_by_all_by_ids_or_by_a_list() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(folder.path());
        assert!(matches!(of("all", &ledger), Err(LedgerError::Empty(_))));
        for id in [B, A] {
            std::fs::write(folder.path().join(format!("{id}.json")), "{}").unwrap();
        }
        std::fs::write(folder.path().join("README.md"), "what is here").unwrap();
        assert_eq!(of("all", &ledger).unwrap(), [A, B]);
        assert_eq!(of(&format!("{B},{A},{B}"), &ledger).unwrap(), [A, B]);
        let list = folder.path().join("list.txt");
        std::fs::write(&list, format!("# mine\n\n{B} # the slow one\n")).unwrap();
        assert_eq!(of(list.to_str().unwrap(), &ledger).unwrap(), [B]);
    }

    #[test]
    fn a_line_and_a_file_that_name_no_unit_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(folder.path());
        let list = folder.path().join("list.txt");
        std::fs::write(&list, format!("{A}\nmain\n")).unwrap();
        assert!(matches!(of(list.to_str().unwrap(), &ledger), Err(LedgerError::Line { line: 2, .. })));
        std::fs::write(&list, "# none\n").unwrap();
        assert!(matches!(of(list.to_str().unwrap(), &ledger), Err(LedgerError::Empty(path)) if path == list));
        assert!(matches!(of("0123456789abcdef", &ledger), Err(LedgerError::File(_))));
        std::fs::write(folder.path().join("corpus.json"), "{}").unwrap();
        assert!(matches!(of("all", &ledger), Err(LedgerError::Name { .. })));
    }
}
