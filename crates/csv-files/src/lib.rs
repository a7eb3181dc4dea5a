//! Files of comma-separated values, whoever reads or writes them: the command line or the console.

mod plan;
mod report;
mod table;
mod writer;

pub use plan::digest_of;
pub use report::{report_cells, report_columns, report_row};
pub use table::{FileForm, Line, Table, TableError, delimiter_of};
pub use writer::{TableWriter, write_quoted};
