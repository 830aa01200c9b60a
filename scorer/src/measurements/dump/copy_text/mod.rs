//! COPY text: how PostgreSQL writes the rows of a table. Columns are separated by tabs, rows end with a
//! line feed, `\N` is NULL, and a line `\.` ends the data.
//!
//! Rows are read from any [`BufRead`](std::io::BufRead). Columns that nobody wants are passed over
//! without a look at their bytes; a wanted one is kept, within a limit; a long one is streamed to
//! whoever wants it, so that a log of a gigabyte takes no memory.

mod error;
mod escape;
mod plan;
mod rows;
mod statement;

pub use error::{CopyError, RowFault};
pub use escape::Unescaper;
pub use plan::{Columns, Plan};
pub use rows::{Row, RowSink, RowsError, read_rows};
pub use statement::columns_of;
