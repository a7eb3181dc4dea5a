//! The classes of tables in a Citus cluster, compared with the schema.

use std::collections::BTreeSet;

use crate::common::Database;
use crate::common::jobs::lines;
use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Text};
use storage_diesel::{CLASSES, Class, DistributeError, LOOK_UPS, PgStore};

#[derive(QueryableByName)]
struct Index {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    of_table: String,
    #[diesel(sql_type = Bool)]
    is_primary: bool,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

fn tables_of(class: Class) -> BTreeSet<String> {
    CLASSES.iter().filter(|(_, its_class)| *its_class == class).map(|(name, _)| (*name).to_owned()).collect()
}

#[test]
fn every_table_has_a_class() {
    let database = Database::migrated();
    let sql = "SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition";
    let tables: BTreeSet<_> = lines(&database, sql).into_iter().collect();
    let classed: BTreeSet<_> = CLASSES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(classed.len(), CLASSES.len(), "a table has two classes");
    assert_eq!(tables, classed, "the tables in the schema and the classes in distribution.rs differ");
}

/// Citus can enforce uniqueness only within a shard.
#[test]
fn unique_keys_of_sharded_tables_include_the_workspace() {
    let database = Database::migrated();
    let sql = "SELECT index.relname::text AS name, coalesce(parent.relname, owner.relname)::text AS of_table, indisprimary AS is_primary,
            ARRAY(SELECT coalesce(attname, '')::text FROM unnest(indkey) WITH ORDINALITY AS key (number, place)
                LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number AND number > 0 ORDER BY place) AS columns
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS owner ON owner.oid = indrelid
        LEFT JOIN pg_inherits ON inhrelid = indrelid LEFT JOIN pg_class AS parent ON parent.oid = inhparent
        WHERE indisunique AND owner.relnamespace = 'public'::regnamespace AND owner.relkind IN ('r', 'p')";
    let indexes: Vec<Index> = diesel::sql_query(sql).load(&mut database.connection()).unwrap();
    let mut without_key = tables_of(Class::Sharded);
    let mut exceptions = BTreeSet::new();
    for index in indexes.iter().filter(|index| tables_of(Class::Sharded).contains(&index.of_table)) {
        if index.is_primary {
            assert_eq!(index.columns[0], "workspace_id", "the primary key of {}", index.of_table);
            without_key.remove(&index.of_table);
        } else if !index.columns.iter().any(|column| column == "workspace_id") {
            exceptions.insert((index.of_table.as_str(), index.name.as_str()));
        }
    }
    assert_eq!(without_key, BTreeSet::new(), "sharded tables without a primary key");
    assert_eq!(exceptions, LOOK_UPS.iter().copied().collect());
}

/// Other nodes do not have the rows of local tables, so Citus refuses foreign keys to them.
#[test]
fn sharded_and_reference_tables_do_not_reference_local_ones() {
    let database = Database::migrated();
    let sql = "SELECT DISTINCT conrelid::regclass || ' ' || confrelid::regclass AS name FROM pg_constraint
        WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0";
    let keys = lines(&database, sql);
    assert!(keys.len() > 30);
    let class = |table: &str| CLASSES.iter().find(|(name, _)| *name == table).unwrap().1;
    for key in keys {
        let (from, to) = key.split_once(' ').unwrap();
        let allowed: &[Class] = match class(from) {
            Class::Sharded => &[Class::Sharded, Class::Reference],
            Class::Reference => &[Class::Reference],
            Class::Local => &[Class::Local, Class::Reference],
        };
        assert!(allowed.contains(&class(to)), "a key from {from} to {to}");
    }
}

#[test]
fn a_postgres_without_citus_is_refused_with_a_hint() {
    let database = Database::migrated();
    let refused = storage_diesel::distribute(&database.url(), None, |_| {}).unwrap_err();
    assert!(matches!(refused, DistributeError::NoExtension), "{refused}");
    assert!(refused.to_string().contains("CREATE EXTENSION citus"), "{refused}");
}

#[test]
fn a_schema_that_lacks_migrations_is_refused() {
    let database = Database::empty();
    let refused = storage_diesel::distribute(&database.url(), None, |_| {}).unwrap_err();
    assert!(refused.to_string().contains("workspace-service migrate"), "{refused}");
}

/// The migration could change the schema in between.
#[test]
fn distribution_is_refused_during_a_migration() {
    let database = Database::empty();
    let mut other = database.connection();
    other.batch_execute("SELECT pg_advisory_lock(7163390478209124)").unwrap();
    let refused = storage_diesel::distribute(&database.url(), None, |_| {}).unwrap_err();
    assert!(matches!(refused, DistributeError::Locked), "{refused}");
}

#[test]
fn a_database_without_its_foreign_keys_is_refused() {
    let database = Database::migrated();
    assert!(!storage_diesel::distribution_is_unfinished(&database.url()).unwrap());
    database.execute("CREATE TABLE dropped_foreign_keys (owner text, name text, definition text)");
    assert!(storage_diesel::distribution_is_unfinished(&database.url()).unwrap());
    let refused = PgStore::connect(&database.options()).unwrap_err().to_string();
    assert!(
        refused.contains("foreign keys are missing") && refused.contains("workspace-service distribute"),
        "{refused}"
    );
}

const WORKSPACE: &str =
    "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
    VALUES ('00000000-0000-7000-8000-000000000001', 'a', 'A', 'starter', 'active', 'USD', now(), now());";

/// A shard has the triggers of its table, but another name.
#[test]
fn the_totals_of_a_shard_are_those_of_its_table() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let shard = "CREATE TABLE deals_102001 (LIKE deals INCLUDING DEFAULTS);
        CREATE TRIGGER deals_added AFTER INSERT ON deals_102001 REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
        CREATE TRIGGER deals_changed AFTER UPDATE ON deals_102001 REFERENCING OLD TABLE AS removed NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();
        CREATE TRIGGER deals_removed AFTER DELETE ON deals_102001 REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION note_deal_totals();";
    connection.batch_execute(&format!("{WORKSPACE} {shard}")).unwrap();
    let mut changes_by_table = Vec::new();
    for table in ["deals", "deals_102001"] {
        let changes = format!(
            "DELETE FROM deal_total_changes;
            INSERT INTO {table} (workspace_id, id, title, status, stage, value, currency, tags, custom_fields, version, created_at,
                updated_at, created_by_type)
                SELECT id, gen_random_uuid(), 't', 'open', 'discovery', number, 'USD', '{{}}', '{{}}', 1, now(), now(), 'system'
                FROM workspaces CROSS JOIN generate_series(1, 3) AS number;
            UPDATE {table} SET stage = 'qualified' WHERE value > 1;
            UPDATE {table} SET title = 'u';
            DELETE FROM {table} WHERE value = 3"
        );
        connection.batch_execute(&changes).unwrap();
        let sql = "SELECT format('%s %s %s', stage, deals, value) AS name FROM deal_total_changes ORDER BY 1";
        changes_by_table.push(lines(&database, sql));
    }
    assert_eq!(
        changes_by_table[0],
        ["discovery -2 -5.00", "discovery 3 6.00", "qualified -1 -3.00", "qualified 2 5.00"]
    );
    assert_eq!(changes_by_table[0], changes_by_table[1]);
}

/// The function detects a cluster by a setting of Citus.
#[test]
fn a_cluster_queues_the_same_deliveries() {
    let database = Database::migrated();
    let mut connection = database.connection();
    let id = "'00000000-0000-7000-8000-000000000001'";
    let subscriptions = format!(
        "INSERT INTO webhook_subscriptions (workspace_id, id, module, url, events, enabled, secret_key_id, secret, version,
                created_at, updated_at, created_by_type)
            SELECT {id}, gen_random_uuid(), module, 'https://e.x', events, true, 'k', '', 1, now(), now(), 'system'
            FROM (VALUES ('crm', '{{*}}'::text[]), ('crm', '{{deal.won}}'), ('projects', '{{*}}')) AS made (module, events)"
    );
    connection.batch_execute(&format!("{WORKSPACE} {subscriptions}")).unwrap();
    // There is room for three deliveries: two for the first event, and one for the second.
    let queue = format!(
        "SELECT format('%s %s %s', queued, behind, failure) AS name FROM queue_webhook_deliveries({id},
            ARRAY[event_id(now(), 1), event_id(now(), 2), event_id(now(), 3), event_id(now(), 4)],
            ARRAY['crm', 'crm', 'projects', 'crm'], ARRAY['deal.won', 'deal.created', 'project.created', 'deal.won'],
            ARRAY[NULL, NULL, NULL, NULL]::uuid[], ARRAY[NULL, NULL, NULL, NULL]::uuid[], ARRAY[false, false, true, false],
            ARRAY[now(), now(), now(), now()], 3)"
    );
    let state = "SELECT event || ' ' || count(*) AS name FROM webhook_deliveries GROUP BY event
        UNION ALL SELECT 'behind ' || cardinality(subscriptions) FROM webhook_backlog ORDER BY 1";
    let mut results = Vec::new();
    for setting in ["", "SET citus.version = 'in a test'"] {
        connection
            .batch_execute(&format!("DELETE FROM webhook_deliveries; DELETE FROM webhook_backlog; {setting}"))
            .unwrap();
        // The setting applies only to this session.
        let queued: Vec<String> = sql::<Text>(&queue).load(&mut connection).unwrap();
        results.push((queued, lines(&database, state)));
    }
    assert_eq!(results[0].0, ["3 1 "]);
    assert_eq!(results[0].1, ["behind 2", "deal.created 1", "deal.won 2"]);
    assert_eq!(results[0], results[1]);
}
