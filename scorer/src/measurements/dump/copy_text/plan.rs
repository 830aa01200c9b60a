//! Which columns of a table are wanted, and where they stand.

/// The columns of a table that are read, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Those that the table must have.
    pub needed: &'static [&'static str],
    /// Those that older or newer databases do not have.
    pub optional: &'static [&'static str],
    /// One of which a row keeps only whether it has a value; the table must have it.
    pub noted: Option<&'static str>,
    /// One of long texts, which the table must have, and which is streamed to whoever wants it.
    pub streamed: Option<&'static str>,
}

impl Columns {
    /// None at all.
    pub const NONE: Self = Self { needed: &[], optional: &[], noted: None, streamed: None };

    /// Every column that a row keeps.
    pub fn kept(&self) -> impl Iterator<Item = &'static str> {
        self.needed.iter().chain(self.optional).copied().chain(self.noted)
    }

    /// Every column that the table must have.
    pub fn must_have(&self) -> impl Iterator<Item = &'static str> {
        self.needed.iter().copied().chain(self.noted).chain(self.streamed)
    }
}

/// What to do with each field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Skip,
    /// Into the place of that number.
    Keep(usize),
    /// Into that place, but without its bytes.
    Note(usize),
    Stream,
}

/// How the rows of one table are read.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One step a field.
    pub(super) steps: Vec<Step>,
    /// The name of each field.
    pub(super) names: Vec<String>,
    /// The name of each place.
    pub(super) places: Vec<&'static str>,
}

impl Plan {
    /// A plan for a table whose rows have the fields `names`, of which some are read and the others
    /// passed over.
    ///
    /// # Errors
    /// Names the first column that the table must have and does not.
    pub fn new(names: &[String], columns: Columns) -> Result<Self, &'static str> {
        if let Some(missing) = columns.must_have().find(|column| names.iter().all(|name| name != column)) {
            return Err(missing);
        }
        let places: Vec<&'static str> = columns.kept().collect();
        let step = |name: &String| {
            if columns.streamed.is_some_and(|streamed| streamed == name) {
                return Step::Stream;
            }
            let as_read =
                if columns.noted.is_some_and(|noted| noted == name) { Step::Note } else { Step::Keep };
            places.iter().position(|place| place == name).map_or(Step::Skip, as_read)
        };
        Ok(Self { steps: names.iter().map(step).collect(), names: names.to_vec(), places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns =
        Columns { needed: &["id", "image"], optional: &["new"], noted: Some("error"), streamed: Some("log") };

    fn plan(names: &[&str]) -> Result<Vec<Step>, &'static str> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Plan::new(&names, COLUMNS).map(|plan| plan.steps)
    }

    #[test]
    fn columns_are_found_by_name_and_unknown_ones_passed_over() {
        let steps = plan(&["x", "image", "log", "id", "error"]);
        assert_eq!(steps, Ok(vec![Step::Skip, Step::Keep(1), Step::Stream, Step::Keep(0), Step::Note(3)]));
        assert_eq!(plan(&["id", "image", "log", "error", "new"]).unwrap()[4], Step::Keep(2));
    }

    #[test]
    fn a_needed_column_that_is_missing_is_named() {
        assert_eq!(plan(&["id", "log", "error", "new"]), Err("image"));
        assert_eq!(plan(&["id", "image", "log"]), Err("error"));
        assert_eq!(plan(&["id", "image", "error"]), Err("log"));
    }
}
