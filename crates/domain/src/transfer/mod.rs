//! Import and export of records as files (docs/import-export.md).
//!
//! What a file's columns mean is decided from its header ([`Columns`]), and each row becomes the members of a request, which
//! are validated as those of a request are. [`import_batch`] writes a batch of rows together with the import's progress, so
//! that an import that was killed goes on behind the last batch. Nobody gets e-mail because of an import; events are those of
//! single requests. Reading and writing files is up to the adapter.

mod by_name;
mod cells;
mod closed;
mod columns;
mod export;
mod exported;
mod fixed;
mod formula;
mod import;
mod joined;
mod kept;
mod kind;
mod lifecycle;
mod link_texts;
mod links;
mod mangled;
mod mapping;
mod notes;
mod numbers;
mod own_values;
mod presets;
mod progress;
mod reading;
mod referred;
mod report;
mod targets;
mod times;

pub use columns::Columns;
pub use export::{
    ExportPage, ExportPlace, MAX_EXPORT_PAGE_BYTES, MAX_RUNNING_EXPORTS, MAX_RUNNING_EXPORTS_OF_MEMBERS, export_page,
    note_export, note_export_end,
};
pub use exported::{Export, columns_of};
pub use formula::{GuardedRows, guarded, unguarded};
pub use import::{Batch, BatchResult, FileRow, import_batch};
pub use kind::{ExportedList, TransferKind};
pub use lifecycle::{Repeat, begin, current, finish, refusals};
pub use mapping::Mapping;
pub use notes::{MAX_NOTES, Notes};
pub use numbers::DecimalSign;
pub use presets::{Preset, PresetName};
pub use progress::{Import, ImportDigest, Progress, Refusal, Surplus};
pub use report::{LINE, REASON, has_report_columns, is_report_row};

/// Rows of a batch at most.
pub const MAX_BATCH_ROWS: usize = 500;
/// About how many bytes the cells of a batch have at most.
pub const MAX_BATCH_BYTES: usize = 4 << 20;
/// Bytes of a row at most.
pub const MAX_ROW_BYTES: usize = 1 << 20;
/// Columns of a file at most.
pub const MAX_COLUMNS: usize = 1_000;
