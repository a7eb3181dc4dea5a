//! Tests which commands and roles may change the schema, with the real program and an external Postgres.

use std::process::Output;

use embedded_postgres::ThrowawayCluster;

use crate::support::{
    MASTER_KEY, Service, acme_key, body_of, command, data_dir_after_start, doctor_finding, eventually, failure,
    json_of, log_of, psql, succeed,
};

const OPERATIONS_PAGE: &str = include_str!("../../../../docs/operations.md");

struct Installation {
    cluster: ThrowawayCluster,
    folder: tempfile::TempDir,
}

impl Installation {
    fn new() -> Self {
        Self { cluster: embedded_postgres::throwaway().unwrap(), folder: data_dir_after_start() }
    }

    /// With the current schema.
    fn migrated() -> Self {
        let installation = Self::new();
        succeed(&installation.run(&[], &["migrate"]));
        installation
    }

    fn url_of(&self, role: &str) -> String {
        self.cluster.database_url("postgres").replacen("postgres@", &format!("{role}@"), 1)
    }

    fn run(&self, settings: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = command(self.folder.path());
        command.env("DATABASE_URL", self.url_of("postgres")).env("SERVICE_MASTER_KEY", MASTER_KEY);
        command.envs(settings.iter().copied()).args(arguments).output().unwrap()
    }

    /// The error of a command that must be refused.
    fn refusal(&self, settings: &[(&str, &str)], arguments: &[&str]) -> String {
        failure(&self.run(settings, arguments))
    }

    fn psql(&self, sql: &str) -> String {
        psql(&self.url_of("postgres"), sql)
    }
}

#[test]
fn only_serve_and_migrate_change_the_schema() {
    let installation = Installation::new();
    let tables = || installation.psql("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname = 'workspaces'");
    let off = [("SERVICE_MIGRATE", "off")];
    for (settings, arguments) in [
        (&off[..], &["serve"][..]),
        (&[], &["workspace", "list"]),
        (&[], &["key", "list", "--workspace", "acme"]),
        (&[], &["user", "list-operators"]),
    ] {
        let message = installation.refusal(settings, arguments);
        assert!(
            message.contains("lacks") && message.contains("`workspace-service migrate`"),
            "{arguments:?}: {message}"
        );
        assert_eq!(tables(), "0", "{arguments:?}");
    }
    let migrated = installation.run(&[], &["migrate"]);
    let message = String::from_utf8_lossy(&migrated.stderr);
    assert!(
        migrated.status.success() && message.contains("migrations, from 0001_workspaces to functions"),
        "{message}"
    );
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "The database schema is up to date.\n");
    assert_eq!(tables(), "1");
    assert!(installation.run(&[], &["workspace", "list"]).status.success());
}

#[test]
fn a_newer_schema_is_refused_by_every_command() {
    let installation = Installation::migrated();
    installation.psql("INSERT INTO __diesel_schema_migrations (version) VALUES ('29991231000000')");
    for arguments in [&["serve"][..], &["migrate"], &["workspace", "list"]] {
        let message = installation.refusal(&[], arguments);
        assert!(message.contains("newer"), "{arguments:?}: {message}");
    }
}

#[test]
fn a_direct_address_of_another_database_is_refused() {
    let installation = Installation::migrated();
    installation.psql("CREATE DATABASE other");
    let other = installation.cluster.database_url("other");
    let settings = [("SERVICE_DATABASE_DIRECT_URL", &*other)];
    let file = installation.folder.path().join("work.backup");
    for arguments in [&["serve"][..], &["migrate"], &["workspace", "list"], &["backup", file.to_str().unwrap()]] {
        let message = installation.refusal(&settings, arguments);
        assert!(message.contains("SERVICE_DATABASE_DIRECT_URL leads to another database"), "{arguments:?}: {message}");
    }
    let same = installation.url_of("postgres");
    assert!(installation.run(&[("SERVICE_DATABASE_DIRECT_URL", &same)], &["workspace", "list"]).status.success());
}

#[test]
fn a_database_of_another_program_is_not_changed() {
    let installation = Installation::new();
    installation.psql("CREATE TABLE notes (id int)");
    for arguments in [&["serve"][..], &["migrate"], &["workspace", "list"]] {
        let message = installation.refusal(&[], arguments);
        assert!(message.contains("tables of another program, e.g. public.notes"), "{arguments:?}: {message}");
    }
    assert_eq!(installation.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
    // Tables of an extension do not count as those of another program.
    installation.psql("ALTER EXTENSION plpgsql ADD TABLE notes");
    assert!(installation.run(&[], &["migrate"]).status.success());
}

#[test]
fn a_passphrase_without_a_master_key_to_seal_is_refused() {
    let installation = Installation::migrated();
    let file = installation.folder.path().join("work.backup");
    let mut backup = command(installation.folder.path());
    backup.env("DATABASE_URL", installation.url_of("postgres")).env("SERVICE_BACKUP_PASSPHRASE", "a long passphrase");
    let message = failure(&backup.args(["backup", file.to_str().unwrap()]).output().unwrap());
    assert!(message.contains("no master key to seal"), "{message}");
    assert!(!file.exists());
}

/// The statements to run after the master key has leaked.
#[test]
fn the_documented_statements_about_sealed_secrets_fit_the_schema() {
    let installation = Installation::migrated();
    let block = OPERATIONS_PAGE.split("```sql").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(block.contains("webhook_subscriptions") && block.contains("second_factors"), "{block}");
    installation.psql(block);
}

#[test]
fn a_role_with_the_documented_rights_can_run_the_service() {
    let installation = Installation::migrated();
    installation.psql("CREATE ROLE app LOGIN");
    for _ in 0..2 {
        succeed(&installation.run(&[], &["database", "grant", "--app-role", "app"]));
    }
    let url = installation.url_of("app");
    let settings = [("DATABASE_URL", &*url), ("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_MIGRATE", "off")];
    let mut service = Service::start_with(installation.folder.path(), &settings);
    let key = acme_key(|arguments| json_of(&installation.run(&settings, &[arguments, &["--json"]].concat())));
    for (path, record) in [
        ("/api/v1/crm/contacts", r#"{"email": "ada@example.com"}"#),
        ("/api/v1/crm/deals", r#"{"title": "A deal"}"#),
        ("/api/v1/projects", r#"{"name": "A project"}"#),
    ] {
        let _ = body_of(&service.post(path, &key, record), 201);
    }
    assert_eq!(
        body_of(&service.get("/api/v1/crm/contacts?search=ada", &key), 200)["data"][0]["email"],
        "ada@example.com"
    );
    // The jobs that create and drop monthly partitions use the rights of the functions' owner.
    eventually("partitions for months are created", || service.metrics().contains("service_event_months_ahead 3"));
    let audit = "SELECT count(*) > 3 FROM pg_inherits WHERE inhparent = 'audit_log'::regclass";
    eventually("partitions of the audit log are created", || installation.psql(audit) == "t");
    assert_eq!(service.signal("TERM"), Some(0));
    let log = log_of(installation.folder.path());
    assert!(!log.contains("permission denied") && !log.contains("ERROR"), "{log}");
}

/// Functions that run with the rights of their owner and that every role may call.
const EXPOSED: &str =
    "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace AND EXISTS (
    SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl WHERE acl.grantee = 0)";

/// The role of the service makes a backup. The owner restores it into a new database, and the same role runs the service there.
#[test]
fn a_restore_secures_functions_and_grants_the_same_role_its_privileges() {
    let installation = Installation::migrated();
    installation.psql("CREATE ROLE app LOGIN; CREATE ROLE other LOGIN");
    succeed(&installation.run(&[], &["database", "grant", "--app-role", "app"]));
    let app = installation.url_of("app");
    let file = installation.folder.path().join("work.backup");
    succeed(&installation.run(&[("DATABASE_URL", &app)], &["backup", file.to_str().unwrap()]));

    for (name, arguments, role) in [("again", &[][..], "app"), ("moved", &["--app-role", "other"], "other")] {
        installation.psql(&format!("CREATE DATABASE {name}"));
        let url = installation.cluster.database_url(name);
        let arguments = [&["restore", file.to_str().unwrap()], arguments].concat();
        succeed(&installation.run(&[("DATABASE_URL", &url)], &arguments));
        assert_eq!(psql(&url, EXPOSED), "", "{name}");
        let role_url = url.replacen("postgres@", &format!("{role}@"), 1);
        let output = installation.run(&[("DATABASE_URL", &role_url)], &["doctor", "--json"]);
        let privileges = doctor_finding(&output, "privileges");
        assert_eq!(privileges["status"], "ok", "{name}: {privileges}");
        let settings = [("DATABASE_URL", &*role_url), ("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_MIGRATE", "off")];
        let folder = data_dir_after_start();
        let service = Service::start_with(folder.path(), &settings);
        assert_eq!(service.readiness(), 200, "{name}");
    }
    let others = "SELECT has_table_privilege('app', 'contacts', 'SELECT')";
    assert_eq!(psql(&installation.cluster.database_url("moved"), others), "f");
}
