//! Presence: which members have a record open.

use diesel::sql_types::{Text, Timestamptz, Uuid as SqlUuid};
use domain::UserId;
use domain::ports::{PresenceRepo, StoreError};
use domain::work::presence::{MAX_RECORDS, MAX_SHOWN, PRESENT_FOR, Presence, PresenceState};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// User, name, activity, and the time of the last report.
type Shown = (SqlUuid, Text, Text, Timestamptz);

pub(crate) fn report_presence_query(
    workspace: Uuid,
    record: Uuid,
    user: UserId,
    state: PresenceState,
    now: OffsetDateTime,
) -> Statement<Shown> {
    let sql = sql!(
        "WITH surplus AS (
             DELETE FROM presences WHERE workspace_id = $1 AND user_id = $3 AND record_id = ANY (ARRAY(
                 SELECT record_id FROM presences WHERE workspace_id = $1 AND user_id = $3 AND record_id <> $2
                 ORDER BY seen_at DESC, record_id DESC OFFSET {MAX_RECORDS} - 1
             ))
         ), there AS (
             INSERT INTO presences (workspace_id, record_id, user_id, state, seen_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (workspace_id, record_id, user_id)
                 DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at
         )
         SELECT presence.user_id, users.name, presence.state, presence.seen_at
         FROM presences AS presence JOIN users ON users.id = presence.user_id
         WHERE presence.workspace_id = $1 AND presence.record_id = $2 AND presence.user_id <> $3
             AND presence.seen_at > $6
         ORDER BY presence.seen_at DESC, presence.user_id DESC LIMIT {MAX_SHOWN}"
    );
    sql.returns().bind(workspace).bind(record).bind(user.0).bind(state.as_str()).bind(now).bind(now - PRESENT_FOR)
}

/// Removes entries of any workspace that were written before a time.
pub(crate) fn prune_query(before: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM presences WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM presences WHERE seen_at < $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ))"
    );
    sql.bind(before).bind(i64::from(limit))
}

impl PresenceRepo for PgTx<'_> {
    fn report_presence(
        &mut self,
        record: Uuid,
        user: UserId,
        state: PresenceState,
        now: OffsetDateTime,
    ) -> Result<Vec<Presence>, StoreError> {
        let rows: Vec<(Uuid, String, String, OffsetDateTime)> =
            self.load(report_presence_query(self.workspace, record, user, state, now))?;
        let presence = |(user, name, state, seen_at): (Uuid, String, String, OffsetDateTime)| {
            let state = convert::parse_stored(&state, PresenceState::parse)?;
            Ok(Presence { user: UserId(user), name, state, seen_at })
        };
        rows.into_iter().map(presence).collect()
    }

    fn leave(&mut self, record: Uuid, user: UserId) -> Result<(), StoreError> {
        let sql = sql!("DELETE FROM presences WHERE workspace_id = $1 AND record_id = $2 AND user_id = $3");
        self.execute(sql.bind(self.workspace).bind(record).bind(user.0)).map(drop)
    }
}
