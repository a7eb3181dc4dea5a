//! Files of comma-separated values that are imported, whoever reads them: the command line or the console.

mod plan;
mod report;
mod table;

pub use plan::digest_of;
pub use report::{report_cells, report_columns, report_row};
pub use table::{FileForm, Line, Table, TableError, delimiter_of};
