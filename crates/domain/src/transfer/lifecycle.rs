//! Starts and ends imports, and bounds what is stored about them.

use serde_json::json;
use time::Duration;

use super::{Import, ImportDigest, Progress, Refusal, Surplus, TransferKind};
use crate::Error;
use crate::identity::access::{Permit, TransferRecords};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Ports, statement, transact};

/// How long an import of a file is remembered.
const RETENTION: Duration = Duration::days(90);
/// The maximum number of remembered imports of a workspace, because clients could otherwise create any number.
const MAX_REMEMBERED: u32 = 1_000;
/// The maximum number of unfinished imports of a workspace, because the list of records that they have written is stored until
/// they end.
const MAX_UNFINISHED: u32 = 20;
/// The maximum number of stored records deleted per transaction.
const DELETE_BATCH: u32 = 20_000;

/// What happens if the same file was already imported in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The import is refused, because rows without a key would be added a second time.
    Refuse,
    /// The import starts again.
    Again,
    /// The result of the finished import is returned.
    Resume,
}

/// Starts an import, or resumes one that was interrupted. The audit log entry is written with the first batch that changes something. If
/// too many imports are unfinished, the oldest ones end.
///
/// # Errors
/// [`Error::Conflict`] if the file was already imported in the same way and `repeat` refuses that.
pub async fn begin(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
    kind: TransferKind,
    repeat: Repeat,
) -> Result<Import, Error> {
    let now = ports.clock.now();
    let own = digest.clone();
    let begins = transact(ports, permit, move |tx| {
        let begins = tx.imports().get_for_update(&own)?.is_none_or(|import| {
            import.started_at < now - RETENTION || (import.finished_at.is_some() && repeat == Repeat::Again)
        });
        if begins {
            // Imports are ended before they are removed below, so that their stored records are deleted in small steps.
            let surplus =
                Surplus { before: now - RETENTION, keep: MAX_REMEMBERED - 1, keep_unfinished: MAX_UNFINISHED - 1 };
            tx.imports().end_surplus(&surplus, now)?;
        }
        Ok(begins)
    })
    .await?;
    if begins {
        forget_written(ports, permit).await?;
    }
    transact(ports, permit, move |tx| {
        if begins {
            // One less than the maximum, to leave room for the new import.
            tx.imports().prune(now - RETENTION, MAX_REMEMBERED - 1)?;
        }
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

/// The current state of the import, if it was started and is still remembered.
pub async fn current(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
) -> Result<Option<Import>, Error> {
    statement(ports, permit, move |tx| Ok(tx.imports().get_for_update(&digest)?)).await
}

/// Deletes the stored records of finished imports.
async fn forget_written(ports: &Ports, permit: &Permit<TransferRecords>) -> Result<(), Error> {
    while statement(ports, permit, |tx| Ok(tx.imports().forget_written(DELETE_BATCH)?)).await? > 0 {}
    Ok(())
}

fn imported_before(import: &Import) -> Error {
    let at = import.finished_at.map(crate::kernel::input::format_timestamp).unwrap_or_default();
    let rows = import.progress.rows();
    Error::Conflict(format!(
        "this file was already imported in the same way at {at}, {rows} rows of it (--again imports it again, which adds \
         rows without a key a second time)"
    ))
}

pub(super) fn entry_of<P>(
    ports: &Ports,
    permit: &Permit<P>,
    action: AuditAction,
    details: serde_json::Value,
) -> AuditEntry {
    AuditEntry::new(ports, &permit.principal(), action, AuditSubject::workspace(permit.workspace_id()), details)
}

/// The refused rows with numbers from `first` to `last`, in order.
pub async fn refusals(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    digest: ImportDigest,
    first: u64,
    last: u64,
) -> Result<Vec<Refusal>, Error> {
    statement(ports, permit, move |tx| Ok(tx.imports().refusals(&digest, first, last)?)).await
}

/// Ends an import after all rows were read. Its refused rows are kept until the next import ends, which bounds their number.
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
    .await?;
    forget_written(ports, permit).await
}
