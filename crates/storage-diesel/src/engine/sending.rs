//! How a transaction sends its pending writes.

use diesel::connection::AnsiTransactionManager;
use diesel::{PgConnection, RunQueryDsl};
use domain::WorkspaceId;
use domain::ports::StoreError;

use crate::engine::errors::store_error;
use crate::engine::pending::{PendingWrite, PendingWrites};
use crate::engine::queued::QueuedRow;
use crate::engine::tx::{Failure, PgTx, TxMode};

impl<'c> PgTx<'c> {
    /// A transaction with batched writes. `begin` is the statement that begins it, unless it has begun; it is sent only if the
    /// transaction needs more than one statement.
    pub(crate) fn with_batched_writes(
        connection: &'c mut PgConnection,
        workspace: WorkspaceId,
        begin: Option<&'c str>,
    ) -> Self {
        let pending = Some(PendingWrites::default());
        Self { pending, begin, ..Self::new(connection, workspace, TxMode::Transaction) }
    }

    /// Whether writes may be batched ([`Self::write_later`]).
    pub(crate) const fn batches_writes(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the use case was given assumed results, so that its outcome may be wrong.
    pub(crate) const fn has_assumed(&self) -> bool {
        self.has_assumed
    }

    /// Whether there is a transaction to commit or roll back.
    pub(crate) const fn has_begun(&self) -> bool {
        self.begin.is_none()
    }

    /// Batches the write: it is sent before the next statement whose result is needed, or at the end.
    pub(crate) fn write_later(&mut self, write: PendingWrite) -> Result<(), StoreError> {
        if self.pending.as_ref().is_some_and(|pending| pending.has(write.name)) {
            self.flush()?;
        }
        self.has_assumed = true;
        if let Some(pending) = &mut self.pending {
            pending.add(write);
        }
        Ok(())
    }

    /// Begins the transaction, unless it has begun, and sends the pending writes, so that the following statements see them.
    pub(crate) fn flush(&mut self) -> Result<(), StoreError> {
        if let Some(begin) = self.begin.take()
            && let Err(error) = AnsiTransactionManager::begin_transaction_sql(self.connection, begin)
        {
            self.failure.get_or_insert(Failure::NotBegun);
            return Err(store_error(error));
        }
        self.send_pending()
    }

    /// Sends the pending writes. If the transaction has not begun, they are the whole transaction.
    pub(crate) fn send_pending(&mut self) -> Result<(), StoreError> {
        let Some(pending) = &mut self.pending else { return Ok(()) };
        let Some(statement) = pending.take() else { return Ok(()) };
        let has_open_claim = pending.has_open_claim;
        let result = statement.load::<(bool, QueuedRow)>(self.connection);
        let Some((_, queued)) = self.done(result)?.into_iter().next() else {
            self.has_assumed = true;
            self.failure.get_or_insert(Failure::Other);
            return Err(StoreError::Internal("an assumption does not hold".to_owned()));
        };
        self.record_queued(queued);
        self.has_assumed = has_open_claim;
        Ok(())
    }
}
