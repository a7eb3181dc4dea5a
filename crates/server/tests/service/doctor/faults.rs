//! The faults, one per row. A check may have several.

use std::process::Command;

use storage_diesel::{Listening, NotifyListener};

use super::{PASSWORD, PUBLIC_URL, World, other_program, set_mode};
use crate::pooler::Pooled;
use crate::support::{BINARY, MASTER_KEY, Service, copy_environment, data_dir, data_dir_after_start, eventually};
use crate::used::sql;

/// Changes an installation.
pub(super) type Fault = dyn Fn(&mut World<'_>);

pub(super) struct Row {
    pub(super) check: &'static str,
    pub(super) status: &'static str,
    /// Part of the message.
    pub(super) message: &'static str,
    /// Part of the cure.
    pub(super) cure: &'static str,
    pub(super) fault: Box<Fault>,
}

fn row(
    check: &'static str,
    status: &'static str,
    message: &'static str,
    cure: &'static str,
    fault: impl Fn(&mut World<'_>) + 'static,
) -> Row {
    Row { check, status, message, cure, fault: Box::new(fault) }
}

pub(super) fn settings_faults() -> Vec<Row> {
    vec![
        row("variables", "warning", "SERVICE_BND", "SERVICE_BIND", |world| world.set("SERVICE_BND", PASSWORD)),
        row("config_file", "error", "db_pool_szie", "db_pool_size", |world| {
            std::fs::write(world.folder.join("workspace-service.toml"), "db_pool_szie = 3\n").unwrap();
        }),
        row("config_file", "error", "line 2", "docs/settings.md", |world| {
            let text = format!("redis_url = \"redis://:{PASSWORD}@127.0.0.1\"\nbind =\n");
            std::fs::write(world.folder.join("workspace-service.toml"), text).unwrap();
        }),
        row("settings", "error", "SERVICE_DB_POOL_SIZE", "docs/settings.md", |world| {
            world.set("SERVICE_DB_POOL_SIZE", "0");
        }),
        row("memory", "warning", "MiB", "SERVICE_ANSWER_MEMORY", |world| {
            world.set("SERVICE_MAX_CONNECTIONS", "1000000");
            world.set("SERVICE_ANSWER_MEMORY", "65536");
        }),
        row("webhooks", "warning", "http://", "SERVICE_WEBHOOK_ALLOW_HTTP", |world| {
            world.set("SERVICE_PUBLIC_URL", PUBLIC_URL);
            world.set("SERVICE_WEBHOOK_ALLOW_HTTP", "true");
        }),
        row("webhooks", "warning", "private", "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", |world| {
            world.set("SERVICE_PUBLIC_URL", PUBLIC_URL);
            world.set("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true");
        }),
        row("public_url", "warning", "does not use https", "https://", |world| {
            world.set("SERVICE_PUBLIC_URL", "http://work.example.com");
        }),
        row("public_url", "warning", "other machines can reach 0.0.0.0:", "SERVICE_BIND", |world| {
            world.set("SERVICE_PUBLIC_URL", "http://127.0.0.1:8080");
            world.set("SERVICE_BIND", "0.0.0.0:0");
        }),
        row("settings", "error", "must be the address that users open", "docs/settings.md", |world| {
            world.set("SERVICE_PUBLIC_URL", &format!("https://user:{PASSWORD}@work.example.com"));
        }),
        row("settings", "error", "SERVICE_LOG", "docs/settings.md", |world| world.set("SERVICE_LOG", "a=b=c")),
        row("settings", "error", "OTEL_EXPORTER_OTLP_ENDPOINT", "docs/settings.md", |world| {
            world.set("OTEL_EXPORTER_OTLP_ENDPOINT", "not an address");
        }),
    ]
}

pub(super) fn machine_faults() -> Vec<Row> {
    vec![
        row("files", "warning", "0755", "chmod go-rw", |world| {
            set_mode(world.folder, 0o755);
        }),
        row("files", "error", "master-key has mode 0644", "chmod 0600", |world| {
            let key = world.folder.join("master-key");
            std::fs::write(&key, MASTER_KEY).unwrap();
            set_mode(&key, 0o644);
        }),
        row("files", "error", "has secrets", "chmod 0640", |world| {
            let file = world.folder.join("workspace-service.toml");
            std::fs::write(&file, format!("redis_url = \"redis://:{PASSWORD}@127.0.0.1:1\"")).unwrap();
            set_mode(&file, 0o644);
        }),
        row("disk_space", "error", "MiB", "SERVICE_DATA_DIR", |world| {
            let mount = "mount -t tmpfs -o size=64m tmpfs \"$SERVICE_DATA_DIR\" && exec \"$0\" \"$@\"";
            let arguments = ["--map-root-user", "--mount", "sh", "-c"];
            let works = Command::new("unshare").args(arguments).arg("mount -t tmpfs none /mnt").output();
            if !works.is_ok_and(|output| output.status.success()) {
                return world.lacks("unshare, or the right to mount");
            }
            let mut command = Command::new("unshare");
            command.args(arguments).args([mount, BINARY]).args(world.command.get_args());
            copy_environment(&world.command, &mut command);
            world.command = command;
        }),
        row("ports", "error", "another program", "SERVICE_BIND", |world| {
            let listener = other_program();
            let address = listener.local_addr().unwrap().to_string();
            world.guards.push(Box::new(listener));
            world.set("SERVICE_BIND", &address);
        }),
        row("mail_server", "error", "Connection refused", "SERVICE_SMTP_URL", |world| {
            world.set("SERVICE_SMTP_URL", &format!("smtp://user:{PASSWORD}@127.0.0.1:1"));
        }),
        row("mail_server", "warning", "files", "SERVICE_SMTP_URL", |world| {
            world.command.env_remove("SERVICE_SMTP_URL");
        }),
        row("redis", "error", "Redis is unavailable", "SERVICE_REDIS_URL", |world| {
            world.set("SERVICE_REDIS_URL", &format!("redis://:{PASSWORD}@127.0.0.1:1"));
        }),
    ]
}

fn busy_event_log(world: &mut World<'_>) {
    world.database(
        "busy_log",
        "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
         VALUES (gen_random_uuid(), 'acme', 'Acme', 'starter', 'active', 'EUR', now(), now());
         INSERT INTO request_counts (workspace_id, day, requests, event_bytes)
         SELECT id, (now() AT TIME ZONE 'UTC')::date + days, 1, 900000000 FROM workspaces, generate_series(0, 1) AS days",
    );
}

/// Adds contacts and accounts that share addresses.
const SHARED_ADDRESSES: &str = "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
     VALUES (gen_random_uuid(), 'acme', 'Acme', 'starter', 'active', 'EUR', now(), now());
     INSERT INTO contacts (workspace_id, id, email, email_key, contact_type, status, tags, custom_fields, version, created_at,
         updated_at, created_by_type, search)
     SELECT workspaces.id, gen_random_uuid(), 'a@example。com', key, 'new', 'active', '{}', '{}', 1, now(), now(), 'system', ''
     FROM workspaces, unnest(ARRAY['a@example.com', 'a@example.com ' || gen_random_uuid()]) AS key;
     INSERT INTO users (id, email, email_key, name, created_at)
     SELECT gen_random_uuid(), email, email, 'Ann', now() FROM unnest(ARRAY['b@example.org', 'b@example。org']) AS email";

const WIDER_KEY: &str = "INSERT INTO workspaces (id, slug, name, plan, status, default_currency, created_at, updated_at)
     VALUES (gen_random_uuid(), 'acme', 'Acme', 'starter', 'active', 'EUR', now(), now());
     INSERT INTO api_keys (workspace_id, id, name, lookup_id, secret_hash, scopes, permissions, version, created_at, updated_at,
         created_by_type)
     SELECT id, gen_random_uuid(), 'Old agent', 'lookup000001', sha256('x'), '{deals.write}', '{read_deals}', 1, now(), now(), 'system'
     FROM workspaces";

pub(super) fn database_faults() -> Vec<Row> {
    vec![
        row("database", "error", "Connection refused", "DATABASE_URL", |world| {
            world.set("DATABASE_URL", &format!("postgres://u:{PASSWORD}@127.0.0.1:1/d"));
        }),
        row("database", "error", "connection to server at", "DATABASE_URL", |world| {
            let listener = other_program();
            let port = listener.local_addr().unwrap().port();
            world.guards.push(Box::new(listener));
            world.set("DATABASE_URL", &format!("postgres://u:{PASSWORD}@127.0.0.1:{port}/d"));
        }),
        row("database", "error", "tables of another program", "to itself", |world| {
            world.databases.query("postgres", "CREATE DATABASE of_others");
            world.databases.query("of_others", "CREATE TABLE notes (id int)");
            world.set("DATABASE_URL", &world.databases.url("of_others"));
        }),
        row("database", "error", "restore", "workspace-service restore", |world| {
            world.database("half_restored", "CREATE TABLE unfinished_restore ()");
        }),
        row("database", "error", "leads to another database", "SERVICE_DATABASE_DIRECT_URL", |world| {
            world.databases.query("postgres", "CREATE DATABASE elsewhere TEMPLATE good");
            world.set("SERVICE_DATABASE_DIRECT_URL", &world.databases.url("elsewhere"));
        }),
        row("database_tls", "warning", "sslmode=disable", "verify-full", |world| {
            world.set("DATABASE_URL", &format!("postgres://u:{PASSWORD}@db.invalid/d?sslmode=disable"));
        }),
        row("schema", "warning", "no schema", "workspace-service migrate", |world| {
            world.databases.query("postgres", "CREATE DATABASE fresh");
            world.set("DATABASE_URL", &world.databases.url("fresh"));
        }),
        row("schema", "error", "SERVICE_MIGRATE is off", "workspace-service migrate", |world| {
            world.set("SERVICE_MIGRATE", "off");
            world.database(
                "older",
                "DELETE FROM __diesel_schema_migrations WHERE version = (SELECT max(version) FROM __diesel_schema_migrations)",
            );
        }),
        row("schema", "error", "29991121010000", "release", |world| {
            world.database("newer", "INSERT INTO __diesel_schema_migrations (version) VALUES ('29991121010000')");
        }),
        row("privileges", "error", "read_anything()", "workspace-service migrate", |world| {
            world.database(
                "exposed",
                "CREATE FUNCTION read_anything() RETURNS void LANGUAGE sql SECURITY DEFINER AS ''",
            );
        }),
        row("privileges", "error", "INSERT on contacts", "database grant --app-role narrow", |world| {
            let narrow = "CREATE ROLE narrow LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO narrow;
                GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO narrow;
                GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO narrow;
                GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO narrow;
                REVOKE INSERT ON contacts FROM narrow";
            let url = world.databases.altered_copy("narrowed", narrow);
            world.set("DATABASE_URL", &url.replace("://postgres:", "://narrow:"));
        }),
        row("clock", "warning", "ahead of", "synchronise", |world| world.database("hurried", &clock("10 s"))),
        row("clock", "error", "behind", "synchronise", |world| world.database("late", &clock("-5 min"))),
        row("master_key", "error", "sealed with the master key", "put the former key back", |world| {
            world.database(
                "sealed",
                "SET session_replication_role = replica; INSERT INTO second_factors
                (user_id, secret_key_id, secret, created_at, last_step, recovery_codes, failures, version)
                VALUES (gen_random_uuid(), 'another', '', now(), 0, '{}', 0, 1)",
            );
        }),
        row("master_key", "error", "must be set together", "put the former key back", |world| {
            world.command.env_remove("SERVICE_MASTER_KEY");
        }),
        row("backup", "warning", "over a week ago", "workspace-service backup", |world| {
            world.database("old_backup", "UPDATE last_backup SET ended_at = now() - interval '8 days'");
        }),
        row("backup", "warning", "no backup has been made yet", "workspace-service backup", |world| {
            world.database("no_backup", "DELETE FROM last_backup");
        }),
        row("email_addresses", "warning", "acme a@example.com (1)", "settings of the workspace", |world| {
            world.database("shared_contacts", SHARED_ADDRESSES);
        }),
        row("email_addresses", "warning", "b@example。org", "another address", |world| {
            world.database("shared_accounts", SHARED_ADDRESSES);
        }),
        row("api_keys", "warning", "acme Old agent", "confirm their permissions", |world| {
            world.database("wider_keys", WIDER_KEY);
        }),
        row("event_log", "warning", "acme 900 MB (90 % of its limit)", "event_bytes_per_day", busy_event_log),
        row("wal_archive", "error", "archiving the write-ahead log fails", "log of Postgres", broken_archive),
    ]
}

pub(super) fn server_faults() -> Vec<Row> {
    vec![
        row("instances", "warning", "2 instances without Redis", "SERVICE_REDIS_URL", |world| {
            let url = world.databases.altered_copy("counted_twice", "SELECT");
            let counts_alone = || Listening { counts_alone: true, ..Listening::default() };
            let both = [(); 2].map(|()| NotifyListener::listen(&url, counts_alone()));
            world.guards.push(Box::new(both));
            wait_for_count(world, &url, 2);
        }),
        row("instances", "warning", "without Redis, others with Redis", "SERVICE_REDIS_URL", |world| {
            let (folder, url) = (data_dir_after_start(), world.databases.altered_copy("counted_once", "SELECT"));
            let variables = [("DATABASE_URL", &*url), ("SERVICE_MASTER_KEY", MASTER_KEY)];
            let service = Service::start_with(folder.path(), &variables);
            world.guards.push(Box::new((service, folder)));
            world.set("SERVICE_REDIS_URL", "redis://127.0.0.1:1");
            wait_for_count(world, &url, 1);
        }),
        row("replicas", "warning", "cannot be reached", "SERVICE_DATABASE_REPLICA_URLS", |world| {
            world.set("SERVICE_DATABASE_REPLICA_URLS", "postgres://postgres@127.0.0.1:1/work");
        }),
        row("replicas", "warning", "not a replica", "SERVICE_DATABASE_REPLICA_URLS", |world| {
            world.set("SERVICE_DATABASE_REPLICA_URLS", &world.databases.url("good"));
        }),
        row("pooler", "error", "statement", "pool_mode", |world| {
            let Some(pooler) = Pooled::start("statement") else {
                world.is_possible = false;
                return;
            };
            storage_diesel::migrate(&pooler.direct_url()).unwrap();
            let (url, direct) = (pooler.url(), pooler.direct_url());
            world.guards.push(Box::new(pooler));
            world.set("SERVICE_DATABASE_DIRECT_URL", &direct);
            world.set("DATABASE_URL", &url);
        }),
    ]
}

/// Waits until this number of instances count requests on their own.
fn wait_for_count(world: &mut World<'_>, url: &str, instances: i64) {
    eventually("they listen", || storage_diesel::counting_alone(url).is_ok_and(|found| found == instances));
    world.set("DATABASE_URL", url);
}

/// Changes the clock of the server for clients whose statements do not name the schema.
fn clock(skew: &str) -> String {
    format!(
        "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS $$ SELECT pg_catalog.clock_timestamp() + interval '{skew}' $$;
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$"
    )
}

/// An embedded cluster whose archive folder was replaced by a file.
fn broken_archive(world: &mut World<'_>) {
    let folder = data_dir();
    let archive = folder.path().join("archive");
    let service = Service::start_with(folder.path(), &[("SERVICE_WAL_ARCHIVE_DIR", archive.to_str().unwrap())]);
    std::fs::remove_dir_all(&archive).unwrap();
    std::fs::write(&archive, "").unwrap();
    sql(folder.path(), "SELECT pg_switch_wal()");
    eventually("archiving fails", || sql(folder.path(), "SELECT failed_count > 0 FROM pg_stat_archiver") == "t");
    world.command.env_remove("DATABASE_URL").env_remove("SERVICE_MASTER_KEY");
    world.set("SERVICE_DATA_DIR", folder.path().to_str().unwrap());
    world.guards.push(Box::new((service, folder)));
}
