//! Three instances and two dispatchers share a Postgres and a Redis behind a proxy, and together behave like one instance.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use embedded_postgres::ThrowawayCluster;
use limiter::testing::RedisServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::Receiver;
use test_support::program::free_address;
use test_support::request::{Response, bearer, request};
use tokio::runtime::Runtime;

use crate::support::{
    BINARY, MASTER_KEY, Process, Service, body_of, command, create_user_by, data_dir_after_start, eventually, log_in,
    operate, text,
};
use crate::topologies::HaProxy;
use crate::used::HOOKS;

const INSTANCES: usize = 3;
const PASSWORD: &str = "correct horse battery";

struct World {
    cluster: ThrowawayCluster,
    redis: RedisServer,
    folders: [TempDir; INSTANCES],
    addresses: [String; INSTANCES],
}

impl World {
    /// `None` if Redis is missing, which is reported.
    fn new() -> Option<Self> {
        let folders = [data_dir_after_start(), data_dir_after_start(), data_dir_after_start()];
        let addresses = [(); INSTANCES].map(|()| free_address().unwrap().to_string());
        Some(Self {
            cluster: embedded_postgres::throwaway().unwrap(),
            redis: RedisServer::start()?,
            folders,
            addresses,
        })
    }

    fn shared(&self) -> [(&str, String); 2] {
        [("DATABASE_URL", self.cluster.database_url("postgres")), ("SERVICE_MASTER_KEY", MASTER_KEY.to_owned())]
    }

    fn start(&self, number: usize) -> Service {
        let (shared, redis) = (self.shared(), self.redis.url());
        let mut settings: Vec<(&str, &str)> = shared.iter().map(|(name, value)| (*name, &**value)).collect();
        settings.extend([
            ("SERVICE_BIND", &*self.addresses[number]),
            ("SERVICE_REDIS_URL", &redis),
            ("SERVICE_TRUSTED_PROXIES", "127.0.0.1"),
            ("SERVICE_DISPATCHER", "off"),
        ]);
        settings.extend(HOOKS);
        Service::start_with(self.folders[number].path(), &settings)
    }

    fn start_dispatcher(&self) -> Process {
        let program = Path::new(BINARY).with_file_name("dispatcher");
        assert!(program.is_file(), "{} is missing: cargo build --package dispatcher", program.display());
        let mut command = Command::new(program);
        command.envs(self.shared()).envs(HOOKS).env("DISPATCHER_ADMIN_BIND", "off").env("SERVICE_LOG", "warn");
        Process(command.stdin(Stdio::null()).spawn().unwrap())
    }

    fn operate(&self, arguments: &[&str]) -> Value {
        let mut command = command(self.folders[0].path());
        command.envs(self.shared());
        operate(command, arguments)
    }

    /// Creates a key of the workspace; returns it and its id.
    fn key(&self, name: &str) -> (String, String) {
        let created =
            self.operate(&["key", "create", "--workspace", "acme", "--name", name, "--preset", "full_access"]);
        (text(&created["key"]), text(&created["id"]))
    }

    /// Creates a webhook for new deals.
    fn subscribe(&self, service: &Service, receiver: &Receiver) {
        let mut command = command(self.folders[0].path());
        command.envs(self.shared());
        assert!(create_user_by(command, "acme", "ann@example.com", "owner", PASSWORD).status.success());
        let webhook = json!({"module": "crm", "url": receiver.url, "events": ["deal.created"]}).to_string();
        let token = log_in(service, "ann@example.com", PASSWORD);
        body_of(&service.post("/api/settings/webhooks", &token, &webhook), 201);
    }
}

fn get(address: &str, path: &str, key: &str) -> Response {
    request(address, "GET", path, &bearer(key), "").unwrap()
}

/// The same request sent to all instances at the same moment creates one record.
fn a_key_is_used_once(world: &World, key: &str) {
    let headers = format!("{}Idempotency-Key: once\r\n", bearer(key));
    let ids = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for number in 0..4 * INSTANCES {
            let (headers, ids, address) = (&headers, &ids, &world.addresses[number % INSTANCES]);
            scope.spawn(move || {
                let sent = request(address, "POST", "/api/v1/crm/deals", headers, r#"{"title": "once"}"#);
                let Response { status, body, .. } = sent.unwrap();
                assert!(matches!(status, 201 | 409), "{status} {body}");
                if status == 201 {
                    ids.lock().unwrap().insert(text(&body["data"]["id"]));
                }
            });
        }
    });
    assert_eq!(ids.into_inner().unwrap().len(), 1);
    let deals = get(&world.addresses[0], "/api/v1/crm/deals", key).body;
    assert_eq!(deals["data"].as_array().unwrap().len(), 1);
}

/// A limit per minute applies to all instances together.
fn a_limit_is_exact(world: &World, services: &[Option<Service>]) {
    const LIMIT: usize = 40;
    // Try again if the minute ended in between, or if an instance counted without Redis because it took longer than 100 ms.
    for slug in ["limited-1", "limited-2", "limited-3"] {
        world.operate(&["workspace", "create", "--name", "Limited", "--slug", slug]);
        let limit = format!("requests_per_minute={LIMIT}");
        world.operate(&["workspace", "update", "--workspace", slug, "--limit", &limit]);
        let arguments = ["key", "create", "--workspace", slug, "--name", "k", "--preset", "full_access"];
        let key = text(&world.operate(&arguments)["key"]);
        let without_redis: Vec<_> = services.iter().flatten().map(counted_without_redis).collect();
        let (served_count, resets) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
        std::thread::scope(|scope| {
            for address in &world.addresses {
                let (key, served_count, resets) = (&key, &served_count, &resets);
                scope.spawn(move || {
                    for _ in 0..LIMIT {
                        let Response { status, head, .. } = get(address, "/api/v1/crm/deals?limit=1", key);
                        assert!(matches!(status, 200 | 429), "{status}");
                        served_count.fetch_add(usize::from(status == 200), Ordering::Relaxed);
                        let reset = head.split("x-ratelimit-reset: ").nth(1).and_then(|rest| rest.lines().next());
                        resets.lock().unwrap().insert(reset.unwrap().to_owned());
                    }
                });
            }
        });
        let is_shared = services.iter().flatten().map(counted_without_redis).eq(without_redis);
        if is_shared && resets.into_inner().unwrap().len() == 1 {
            assert_eq!(served_count.into_inner(), LIMIT);
            return;
        }
    }
    panic!("no burst was counted in Redis within one minute");
}

/// How many requests an instance counted without Redis, from its metrics.
fn counted_without_redis(service: &Service) -> Option<String> {
    let page = service.metrics();
    page.lines().find(|line| line.starts_with("service_limiter_fallbacks_total")).map(ToOwned::to_owned)
}

/// A revoked key is refused by every instance within two seconds.
fn check_revocation_takes_effect(world: &World) {
    let (key, id) = world.key("revoked");
    for address in &world.addresses {
        assert_eq!(get(address, "/api/v1/crm/deals?limit=1", &key).status, 200);
    }
    world.operate(&["key", "revoke", "--workspace", "acme", "--id", &id]);
    let revoked = Instant::now();
    for address in &world.addresses {
        eventually("the key is refused", || {
            let elapsed_before = revoked.elapsed();
            let is_refused = get(address, "/api/v1/crm/deals?limit=1", &key).status == 401;
            assert!(is_refused || elapsed_before < Duration::from_secs(2), "still let in after {elapsed_before:?}");
            is_refused
        });
    }
}

/// Creates deals through the proxy until `is_over`. Returns the ids of the acknowledged ones.
fn create_deals(proxy: &HaProxy, key: &str, is_over: &AtomicBool, count: &AtomicUsize) -> Vec<String> {
    let mut ids = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        // An instance that was killed has sent no response, or HAProxy has sent one for it.
        let sent = request(&proxy.address, "POST", "/api/v1/crm/deals", &bearer(key), r#"{"title": "kept"}"#);
        if let Some(Response { status, body, .. }) = sent {
            assert!(matches!(status, 201 | 429 | 502 | 503), "{status} {body}");
            if status == 201 {
                ids.push(text(&body["data"]["id"]));
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    ids
}

#[test]
fn three_instances_behave_like_one() {
    let Some(world) = World::new() else { return };
    let addresses = world.addresses.each_ref().map(|address| &**address);
    let Some(proxy) = HaProxy::start(world.folders[0].path(), &addresses) else { return };
    let mut running = [0, 1, 2].map(|number| Some(world.start(number)));
    let mut dispatchers = [world.start_dispatcher(), world.start_dispatcher()];
    world.operate(&["workspace", "create", "--name", "Acme", "--slug", "acme"]);
    world.operate(&["workspace", "update", "--workspace", "acme", "--limit", "requests_per_minute=1000000"]);
    let (key, _) = world.key("all");
    let runtime = Runtime::new().unwrap();
    let receiver = runtime.block_on(Receiver::start());
    world.subscribe(running[0].as_ref().unwrap(), &receiver);
    a_key_is_used_once(&world, &key);
    a_limit_is_exact(&world, &running);
    check_revocation_takes_effect(&world);

    eventually("HAProxy serves", || proxy.get("/api/v1/crm/deals?limit=1", &key) == Some(200));
    let (is_over, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn({
                    let (proxy, key, is_over, count) = (&proxy, &key, &is_over, &count);
                    move || create_deals(proxy, key, is_over, count)
                })
            })
            .collect();
        for (number, instance) in running.iter_mut().enumerate() {
            let so_far = count.load(Ordering::Relaxed);
            eventually("deals are created", || count.load(Ordering::Relaxed) >= so_far + 20);
            // SIGKILL, for the instance and for a dispatcher.
            *instance = None;
            if let Some(dispatcher) = dispatchers.get_mut(number) {
                *dispatcher = world.start_dispatcher();
            }
            *instance = Some(world.start(number));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    assert!(acknowledged.len() >= 60, "{}", acknowledged.len());
    for (number, id) in acknowledged.iter().enumerate() {
        let path = format!("/api/v1/crm/deals/{id}");
        assert_eq!(
            get(&world.addresses[number % INSTANCES], &path, &key).status,
            200,
            "{id} was acknowledged and is lost"
        );
    }
    eventually("every deal is delivered", || {
        let deliveries = receiver.by_record();
        acknowledged.iter().all(|id| deliveries.contains_key(id))
    });
}
