//! Notes for the user about the rows of a batch that were not refused.

use std::collections::BTreeMap;

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
