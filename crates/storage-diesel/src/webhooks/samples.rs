//! Statistics of deliveries by the time when they were queued.

use diesel::sql_types::{BigInt, Nullable};
use domain::SubscriptionId;
use domain::ports::StoreError;
use domain::webhooks::DeliverySample;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Numbers of deliveries, successes and failures, and durations of last attempts.
pub(crate) type SampleColumns = (BigInt, BigInt, BigInt, Nullable<BigInt>, Nullable<BigInt>);
type SampleRow = (i64, i64, i64, Option<i64>, Option<i64>);

pub(crate) fn load(
    tx: &mut PgTx<'_>,
    subscription: SubscriptionId,
    starts: &[OffsetDateTime],
    length: Duration,
    most: u32,
) -> Result<Vec<DeliverySample>, StoreError> {
    let rows: Vec<SampleRow> = tx.load(samples_query(tx.workspace, subscription, starts, length, most))?;
    let sample = |(deliveries, succeeded, failed, median, slow): SampleRow| {
        Ok(DeliverySample {
            deliveries: convert::small(deliveries)?,
            succeeded: convert::small(succeeded)?,
            failed: convert::small(failed)?,
            median_ms: median.map(convert::small).transpose()?,
            slow_ms: slow.map(convert::small).transpose()?,
        })
    };
    rows.into_iter().map(sample).collect()
}

/// One look-up per period, and one per delivery in it.
pub(crate) fn samples_query(
    workspace: Uuid,
    subscription: SubscriptionId,
    starts: &[OffsetDateTime],
    length: Duration,
    most: u32,
) -> Statement<SampleColumns> {
    let sql = sql!(
        "SELECT count(recent.id), count(*) FILTER (WHERE recent.state = 'succeeded'),
             count(*) FILTER (WHERE recent.state = 'failed'),
             percentile_disc(0.5) WITHIN GROUP (ORDER BY last.duration_ms),
             percentile_disc(0.95) WITHIN GROUP (ORDER BY last.duration_ms)
         FROM unnest($3::timestamptz[]) WITH ORDINALITY AS periods (starts_at, place)
         LEFT JOIN LATERAL (
             SELECT id, state FROM webhook_deliveries
             WHERE workspace_id = $1 AND subscription_id = $2 AND created_at >= periods.starts_at
                 AND created_at < periods.starts_at + $4 * interval '1 second'
             ORDER BY created_at DESC, id DESC LIMIT $5
         ) AS recent ON true
         LEFT JOIN LATERAL (
             SELECT duration_ms FROM webhook_attempts
             WHERE workspace_id = $1 AND delivery_id = recent.id
             ORDER BY number DESC LIMIT 1
         ) AS last ON true
         GROUP BY place ORDER BY place"
    );
    let sql = sql.returns().bind(workspace).bind(subscription.0).bind(starts.to_vec()).bind(length.whole_seconds());
    sql.bind(i64::from(most))
}
