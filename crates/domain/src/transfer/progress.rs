//! The progress of an import.

use time::OffsetDateTime;

use super::TransferKind;
use crate::records::RowOutcome;

/// Identifies an import in its workspace: the SHA-256 of the file and of the options, so that the same command resumes where it was
/// killed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImportDigest(String);

impl ImportDigest {
    pub fn new(digest: [u8; 32]) -> Self {
        Self(hex::encode(digest))
    }

    /// The digest in hexadecimal.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The outcomes of the rows so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub created: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub skipped: u64,
    pub refused: u64,
    /// The number of companies created because rows of contacts or deals name them. They are not counted as rows.
    pub companies: u64,
}

impl Progress {
    /// How many rows were read.
    pub const fn rows(&self) -> u64 {
        self.created + self.updated + self.unchanged + self.skipped + self.refused
    }

    /// How many rows changed something.
    pub const fn written(&self) -> u64 {
        self.created + self.updated
    }

    /// Counts a row.
    pub fn add(&mut self, outcome: &RowOutcome) {
        let count = match outcome {
            RowOutcome::Created => &mut self.created,
            RowOutcome::Updated => &mut self.updated,
            RowOutcome::Unchanged => &mut self.unchanged,
            RowOutcome::Skipped => &mut self.skipped,
            RowOutcome::Refused(_) => &mut self.refused,
        };
        *count += 1;
    }
}

/// An import of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub digest: ImportDigest,
    pub kind: TransferKind,
    pub progress: Progress,
    pub started_at: OffsetDateTime,
    /// `None` while it runs, or if it was killed.
    pub finished_at: Option<OffsetDateTime>,
}

/// Selects imports to remove or end.
#[derive(Debug, Clone, Copy)]
pub struct Surplus {
    /// Imports that started before this time.
    pub before: OffsetDateTime,
    /// All except this number of the newest.
    pub keep: u32,
    /// All unfinished imports except this number of the newest.
    pub keep_unfinished: u32,
}

/// A row that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The number of the row. The first row after the header is 1.
    pub row: u64,
    pub reason: String,
}
