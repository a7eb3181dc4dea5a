//! Writes of a transaction that are batched into one statement.
//!
//! A create checks its references, counts against the quota, inserts its record and appends its event. Sent one by one
//! between BEGIN and COMMIT, each costs a round trip, which takes longer than its work. None depends on the result of another
//! unless something is unusual. So the use case gets the usual result (the references exist, there is quota), and the batch
//! is sent when a real result is needed, or at the end: then as the whole transaction, without BEGIN and COMMIT.
//!
//! The statement first checks the assumptions (`usual`), then inserts the record, and does the rest only if the record was
//! inserted (`gate`). If an assumption does not hold or a unique value is taken, it does nothing and returns no row. It does
//! not raise an error, because the server would log that. The use case then runs again with each statement sent at once
//! (`attempt.rs`). If other transactions change something during the statement, `ensure_assumed` undoes all of it.

use std::borrow::Cow;
use std::fmt::Write as _;

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use diesel::{PgConnection, QueryResult, RunQueryDsl};

use crate::engine::insertion::Insertion;
use crate::engine::statement::{Binds, Statement};

/// A write with its check. The texts share the placeholders `$1`, `$2`, … of its binds.
pub(crate) struct PendingWrite {
    /// A statement has at most one write per name.
    pub(crate) name: WriteName,
    /// Common table expressions, `name AS (…), …`, or none, that write nothing.
    pub(crate) with: &'static str,
    /// The assumption: a condition, or empty.
    pub(crate) holds: Cow<'static, str>,
    /// Like `with`, for expressions that write if all assumptions hold, that is if `gate` has its one row.
    pub(crate) then: &'static str,
    /// Checks that `then` had its effect, which only a concurrent transaction can prevent.
    pub(crate) ensures: &'static str,
    /// The call that queues deliveries; only for events.
    pub(crate) queue: &'static str,
    pub(crate) binds: Binds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteName {
    References,
    Claim,
    Quota,
    Chunks,
    Events,
    Response,
}

impl PendingWrite {
    /// A write with the binds of a statement.
    pub(crate) fn new<ST>(name: WriteName, binds: Statement<ST>) -> Self {
        Self { name, with: "", holds: "".into(), then: "", ensures: "", queue: "", binds: binds.into_binds() }
    }

    pub(crate) fn with(self, with: &'static str) -> Self {
        Self { with, ..self }
    }

    pub(crate) fn holds(self, holds: impl Into<Cow<'static, str>>) -> Self {
        Self { holds: holds.into(), ..self }
    }

    pub(crate) fn then(self, then: &'static str) -> Self {
        Self { then, ..self }
    }

    pub(crate) fn ensures(self, ensures: &'static str) -> Self {
        Self { ensures, ..self }
    }

    pub(crate) fn queue(self, queue: &'static str) -> Self {
        Self { queue, ..self }
    }
}

#[derive(Default)]
pub(crate) struct PendingWrites {
    writes: Vec<PendingWrite>,
    insertions: Vec<Insertion>,
    /// Whether an idempotency key is assumed to be free and its response is not stored yet. Only storing it verifies that.
    pub(crate) has_open_claim: bool,
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

    /// Whether the insertion must wait for the next statement. An insertion that may conflict must be the only one in its
    /// statement, because a conflict would leave the others half done.
    pub(crate) fn is_full_for(&self, insertion: &Insertion) -> bool {
        let conflicts = insertion.may_conflict || self.insertions.iter().any(|pending| pending.may_conflict);
        self.insertions.len() == INSERTIONS.len() || conflicts && !self.insertions.is_empty()
    }

    /// Takes all writes as one statement; `None` if there are none.
    pub(crate) fn take(&mut self) -> Option<OneStatement> {
        if self.writes.is_empty() && self.insertions.is_empty() {
            return None;
        }
        let has_open_claim = (self.has_open_claim || self.has(WriteName::Claim)) && !self.has(WriteName::Response);
        let next_writes = Self { has_open_claim, ..Self::default() };
        Some(OneStatement::of(std::mem::replace(self, next_writes)))
    }
}

/// The binds of the writes come first; those of insertions follow, because diesel numbers them.
pub(crate) struct OneStatement {
    with: String,
    binds: Binds,
    insertions: Vec<Insertion>,
    then: String,
    select: String,
}

impl OneStatement {
    fn of(pending: PendingWrites) -> Self {
        let (mut with, mut then) = (Joined::new("WITH ", ", "), Joined::new(", ", ", "));
        let (mut holds, mut ensures) = (Joined::new("(", ") AND ("), Joined::new("ensure_assumed((", ") AND ("));
        let (mut binds, mut queue) = (Binds::default(), None);
        for write in pending.writes {
            let bound = binds.len();
            with.add(write.with, bound);
            holds.add(&write.holds, bound);
            then.add(write.then, bound);
            ensures.add(write.ensures, bound);
            if !write.queue.is_empty() {
                let mut call = String::with_capacity(write.queue.len());
                push_renumbered(&mut call, write.queue, bound);
                queue = Some(call);
            }
            binds.append(write.binds);
        }
        with.add("usual AS MATERIALIZED (SELECT ", 0);
        let with = with.text + &holds.closed(")", "true") + " AS holds)";
        let verdict = ensures.closed("))", "true");
        let select = match queue {
            Some(call) => format!("SELECT {verdict}, queued, behind, failure FROM {call}"),
            None => format!("SELECT {verdict}, 0::bigint, 0::bigint, NULL::text FROM gate"),
        };
        Self { with, binds, insertions: pending.insertions, then: then.text, select }
    }
}

/// Joins parts of a statement and renumbers their placeholders.
struct Joined {
    text: String,
    first: &'static str,
    joint: &'static str,
}

impl Joined {
    const fn new(first: &'static str, joint: &'static str) -> Self {
        Self { text: String::new(), first, joint }
    }

    fn add(&mut self, part: &str, bound: usize) {
        if !part.is_empty() {
            self.text.push_str(if self.text.is_empty() { self.first } else { self.joint });
            push_renumbered(&mut self.text, part, bound);
        }
    }

    /// The joined text with its end, or `none` if there are no parts.
    fn closed(self, end: &str, none: &str) -> String {
        if self.text.is_empty() { none.to_owned() } else { self.text + end }
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
        let mut gate = "";
        for (insertion, name) in self.insertions.iter().zip(INSERTIONS) {
            out.push_sql(", ");
            out.push_sql(name);
            out.push_sql(" AS (");
            insertion.walk_selecting(out.reborrow(), "FROM usual WHERE holds")?;
            out.push_sql(" RETURNING 1)");
            if insertion.may_conflict {
                gate = " AND EXISTS (SELECT FROM record_1)";
            }
        }
        out.push_sql(", gate AS MATERIALIZED (SELECT FROM usual WHERE holds");
        out.push_sql(gate);
        out.push_sql(")");
        out.push_sql(&self.then);
        out.push_sql(" ");
        out.push_sql(&self.select);
        Ok(())
    }
}

/// The names of insertions in a statement, which limit their number.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn write(name: WriteName, with: &'static str, holds: &'static str) -> PendingWrite {
        let binds = Statement::new("").bind(1_i32).bind(2_i32);
        PendingWrite::new(name, binds).with(with).holds(holds)
    }

    #[test]
    fn placeholders_of_several_writes_are_numbered_consecutively() {
        let mut pending = PendingWrites::default();
        let quota = write(WriteName::Quota, "a AS (SELECT FROM x WHERE z = $2)", "EXISTS (SELECT FROM a)");
        pending.add(quota.then("b AS (UPDATE x SET y = $1)").ensures("$1 > 0"));
        pending.add(write(WriteName::Claim, "", "$1 < $2").ensures("$2 > 0"));
        let text = diesel::debug_query::<Pg, _>(&pending.take().unwrap()).to_string();
        assert!(
            text.starts_with(
                "WITH a AS (SELECT FROM x WHERE z = $2), usual AS MATERIALIZED (SELECT (EXISTS (SELECT FROM a)) AND ($3 < $4) AS \
                 holds), gate AS MATERIALIZED (SELECT FROM usual WHERE holds), b AS (UPDATE x SET y = $1) SELECT \
                 ensure_assumed(($1 > 0) AND ($4 > 0)), 0::bigint, 0::bigint, NULL::text FROM gate"
            ),
            "{text}"
        );
        assert!(pending.take().is_none());
    }
}
