//! Attempts at a transaction: first with batched writes, then, if that fails, with each write sent at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::PgConnection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use domain::WorkspaceId;
use domain::limits::EventBytes;
use domain::ports::{Abort, StoreError};

use crate::engine::errors::store_error;
use crate::engine::fair_pool::FairPool;
use crate::engine::gate::Admitted;
use crate::engine::pool::{self, CheckedOut};
use crate::engine::queued::Queued;
use crate::engine::store_metrics::{outcome_of, record_job};
use crate::engine::tx::{Failure, PgTx, TxMode};

/// The result of a committed transaction.
pub(crate) struct Committed<T> {
    pub(crate) value: T,
    pub(crate) queued: Queued,
}

/// How an attempt at a transaction ended.
enum Attempt<T> {
    Committed(Committed<T>),
    /// A rule rejected it.
    Rejected,
    /// Nothing was done, because an assumption does not hold or may not hold.
    Undone,
}

/// Runs the work and returns whether it was committed, with the work for a retry.
pub(crate) fn transaction<T, W>(
    fair_pool: &FairPool,
    admitted: &mut Admitted,
    operation: &'static str,
    workspace: WorkspaceId,
    mut work: W,
) -> (W, Result<Option<Committed<T>>, StoreError>)
where
    W: FnMut(&mut PgTx<'_>) -> Result<T, Abort>,
{
    let began = Instant::now();
    let mut attempt = |mode| {
        let stays_open = if mode == WriteMode::Batched { fair_pool.stays_open } else { Duration::ZERO };
        let connection = admitted.uncharged(|| pool::check_out_begun(&fair_pool.pool, &fair_pool.begin, stays_open));
        let context = (workspace, fair_pool.is_cluster, &fair_pool.event_bytes);
        let result = connection
            .and_then(|mut connection| within_transaction(&mut connection, mode, admitted, context, &mut work));
        admitted.forgive_outage(&result);
        result
    };
    // Tables of several classes cannot be written by one statement (adr/0034).
    let first = if fair_pool.is_cluster { WriteMode::Immediate } else { WriteMode::Batched };
    let result = match attempt(first) {
        Ok(Attempt::Undone) => attempt(WriteMode::Immediate),
        result => result,
    };
    let result = result.and_then(|attempt| match attempt {
        Attempt::Committed(committed) => Ok(Some(committed)),
        Attempt::Rejected => Ok(None),
        Attempt::Undone => Err(StoreError::Internal("a transaction was undone without a reason".to_owned())),
    });
    let outcome = if matches!(result, Ok(None)) { "rejected" } else { outcome_of(&result) };
    record_job(operation, outcome, began);
    fair_pool.disk.record(&result);
    (work, result)
}

/// When the writes of a transaction are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WriteMode {
    Batched,
    Immediate,
}

fn within_transaction<T>(
    connection: &mut CheckedOut,
    mode: WriteMode,
    admitted: &mut Admitted,
    (workspace, is_cluster, event_bytes): (WorkspaceId, bool, &Arc<EventBytes>),
    work: &mut impl FnMut(&mut PgTx<'_>) -> Result<T, Abort>,
) -> Result<Attempt<T>, StoreError> {
    let CheckedOut { connection, begin } = connection;
    let mut tx = match mode {
        WriteMode::Batched => PgTx::with_batched_writes(connection, workspace, begin.as_deref()),
        WriteMode::Immediate => PgTx::new(connection, workspace, TxMode::Transaction),
    }
    .on_cluster(is_cluster)
    .counted_by(event_bytes);
    let mut result = work(&mut tx);
    if result.is_ok()
        && tx.failure().is_none()
        && let Err(error) = tx.send_pending()
    {
        result = Err(Abort::Store(error));
    }
    let (failure, queued, has_begun, has_assumed) = (tx.failure(), tx.queued(), tx.has_begun(), tx.has_assumed());
    match result {
        Ok(_) if let Some(failure) = failure => {
            undo(connection, has_begun);
            undone_or(failure.into_error(), failure, has_assumed)
        }
        Ok(value) if !has_begun => Ok(Attempt::Committed(Committed { value, queued })),
        // After a server error nothing was committed; after a broken connection that is unknown. Only a server error can be
        // `Contended`, so only that is retried.
        Ok(value) => {
            let committed = admitted.uncharged(|| AnsiTransactionManager::commit_transaction(&mut **connection));
            committed.map_err(store_error)?;
            Ok(Attempt::Committed(Committed { value, queued }))
        }
        Err(Abort::Rule) => {
            // Without a transaction or a failure, nothing was sent.
            if has_begun || failure.is_some() {
                undo(connection, has_begun);
            }
            Ok(if has_assumed { Attempt::Undone } else { Attempt::Rejected })
        }
        Err(Abort::Store(error)) => {
            undo(connection, has_begun);
            undone_or(error, failure.unwrap_or(Failure::Other), has_assumed)
        }
    }
}

/// Whether the same work may succeed if each write is sent at once. It cannot if the database is unavailable, unless only this
/// connection is broken and nothing was done on it.
fn undone_or<T>(error: StoreError, failure: Failure, has_assumed: bool) -> Result<Attempt<T>, StoreError> {
    let is_outage = matches!(error, StoreError::Unavailable(_) | StoreError::TimedOut | StoreError::DiskFull(_));
    match failure {
        Failure::NotBegun => Ok(Attempt::Undone),
        _ if has_assumed && !is_outage => Ok(Attempt::Undone),
        _ => Err(error),
    }
}

/// A connection that cannot roll back is broken, and the pool drops it; the server then rolls back. Without a transaction, a
/// ping shows whether the connection is broken.
fn undo(connection: &mut PgConnection, has_begun: bool) {
    if !has_begun {
        pool::is_broken(connection);
    } else if let Err(error) = AnsiTransactionManager::rollback_transaction(connection) {
        log::debug!("a rollback failed: {error}");
    }
}
