//! Beginning and ending an import, and what is kept of it.

use serde_json::json;
use time::Duration;

use super::{Import, ImportDigest, Progress, Refusal, Surplus, TransferKind};
use crate::Error;
use crate::identity::access::{Permit, TransferRecords};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::ports::{Ports, statement, transact};

/// How long it is known that a file was imported.
const KEPT: Duration = Duration::days(90);
/// How many imports of a workspace are known: a client names files as it likes, so it could make any number.
const MAX_KEPT: u32 = 1_000;
/// How many imports of a workspace can be unfinished, since the records that they have written are remembered until they end.
const MAX_UNFINISHED: u32 = 20;
/// How many of those records are forgotten in a transaction.
const FORGOTTEN_AT_ONCE: u32 = 20_000;

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

/// Begins an import, or goes on with one that was killed. The audit log hears of it with its first written batch. Of many that
/// were killed, the oldest end where they are.
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
    let own = digest.clone();
    let begins = transact(ports, permit, move |tx| {
        let begins = tx.imports().get_for_update(&own)?.is_none_or(|import| {
            import.started_at < now - KEPT || (import.finished_at.is_some() && repeat == Repeat::Again)
        });
        if begins {
            // What is removed below ends first, so that what is remembered of it goes piece by piece.
            let surplus = Surplus { before: now - KEPT, keep: MAX_KEPT - 1, keep_unfinished: MAX_UNFINISHED - 1 };
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
            // One less than are kept: the one that begins needs room.
            tx.imports().prune(now - KEPT, MAX_KEPT - 1)?;
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

/// Forgets what finished imports have written.
async fn forget_written(ports: &Ports, permit: &Permit<TransferRecords>) -> Result<(), Error> {
    loop {
        let forgotten = statement(ports, permit, |tx| Ok(tx.imports().forget_written(FORGOTTEN_AT_ONCE)?)).await?;
        if forgotten < u64::from(FORGOTTEN_AT_ONCE) {
            return Ok(());
        }
    }
}

fn imported_before(import: &Import) -> Error {
    let at = import.finished_at.map(crate::kernel::input::format_timestamp).unwrap_or_default();
    let rows = import.progress.rows();
    Error::Conflict(format!(
        "this file was already imported in the same way at {at}, {rows} rows of it (--again imports it again, which adds \
         rows without a key a second time)"
    ))
}

pub(super) fn entry_of(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    action: AuditAction,
    details: serde_json::Value,
) -> AuditEntry {
    AuditEntry::new(ports, &permit.principal(), action, AuditSubject::workspace(permit.workspace_id()), details)
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
    .await?;
    forget_written(ports, permit).await
}
