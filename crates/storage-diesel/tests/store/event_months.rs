//! Monthly partitions of the event log: created ahead, kept while they are needed, and dropped whole.

use std::time::Duration;

use crate::common::Database;
use crate::common::jobs::{NOW, count, job, store_over};
use crate::common::webhooks::{emit, event, request, subscribe};
use diesel::connection::SimpleConnection;
use domain::WorkspaceId;
use domain::events::{Event, EventRetention};
use domain::ports::{DeliveryQueue, EventLogs, EventMonths, Store};
use storage_diesel::PgStore;
use time::OffsetDateTime;
use time::macros::datetime;

const ENDED: &str = "UPDATE webhook_deliveries SET state = 'succeeded', finished_at = now(), next_attempt_at = NULL, \
                     lease_owner = NULL, lease_until = NULL";

/// Maintains the months with a retention of 60 days, and retries while another session holds a lock.
async fn maintain(store: &PgStore, now: OffsetDateTime) -> EventMonths {
    let keep = EventRetention::new(time::Duration::days(60)).unwrap();
    for _ in 0..200 {
        if let Some(months) = store.maintain_months(now, keep).await.unwrap() {
            return months;
        }
    }
    panic!("another session holds a lock all the time");
}

async fn log(store: &PgStore, workspace: WorkspaceId, at: OffsetDateTime) {
    let earlier = Event { at, ..event() };
    store.run(workspace, job(move |tx| tx.emit(std::slice::from_ref(&earlier)))).await.unwrap();
}

/// Events and positions in the default partition move to the new partitions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn months_are_created_three_ahead_and_earlier_events_move() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    emit(&store, workspace, 3).await;
    assert_eq!(EventLogs::number(&store, workspace).await.unwrap(), 3);
    assert_eq!((count(&database, "events_default"), count(&database, "event_positions_default")), (3, 3));
    let months = maintain(&store, NOW).await;
    assert_eq!((count(&database, "events_default"), count(&database, "event_positions_default")), (0, 0));
    assert_eq!((count(&database, "events_2030_01"), count(&database, "event_positions_2030_01")), (3, 3));
    assert_eq!(months, EventMonths { oldest: datetime!(2030-01-01 00:00 UTC), ahead: 3 });
    for at in [datetime!(2030-04-30 23:59:59.999999 UTC), datetime!(2030-05-01 00:00 UTC)] {
        log(&store, workspace, at).await;
    }
    assert_eq!((count(&database, "events_2030_04"), count(&database, "events_default")), (1, 1));
    let next = maintain(&store, datetime!(2030-02-01 00:00 UTC)).await;
    assert_eq!((next.ahead, count(&database, "events_2030_05"), count(&database, "events_default")), (3, 1, 0));
    let read = store.run(
        workspace,
        job(|tx| {
            assert_eq!(tx.event_log().number()?, 5);
            assert_eq!(tx.event_log().after(0, 10)?.len(), 5);
            Ok(())
        }),
    );
    read.await.unwrap();
}

/// A month is dropped with its positions once its last day is older than the retention.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn months_are_dropped_whole_without_blocking_readers() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    maintain(&store, NOW).await;
    emit(&store, workspace, 4).await;
    log(&store, workspace, datetime!(2030-02-01 00:00 UTC)).await;
    EventLogs::number(&store, workspace).await.unwrap();
    maintain(&store, datetime!(2030-04-01 23:00 UTC)).await;
    assert_eq!(count(&database, "events"), 5, "59 days and 23 hours after the end of January");
    // Neither readers nor the sessions after them wait: maintenance gives up and is retried.
    let mut reader = database.connection();
    reader.batch_execute("BEGIN; SELECT FROM events").unwrap();
    let keep = EventRetention::new(time::Duration::days(60)).unwrap();
    let due = datetime!(2030-04-02 00:00 UTC);
    assert_eq!(store.maintain_months(due, keep).await.unwrap(), None);
    assert_eq!(count(&database, "events"), 5);
    // A reader that has locked the table but not its partitions does not prevent new months.
    reader.batch_execute("COMMIT; BEGIN; LOCK TABLE ONLY events IN ACCESS SHARE MODE").unwrap();
    assert_eq!(store.maintain_months(datetime!(2030-05-01 00:00 UTC), keep).await.unwrap(), None);
    assert_eq!(count(&database, "events_2030_08"), 0, "created, although January cannot be dropped");
    reader.batch_execute("SELECT FROM events").unwrap();
    drop(reader);
    let dropped = async {
        while count(&database, "events") > 1 {
            maintain(&store, due).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), dropped).await.unwrap();
    let months = maintain(&store, due).await;
    assert_eq!((count(&database, "event_positions"), months.oldest), (1, datetime!(2030-02-01 00:00 UTC)));
}

/// Waiting deliveries need their event, however old it is; finished ones do not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_with_waiting_events_is_kept() {
    let (database, store, workspace) =
        store_over(Database::trusting_callers_clock(), |options| options.max_waiting_deliveries = 1).await;
    subscribe(&store, workspace, 1).await;
    maintain(&store, NOW).await;
    emit(&store, workspace, 2).await;
    assert_eq!((count(&database, "webhook_deliveries"), count(&database, "webhook_backlog")), (1, 1));
    // A replay queues deliveries of old events now.
    database.execute("UPDATE webhook_deliveries SET created_at = '2030-06-01Z'");
    let later = datetime!(2030-06-02 00:00 UTC);
    maintain(&store, later).await;
    assert_eq!(count(&database, "events"), 2, "a delivery waits");
    database.execute(&format!("{ENDED}; UPDATE webhook_backlog SET created_at = '2030-01-31Z'"));
    maintain(&store, datetime!(2030-04-01 00:00 UTC)).await;
    assert_eq!(count(&database, "events"), 2, "an event waits for room");
    database.execute("DELETE FROM webhook_backlog");
    maintain(&store, later).await;
    assert_eq!(count(&database, "events"), 0);
    // A delivery whose event is missing fails.
    let due = "UPDATE webhook_deliveries SET state = 'pending', finished_at = NULL, next_attempt_at = created_at";
    database.execute(due);
    let mut claim = request(1);
    claim.now = later;
    assert!(store.claim(&claim).await.unwrap().deliveries.is_empty());
    assert_eq!(count(&database, "webhook_deliveries WHERE state = 'failed'"), 1);
}

/// Without a dispatcher, months do not accumulate forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deliveries_waiting_sixty_days_do_not_keep_a_month() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    subscribe(&store, workspace, 1).await;
    maintain(&store, NOW).await;
    emit(&store, workspace, 1).await;
    maintain(&store, datetime!(2030-04-03 00:00 UTC)).await;
    assert_eq!((count(&database, "webhook_deliveries"), count(&database, "events")), (1, 0));
}

/// A database role that owns nothing can append, number and maintain: it needs rows and functions, but no DDL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_without_rights_on_the_schema_is_enough() {
    let (database, _store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    let mut connection = database.connection();
    let rights = "CREATE ROLE months_test; GRANT USAGE ON SCHEMA public TO months_test;
        GRANT SELECT, INSERT, UPDATE, DELETE ON events, events_unnumbered, event_positions, event_sequences,
            webhook_subscriptions, webhook_deliveries, webhook_backlog TO months_test";
    connection.batch_execute(rights).unwrap();
    let maintain = "SET ROLE months_test; SELECT maintain_event_partitions('2031-01-01Z', '60 days')";
    assert!(connection.batch_execute(maintain).is_err(), "the role lacks the right");
    connection.batch_execute("RESET ROLE; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO months_test").unwrap();
    connection.batch_execute(maintain).unwrap();
    assert_eq!(count(&database, "events_2031_04"), 0);
    assert!(connection.batch_execute("SET ROLE months_test; DROP TABLE events_2031_04").is_err());
    let workspace = workspace.0;
    let append = format!(
        "SELECT append_events('{workspace}', '{{crm}}', '{{deal.won}}', '{{null}}', '{{null}}', '{{deal}}', '{{{workspace}}}',
             '{{1}}', '{{false}}', '{{system}}', '{{null}}', '{{service}}', '{{null}}', '{{null}}', '{{\"{{}}\"}}',
             '{{2031-01-02Z}}', 100);
         SELECT number_events('{workspace}', 10)"
    );
    connection.batch_execute(&append).unwrap();
    assert_eq!((count(&database, "events_2031_01"), count(&database, "event_positions_2031_01")), (1, 1));
    let clean_up = "RESET ROLE; DROP OWNED BY months_test; DROP ROLE months_test";
    connection.batch_execute(clean_up).unwrap();
}
