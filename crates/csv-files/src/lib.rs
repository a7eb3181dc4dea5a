//! Reads and writes files of comma-separated values, for the command line and the console.

mod decode;
mod form;
mod plan;
mod report;
mod rows;
mod table;
mod writer;

pub use form::FileForm;
pub use plan::{digest_of, digest_of_user};
pub use report::{report_cells, report_columns, report_row};
pub use table::{Line, Table, TableError};
pub use writer::{DOWNLOADED, TableWriter, write_quoted};
