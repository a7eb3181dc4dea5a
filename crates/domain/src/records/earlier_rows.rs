//! Tracks which records the rows of a file have written, because a later row about the same record would overwrite an earlier
//! one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use uuid::Uuid;

use super::{ImportRow, RowOutcome};
use crate::Error;
use crate::kernel::RecordKeys;
use crate::ports::Tx;

/// The maximum number of marks that a dry run remembers, about 20 MB.
const MAX_MARKS: usize = 900_000;

/// A row of a file, converted to the members of a request.
#[derive(Debug, Clone)]
pub(crate) struct NumberedRow {
    /// The number of its first line.
    pub(crate) line: u64,
    pub(crate) row: ImportRow,
}

/// The hash of a key that identifies the record of a row, and the line of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    hash: u64,
    line: u64,
}

#[derive(Hash)]
enum Identity<'a> {
    Id(Uuid),
    ExternalId(&'a str),
    Natural(&'a str),
}

impl Identity<'_> {
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }
}

fn identities(keys: &RecordKeys) -> impl Iterator<Item = Identity<'_>> {
    let external_id = keys.external_id.as_deref().map(Identity::ExternalId);
    external_id.into_iter().chain(keys.natural.as_deref().map(Identity::Natural))
}

/// What a dry run remembers of earlier batches, since it writes nothing to the database: the first rows, up to a limit.
#[derive(Debug, Clone, Default)]
pub struct DryRunRows {
    created: u64,
    lines: HashMap<u64, u64>,
}

impl DryRunRows {
    /// The state after rows of which only the number of created records is known.
    pub fn of_created(created: u64) -> Self {
        Self { created, lines: HashMap::new() }
    }

    /// The number of records that the rows would have created, which count against the quota.
    pub const fn created(&self) -> u64 {
        self.created
    }

    /// Adds the rows of a batch, and the number of companies that they need.
    pub fn add(&mut self, outcomes: &[RowOutcome], companies: u64, marks: &[Mark]) {
        self.created += companies;
        self.created += outcomes.iter().filter(|outcome| **outcome == RowOutcome::Created).count() as u64;
        let room = MAX_MARKS.saturating_sub(self.lines.len());
        self.lines.extend(marks.iter().take(room).map(|mark| (mark.hash, mark.line)));
    }

    fn line_of(&self, identity: &Identity<'_>) -> Option<u64> {
        self.lines.get(&identity.hash()).copied()
    }
}

/// Looks up which of these records earlier batches of an import have written, and the line of each.
pub(crate) type FindLines<'a> = &'a dyn Fn(&mut dyn Tx, &[Uuid]) -> Result<Vec<(Uuid, u64)>, Error>;

/// The records that rows have written, in earlier batches and in this one.
pub(crate) struct EarlierRows<'a> {
    find: FindLines<'a>,
    /// In a dry run, the rows before this batch.
    dry_run: Option<&'a DryRunRows>,
    /// The line that wrote each record that was looked up or noted; `None` if no earlier row did.
    lines: HashMap<Uuid, Option<u64>>,
    /// The lines of this batch, by the identity of the record.
    batch_lines: HashMap<u64, u64>,
    written: Vec<(Uuid, u64)>,
}

impl<'a> EarlierRows<'a> {
    pub(crate) fn new(find: FindLines<'a>, dry_run: Option<&'a DryRunRows>) -> Self {
        Self { find, dry_run, lines: HashMap::new(), batch_lines: HashMap::new(), written: Vec::new() }
    }

    /// Looks up records for [`Self::line_of`]. At most one statement.
    pub(crate) fn look_up(&mut self, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<(), Error> {
        let mut unknown: Vec<_> = ids.into_iter().filter(|id| !self.lines.contains_key(id)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        let of_dry_run = |id: &Uuid| self.dry_run.and_then(|dry_run| dry_run.line_of(&Identity::Id(*id)));
        let known: Vec<_> = unknown.iter().map(|id| (*id, of_dry_run(id))).collect();
        self.lines.extend(known);
        if self.dry_run.is_none() {
            let found = (self.find)(tx, &unknown)?;
            self.lines.extend(found.into_iter().map(|(id, line)| (id, Some(line))));
        }
        Ok(())
    }

    /// The line of the earlier row that wrote a record.
    pub(crate) fn line_of(&self, id: Uuid) -> Option<u64> {
        self.lines.get(&id).copied().flatten()
    }

    /// The line of an earlier row with the same id or one of the keys: in this batch, or, in a dry run, in any batch.
    pub(crate) fn line_with(&self, id: Option<Uuid>, keys: &RecordKeys) -> Option<u64> {
        let all = id.map(Identity::Id).into_iter().chain(identities(keys));
        let lines = all.filter_map(|identity| {
            self.batch_lines
                .get(&identity.hash())
                .copied()
                .or_else(|| self.dry_run.and_then(|dry_run| dry_run.line_of(&identity)))
        });
        lines.min()
    }

    /// Notes that a row has written a record, or has found it unchanged.
    pub(crate) fn note(&mut self, id: Uuid, keys: &RecordKeys, line: u64) {
        self.lines.insert(id, Some(line));
        self.written.push((id, line));
        self.batch_lines.extend(identities(keys).chain([Identity::Id(id)]).map(|identity| (identity.hash(), line)));
    }

    /// The records that this batch has written, and, for a dry run, the marks for later batches.
    pub(crate) fn into_written(self) -> (Vec<(Uuid, u64)>, Vec<Mark>) {
        let marks = self.batch_lines.into_iter().map(|(hash, line)| Mark { hash, line });
        (self.written, if self.dry_run.is_some() { marks.collect() } else { Vec::new() })
    }
}

/// The reason for refusing a row about a record that an earlier row has written.
pub(crate) fn repeats_row(noun: &str, line: u64) -> String {
    let noun = noun.replace('_', " ");
    format!("line {line} is about the same {noun}: merge the two rows, or import this one from a separate file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dry_runs_remember_a_bounded_number_of_rows() {
        let mut dry_run = DryRunRows::of_created(5);
        let marks: Vec<_> = (0..MAX_MARKS as u64 + 9).map(|number| Mark { hash: number, line: number }).collect();
        dry_run.add(&[RowOutcome::Created, RowOutcome::Skipped], 0, &marks);
        assert_eq!((dry_run.created(), dry_run.lines.len()), (6, MAX_MARKS));
        dry_run.add(&[RowOutcome::Created], 2, &marks);
        assert_eq!((dry_run.created(), dry_run.lines.len()), (9, MAX_MARKS));
    }
}
