//! Read replicas: the binary with a primary and a real streaming replica.

use std::path::Path;

use limiter::testing::RedisServer;
use serde_json::json;
use test_support::Replicated;

use crate::exposition;
use crate::support::{MASTER_KEY, Service, body_of, command, data_dir, eventually, log_of, operate, text};

/// A service with both servers.
struct World {
    database: Replicated,
    service: Service,
    folder: tempfile::TempDir,
    settings: Vec<(&'static str, String)>,
}

impl World {
    fn new(redis_url: Option<String>) -> Self {
        let database = Replicated::new();
        let mut settings = vec![
            ("DATABASE_URL", database.url()),
            ("SERVICE_DATABASE_REPLICA_URLS", database.replica_url()),
            ("SERVICE_DATABASE_REPLICA_MAX_LAG", "1m".to_owned()),
            ("SERVICE_MASTER_KEY", MASTER_KEY.to_owned()),
            ("SERVICE_DISPATCHER", "off".to_owned()),
        ];
        settings.extend(redis_url.map(|url| ("SERVICE_REDIS_URL", url)));
        let folder = data_dir();
        let service = serve(folder.path(), &settings);
        let world = Self { database, service, folder, settings };
        world.operate(&["workspace", "create", "--name", "Acme", "--slug", "acme"]);
        world
    }

    fn operate(&self, arguments: &[&str]) -> serde_json::Value {
        let mut command = command(self.folder.path());
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
        operate(command, arguments)
    }

    fn key(&self, name: &str) -> String {
        text(&self.operate(&["key", "create", "--workspace", "acme", "--name", name, "--preset", "full_access"])["key"])
    }
}

/// How many reads a server has served, or how many fell back for a reason.
fn counter_value(service: &Service, name: &str, label: (&str, &str)) -> f64 {
    let page = service.metrics();
    let families = exposition::parse(page.split_once("\r\n\r\n").unwrap().1);
    families.get(name).and_then(|family| family.value("", &[label])).unwrap_or_default()
}

fn replica_reads(service: &Service) -> f64 {
    counter_value(service, "service_db_reads_total", ("target", "replica_1"))
}

/// Waits until the replica serves reads of the key.
fn wait_for_replica_reads(service: &Service, key: &str) {
    let before = replica_reads(service);
    eventually("reads go to the replica", || {
        deals(service, key);
        replica_reads(service) > before
    });
}

fn serve(folder: &Path, settings: &[(&'static str, String)]) -> Service {
    // Without a demo workspace, whose key the test would wait for.
    let _ = std::fs::File::create(folder.join("started"));
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Service::start_with(folder, &settings)
}

fn deals(service: &Service, key: &str) -> usize {
    body_of(&service.get("/api/v1/crm/deals", key), 200)["data"].as_array().unwrap().len()
}

fn create(service: &Service, key: &str) -> String {
    let created = body_of(&service.post("/api/v1/crm/deals", key, &json!({"title": "New"}).to_string()), 201);
    text(&created["data"]["id"])
}

#[test]
fn requests_read_their_own_writes_with_a_replica() {
    let world = World::new(None);
    let (service, ann, ben) = (&world.service, world.key("ann"), world.key("ben"));
    wait_for_replica_reads(service, &ann);
    wait_for_replica_reads(service, &ben);

    world.database.pause();
    let id = create(service, &ann);
    for _ in 0..20 {
        assert_eq!(deals(service, &ann), 1);
    }
    eventually("others read the replica", || deals(service, &ben) == 0);
    // A client that was told about the record can read it.
    let path = format!("/api/v1/crm/deals/{id}");
    assert_eq!(body_of(&service.get(&path, &ben), 200)["data"]["title"], "New");
    // A client that reads the event log can read the record.
    let events = body_of(&service.get("/api/v1/events?event=deal.created", &ben), 200);
    assert_eq!(events["data"].as_array().unwrap().len(), 1);
    assert_eq!(deals(service, &ben), 1);
    // A key that was never used counts as one that has just written.
    assert_eq!(deals(service, &world.key("cid")), 1);
    world.database.resume();
    wait_for_replica_reads(service, &ann);
    assert_eq!(deals(service, &ann), 1);

    for path in READS {
        // The replica may be slow, so that one read goes to the primary.
        eventually(path, || {
            let before = replica_reads(service);
            body_of(&service.get(path, &ann), 200);
            replica_reads(service) > before
        });
    }
    for reason in ["conflict", "write"] {
        let count = counter_value(service, "service_db_replica_fallbacks_total", ("reason", reason));
        assert!(count < 0.5, "{reason}: {}", log_of(world.folder.path()));
    }
}

#[test]
fn a_write_by_one_instance_is_read_by_another() {
    let Some(mut redis) = RedisServer::start() else { return };
    let world = World::new(Some(redis.url()));
    let (one, folder) = (&world.service, data_dir());
    let other = serve(folder.path(), &world.settings);
    let (ann, ben) = (world.key("ann"), world.key("ben"));
    for key in [&ann, &ben] {
        wait_for_replica_reads(one, key);
        wait_for_replica_reads(&other, key);
    }
    world.database.pause();
    create(one, &ann);
    for _ in 0..20 {
        assert_eq!((deals(one, &ann), deals(&other, &ann)), (1, 1));
    }
    eventually("others read the replica", || deals(&other, &ben) == 0);
    // Without Redis, instances do not know about each other's writes.
    redis.kill();
    for service in [one, &other] {
        eventually("reads go to the primary", || deals(service, &ben) == 1);
        assert_eq!(deals(service, &ann), 1);
    }
    world.database.resume();
}

/// Reads of each kind.
const READS: [&str; 10] = [
    "/api/v1/crm/companies?search=acme",
    "/api/v1/crm/contacts?tag=a",
    "/api/v1/crm/deals?page=1&limit=100",
    "/api/v1/crm/deals?deleted=true",
    "/api/v1/projects",
    "/api/v1/issues?kind=task&label=a",
    "/api/v1/issues?search=printer",
    "/api/v1/members",
    "/api/public/kb/search?q=printer",
    "/api/public/tickets",
];
