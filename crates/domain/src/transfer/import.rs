//! Imports a file, batch by batch.

use std::ops::Range;
use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::defaults::missing_closing_member;
use super::lifecycle::entry_of;
use super::links::{Resolved, resolve};
use super::mangled::{ReadRow, damaged_rows};
use super::reading::ReadCells;
use super::{Columns, Import, MAX_BATCH_ROWS, Notes, Refusal, TransferKind};
use crate::Error;
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::crm::upserts::{NewCompanies, import_rows};
use crate::identity::access::{Permit, TransferRecords};
use crate::identity::audit::AuditAction;
use crate::kernel::{IssueKind, StoreError, Weight};
use crate::limits::quota;
use crate::ports::{Ports, Tx, statement, weighed_rehearse, weighed_transact};
use crate::records::{
    DryRunRows, EarlierRows, ImportRow, Importable, Mark, NumberedRow, OnMatch, RowImport, RowOutcome, Rows, Writing,
    id_of, import_row, not_creatable,
};
use crate::work::issues::IssueImport;
use crate::work::projects::Project;
use crate::work::time_entries::TimeEntry;

/// The maximum length of a reason, in characters.
const MAX_REASON: usize = 1_000;

/// A row of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// The line number in the file at which it begins, starting at 1.
    pub line: u64,
    pub cells: Vec<String>,
}

/// Rows of a file, and what to do with them.
#[derive(Debug, Clone)]
pub struct Batch {
    pub columns: Columns,
    pub on_match: OnMatch,
    /// At most [`MAX_BATCH_ROWS`].
    pub rows: Vec<FileRow>,
    /// The import before these rows; `None` for a dry run, which writes nothing.
    pub import: Option<Import>,
    /// In a dry run, the state after the earlier batches.
    pub dry_run_rows: Arc<DryRunRows>,
}

/// The result of a batch.
#[derive(Debug, Clone)]
pub struct BatchResult {
    /// In the order of the rows.
    pub outcomes: Vec<RowOutcome>,
    /// The import after these rows; `None` if nothing was written.
    pub import: Option<Import>,
    /// In a dry run, the marks of these rows for later batches.
    pub marks: Vec<Mark>,
    /// The number of companies that were, or would be, created because rows name them.
    pub companies: u64,
    /// Notes on values that were kept in another field or ignored.
    pub notes: Notes,
}

/// Writes a batch of rows, in one transaction with the import's progress. A dry run has no import, and knows
/// earlier batches only from [`Batch::dry_run_rows`].
///
/// # Errors
/// Store errors, and [`Error::Conflict`] while another process imports the same file. Errors in a row are its outcome.
pub async fn import_batch(ports: &Ports, permit: &Permit<TransferRecords>, batch: Batch) -> Result<BatchResult, Error> {
    debug_assert!(batch.rows.len() <= MAX_BATCH_ROWS, "the adapter splits files");
    let rows: Vec<_> = batch.rows.iter().map(|row| batch.columns.row(&row.cells)).collect();
    let is_dry_run = batch.import.is_none();
    let numbers = match issue_kind(batch.columns.kind()) {
        Some(kind) if !is_dry_run => reserved_numbers(ports, permit, kind, &rows).await?,
        // A dry run uses up no numbers: it takes them in the transaction that is rolled back.
        _ => 0..0,
    };
    let (acting, outside) = (permit.clone(), ports.clone());
    let work = move |tx: &mut dyn Tx| {
        let of_import = |tx: &mut dyn Tx, records: &[Uuid]| -> Result<Vec<(Uuid, u64)>, Error> {
            match &batch.import {
                Some(import) if import.progress.rows() > 0 => Ok(tx.imports().written(&import.digest, records)?),
                _ => Ok(Vec::new()),
            }
        };
        let mut earlier = EarlierRows::new(&of_import, is_dry_run.then_some(&*batch.dry_run_rows));
        let done = write_rows(&outside, &acting, tx, &batch, &rows, &numbers, &mut earlier)?;
        let (written, marks) = earlier.into_written();
        let import = batch.import.as_ref().map(|import| advance(tx, import, &done, &written)).transpose()?;
        if let (Some(before), Some(after)) = (&batch.import, &import)
            && before.progress.written() == 0
            && after.progress.written() > 0
        {
            let details = json!({ "kind": after.kind, "file": after.digest.as_str() });
            tx.audit().append(&entry_of(&outside, &acting, AuditAction::ImportStarted, details))?;
        }
        let Outcome { outcomes, companies, notes } = done;
        Ok(BatchResult { outcomes, import, marks, companies, notes })
    };
    if is_dry_run {
        weighed_rehearse(ports, permit, Weight::Heavy, work).await
    } else {
        weighed_transact(ports, permit, Weight::Heavy, work).await
    }
}

/// Reserves numbers for the rows that create an issue, which are those without an id or reference. As for single creates, this is a
/// separate statement, so that other creates do not wait for the import.
async fn reserved_numbers(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    kind: IssueKind,
    rows: &[ReadRow],
) -> Result<Range<i64>, Error> {
    let creates = |cells: &&ReadCells| not_creatable(&cells.row).is_none() && cells.suspects.is_empty();
    let creating = rows.iter().flatten().filter(creates).count();
    let wanted = u32::try_from(creating).unwrap_or(u32::MAX);
    if wanted == 0 {
        return Ok(0..0);
    }
    statement(ports, permit, move |tx| {
        let first = tx.issues().reserve_numbers(kind, wanted)?;
        Ok(first..first.saturating_add(i64::from(wanted)))
    })
    .await
}

const fn issue_kind(kind: TransferKind) -> Option<IssueKind> {
    match kind {
        TransferKind::Tasks => Some(IssueKind::Task),
        TransferKind::Tickets => Some(IssueKind::Ticket),
        _ => None,
    }
}

/// Stores the progress of the import and the outcomes of the rows.
fn advance(tx: &mut dyn Tx, before: &Import, done: &Outcome, written: &[(Uuid, u64)]) -> Result<Import, Error> {
    let mut import = before.clone();
    import.progress.companies += done.companies;
    let mut refused = Vec::new();
    for (outcome, row) in done.outcomes.iter().zip(before.progress.rows() + 1..) {
        import.progress.add(outcome);
        if let RowOutcome::Refused(reason) = outcome {
            refused.push(Refusal { row, reason: reason.clone() });
        }
    }
    if !tx.imports().advance(before, &import.progress)? {
        return Err(Error::Conflict("another process is importing this file: wait for it, or stop it".to_owned()));
    }
    if !written.is_empty() {
        tx.imports().add_written(&before.digest, written)?;
    }
    if !refused.is_empty() {
        tx.imports().add_refusals(&before.digest, &refused)?;
    }
    Ok(import)
}

/// The result of the rows.
struct Outcome {
    outcomes: Vec<RowOutcome>,
    companies: u64,
    notes: Notes,
}

/// Resolves the references of the rows, and writes the rows.
fn write_rows(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    tx: &mut dyn Tx,
    batch: &Batch,
    read: &[ReadRow],
    numbers: &Range<i64>,
    earlier: &mut EarlierRows<'_>,
) -> Result<Outcome, Error> {
    let writing = Writing::of_import(ports, permit);
    let mut outcomes: Vec<Option<RowOutcome>> = Vec::with_capacity(read.len());
    let damaged = damaged_rows(tx, permit, batch.columns.kind(), read)?;
    let (mut indexes, mut rows) = (Vec::new(), Vec::new());
    for ((index, row), damage) in read.iter().enumerate().zip(damaged) {
        match row {
            Ok(cells) if damage.is_none() => {
                indexes.push(index);
                rows.push(cells.row.clone());
                outcomes.push(None);
            }
            Ok(_) => outcomes.push(damage.map(RowOutcome::Refused)),
            Err(reason) => outcomes.push(Some(RowOutcome::Refused(reason.clone()))),
        }
    }
    let Resolved { refusals, mut companies, mut notes } = resolve(&writing, tx, &batch.columns, &mut rows)?;
    let (mut writable, mut writable_indexes) = (Vec::new(), Vec::new());
    for ((index, row), refusal) in indexes.into_iter().zip(rows).zip(refusals) {
        if let Some(reason) = refusal {
            outcomes[index] = Some(RowOutcome::Refused(reason));
        } else {
            let line = batch.rows.get(index).map_or(0, |row| row.line);
            writable.push(NumberedRow { line, row });
            writable_indexes.push(index);
        }
    }
    let notes_if_created: Vec<_> =
        writable.iter().map(|numbered| note_if_created(batch.columns.kind(), &writing, &numbered.row)).collect();
    let written = write_kind(&writing, permit, tx, batch, (writable, numbers), &mut companies, earlier)?;
    for ((index, outcome), note) in writable_indexes.into_iter().zip(written).zip(notes_if_created) {
        if let (RowOutcome::Created, Some(note)) = (&outcome, note) {
            notes.add(note);
        }
        if matches!(outcome, RowOutcome::Created | RowOutcome::Updated)
            && let Some(Ok(cells)) = read.get(index)
        {
            for note in &cells.notes {
                notes.add(note.clone());
            }
        }
        outcomes[index] = Some(outcome);
    }
    let outcomes = outcomes.into_iter().map(bounded).collect::<Result<_, _>>()?;
    Ok(Outcome { outcomes, companies: companies.created(), notes })
}

/// What to tell the user about a row if it creates a record.
fn note_if_created(kind: TransferKind, writing: &Writing, row: &ImportRow) -> Option<String> {
    if let Some(member) = missing_closing_member(kind, row) {
        return Some(format!("closed without a date: {member} stays empty"));
    }
    let is_own = kind == TransferKind::TimeEntries && !row.contains_key("member_id") && writing.credential.is_some();
    is_own.then(|| "without a member: recorded as your own time".to_owned())
}

fn bounded(outcome: Option<RowOutcome>) -> Result<RowOutcome, Error> {
    match outcome {
        Some(RowOutcome::Refused(reason)) => Ok(RowOutcome::Refused(reason.chars().take(MAX_REASON).collect())),
        Some(outcome) => Ok(outcome),
        None => Err(StoreError::Internal("a row of an import has no outcome".to_owned()).into()),
    }
}

fn write_kind(
    writing: &Writing,
    permit: &Permit<TransferRecords>,
    tx: &mut dyn Tx,
    batch: &Batch,
    (rows, numbers): (Vec<NumberedRow>, &Range<i64>),
    companies: &mut NewCompanies,
    earlier: &mut EarlierRows<'_>,
) -> Result<Vec<RowOutcome>, Error> {
    let (ports, on_match, earlier_records) = (&writing.ports, batch.on_match, batch.dry_run_rows.created());
    if batch.import.is_none() && earlier_records > 0 {
        let workspace = permit.workspace();
        quota::take_many(tx, workspace.allowance(), workspace.version, ports.clock.now(), earlier_records)?;
    }
    macro_rules! written {
        ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
            match batch.columns.kind() {
                TransferKind::Companies => {
                    import_rows::<_, Company>(ports, permit, tx, on_match, rows, companies, earlier)
                }
                TransferKind::Contacts => {
                    import_rows::<_, Contact>(ports, permit, tx, on_match, rows, companies, earlier)
                }
                TransferKind::Deals => import_rows::<_, Deal>(ports, permit, tx, on_match, rows, companies, earlier),
                TransferKind::Projects => by_key::<Project>(writing, tx, on_match, rows, earlier),
                TransferKind::Tasks => {
                    let tasks = IssueImport::new(writing, permit, IssueKind::Task, numbers);
                    one_by_one(&tasks, tx, on_match, rows, earlier)
                }
                TransferKind::Tickets => {
                    let tickets = IssueImport::new(writing, permit, IssueKind::Ticket, numbers);
                    one_by_one(&tickets, tx, on_match, rows, earlier)
                }
                TransferKind::TimeEntries => by_key::<TimeEntry>(writing, tx, on_match, rows, earlier),
                $(TransferKind::$kinds => by_key::<$type>(writing, tx, on_match, rows, earlier),)+
            }
        };
    }
    crate::simple_kinds!(written!())
}

fn by_key<K: Importable>(
    writing: &Writing,
    tx: &mut dyn Tx,
    on_match: OnMatch,
    rows: Vec<NumberedRow>,
    earlier: &mut EarlierRows<'_>,
) -> Result<Vec<RowOutcome>, Error> {
    K::lock_all(tx)?;
    one_by_one(&Rows::<K>::new(writing), tx, on_match, rows, earlier)
}

fn one_by_one<K: RowImport>(
    kind: &K,
    tx: &mut dyn Tx,
    on_match: OnMatch,
    rows: Vec<NumberedRow>,
    earlier: &mut EarlierRows<'_>,
) -> Result<Vec<RowOutcome>, Error> {
    earlier.look_up(tx, rows.iter().filter_map(|numbered| id_of(&numbered.row)))?;
    rows.into_iter().map(|row| import_row(kind, tx, on_match, row, earlier)).collect()
}
