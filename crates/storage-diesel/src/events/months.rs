//! The monthly partitions of the log, which are created ahead and dropped as a whole.

use diesel::data_types::PgInterval;
use diesel::sql_types::{BigInt, Bool, Nullable, Timestamptz};
use domain::events::EventRetention;
use domain::ports::{EventMonths, StoreError};
use time::OffsetDateTime;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Creates partitions in one transaction and drops others in the next, because the function does only one per call. It runs with
/// its owner's rights, so the service needs no rights to change the schema.
pub(super) fn maintain(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    keep: EventRetention,
) -> Result<Option<EventMonths>, StoreError> {
    for keep in [None, Some(PgInterval::from_days(keep.days()))] {
        let sql = sql!("SELECT maintain_event_partitions($1, $2)").returns::<Nullable<Bool>>();
        let sql = sql.bind(now).bind(keep);
        if !tx.value::<_, Option<bool>>(sql)?.unwrap_or(false) {
            return Ok(None);
        }
    }
    let (oldest, ahead) = tx.value::<_, (Option<OffsetDateTime>, i64)>(months_query(now))?;
    Ok(oldest.map(|oldest| EventMonths { oldest, ahead: u32::try_from(ahead).unwrap_or(u32::MAX) }))
}

/// Reads the catalogue, not the events.
fn months_query(now: OffsetDateTime) -> Statement<(Nullable<Timestamptz>, BigInt)> {
    let sql = sql!(
        "SELECT min(begins), count(*) FILTER (WHERE begins > $1)
         FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
         CROSS JOIN LATERAL (SELECT to_date(right(child.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC' AS begins) AS month
         WHERE inhparent = 'events'::regclass AND child.relname ~ '^events_[0-9]{{4}}_[0-9]{{2}}$'"
    );
    sql.returns().bind(now)
}
