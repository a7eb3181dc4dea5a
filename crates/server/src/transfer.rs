//! Files of imports and exports. `domain::transfer` gives them their meaning.

mod output;
mod progress;
mod table;

pub(crate) use output::{CsvFile, FileSummary, JsonLinesFile};
pub(crate) use progress::ProgressBar;
pub(crate) use table::{check_replaceable, is_report, open, summary};
