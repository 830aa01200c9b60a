//! Parts that come one after the other on stdin.

use std::io::{self, Read, Stdin};

use super::error::PartsError;
use super::name::{in_order, is_part};
use super::sums::Sums;
use super::{PART_SIZE, Part, PartSource};

/// The parts of a dump, joined, on stdin.
#[derive(Debug)]
pub struct StdinParts<R = Stdin> {
    parts: Vec<Part>,
    part_size: u64,
    input: R,
}

/// What the one part is called when nobody names any.
const STDIN: &str = "stdin";

impl StdinParts {
    /// Cuts stdin into the parts that `sums` (the text of the file of that name) lists, each but the last of `part_size`
    /// bytes (else of those that releases have). Without sums it is one part, which only the checksum in
    /// the frame can prove whole.
    ///
    /// # Errors
    /// When the sums cannot be understood.
    pub fn new(sums: Option<(&str, &str)>, part_size: Option<u64>) -> Result<Self, PartsError> {
        Self::reading(io::stdin(), sums, part_size)
    }
}

impl<R> StdinParts<R> {
    /// The same from any reader.
    ///
    /// # Errors
    /// When the sums cannot be understood.
    pub fn reading(input: R, sums: Option<(&str, &str)>, part_size: Option<u64>) -> Result<Self, PartsError> {
        let part_size = part_size.unwrap_or(PART_SIZE);
        let parts = match sums {
            None => vec![Part { name: STDIN.to_owned(), sha256: None, bytes: None }],
            Some((name, text)) => listed(&Sums::parse(name, text)?, part_size)?,
        };
        Ok(Self { parts, part_size, input })
    }
}

fn listed(sums: &Sums, part_size: u64) -> Result<Vec<Part>, PartsError> {
    let all: Vec<&str> = sums.names().collect();
    let parts = || all.iter().copied().filter(|name| is_part(name));
    // A dump that was not split has one line, of any name.
    let named = if parts().next().is_none() { all.clone() } else { parts().collect() };
    let ordered = in_order(named.into_iter().map(|name| (name.to_owned(), ())).collect())?;
    let last = ordered.len().saturating_sub(1);
    let part = |(index, (name, ())): (usize, (String, ()))| {
        let sha256 = Some(sums.of(&name)?);
        Ok(Part { name, sha256, bytes: (index < last).then_some(part_size) })
    };
    ordered.into_iter().enumerate().map(part).collect()
}

impl<R: Read + Send> PartSource for StdinParts<R> {
    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn open(&mut self, index: usize) -> Result<Box<dyn Read + '_>, PartsError> {
        let is_last = index + 1 >= self.parts.len();
        let limit = if is_last { u64::MAX } else { self.part_size };
        Ok(Box::new((&mut self.input).take(limit)))
    }
}
