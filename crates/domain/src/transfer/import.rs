//! Importing a file, batch by batch.

use std::ops::Range;

use serde_json::json;
use time::Duration;

use super::closed::undated;
use super::links::{Resolved, resolve};
use super::{Columns, Import, ImportDigest, MAX_BATCH_ROWS, Notes, Progress, Refusal, TransferKind};
use crate::Error;
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::crm::upserts::{NewCompanies, import_rows};
use crate::identity::access::{Permit, TransferRecords};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::{IssueKind, StoreError, Weight};
use crate::limits::quota;
use crate::ports::{Ports, Tx, statement, transact, weighed_rehearse, weighed_transact};
use crate::records::{ImportContext, ImportRow, OnMatch, RowImport, RowOutcome, import_row, not_creatable};
use crate::support::kb::ArticleImport;
use crate::work::issues::IssueImport;
use crate::work::projects::ProjectImport;

/// How long it is known that a file was imported.
const KEPT: Duration = Duration::days(90);
/// How many imports of a workspace are known: a client names files as it likes, so it could make any number.
const MAX_KEPT: u32 = 1_000;
/// Characters of a reason at most.
const MAX_REASON: usize = 1_000;

/// What becomes of an import that has ended, of the same file in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// Refused: rows without a key would be added a second time.
    Refuse,
    /// Begun anew.
    Again,
    /// Shown as it ended.
    Resume,
}

/// Begins an import, or goes on with one that was killed. The audit log hears of it with its first written batch.
///
/// # Errors
/// [`Error::Conflict`] for a file that was imported in the same way before, if that is to be refused.
pub async fn begin(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
    kind: TransferKind,
    repeat: Repeat,
) -> Result<Import, Error> {
    let now = ports.clock.now();
    transact(ports, permit, move |tx| {
        // One less than are kept: the one that begins needs room.
        tx.imports().prune(now - KEPT, MAX_KEPT - 1)?;
        match tx.imports().get_for_update(&digest)? {
            Some(import) if import.finished_at.is_none() || repeat == Repeat::Resume => return Ok(import),
            Some(_) if repeat == Repeat::Again => tx.imports().delete(&digest)?,
            Some(import) => return Err(imported_before(&import)),
            None => {}
        }
        let import =
            Import { digest: digest.clone(), kind, progress: Progress::default(), started_at: now, finished_at: None };
        tx.imports().insert(&import)?;
        Ok(import)
    })
    .await
}

/// The import as it stands, if it was begun and is not forgotten.
///
/// # Errors
/// Those of the store.
pub async fn current(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
) -> Result<Option<Import>, Error> {
    statement(ports, permit, move |tx| Ok(tx.imports().get_for_update(&digest)?)).await
}

fn imported_before(import: &Import) -> Error {
    let at = import.finished_at.map(crate::kernel::input::format_timestamp).unwrap_or_default();
    Error::Conflict(format!(
        "this file was already imported in the same way at {at} (--again imports it again, which adds rows without a \
         key a second time)"
    ))
}

fn entry_of(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    action: AuditAction,
    details: serde_json::Value,
) -> AuditEntry {
    AuditEntry::new(ports, &permit.principal(), action, AuditSubject::workspace(permit.workspace_id()), details)
}

/// Rows of a file, and what is to be done with them.
#[derive(Debug, Clone)]
pub struct Batch {
    pub columns: Columns,
    pub on_match: OnMatch,
    /// At most [`MAX_BATCH_ROWS`], each with its cells.
    pub rows: Vec<Vec<String>>,
    /// The import as it stands before these rows; `None` tries what would happen and writes nothing.
    pub import: Option<Import>,
    /// How many records a try would have created with the batches before this one, which the quota must allow, too.
    pub tried: u64,
}

/// What became of a batch.
#[derive(Debug, Clone)]
pub struct BatchResult {
    /// In the order of the rows.
    pub outcomes: Vec<RowOutcome>,
    /// The import behind these rows; `None` if nothing was written.
    pub import: Option<Import>,
    /// How many companies were created because the rows name them, or would be.
    pub companies: u64,
    /// What was kept in another place than the file has it, or is left out.
    pub notes: Notes,
}

/// Writes a batch of rows, in one transaction with the import's progress. A try takes part in no import, and knows of batches
/// before it only how many records they would have created: of two rows with the same key in different batches, it calls both
/// created.
///
/// # Errors
/// Those of the store, and [`Error::Conflict`] while another process imports the same file; what is wrong with a row is its
/// outcome.
pub async fn import_batch(ports: &Ports, permit: &Permit<TransferRecords>, batch: Batch) -> Result<BatchResult, Error> {
    debug_assert!(batch.rows.len() <= MAX_BATCH_ROWS, "the adapter splits files");
    let rows: Vec<_> = batch.rows.iter().map(|cells| batch.columns.row(cells)).collect();
    let is_try = batch.import.is_none();
    let numbers = match issue_kind(batch.columns.kind()) {
        Some(kind) if !is_try => reserved_numbers(ports, permit, kind, &rows).await?,
        // A try uses none up: it takes them in the transaction that is rolled back.
        _ => 0..0,
    };
    let (acting, outside) = (permit.clone(), ports.clone());
    let work = move |tx: &mut dyn Tx| {
        let Written { outcomes, companies, notes } = write_rows(&outside, &acting, tx, &batch, &rows, &numbers)?;
        let import = batch.import.as_ref().map(|import| advance(tx, import, &outcomes, companies)).transpose()?;
        if let (Some(before), Some(after)) = (&batch.import, &import)
            && before.progress.written() == 0
            && after.progress.written() > 0
        {
            let details = json!({ "kind": after.kind, "file": after.digest.as_str() });
            tx.audit().append(&entry_of(&outside, &acting, AuditAction::ImportStarted, details))?;
        }
        Ok(BatchResult { outcomes, import, companies, notes })
    };
    if is_try {
        weighed_rehearse(ports, permit, Weight::Heavy, work).await
    } else {
        weighed_transact(ports, permit, Weight::Heavy, work).await
    }
}

/// Numbers for the rows that create an issue: those that name none. Reserved by a statement of its own, as for single creates:
/// these do not wait for the import.
async fn reserved_numbers(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    kind: IssueKind,
    rows: &[Result<ImportRow, String>],
) -> Result<Range<i64>, Error> {
    let creating = rows.iter().flatten().filter(|row| not_creatable(row).is_none()).count();
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

/// Notes what became of the rows.
fn advance(tx: &mut dyn Tx, before: &Import, outcomes: &[RowOutcome], companies: u64) -> Result<Import, Error> {
    let mut import = before.clone();
    import.progress.companies += companies;
    let mut refused = Vec::new();
    for (outcome, row) in outcomes.iter().zip(before.progress.rows() + 1..) {
        import.progress.add(outcome);
        if let RowOutcome::Refused(reason) = outcome {
            refused.push(Refusal { row, reason: reason.clone() });
        }
    }
    if !tx.imports().advance(before, &import.progress)? {
        return Err(Error::Conflict("another process is importing this file: wait for it, or stop it".to_owned()));
    }
    if !refused.is_empty() {
        tx.imports().add_refusals(&before.digest, &refused)?;
    }
    Ok(import)
}

/// What became of rows.
struct Written {
    outcomes: Vec<RowOutcome>,
    companies: u64,
    notes: Notes,
}

/// Finds what the rows refer to, and writes them.
fn write_rows(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    tx: &mut dyn Tx,
    batch: &Batch,
    read: &[Result<ImportRow, String>],
    numbers: &Range<i64>,
) -> Result<Written, Error> {
    let context = ImportContext::new(ports, permit);
    let mut outcomes: Vec<Option<RowOutcome>> = Vec::with_capacity(read.len());
    let (mut places, mut rows) = (Vec::new(), Vec::new());
    for (place, row) in read.iter().enumerate() {
        match row {
            Ok(row) => {
                places.push(place);
                rows.push(row.clone());
                outcomes.push(None);
            }
            Err(reason) => outcomes.push(Some(RowOutcome::Refused(reason.clone()))),
        }
    }
    let Resolved { refusals, mut companies, mut notes } = resolve(&context, tx, batch.columns.kind(), &mut rows)?;
    let (mut writable, mut places_left) = (Vec::new(), Vec::new());
    for ((place, row), refusal) in places.into_iter().zip(rows).zip(refusals) {
        if let Some(reason) = refusal {
            outcomes[place] = Some(RowOutcome::Refused(reason));
        } else {
            writable.push(row);
            places_left.push(place);
        }
    }
    let undated: Vec<_> = writable.iter().map(|row| undated(batch.columns.kind(), row)).collect();
    let written = write_kind(&context, permit, tx, batch, (writable, numbers), &mut companies)?;
    for ((place, outcome), undated) in places_left.into_iter().zip(written).zip(undated) {
        if let (RowOutcome::Created, Some(member)) = (&outcome, undated) {
            notes.add(format!("closed, but no column says when: {member} stays empty"));
        }
        outcomes[place] = Some(outcome);
    }
    let outcomes = outcomes.into_iter().map(bounded).collect::<Result<_, _>>()?;
    Ok(Written { outcomes, companies: companies.created(), notes })
}

fn bounded(outcome: Option<RowOutcome>) -> Result<RowOutcome, Error> {
    match outcome {
        Some(RowOutcome::Refused(reason)) => Ok(RowOutcome::Refused(reason.chars().take(MAX_REASON).collect())),
        Some(outcome) => Ok(outcome),
        None => Err(StoreError::Internal("a row of an import has no outcome".to_owned()).into()),
    }
}

fn write_kind(
    context: &ImportContext,
    permit: &Permit<TransferRecords>,
    tx: &mut dyn Tx,
    batch: &Batch,
    (rows, numbers): (Vec<ImportRow>, &Range<i64>),
    companies: &mut NewCompanies,
) -> Result<Vec<RowOutcome>, Error> {
    let (ports, on_match) = (&context.ports, batch.on_match);
    if batch.import.is_none() && batch.tried > 0 {
        let workspace = permit.workspace();
        quota::take_many(tx, workspace.allowance(), workspace.version, ports.clock.now(), batch.tried)?;
    }
    match batch.columns.kind() {
        TransferKind::Companies => import_rows::<_, Company>(ports, permit, tx, on_match, rows, companies),
        TransferKind::Contacts => import_rows::<_, Contact>(ports, permit, tx, on_match, rows, companies),
        TransferKind::Deals => import_rows::<_, Deal>(ports, permit, tx, on_match, rows, companies),
        TransferKind::Projects => one_by_one(&ProjectImport(context), tx, on_match, rows),
        TransferKind::Tasks => {
            one_by_one(&IssueImport::new(context, permit, IssueKind::Task, numbers), tx, on_match, rows)
        }
        TransferKind::Tickets => {
            one_by_one(&IssueImport::new(context, permit, IssueKind::Ticket, numbers), tx, on_match, rows)
        }
        TransferKind::Articles => {
            tx.kb_articles().lock()?;
            one_by_one(&ArticleImport { context, by: permit.principal() }, tx, on_match, rows)
        }
    }
}

fn one_by_one<K: RowImport>(
    kind: &K,
    tx: &mut dyn Tx,
    on_match: OnMatch,
    rows: Vec<ImportRow>,
) -> Result<Vec<RowOutcome>, Error> {
    rows.into_iter().map(|row| import_row(kind, tx, on_match, row)).collect()
}

/// The refused rows from the row `first` to the row `last`, in order.
///
/// # Errors
/// Those of the store.
pub async fn refusals(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
    first: u64,
    last: u64,
) -> Result<Vec<Refusal>, Error> {
    statement(ports, permit, move |tx| Ok(tx.imports().refusals(&digest, first, last)?)).await
}

/// Ends an import whose rows were all read. Its refused rows are kept until the next import ends, so that their number has a
/// bound.
///
/// # Errors
/// Those of the store.
pub async fn finish(ports: &Ports, permit: &Permit<TransferRecords>, import: Import) -> Result<(), Error> {
    let now = ports.clock.now();
    let Progress { created, updated, unchanged, skipped, refused, companies } = import.progress;
    let mut details = json!({
        "kind": import.kind, "file": import.digest.as_str(), "created": created, "updated": updated,
        "unchanged": unchanged, "skipped": skipped, "refused": refused,
    });
    if companies > 0 {
        details["companies"] = companies.into();
    }
    let entry = entry_of(ports, permit, AuditAction::ImportFinished, details);
    transact(ports, permit, move |tx| {
        if tx.imports().finish(&import.digest, now)? {
            tx.audit().append(&entry)?;
        }
        Ok(())
    })
    .await
}
