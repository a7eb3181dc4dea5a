//! The progress of an import, and notes for the user about its rows.

use std::collections::BTreeMap;

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

/// The maximum number of different notes per batch.
pub const MAX_NOTES: usize = 50;

/// Notes, each with the number of rows that it applies to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<String, u64>);

impl Notes {
    /// Adds a note for one row. New notes beyond [`MAX_NOTES`] are dropped.
    pub fn add(&mut self, note: String) {
        self.add_many(note, 1);
    }

    fn add_many(&mut self, note: String, rows: u64) {
        if self.0.len() < MAX_NOTES || self.0.contains_key(&note) {
            *self.0.entry(note).or_default() += rows;
        }
    }

    /// Adds the notes of another batch.
    pub fn extend(&mut self, other: Self) {
        for (note, rows) in other.0 {
            self.add_many(note, rows);
        }
    }

    /// The notes as texts, in order.
    pub fn texts(&self) -> Vec<String> {
        let text =
            |(note, rows): (&String, &u64)| format!("{note} ({rows} {})", if *rows == 1 { "row" } else { "rows" });
        self.0.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_counted_and_bounded() {
        let mut notes = Notes::default();
        for note in (0..=MAX_NOTES).map(|number| number.to_string()).chain(["0".to_owned()]) {
            notes.add(note);
        }
        let texts = notes.texts();
        assert_eq!((texts.len(), &*texts[0], &*texts[1]), (MAX_NOTES, "0 (2 rows)", "1 (1 row)"));
    }
}
