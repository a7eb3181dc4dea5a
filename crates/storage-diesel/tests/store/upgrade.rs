//! An upgrade from the first schema that was in use, with data.

use std::fs;
use std::path::Path;

use crate::common::Database;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

/// The last day of the first schema: everything older than what is named later than this.
const FIRST_SCHEMA: &str = "2026-11-21";

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

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    line: String,
}

fn lines(connection: &mut PgConnection, sql: &str) -> Vec<String> {
    let rows: Vec<Row> = diesel::sql_query(sql).load(connection).unwrap();
    rows.into_iter().map(|row| row.line).collect()
}

fn counts(connection: &mut PgConnection) -> Vec<i64> {
    let count = |table: &&str| {
        let sql = diesel::dsl::sql::<BigInt>(&format!("(SELECT count(*) FROM {table})"));
        diesel::select(sql).get_result(connection).unwrap()
    };
    TABLES.iter().map(count).collect()
}

/// A database as the first schema left it, with rows in its tables.
pub(crate) fn first_schema() -> Database {
    let database = Database::empty();
    let mut connection = database.connection();
    // Diesel's own table, which `storage_diesel::pending` makes.
    let _ = storage_diesel::pending(&database.url()).unwrap();
    let made = "CREATE TABLE IF NOT EXISTS __diesel_schema_migrations (
        version varchar(50) PRIMARY KEY, run_on timestamp NOT NULL DEFAULT current_timestamp)";
    connection.batch_execute(made).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in names.iter().filter(|name| name.starts_with(FIRST_SCHEMA)) {
        let up = fs::read_to_string(folder.join(name).join("up.sql")).unwrap();
        let version: String = name.split('_').next().unwrap().replace('-', "");
        let noted = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')");
        connection.batch_execute(&format!("BEGIN; {up}; {noted}; COMMIT")).unwrap();
    }
    connection.batch_execute(&format!("BEGIN; {}; COMMIT", include_str!("upgrade/rows.sql"))).unwrap();
    database
}

#[test]
fn the_first_schema_comes_up_to_date_and_keeps_its_rows() {
    let database = first_schema();
    let mut connection = database.connection();
    let before = counts(&mut connection);
    assert!(before.iter().all(|count| *count >= 3), "{before:?}");
    let state = storage_diesel::schema_state(&database.url()).unwrap();
    assert!(!state.is_empty && state.pending.len() > 30, "{:?}", state.pending);
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), state.pending);
    assert_eq!(storage_diesel::pending(&database.url()).unwrap(), Vec::<String>::new());
    assert_eq!(counts(&mut connection), before);
    // Values that the service did not keep then are made of those that it kept.
    for (sql, expected) in [
        ("SELECT format('%s %s', slug, custom_fields) AS line FROM contacts JOIN workspaces ON workspaces.id = workspace_id
            WHERE email_key = 'person7@example.org' ORDER BY 1", vec![
            r#"w1 {"score": 7}"#,
            r#"w2 {"score": 7}"#,
            r#"w3 {"score": 7}"#,
        ]),
        ("SELECT format('%s %s', kind, status) AS line FROM issues GROUP BY kind, status ORDER BY 1", vec![
            "task done",
            "task todo",
            "ticket open",
            "ticket resolved",
        ]),
        ("SELECT format('%s %s', state, count(*)) AS line FROM webhook_deliveries GROUP BY state ORDER BY 1", vec![
            "pending 60",
            "succeeded 60",
        ]),
        ("SELECT DISTINCT tableoid::regclass::text AS line FROM audit_log", vec!["audit_log_first"]),
    ] {
        assert_eq!(lines(&mut connection, sql), expected, "{sql}");
    }
    // The totals of the board are those of the deals that are there.
    let totals = "SELECT count(*)::text AS line FROM deals WHERE deleted_at IS NULL AND status = 'open'";
    assert_eq!(lines(&mut connection, totals), ["87"]);
}

/// What is written by a release that did not index words is found afterwards.
#[test]
fn records_of_the_first_schema_are_indexed_afterwards() {
    use domain::ports::Directory;
    let database = first_schema();
    storage_diesel::migrate(&database.url()).unwrap();
    crate::common::block_on(async {
        let store = storage_diesel::PgStore::connect(&storage_diesel::PgOptions::new(database.url())).unwrap();
        while store.reindex_records(100).await.unwrap() > 0 {}
        while store.reindex_articles(100).await.unwrap() > 0 {}
    });
    let mut connection = database.connection();
    for table in ["contacts", "companies", "issues"] {
        let bare = format!("SELECT count(*)::text AS line FROM {table} WHERE search = '' AND deleted_at IS NULL");
        assert_eq!(lines(&mut connection, &bare), ["0"], "{table}");
    }
}
