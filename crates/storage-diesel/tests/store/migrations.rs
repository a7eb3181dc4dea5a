//! Migrations: up, down to an empty schema, and up again.

use std::thread;

use crate::common::Database;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::crm::contacts::{ContactStatus, ContactType};
use domain::crm::deals::{DealStage, DealStatus};
use domain::events::Module;
use domain::identity::access::{ActorKind, Preset};
use domain::identity::workspaces::{Role, WorkspaceStatus};
use domain::kernel::{IssueKind, KbLanguage};
use domain::limits::Plan;
use domain::support::kb::ArticleStatus;
use domain::webhooks::{DeliveryState, DisabledReason, FailedReason, ReplayState, compose_body};
use domain::work::comments::Visibility;
use domain::work::issues::{IssueStatus, TicketType};
use domain::work::presence::PresenceState;
use domain::work::projects::{Priority, ProjectStatus};
use domain::{DeliveryId, WorkspaceId};
use uuid::Uuid;

#[derive(QueryableByName, Debug, PartialEq)]
struct SchemaRow {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Every column, constraint, index, trigger, function and comment, except diesel's own migrations table.
const SCHEMA: &str = "
    SELECT line FROM (
        SELECT format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                col_description(c.oid, a.attnum)) AS line
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_\\_%'
        UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE '\\_\\_%'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE '\\_\\_%'
        UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE '\\_\\_%' AND proname NOT LIKE 'diesel\\_%'
        UNION ALL SELECT format('%s: %s', c.relname, obj_description(c.oid)) FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE '\\_\\_%'
    ) AS lines ORDER BY line";

fn lines(database: &Database, sql: &str) -> Vec<String> {
    let rows: Vec<SchemaRow> = diesel::sql_query(sql).load(&mut database.connection()).unwrap();
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

/// The way back gives each delivery its body, to the byte; what was queued before events were stored keeps its own.
#[test]
fn deliveries_keep_their_bytes_in_both_directions() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let (id, event) = ("'00000000-0000-7000-8000-000000000001'", "'019a0000-0000-7000-8000-000000000001'");
    let rows = format!(
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
            VALUES ({id}, 'a', 'A', 'starter', 'active', 'USD', '2025-01-01Z', '2025-01-01Z');
        INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, secret_key_id, secret, version,
            created_at, updated_at, created_by_type)
            VALUES ({id}, {id}, 'crm', 'https://e.x', '{{*}}', true, 'k', '', 1, '2025-01-01Z', '2025-01-01Z', 'system');
        INSERT INTO events VALUES ({id}, {event}, 'crm', 'deal.won', NULL, '{{\"a\": \"%s é\"}}', '2025-01-02 03:04:05.6Z');
        INSERT INTO webhook_deliveries (workspace_id, id, subscription_id, event, event_id, body, state, attempts,
            next_attempt_at, created_at) VALUES
            ({id}, {id}, {id}, 'deal.won', {event}, NULL, 'pending', 0, '2025-01-01Z', '2025-01-01Z'),
            ({id}, {event}, {id}, 'webhook.test', NULL, 'kept', 'pending', 0, '2025-01-01Z', '2025-01-01Z');
        INSERT INTO webhook_backlog VALUES ({id}, {event}, '2025-01-02Z', ARRAY[{id}]::uuid[])"
    );
    connection.batch_execute(&rows).unwrap();
    // It replaced functions of the one below.
    connection
        .batch_execute(include_str!("../../../../migrations/2026-11-22-080100_moves_and_resolutions/down.sql"))
        .unwrap();
    connection.batch_execute(include_str!("../../../../migrations/2026-11-22-040000_events/down.sql")).unwrap();
    let bodies = "SELECT replace(body, id::text, 'ID') AS line FROM webhook_deliveries ORDER BY length(body), id";
    let uuid = Uuid::from_u128(0x7000_8000_0000_0000_0001);
    let at = time::macros::datetime!(2025-01-02 03:04:05.6 UTC);
    let body = compose_body(DeliveryId(uuid), WorkspaceId(uuid), "deal.won", at, "{\"a\": \"%s é\"}");
    let composed = body.replacen(&uuid.to_string(), "ID", 1);
    let lines = lines(&database, bodies);
    assert_eq!(lines[0], "kept");
    // The first has the same id as its workspace.
    assert_eq!(lines[1], body.replace(&uuid.to_string(), "ID"));
    assert_eq!(lines[2..], [composed], "what waited for room was queued");
    connection.batch_execute(include_str!("../../../../migrations/2026-11-22-040000_events/up.sql")).unwrap();
    assert_eq!(self::lines(&database, bodies), lines);
}

/// Existing rows keep their values and get the new columns filled in; the way back keeps them too.
#[test]
fn existing_rows_are_filled_in() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let id = "'00000000-0000-7000-8000-000000000001'";
    let down = include_str!("../../../../migrations/2026-11-21-050000_access/down.sql");
    let up = include_str!("../../../../migrations/2026-11-21-050000_access/up.sql");
    connection.batch_execute(down).unwrap();
    let rows = format!(
        "INSERT INTO workspaces VALUES ({id}, 'a', 'A', 'starter', 'active', 'USD', '2025-01-01Z');
        INSERT INTO users VALUES ({id}, 'a@e.x', 'a@e.x', 'a', NULL, '2025-01-01Z');
        INSERT INTO members VALUES ({id}, {id}, 'owner', '2025-01-02Z', NULL);
        INSERT INTO api_keys VALUES ({id}, {id}, 'k', 'l', decode(repeat('00', 32), 'hex'), '{{}}', NULL, NULL, NULL,
            '2025-01-03Z');"
    );
    connection.batch_execute(&rows).unwrap();
    connection.batch_execute(&format!("BEGIN; {up}; COMMIT")).unwrap();
    connection.batch_execute("SET TimeZone = 'UTC'").unwrap();
    let lines = |connection: &mut PgConnection, sql: &str| -> Vec<String> {
        let rows: Vec<SchemaRow> = diesel::sql_query(sql).load(connection).unwrap();
        rows.into_iter().map(|row| row.line).collect()
    };
    let sql = "SELECT format('%s %s %s', version, updated_at::date, widget_enabled) AS line FROM workspaces UNION ALL
        SELECT format('%s %s %s', version, updated_at::date, joined_at::date) FROM members UNION ALL
        SELECT format('%s %s %s %s', version, updated_at::date, created_by_type, created_by_id) FROM api_keys";
    let expected = ["1 2025-01-01 f", "1 2025-01-02 2025-01-02", "1 2025-01-03 system "];
    assert_eq!(lines(&mut connection, sql), expected);
    connection.batch_execute("UPDATE members SET joined_at = NULL").unwrap();
    connection.batch_execute(&format!("BEGIN; {down}; COMMIT")).unwrap();
    let sql = "SELECT (deactivated_at IS NOT NULL)::text AS line FROM members";
    assert_eq!(lines(&mut connection, sql), ["true"], "an invited user without joined_at is not a member");
}

/// Companies that existed before search are found by it.
#[test]
fn existing_companies_get_search_words() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let id = "'00000000-0000-7000-8000-000000000001'";
    let down = include_str!("../../../../migrations/2026-11-21-065000_company_search/down.sql");
    let up = include_str!("../../../../migrations/2026-11-21-065000_company_search/up.sql");
    connection.batch_execute(down).unwrap();
    let rows = format!(
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
            VALUES ({id}, 'a', 'A', 'starter', 'active', 'USD', now(), now());
        INSERT INTO companies (workspace_id, id, name, domain, version, created_at, updated_at, created_by_type) VALUES
            ({id}, {id}, 'Acme  & Sons', 'shop.acme.example', 1, now(), now(), 'system');"
    );
    connection.batch_execute(&rows).unwrap();
    connection.batch_execute(&format!("BEGIN; {up}; COMMIT")).unwrap();
    let words = lines(&database, "SELECT unnest(tsvector_to_array(search)) AS line FROM companies ORDER BY 1");
    let expected = ["acme", "example", "shop", "shop.acme.example", "sons"];
    assert_eq!(words, expected.map(|word| format!("AAAAAAAAcACAAAAAAAAAAQ{word}")));
}

#[test]
fn the_audit_log_is_append_only() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let id = "'00000000-0000-7000-8000-000000000001'";
    let rows = format!(
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
            VALUES ({id}, 'a', 'A', 'starter', 'active', 'USD', now(), now());
        INSERT INTO audit_log VALUES ({id}, {id}, 'a', 'system', NULL, 'n', 'workspace', {id}, '{{}}', NULL, now());"
    );
    connection.batch_execute(&rows).unwrap();
    for (sql, word) in [
        ("UPDATE audit_log SET actor_name = 'nobody'", "UPDATE"),
        ("UPDATE audit_log SET actor_name = 'nobody' WHERE false", "UPDATE"),
        ("DELETE FROM audit_log", "DELETE"),
        ("TRUNCATE audit_log", "TRUNCATE"),
        ("TRUNCATE workspaces CASCADE", "TRUNCATE"),
    ] {
        let refused = connection.batch_execute(sql).unwrap_err().to_string();
        assert_eq!(refused, format!("the audit log is only added to: {word} is refused"), "{sql}");
    }
    assert_eq!(lines(&database, "SELECT actor_name AS line FROM audit_log"), ["n"]);
}

#[test]
fn instances_that_start_concurrently_migrate_once() {
    let database = Database::empty();
    let pending = storage_diesel::pending(&database.url()).unwrap();
    let applied = thread::scope(|scope| {
        let starts: Vec<_> =
            (0..6).map(|_| scope.spawn(|| storage_diesel::migrate(&database.url()).unwrap())).collect();
        starts.into_iter().map(|start| start.join().unwrap()).filter(|names| !names.is_empty()).collect::<Vec<_>>()
    });
    let mut steps: Vec<_> = applied.into_iter().flatten().collect();
    steps.sort();
    assert_eq!(steps, pending);
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
    // Users and workspaces themselves and what connects them; a user's password, second factor and sign-ins, which are
    // the same in all workspaces; credential changes, which name users too; link requests, whose workspace is not
    // verified yet; e-mails to a mailbox, which are counted over all workspaces; codes to make the first workspace; and
    // when the last backup was made.
    let known = [
        "credential_changes credential_changes_pkey",
        "last_backup last_backup_pkey",
        "link_requests link_requests_pkey",
        "mail_recipients mail_recipients_pkey",
        "members members_user_id_fkey",
        "password_resets password_resets_pkey",
        "password_resets password_resets_user_id_fkey",
        "second_factors second_factors_pkey",
        "second_factors second_factors_user_id_fkey",
        "set_up_codes set_up_codes_pkey",
        "sign_ins sign_ins_pkey",
        "sign_ins sign_ins_user_id_fkey",
        "users users_pkey",
        "workspaces workspaces_pkey",
    ];
    assert_eq!(strays, known);
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
fn allowed_values_match_the_domain() {
    let database = Database::migrated();
    let check = |constraint: &str, words: Vec<&str>| {
        let sql =
            format!("SELECT pg_get_constraintdef(oid) AS line FROM pg_constraint WHERE conname = '{constraint}_check'");
        let definition = lines(&database, &sql).remove(0);
        // Every second piece between quotes is a code.
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
    check("drafts_visibility", words!(Visibility));
    check("presences_state", words!(PresenceState));
    check("kb_articles_status", words!(ArticleStatus));
    check("workspaces_kb_language", words!(KbLanguage));
    check("webhook_subscriptions_module", words!(Module));
    check("webhook_subscriptions_disabled_reason", words!(DisabledReason));
    check("comments_author_type", words!(ActorKind));
    check("issues_ticket_type", words!(TicketType));
    // What customers create is created by the service in their name.
    let makers: Vec<_> = words!(ActorKind).into_iter().filter(|word| *word != "customer").collect();
    check("audit_log_actor_type", makers.clone());
    check("webhook_subscriptions_created_by_type", makers.clone());
    check("webhook_replays_created_by_type", makers.clone());
    check("record_comments_author_type", makers.clone());
    check("webhook_subscriptions_maker_type", makers.clone());
    check("webhook_deliveries_state", words!(DeliveryState));
    check("webhook_replays_state", words!(ReplayState));
    check("webhook_deliveries_failed_reason", words!(FailedReason));
    for table in [
        "companies",
        "contacts",
        "deals",
        "projects",
        "cycles",
        "issues",
        "comments",
        "record_comments",
        "api_keys",
        "kb_articles",
    ] {
        check(&format!("{table}_created_by_type"), makers.clone());
    }
}
