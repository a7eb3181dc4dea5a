//! Databases from before the baseline are upgraded with their data.

use crate::common::Database;
use crate::common::jobs::{count, lines};
use crate::migrations::SCHEMA;

/// A dump by `pg_dump` of a database that b9cfaa01 had migrated.
const DUMP: &str = include_str!("upgrade/b9cfaa01.sql");
const FROM_B9CFAA01: &str = include_str!("../../../../migrations/takeover/from_b9cfaa01.sql");
const REPLACED: &str = include_str!("../../../../migrations/takeover/replaced.txt");

const TABLES: [&str; 18] = [
    "workspaces",
    "users",
    "members",
    "sessions",
    "api_keys",
    "audit_log",
    "companies",
    "contacts",
    "deals",
    "projects",
    "cycles",
    "issues",
    "comments",
    "kb_articles",
    "webhook_deliveries",
    "webhook_attempts",
    "idempotency_keys",
    "mails",
];

fn counts(database: &Database) -> Vec<i64> {
    TABLES.iter().map(|table| count(database, table)).collect()
}

/// A database as b9cfaa01 left it, with rows in its tables.
pub(crate) fn before_the_baseline() -> Database {
    let database = Database::empty();
    database.execute(DUMP);
    database
}

#[test]
fn databases_of_both_landings_are_taken_over_and_have_the_schema_of_a_new_one() {
    let fresh = Database::empty();
    // The migrations after the baseline follow, with the functions at the end.
    let later = storage_diesel::migrate(&fresh.url()).unwrap().into_iter().filter(|name| name.as_str() >= "0011");
    let steps: Vec<String> = std::iter::once("takeover".to_owned()).chain(later).collect();
    let schema = lines(&fresh, SCHEMA);
    let (first, last) = (before_the_baseline(), before_the_baseline());
    let versions: Vec<String> = REPLACED.lines().skip(75).map(|version| format!("('{version}')")).collect();
    let versions = format!("INSERT INTO __diesel_schema_migrations (version) VALUES {}", versions.join(", "));
    last.execute(&format!("BEGIN; {FROM_B9CFAA01}; {versions}; COMMIT"));
    for database in [first, last] {
        let before = counts(&database);
        assert!(before.iter().all(|count| *count >= 3), "{before:?}");
        assert_eq!(storage_diesel::pending(&database.url()).unwrap(), ["takeover", "functions"]);
        assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), steps);
        assert_eq!(storage_diesel::pending(&database.url()).unwrap(), Vec::<String>::new());
        let found = lines(&database, SCHEMA);
        let beyond = |one: &[String], other: &[String]| {
            one.iter().filter(|line| !other.contains(line)).cloned().collect::<Vec<_>>()
        };
        assert_eq!((beyond(&schema, &found), beyond(&found, &schema)), (Vec::new(), Vec::new()));
        assert_eq!(counts(&database), before);
    }
}

#[test]
fn a_half_migrated_database_is_refused_with_a_remedy() {
    for (change, count) in [
        ("DELETE FROM __diesel_schema_migrations WHERE version = '20261126150000'", "74"),
        ("INSERT INTO __diesel_schema_migrations (version) VALUES ('20261127010000')", "76"),
        ("INSERT INTO __diesel_schema_migrations (version) VALUES ('0001')", "75"),
    ] {
        let database = before_the_baseline();
        database.execute(change);
        let before = lines(&database, SCHEMA);
        for refused in [storage_diesel::pending(&database.url()), storage_diesel::migrate(&database.url())] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(&format!("has {count} of")) && refused.contains("restore a backup"), "{refused}");
        }
        assert_eq!(lines(&database, SCHEMA), before);
    }
}

/// Records from a release without indexed words are found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_of_a_database_taken_over_are_indexed() {
    use domain::ports::Directory;
    let database = before_the_baseline();
    storage_diesel::migrate(&database.url()).unwrap();
    let store = storage_diesel::PgStore::connect(&storage_diesel::PgOptions::new(database.url())).unwrap();
    while store.reindex_records(100).await.unwrap() > 0 {}
    while store.reindex_articles(100).await.unwrap() > 0 {}
    for table in ["contacts", "companies", "issues"] {
        assert_eq!(count(&database, &format!("{table} WHERE search = '' AND deleted_at IS NULL")), 0, "{table}");
    }
}
