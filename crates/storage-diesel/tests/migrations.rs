//! The schema's steps: up, down to nothing, and up again.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::thread;

use common::Database;
use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::access::{ActorKind, Preset};
use domain::contacts::{ContactStatus, ContactType};
use domain::deals::{DealStage, DealStatus};
use domain::issues::{IssueKind, IssueStatus, Visibility};
use domain::projects::{Priority, ProjectStatus};
use domain::workspaces::{Plan, Role, WorkspaceStatus};

#[derive(QueryableByName, Debug, PartialEq)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Every column, constraint, index and comment, but those of the record of migrations.
const SCHEMA: &str = "
    SELECT line FROM (
        SELECT format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                col_description(c.oid, a.attnum)) AS line
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_\\_%'
        UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE '\\_\\_%'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE '\\_\\_%'
        UNION ALL SELECT format('%s: %s', c.relname, obj_description(c.oid)) FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE '\\_\\_%'
    ) AS lines ORDER BY line";

fn lines(database: &Database, sql: &str) -> Vec<String> {
    let rows: Vec<Line> = diesel::sql_query(sql).load(&mut database.connection()).unwrap();
    rows.into_iter().map(|row| row.line).collect()
}

#[test]
fn up_down_and_up_again() {
    let database = Database::empty();
    let pending = storage_diesel::pending(&database.url()).unwrap();
    assert!(!pending.is_empty());
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), pending);
    let schema = lines(&database, SCHEMA);
    assert!(schema.len() > 200);
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), Vec::<String>::new());
    storage_diesel::revert_all(&database.url()).unwrap();
    assert_eq!(lines(&database, SCHEMA), Vec::<String>::new());
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), pending);
    assert_eq!(lines(&database, SCHEMA), schema);
}

#[test]
fn instances_that_start_at_once_migrate_once() {
    let database = Database::empty();
    let pending = storage_diesel::pending(&database.url()).unwrap();
    let applied = thread::scope(|scope| {
        let starts: Vec<_> =
            (0..6).map(|_| scope.spawn(|| storage_diesel::migrate(&database.url()).unwrap())).collect();
        starts.into_iter().map(|start| start.join().unwrap()).filter(|names| !names.is_empty()).collect::<Vec<_>>()
    });
    assert_eq!(applied, [pending]);
}

#[test]
fn an_address_without_a_server_is_named_at_once() {
    let error = storage_diesel::migrate("postgres://nobody@127.0.0.1:1/none").unwrap_err();
    assert!(error.to_string().contains("127.0.0.1"), "{error}");
}

#[test]
fn every_table_starts_with_the_workspace_and_so_does_every_reference() {
    let database = Database::migrated();
    let strays = lines(
        &database,
        "SELECT format('%s %s', conrelid::regclass, conname) AS line FROM pg_constraint
            JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
            WHERE contype IN ('p', 'f') AND connamespace = 'public'::regnamespace AND attname <> 'workspace_id'
                AND conrelid::regclass::text NOT LIKE '\\_\\_%' ORDER BY 1",
    );
    // Identities and tenants themselves, and what ties the two.
    assert_eq!(strays, ["members members_user_id_fkey", "users users_pkey", "workspaces workspaces_pkey"]);
}

#[test]
fn tables_are_explained() {
    let database = Database::migrated();
    let silent = lines(
        &database,
        "SELECT relname::text AS line FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND relname NOT LIKE '\\_\\_%' AND obj_description(oid) IS NULL",
    );
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn closed_sets_are_those_of_the_domain() {
    let database = Database::migrated();
    let check = |constraint: &str, words: Vec<&str>| {
        let sql =
            format!("SELECT pg_get_constraintdef(oid) AS line FROM pg_constraint WHERE conname = '{constraint}_check'");
        let definition = lines(&database, &sql).remove(0);
        // Every second piece between quotes is a word.
        let mut stored: Vec<_> = definition.split('\'').skip(1).step_by(2).collect();
        let mut words = words;
        stored.sort_unstable();
        words.sort_unstable();
        assert_eq!(stored, words, "{constraint}");
    };
    macro_rules! words {
        ($set:ident) => {
            $set::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>()
        };
    }
    check("workspaces_plan", words!(Plan));
    check("workspaces_status", words!(WorkspaceStatus));
    check("members_role", words!(Role));
    check("api_keys_preset", words!(Preset));
    check("contacts_contact_type", words!(ContactType));
    check("contacts_status", words!(ContactStatus));
    check("deals_status", words!(DealStatus));
    check("deals_stage", words!(DealStage));
    check("projects_status", words!(ProjectStatus));
    check("projects_priority", words!(Priority));
    check("issues_priority", words!(Priority));
    check("issues_kind", words!(IssueKind));
    check("issue_counters_kind", words!(IssueKind));
    check("issues_status", words!(IssueStatus).into_iter().chain(["task"]).collect());
    check("comments_visibility", words!(Visibility));
    for table in ["companies", "contacts", "deals", "projects", "cycles", "issues", "comments"] {
        check(&format!("{table}_created_by_type"), words!(ActorKind));
    }
}
