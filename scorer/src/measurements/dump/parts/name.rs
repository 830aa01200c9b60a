//! The names of parts: `inferencex-2026-09-28.dump.zst.part00` is the first of its dump.

use std::collections::BTreeMap;

use super::error::PartsError;

/// The file with the digests of the parts, beside them.
pub(in crate::measurements::dump) const SUMS: &str = "SHA256SUMS";

/// What stands between the name of a dump and the number of a part.
const PART: &str = ".part";

/// The name of the dump, and the number of the part; none when it is the name of a whole file.
fn split(name: &str) -> Option<(&str, u32)> {
    let (dump, number) = name.rsplit_once(PART)?;
    let is_number = number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|_| is_number)?;
    (!dump.is_empty()).then_some((dump, number))
}

/// Whether it is the name of a part of a dump.
pub(in crate::measurements::dump) fn is_part(name: &str) -> bool {
    split(name).is_some_and(|(dump, _)| dump.strip_suffix(".zst").is_some())
}

/// Puts things with the names of parts in order: one dump, from part 0 on, none missing and none twice.
/// One thing alone may have any name.
pub(in crate::measurements::dump) fn in_order<T>(
    named: Vec<(String, T)>,
) -> Result<Vec<(String, T)>, PartsError> {
    if named.len() == 1 && named.iter().all(|(name, _)| split(name).is_none()) {
        return Ok(named);
    }
    let first = named.first().map(|(name, _)| name.clone()).ok_or(PartsError::Nothing)?;
    let dump = split(&first).map_or(first.as_str(), |(dump, _)| dump).to_owned();
    let mut by_number = BTreeMap::new();
    for (name, thing) in named {
        let number = match split(&name) {
            Some((other, number)) if other == dump => number,
            _ => return Err(PartsError::Mixed { first, second: name }),
        };
        if let Some((name, _)) = by_number.insert(number, (name, thing)) {
            return Err(PartsError::Twice(name));
        }
    }
    let gap = (0..).zip(by_number.keys()).find(|(expected, number)| expected != *number);
    match gap {
        Some((missing, _)) => Err(PartsError::Missing(format!("{dump}{PART}{missing:02}"))),
        None => Ok(by_number.into_values().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(names: &[&str]) -> Result<Vec<String>, String> {
        let parts = names.iter().map(|name| ((*name).to_owned(), ())).collect();
        let ordered = in_order(parts).map_err(|error| error.to_string())?;
        Ok(ordered.into_iter().map(|(name, ())| name).collect())
    }

    #[test]
    fn parts_are_put_in_the_order_of_their_numbers() {
        let names = ["d.zst.part02", "d.zst.part00", "d.zst.part01"];
        assert_eq!(ordered(&names).unwrap(), ["d.zst.part00", "d.zst.part01", "d.zst.part02"]);
        let many: Vec<String> = (0..101).rev().map(|number| format!("d.part{number:02}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(ordered(&many).unwrap()[99..], ["d.part99", "d.part100"]);
        assert_eq!(ordered(&["any.dump.zst"]).unwrap(), ["any.dump.zst"]);
    }

    #[test]
    fn a_part_that_is_missing_twice_or_of_another_dump_is_named() {
        let told = |names: &[&str]| ordered(names).unwrap_err();
        assert!(told(&["d.zst.part00", "d.zst.part02"]).starts_with("d.zst.part01 is missing"));
        assert!(told(&["d.zst.part01"]).starts_with("d.zst.part00 is missing"));
        assert!(told(&["d.part00", "d.part00"]).contains("named twice"));
        assert!(told(&["d.part00", "e.part01"]).contains("not parts of one dump"));
        assert!(told(&["d.part00", "README"]).contains("not parts of one dump"));
        assert!(told(&[]).contains("no part"));
    }

    #[test]
    fn only_the_parts_of_a_compressed_dump_are_taken_from_a_folder() {
        assert!(is_part("inferencex-2026-09-28.dump.zst.part00"));
        for name in ["x.zst", "x.zst.part0", "x.zst.part", "x.zst.partaa", "x.tar.xz.part00", ".part00"] {
            assert!(!is_part(name), "{name}");
        }
    }
}
