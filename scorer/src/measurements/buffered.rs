//! Reading bytes from what is read by its buffer.

use std::io::{self, BufRead};

/// Copies what the reader's buffer has, as far as there is room: what `read` is for whoever has `fill_buf`.
pub(super) fn read(reader: &mut impl BufRead, target: &mut [u8]) -> io::Result<usize> {
    let available = reader.fill_buf()?;
    let count = available.len().min(target.len());
    target[..count].copy_from_slice(&available[..count]);
    reader.consume(count);
    Ok(count)
}
