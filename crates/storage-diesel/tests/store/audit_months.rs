//! Monthly partitions of the audit log: created ahead, kept forever by default, and dropped whole.

use crate::common::Database;
use crate::common::jobs::{NOW, count, store_over};
use diesel::connection::SimpleConnection;
use domain::WorkspaceId;
use domain::identity::audit::AuditRetention;
use domain::ports::Directory;
use storage_diesel::PgStore;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

/// Maintains the months, and retries while another session holds a lock.
async fn maintain(store: &PgStore, now: OffsetDateTime, keep: AuditRetention) {
    for _ in 0..200 {
        if store.maintain_audit_months(now, keep).await.unwrap() {
            return;
        }
    }
    panic!("another session holds a lock all the time");
}

/// Adds an entry at each of the times, to the one at `NOW` of the workspace's creation.
fn log(database: &Database, workspace: WorkspaceId, times: &[&str]) {
    for at in times {
        let entry = format!(
            "INSERT INTO audit_log (workspace_id, id, action, actor_type, actor_name, subject_type, subject_id, details, created_at)
             VALUES ('{0}', gen_random_uuid(), 'workspace.updated', 'system', 'a', 'workspace', '{0}', '{{}}', '{at}')",
            workspace.0
        );
        database.execute(&entry);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn months_are_created_three_ahead_and_kept_forever_by_default() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    log(&database, workspace, &["2020-01-01Z", "2030-01-31 23:59:59.999999Z", "2030-04-30Z", "2030-05-01Z"]);
    assert_eq!(count(&database, "audit_log_default"), 5);
    maintain(&store, NOW, AuditRetention::FOREVER).await;
    assert_eq!((count(&database, "audit_log_2030_01"), count(&database, "audit_log_2030_04")), (2, 1));
    assert_eq!(count(&database, "audit_log_default"), 2);
    maintain(&store, datetime!(2230-01-01 00:00 UTC), AuditRetention::default()).await;
    assert_eq!(count(&database, "audit_log"), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn months_older_than_the_retention_are_dropped() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    let keep = AuditRetention::new(Duration::days(60)).unwrap();
    maintain(&store, NOW, keep).await;
    log(&database, workspace, &["2020-01-01Z", "2030-01-10Z", "2030-02-01Z", "2030-03-01Z"]);
    maintain(&store, datetime!(2030-04-01 23:59 UTC), keep).await;
    assert_eq!(count(&database, "audit_log_2030_01"), 2, "it ended 59 days ago");
    assert_eq!(count(&database, "audit_log_default"), 0, "an entry by a wrong clock, older than the retention");
    maintain(&store, datetime!(2030-04-02 00:00 UTC), keep).await;
    assert_eq!(count(&database, "pg_class WHERE relname = 'audit_log_2030_01'"), 0);
    assert_eq!(count(&database, "audit_log"), 2);
}

/// Each partition needs the triggers, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entries_are_immutable_in_every_month() {
    let (database, store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    maintain(&store, NOW, AuditRetention::FOREVER).await;
    log(&database, workspace, &["2020-01-01Z", "2030-01-10Z"]);
    for table in ["audit_log", "audit_log_2030_01"] {
        for statement in ["UPDATE {} SET actor_name = 'b'", "DELETE FROM {}", "TRUNCATE {}"] {
            let refused = database.connection().batch_execute(&statement.replace("{}", table)).unwrap_err();
            assert!(refused.to_string().contains("the audit log is only added to"), "{statement} {table}: {refused}");
        }
    }
    assert_eq!(count(&database, "audit_log"), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn maintenance_does_not_block_readers() {
    let (database, store, _) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    let keep = AuditRetention::new(Duration::days(60)).unwrap();
    maintain(&store, NOW, keep).await;
    let mut reader = database.connection();
    reader.batch_execute("BEGIN; SELECT count(*) FROM audit_log").unwrap();
    assert!(!store.maintain_audit_months(datetime!(2030-09-01 00:00 UTC), keep).await.unwrap());
    reader.batch_execute("COMMIT; BEGIN; LOCK TABLE ONLY audit_log IN ACCESS SHARE MODE").unwrap();
    assert!(!store.maintain_audit_months(datetime!(2030-09-01 00:00 UTC), keep).await.unwrap());
    assert_eq!(
        count(&database, "audit_log_2030_12"),
        0,
        "the partition was created, although that of January could not be dropped"
    );
    reader.batch_execute("COMMIT").unwrap();
    maintain(&store, datetime!(2030-09-01 00:00 UTC), keep).await;
    assert_eq!(count(&database, "pg_class WHERE relname = 'audit_log_2030_01'"), 0);
}

/// The role of the service does not need to own the schema.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_without_rights_on_the_schema_is_enough() {
    let (database, _store, workspace) = store_over(Database::trusting_callers_clock(), |_| ()).await;
    let mut connection = database.connection();
    let rights = "CREATE ROLE audit_test; GRANT USAGE ON SCHEMA public TO audit_test;
        GRANT SELECT, INSERT ON audit_log TO audit_test";
    connection.batch_execute(rights).unwrap();
    let maintain = "SET ROLE audit_test; SELECT maintain_audit_partitions('2031-01-01Z', NULL)";
    assert!(connection.batch_execute(maintain).is_err(), "the role lacks the right");
    connection.batch_execute("RESET ROLE; GRANT EXECUTE ON FUNCTION maintain_audit_partitions TO audit_test").unwrap();
    connection.batch_execute(maintain).unwrap();
    let add = format!(
        "INSERT INTO audit_log VALUES ('{0}', gen_random_uuid(), 'workspace.updated', 'system', NULL, 'a', 'workspace', '{0}',
             '{{}}', NULL, '2031-01-02Z')",
        workspace.0
    );
    connection.batch_execute(&add).unwrap();
    connection.batch_execute("RESET ROLE; DROP OWNED BY audit_test; DROP ROLE audit_test").unwrap();
    assert_eq!(count(&database, "audit_log_2031_01"), 1);
}
