//! Privileges: functions with the rights of the schema owner, and roles that do not own the schema.

use crate::common::Database;
use crate::common::jobs::{count, lines, store_over};
use crate::upgrade::before_the_baseline;
use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use storage_diesel::GrantError;

/// Each security-definer function in the schema, and whether every role may call it.
const DEFINERS: &str = "SELECT format('%s %s', proname, EXISTS (
        SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl WHERE acl.grantee = 0)) AS line
    FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1";
const SECURE: [&str; 3] = ["erase_from_audit_log f", "maintain_audit_partitions f", "maintain_event_partitions f"];

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A separate role for each test, because roles are shared by the whole server.
struct TestRole<'a>(&'a Database, &'static str);

impl<'a> TestRole<'a> {
    fn create(database: &'a Database, name: &'static str) -> Self {
        database.execute(&format!("CREATE ROLE {} LOGIN", quoted(name)));
        Self(database, name)
    }

    fn url(&self) -> String {
        self.0.url().replacen("postgres@", &format!("{}@", self.1), 1)
    }

    fn run(&self, sql: &str) -> QueryResult<()> {
        let mut connection = self.0.connection();
        connection.batch_execute(&format!("SET ROLE {}", quoted(self.1))).unwrap();
        connection.batch_execute(sql)
    }
}

impl Drop for TestRole<'_> {
    fn drop(&mut self) {
        let clean_up = format!("DROP OWNED BY {0}; DROP ROLE {0}", quoted(self.1));
        let _ = self.0.connection().batch_execute(&clean_up);
    }
}

#[test]
fn security_definer_functions_are_not_public() {
    let fresh = Database::empty();
    storage_diesel::migrate(&fresh.url()).unwrap();
    assert_eq!(lines(&fresh, DEFINERS), SECURE, "fresh");
    let upgraded = before_the_baseline();
    storage_diesel::migrate(&upgraded.url()).unwrap();
    assert_eq!(lines(&upgraded, DEFINERS), SECURE, "upgraded");
}

/// Functions can become public in many ways, such as a restore without privileges.
#[test]
fn the_next_migration_revokes_public_grants() {
    let database = Database::migrated();
    let grants = "CREATE FUNCTION later(\"a b\" text) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT $1';
        GRANT EXECUTE ON FUNCTION maintain_event_partitions TO PUBLIC;
        CREATE FUNCTION plain() RETURNS void LANGUAGE sql AS ''";
    database.execute(grants);
    let exposed = storage_diesel::privileges(&database.url()).unwrap().exposed;
    assert_eq!(exposed, ["later(text)", "maintain_event_partitions(timestamp with time zone,interval)"]);
    assert_eq!(storage_diesel::migrate(&database.url()).unwrap(), Vec::<String>::new());
    let definers = lines(&database, DEFINERS);
    assert!(definers.iter().all(|line| line.ends_with(" f")), "{definers:?}");
    let role = TestRole::create(&database, "plain_role");
    role.run("SELECT plain()").unwrap();
}

#[test]
fn a_role_is_granted_what_it_needs_and_keeps_it_when_the_schema_grows() {
    let database = Database::migrated();
    let role = TestRole::create(&database, "odd \"'; role");
    let name = role.1.replace('\'', "''");
    let roles = format!("pg_roles WHERE rolname = '{name}' AND NOT has_table_privilege(oid, 'contacts', 'INSERT')");
    let is_lacking = || count(&database, &roles) == 1;
    assert!(is_lacking());
    for _ in 0..2 {
        storage_diesel::grant(&database.url(), role.1).unwrap();
    }
    assert!(!is_lacking());
    assert_eq!(storage_diesel::serving_roles(&database.url()).unwrap(), [role.1]);
    // As a future migration would.
    let growth = "CREATE TABLE later (id bigserial PRIMARY KEY);
        CREATE FUNCTION later() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM later'";
    database.execute(growth);
    storage_diesel::migrate(&database.url()).unwrap();
    role.run("INSERT INTO later DEFAULT VALUES; SELECT last_value FROM later_id_seq; SELECT later()").unwrap();
    for statement in [
        "DROP TABLE later",
        "TRUNCATE later",
        "CREATE OR REPLACE FUNCTION retention_clock() RETURNS timestamptz
        LANGUAGE sql AS $$ SELECT timestamptz 'infinity' $$",
    ] {
        assert!(role.run(statement).is_err(), "{statement}");
    }
}

#[test]
fn grants_are_refused_for_roles_that_cannot_have_them() {
    let database = Database::migrated();
    let none = storage_diesel::grant(&database.url(), "nobody_there").unwrap_err();
    assert!(matches!(none, GrantError::NoRole(_)), "{none}");
    let owner = storage_diesel::grant(&database.url(), "postgres").unwrap_err();
    assert!(matches!(owner, GrantError::IsOwner(_)), "{owner}");
    let (plain, other) = (TestRole::create(&database, "plain_grantor"), TestRole::create(&database, "plain_grantee"));
    let refused = storage_diesel::grant(&plain.url(), other.1).unwrap_err();
    assert!(matches!(refused, GrantError::NotOwner(_)), "{refused}");
    let privileges = storage_diesel::privileges(&plain.url()).unwrap();
    assert!(!privileges.owns && privileges.missing.contains(&"INSERT on contacts".to_owned()), "{privileges:?}");
}

/// Neither a retention of a second nor a time in the far future drops rows younger than 30 days.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_argument_shortens_the_retention_below_its_minimum() {
    let (database, ..) = store_over(Database::migrated(), |_| ()).await;
    let role = TestRole::create(&database, "hasty");
    storage_diesel::grant(&database.url(), role.1).unwrap();
    let entries = |at: &str| {
        format!(
            "INSERT INTO audit_log (workspace_id, id, action, actor_type, actor_name, subject_type, subject_id, details, created_at)
                SELECT id, gen_random_uuid(), 'workspace.updated', 'system', 'a', 'workspace', id, '{{}}', {at} FROM workspaces;
             INSERT INTO events (workspace_id, id, module, event, payload, created_at, internal, actor_type, actor_name)
                SELECT id, event_id({at}, 1), 'crm', 'deal.won', '{{}}', {at}, false, 'system', 'a' FROM workspaces;"
        )
    };
    let maintain = |at: &str, keep: &str| {
        role.run(&format!("SELECT maintain_event_partitions({at}, {keep}), maintain_audit_partitions({at}, {keep})"))
            .unwrap();
    };
    database.execute("DELETE FROM events");
    maintain("now() - interval '40 days'", "interval '400 days'");
    let before = count(&database, "audit_log");
    for at in ["now()", "now() - interval '29 days'"] {
        database.execute(&entries(at));
    }
    for at in ["now()", "now() + interval '80 days'", "timestamptz '2999-01-01Z'"] {
        for keep in ["interval '1 second'", "interval '0'", "interval '-1000 years'", "NULL", "interval '30 days'"] {
            maintain(at, keep);
            assert_eq!((count(&database, "events"), count(&database, "audit_log")), (2, before + 2), "{at} {keep}");
        }
    }
}
