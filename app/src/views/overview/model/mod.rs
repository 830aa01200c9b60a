//! What the Overview says, as plain texts: pure functions of a route and the loaded files, so that the
//! components only draw, and tests need no browser. No figure is computed here: all come from the
//! snapshot or from `shared`, and `shared::format` rounds them.

pub mod cell;
pub mod choice;
pub mod column;
pub mod compare;
pub mod coverage;
pub mod facts;
pub mod glossary;
pub mod lead;
pub mod shown;
pub mod table;

/// A number as people write it: with a real minus sign, which is as wide as a plus and read aloud.
pub fn typeset(number: &str) -> String {
    number.replace('-', "−")
}

/// `Engine version`. The names are ASCII.
pub fn capitalised(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}
