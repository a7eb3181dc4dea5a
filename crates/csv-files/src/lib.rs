//! Reads and writes files of comma-separated values, for the command line and the console.

mod plan;
mod report;
mod table;
mod writer;

pub use plan::digest_of;
pub use report::{report_cells, report_columns, report_row};
pub use table::{FileForm, Line, Table, TableError, delimiter_of};
pub use writer::{DOWNLOADED, TableWriter, write_quoted};
