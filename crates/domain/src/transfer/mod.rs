//! Import and export of records as files (docs/import-export.md).
//!
//! The header decides what the columns of a file mean ([`Columns`]). Each row becomes the members of a request, and is validated like one.
//! [`import_batch`] writes a batch of rows together with the progress of the import, so an import that was killed resumes after the last
//! batch. Imports send no e-mails; their events are those of single requests. Adapters read and write the files.

mod by_name;
mod cells;
mod columns;
mod defaults;
mod entry_names;
mod export;
mod exported;
mod formula;
mod import;
mod joined;
mod kind;
mod lifecycle;
mod link_texts;
mod links;
mod mangled;
mod numbers;
mod presets;
mod progress;
mod reading;
mod reference_names;
mod report;
mod side_values;
mod targets;
mod times;

pub use columns::Columns;
pub use export::{
    ExportPage, ExportPosition, MAX_EXPORT_PAGE_BYTES, MAX_RUNNING_EXPORTS, MAX_RUNNING_EXPORTS_OF_MEMBERS,
    export_page, note_export, note_export_end,
};
pub use exported::{Export, columns_of};
pub use formula::{GuardedRows, guarded, unguarded};
pub use import::{Batch, BatchResult, FileRow, import_batch};
pub use kind::{ExportedList, TransferKind};
pub use lifecycle::{Repeat, begin, current, finish, refusals};
pub use links::lack_member;
pub use numbers::DecimalSign;
pub use presets::{Preset, PresetName};
pub use progress::{Import, ImportDigest, MAX_NOTES, Notes, Progress, Refusal, Surplus};
pub use report::{LINE, REASON, has_report_columns, is_report_row};
pub use targets::Mapping;

/// The maximum number of rows per batch.
pub const MAX_BATCH_ROWS: usize = 500;
/// The approximate maximum size of the cells of a batch, in bytes.
pub const MAX_BATCH_BYTES: usize = 4 << 20;
/// The maximum size of a row, in bytes.
pub const MAX_ROW_BYTES: usize = 1 << 20;
/// The maximum number of columns of a file.
pub const MAX_COLUMNS: usize = 1_000;
