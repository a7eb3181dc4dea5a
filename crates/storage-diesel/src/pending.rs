//! Writes of a transaction that are sent together, as one statement.
//!
//! A create checks its references, counts against the quota, inserts its record and appends its event. Sent one by one
//! between BEGIN and COMMIT, each costs a round trip, which takes longer than its work. None needs the answer of another
//! unless something is unusual, so the use case is told what is usual (the references exist, there is quota), and all of
//! it is sent when an answer is needed, or at the end: then as the whole transaction, without BEGIN and COMMIT.
//!
//! The statement verifies what was assumed. If something does not hold, `ensure_assumed` undoes all of it, and the
//! use case runs again with each statement sent at once (`attempt.rs`).

use std::borrow::Cow;
use std::fmt::Write as _;

use diesel::connection::AnsiTransactionManager;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use domain::WorkspaceId;
use domain::ports::StoreError;

use crate::errors::store_error;
use crate::events::append::{QueuedRow, note_queued};
use crate::statement::{Binds, Statement};
use crate::tx::{Failure, PgTx, TxMode};

/// A write with its check. The texts share the placeholders `$1`, `$2`, … of its binds.
pub(crate) struct PendingWrite {
    /// A statement has one of each at most.
    pub(crate) name: WriteName,
    /// Common table expressions, `name AS (…), …`, or none.
    pub(crate) with: &'static str,
    /// What was assumed: a condition, or nothing.
    pub(crate) holds: Cow<'static, str>,
    /// The call that queues deliveries; only of events.
    pub(crate) queue: &'static str,
    pub(crate) binds: Binds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteName {
    References,
    Claim,
    Quota,
    Events,
    Response,
}

impl PendingWrite {
    /// A write with the binds of a statement.
    pub(crate) fn new<ST>(name: WriteName, binds: Statement<ST>) -> Self {
        Self { name, with: "", holds: "".into(), queue: "", binds: binds.into_binds() }
    }

    pub(crate) fn with(self, with: &'static str) -> Self {
        Self { with, ..self }
    }

    pub(crate) fn holds(self, holds: impl Into<Cow<'static, str>>) -> Self {
        Self { holds: holds.into(), ..self }
    }

    pub(crate) fn queue(self, queue: &'static str) -> Self {
        Self { queue, ..self }
    }
}

/// The INSERT of one record.
pub(crate) type Insertion = Box<dyn QueryFragment<Pg>>;

#[derive(Default)]
pub(crate) struct PendingWrites {
    writes: Vec<PendingWrite>,
    insertions: Vec<Insertion>,
    /// Whether an idempotency key is taken for free, and the response is not stored yet. Only storing it shows that.
    has_open_claim: bool,
}

impl PendingWrites {
    pub(crate) fn has(&self, name: WriteName) -> bool {
        self.writes.iter().any(|write| write.name == name)
    }

    pub(crate) fn add(&mut self, write: PendingWrite) {
        self.writes.push(write);
    }

    pub(crate) fn insert(&mut self, insertion: Insertion) {
        self.insertions.push(insertion);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.insertions.len() == INSERTIONS.len()
    }

    /// All of them as one statement, and none is left; `None` if there was none.
    pub(crate) fn take(&mut self) -> Option<OneStatement> {
        if self.writes.is_empty() && self.insertions.is_empty() {
            return None;
        }
        let has_open_claim = (self.has_open_claim || self.has(WriteName::Claim)) && !self.has(WriteName::Response);
        let rest = Self { has_open_claim, ..Self::default() };
        Some(OneStatement::of(std::mem::replace(self, rest)))
    }
}

/// The binds of the writes come first, so that those of insertions, which diesel numbers, follow.
pub(crate) struct OneStatement {
    with: String,
    binds: Binds,
    insertions: Vec<Insertion>,
    select: String,
}

impl OneStatement {
    fn of(pending: PendingWrites) -> Self {
        let (mut with, mut conditions, mut queue) = (String::new(), String::new(), None);
        let mut binds = Binds::default();
        for write in pending.writes {
            let bound = binds.len();
            if !write.with.is_empty() {
                with.push_str(if with.is_empty() { "WITH " } else { ", " });
                push_renumbered(&mut with, write.with, bound);
            }
            if !write.holds.is_empty() {
                conditions.push_str(if conditions.is_empty() { "(" } else { " AND (" });
                push_renumbered(&mut conditions, &write.holds, bound);
                conditions.push(')');
            }
            if !write.queue.is_empty() {
                let mut call = String::with_capacity(write.queue.len());
                push_renumbered(&mut call, write.queue, bound);
                queue = Some(call);
            }
            binds.append(write.binds);
        }
        let assumed = if conditions.is_empty() { "true".to_owned() } else { format!("ensure_assumed({conditions})") };
        let select = match queue {
            Some(call) => format!("SELECT {assumed}, queued, behind, failure FROM {call}"),
            None => format!("SELECT {assumed}, 0::bigint, 0::bigint, NULL::text"),
        };
        Self { with, binds, insertions: pending.insertions, select }
    }
}

/// Adds `bound` to the number of each placeholder.
fn push_renumbered(out: &mut String, text: &str, bound: usize) {
    let mut parts = text.split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: usize = part[..digits].parse().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(out, "${}{}", number + bound, &part[digits..]);
    }
}

impl QueryFragment<Pg> for OneStatement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(&self.with);
        self.binds.push(&mut out)?;
        let mut joint = if self.with.is_empty() { "WITH " } else { ", " };
        for (insertion, name) in self.insertions.iter().zip(INSERTIONS) {
            out.push_sql(joint);
            out.push_sql(name);
            out.push_sql(" AS (");
            insertion.walk_ast(out.reborrow())?;
            out.push_sql(")");
            joint = ", ";
        }
        out.push_sql(" ");
        out.push_sql(&self.select);
        Ok(())
    }
}

/// Names of insertions in a statement, which are as many as it can have.
const INSERTIONS: [&str; 4] = ["record_1", "record_2", "record_3", "record_4"];

// Without a static query id, diesel caches the statement by its text and bind types.
impl QueryId for OneStatement {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for OneStatement {
    type SqlType = (Bool, (BigInt, BigInt, Nullable<Text>));
}

impl RunQueryDsl<PgConnection> for OneStatement {}

impl<'c> PgTx<'c> {
    /// A transaction whose writes are sent together. `begin` is its first statement if it has not begun: then only if it needs
    /// more than one statement.
    pub(crate) fn sending_together(
        connection: &'c mut PgConnection,
        workspace: WorkspaceId,
        begin: Option<&'c str>,
    ) -> Self {
        let pending = Some(PendingWrites::default());
        Self { pending, begin, ..Self::new(connection, workspace, TxMode::Transaction) }
    }

    /// Whether writes may be left for later ([`Self::later`]).
    pub(crate) const fn sends_together(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the use case was told what was assumed, so that its outcome may be wrong.
    pub(crate) const fn has_assumed(&self) -> bool {
        self.has_assumed
    }

    /// Whether there is a transaction to commit or roll back.
    pub(crate) const fn has_begun(&self) -> bool {
        self.begin.is_none()
    }

    /// Sends the write with others, before the next statement whose answer is needed, or at the end.
    pub(crate) fn later(&mut self, write: PendingWrite) -> Result<(), StoreError> {
        if self.pending.as_ref().is_some_and(|pending| pending.has(write.name)) {
            self.catch_up()?;
        }
        self.has_assumed = true;
        if let Some(pending) = &mut self.pending {
            pending.add(write);
        }
        Ok(())
    }

    /// Inserts one record, with other writes if possible.
    pub(crate) fn insert_one<Q>(&mut self, insertion: Q) -> Result<(), StoreError>
    where
        Q: QueryFragment<Pg> + QueryId + RunQueryDsl<PgConnection> + 'static,
    {
        if self.pending.as_ref().is_some_and(PendingWrites::is_full) {
            self.catch_up()?;
        }
        match &mut self.pending {
            Some(pending) => {
                pending.insert(Box::new(insertion));
                Ok(())
            }
            None => self.execute(insertion).map(drop),
        }
    }

    /// Begins the transaction, unless it has begun, and sends the pending writes: what follows sees them.
    pub(crate) fn catch_up(&mut self) -> Result<(), StoreError> {
        if let Some(begin) = self.begin.take()
            && let Err(error) = AnsiTransactionManager::begin_transaction_sql(self.connection, begin)
        {
            self.failure.get_or_insert(Failure::NotBegun);
            return Err(store_error(error));
        }
        self.send_pending()
    }

    /// Sends the pending writes. In a transaction that has not begun, they are all of it.
    pub(crate) fn send_pending(&mut self) -> Result<(), StoreError> {
        let Some(pending) = &mut self.pending else { return Ok(()) };
        let Some(statement) = pending.take() else { return Ok(()) };
        let has_open_claim = pending.has_open_claim;
        let result = statement.load::<(bool, QueuedRow)>(self.connection);
        let rows = self.done(result)?;
        for (_, queued) in rows {
            note_queued(self, queued);
        }
        self.has_assumed = has_open_claim;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::sql_types::Integer;

    fn write(name: WriteName, with: &'static str, holds: &'static str) -> PendingWrite {
        let binds = Statement::new("").bind::<Integer, _>(1).bind::<Integer, _>(2);
        PendingWrite::new(name, binds).with(with).holds(holds)
    }

    #[test]
    fn placeholders_of_several_writes_follow_each_other() {
        let mut pending = PendingWrites::default();
        pending.add(write(WriteName::Quota, "a AS (UPDATE x SET y = $1 WHERE z = $2)", "EXISTS (SELECT FROM a)"));
        pending.add(write(WriteName::Claim, "", "$1 < $2"));
        pending.insert(Box::new(diesel::dsl::sql::<Integer>("INSERT INTO x VALUES (1)")));
        let text = diesel::debug_query::<Pg, _>(&pending.take().unwrap()).to_string();
        assert!(
            text.starts_with(
                "WITH a AS (UPDATE x SET y = $1 WHERE z = $2), record_1 AS (INSERT INTO x VALUES (1)) SELECT \
                 ensure_assumed((EXISTS (SELECT FROM a)) AND ($3 < $4)), 0::bigint, 0::bigint, NULL::text"
            ),
            "{text}"
        );
        assert!(pending.take().is_none());
    }
}
