//! One open transaction, bound to one workspace.

use std::sync::Arc;

use diesel::pg::Pg;
use diesel::query_builder::{QueryFragment, QueryId};
use diesel::query_dsl::methods::LoadQuery;
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use domain::WorkspaceId;
use domain::kernel::paging::PageRequest;
use domain::limits::EventBytes;
use domain::ports::StoreError;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::engine::errors::store_error;
use crate::engine::loaded_texts::LoadedTexts;
use crate::engine::pending::PendingWrites;
use crate::engine::queued::Queued;
use crate::engine::statement::Statement;

/// Marks a live row of a table as deleted. It takes the lock of a real deletion, so that it and transactions that refer to the
/// row wait for each other. The condition is that of `is_live` in `records.rs`.
macro_rules! deletion {
    ($table:literal) => {
        $crate::engine::statement::sql!(
            "UPDATE {table} SET deleted_at = $3
             WHERE workspace_id = $1 AND id = (
                 SELECT id FROM {table} WHERE workspace_id = $1 AND id = $2 AND num_nonnulls(deleted_at) = 0 FOR UPDATE
             )",
            table = $table
        )
    };
}
pub(crate) use deletion;

/// Whether the statements of a job are one atomic unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TxMode {
    /// Between BEGIN and COMMIT.
    Transaction,
    /// Each statement commits on its own.
    Autocommit,
}

/// The domain's [`Tx`](domain::ports::Tx) over one connection; it implements all repositories.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of the transaction")]
pub(crate) struct PgTx<'c> {
    pub(crate) connection: &'c mut PgConnection,
    pub(crate) workspace: Uuid,
    pub(crate) mode: TxMode,
    /// Whether the tables may be distributed over the nodes of a cluster (`distribution.rs`).
    pub(crate) is_cluster: bool,
    pub(crate) loaded_texts: LoadedTexts,
    /// Whether events were appended that need positions after the commit.
    pub(crate) has_events: bool,
    /// Whether deliveries were queued, which a dispatcher can send after the commit.
    pub(crate) has_deliveries: bool,
    /// Whether events were left in the backlog; their deliveries are queued later.
    pub(crate) has_backlog: bool,
    /// The number of queued e-mails, which a worker can send after the commit.
    pub(crate) queued_emails: u64,
    /// The limits on event logs; `None` for work that no caller requested.
    pub(crate) event_bytes: Option<Arc<EventBytes>>,
    /// See [`Queued`].
    pub(crate) log_bytes: Option<(Date, u64)>,
    pub(crate) failure: Option<Failure>,
    /// Writes that were not sent yet; `None` if each write is sent at once.
    pub(crate) pending: Option<PendingWrites>,
    /// The statement that begins the transaction, unless it has begun.
    pub(crate) begin: Option<&'c str>,
    /// Whether the use case was given results that only pending or later writes verify.
    pub(crate) has_assumed: bool,
}

/// Why the first failed statement failed. This is the job's result, even if the job continued.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Failure {
    Unavailable,
    TimedOut,
    /// The transaction did not begin, so nothing was done.
    NotBegun,
    Other,
}

impl Failure {
    const fn of(error: &StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::TimedOut => Self::TimedOut,
            _ => Self::Other,
        }
    }

    pub(crate) fn into_error(self) -> StoreError {
        match self {
            Self::Unavailable => StoreError::Unavailable("the connection was lost within a transaction".to_owned()),
            Self::TimedOut => StoreError::TimedOut,
            Self::NotBegun => StoreError::Unavailable("a transaction could not begin".to_owned()),
            Self::Other => StoreError::Internal("a job continued after a failed statement".to_owned()),
        }
    }
}

impl<'c> PgTx<'c> {
    pub(crate) fn new(connection: &'c mut PgConnection, workspace: WorkspaceId, mode: TxMode) -> Self {
        let loaded_texts = LoadedTexts::default();
        Self {
            connection,
            workspace: workspace.0,
            mode,
            is_cluster: false,
            loaded_texts,
            has_events: false,
            has_deliveries: false,
            has_backlog: false,
            queued_emails: 0,
            event_bytes: None,
            log_bytes: None,
            failure: None,
            pending: None,
            begin: None,
            has_assumed: false,
        }
    }

    pub(crate) fn on_cluster(self, is_cluster: bool) -> Self {
        Self { is_cluster, ..self }
    }

    /// Counts the bytes that it adds to the event log.
    pub(crate) fn counted_by(self, event_bytes: &Arc<EventBytes>) -> Self {
        Self { event_bytes: Some(Arc::clone(event_bytes)), ..self }
    }

    pub(crate) const fn queued(&self) -> Queued {
        Queued {
            events: self.has_events,
            deliveries: self.has_deliveries,
            backlog: self.has_backlog,
            emails: self.queued_emails,
            log_bytes: self.log_bytes,
        }
    }

    /// The first failure of a statement. Postgres would then turn a COMMIT into a silent rollback.
    pub(crate) const fn failure(&self) -> Option<Failure> {
        self.failure
    }

    pub(crate) fn load<'q, Q, R>(&mut self, query: Q) -> Result<Vec<R>, StoreError>
    where
        Q: LoadQuery<'q, PgConnection, R>,
    {
        self.flush()?;
        let result = query.internal_load(self.connection).and_then(Iterator::collect);
        self.done(result)
    }

    /// The variant of the statement for a single server or a cluster.
    pub(crate) fn placed<ST>(&self, query: Statement<ST>) -> Statement<ST> {
        if self.is_cluster { query.for_cluster() } else { query }
    }

    /// The rows of a list: at most one more than the page size.
    pub(crate) fn page<'q, ST, R>(&mut self, query: Statement<ST>, page: &PageRequest) -> Result<Vec<R>, StoreError>
    where
        Statement<ST>: LoadQuery<'q, PgConnection, R>,
    {
        let mut rows = self.load(self.placed(query))?;
        rows.truncate(page.limit as usize + 1);
        Ok(rows)
    }

    pub(crate) fn first<'q, Q, R>(&mut self, query: Q) -> Result<Option<R>, StoreError>
    where
        Q: LoadQuery<'q, PgConnection, R>,
    {
        Ok(self.load(query)?.into_iter().next())
    }

    /// The only value of a statement that always returns a row.
    pub(crate) fn value<'q, Q, R>(&mut self, query: Q) -> Result<R, StoreError>
    where
        Q: LoadQuery<'q, PgConnection, R>,
    {
        self.first(query)?.ok_or_else(|| StoreError::Internal("a statement returned no row".to_owned()))
    }

    /// The number of affected rows.
    pub(crate) fn execute<Q>(&mut self, query: Q) -> Result<usize, StoreError>
    where
        Q: QueryFragment<Pg> + QueryId + RunQueryDsl<PgConnection>,
    {
        self.flush()?;
        let result = query.execute(self.connection);
        self.done(result)
    }

    /// Marks a live row as deleted with a statement of [`deletion!`]; returns whether there was one.
    pub(crate) fn mark_deleted(&mut self, sql: Statement, id: Uuid, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.execute(sql.bind(self.workspace).bind(id).bind(now))? > 0)
    }

    pub(crate) fn done<T>(&mut self, result: QueryResult<T>) -> Result<T, StoreError> {
        let result = result.map_err(store_error);
        if let Err(error) = &result {
            self.failure.get_or_insert(Failure::of(error));
        }
        result
    }
}
