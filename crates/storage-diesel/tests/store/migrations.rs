//! Migrations: up, down to an empty schema, and up again.

use std::thread;

use crate::common::Database;
use crate::common::jobs::lines;
use diesel::connection::SimpleConnection;
use domain::crm::contacts::{ContactStatus, ContactType};
use domain::crm::deals::{DealStage, DealStatus};
use domain::events::Module;
use domain::identity::access::{ActorKind, Preset};
use domain::identity::workspaces::{Role, WorkspaceStatus};
use domain::kernel::{IssueKind, KbLanguage};
use domain::limits::Plan;
use domain::support::kb::ArticleStatus;
use domain::webhooks::{DeliveryState, DisabledReason, FailedReason, ReplayState};
use domain::work::comments::Visibility;
use domain::work::issues::{IssueStatus, TicketType};
use domain::work::presence::PresenceState;
use domain::work::projects::{Priority, ProjectStatus};
use domain::work::time_entries::EntryStatus;

/// Every table, column, constraint, index, statistic, trigger and function, except the table of migrations and the months of logs.
pub(crate) const SCHEMA: &str = "
    WITH tables AS (
        SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT LIKE '\\_\\_%'
            AND coalesce(pg_get_expr(relpartbound, oid), 'DEFAULT') = 'DEFAULT')
    SELECT line FROM (
        SELECT format('table %s %s %s', relname, reloptions, pg_get_partkeydef(oid)) AS line FROM tables
        UNION ALL SELECT format('%s.%s %s %s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
                pg_get_expr(adbin, adrelid), attidentity, attgenerated, attstorage, attcollation::regcollation)
            FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        UNION ALL SELECT format('%s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
            FROM tables JOIN pg_constraint ON conrelid = tables.oid
        UNION ALL SELECT pg_get_indexdef(indexrelid) FROM tables JOIN pg_index ON indrelid = tables.oid
        UNION ALL SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
        UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid) FROM tables JOIN pg_trigger ON tgrelid = tables.oid
            WHERE NOT tgisinternal
        UNION ALL SELECT format('%s %s', pg_get_functiondef(oid), proacl) FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE 'diesel\\_%'
    ) AS lines ORDER BY line";

#[test]
fn only_the_newest_release_applies_functions() {
    let database = Database::migrated();
    let change = |sql: &str| database.execute(sql);
    let has_it = || lines(&database, "SELECT 'yes' AS line FROM pg_proc WHERE proname = 'ensure_assumed'").len() == 1;
    change("DROP FUNCTION ensure_assumed; UPDATE schema_functions SET revision = revision + 1");
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), Vec::<String>::new());
    assert!(!has_it(), "functions of a newer release stay");
    for older in ["revision = revision - 2", "hash = 'of a change that never landed'"] {
        change(&format!("DROP FUNCTION IF EXISTS ensure_assumed; UPDATE schema_functions SET {older}"));
        assert_eq!(storage_diesel::pending(&database.url()).unwrap(), ["functions"]);
        assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), ["functions"]);
        assert!(has_it(), "{older}");
    }
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
    for (sql, action) in [
        ("UPDATE audit_log SET actor_name = 'nobody'", "UPDATE"),
        ("UPDATE audit_log SET actor_name = 'nobody' WHERE false", "UPDATE"),
        ("DELETE FROM audit_log", "DELETE"),
        ("TRUNCATE audit_log", "TRUNCATE"),
        ("TRUNCATE workspaces CASCADE", "TRUNCATE"),
    ] {
        let refused = connection.batch_execute(sql).unwrap_err().to_string();
        assert_eq!(refused, format!("the audit log is only added to: {action} is refused"), "{sql}");
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
fn keys_and_references_start_with_the_workspace() {
    let database = Database::migrated();
    let strays = lines(
        &database,
        "SELECT format('%s %s', conrelid::regclass, conname) AS line FROM pg_constraint
            JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
            WHERE contype IN ('p', 'f') AND connamespace = 'public'::regnamespace AND attname <> 'workspace_id'
                AND conrelid::regclass::text NOT LIKE '\\_\\_%' ORDER BY 1",
    );
    // Users, workspaces and memberships; passwords, second factors, sign-ins and credential changes, which are shared by all
    // workspaces; link requests, whose workspace is not verified yet; e-mails per mailbox; set-up codes; the time of the last
    // backup; the revision of the functions; and the progress of reindexing.
    let known = [
        "credential_changes credential_changes_pkey",
        "last_backup last_backup_pkey",
        "link_requests link_requests_pkey",
        "mail_recipients mail_recipients_pkey",
        "members members_user_id_fkey",
        "password_resets password_resets_pkey",
        "password_resets password_resets_user_id_fkey",
        "schema_functions schema_functions_pkey",
        "search_walks search_walks_pkey",
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
        // Codes are between single quotes.
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
    check("time_entries_status", words!(EntryStatus));
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
    // The service creates records on behalf of customers.
    let makers: Vec<_> = words!(ActorKind).into_iter().filter(|word| *word != "customer").collect();
    check("audit_log_actor_type", makers.clone());
    check("record_comments_author_type", makers.clone());
    check("webhook_subscriptions_maker_type", makers.clone());
    check("webhook_deliveries_state", words!(DeliveryState));
    check("webhook_replays_state", words!(ReplayState));
    check("webhook_deliveries_failed_reason", words!(FailedReason));
    let of_makers = "SELECT relname || '_created_by_type' AS line FROM pg_class JOIN pg_attribute ON attrelid = oid
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'created_by_type'";
    let constraints = lines(&database, of_makers);
    assert!(constraints.len() >= 14, "{constraints:?}");
    for constraint in constraints {
        check(&constraint, makers.clone());
    }
}
