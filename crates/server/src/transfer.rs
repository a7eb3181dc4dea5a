//! Files of imports and exports. What they mean is up to `domain::transfer`.

mod output;
mod progress;
mod table;

pub(crate) use output::{CsvFile, JsonLinesFile, Written};
pub(crate) use progress::ProgressBar;
pub(crate) use table::{check_replaceable, is_report, open, summary};
