//! Several instances of the real program, in the topologies of docs/operations.md and `ops`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use embedded_postgres::ThrowawayCluster;
use test_support::program::free_address;
use test_support::request::{bearer, request};

use crate::support::{
    MASTER_KEY, Process, Service, acme_key, command, data_dir_after_start, eventually, log_of, operate,
};

const CONFIGURATION: &str = include_str!("../../../../ops/haproxy/haproxy.cfg");

pub(crate) struct HaProxy {
    _process: Process,
    pub(crate) address: String,
    log: PathBuf,
}

impl HaProxy {
    /// Starts the proxy with the file in `ops` and the addresses of two or more instances. `None` if the program is missing, which is
    /// reported.
    pub(crate) fn start(folder: &Path, instances: &[&str]) -> Option<Self> {
        if Command::new("haproxy").arg("-v").output().is_err() {
            not_run::report("haproxy");
            return None;
        }
        let address = free_address().unwrap().to_string();
        let mut configuration = CONFIGURATION.to_owned();
        for (placeholder, replacement) in
            [(":8000", &*address), ("10.0.0.11:8080", instances[0]), ("10.0.0.12:8080", instances[1])]
        {
            assert_eq!(configuration.matches(placeholder).count(), 1, "{placeholder}");
            configuration = configuration.replace(placeholder, replacement);
        }
        for (number, instance_address) in instances.iter().enumerate().skip(2) {
            writeln!(configuration, "    server instance_{number} {instance_address}").unwrap();
        }
        let file = folder.join("haproxy.cfg");
        std::fs::write(&file, configuration).unwrap();
        let log = folder.join("haproxy.log");
        let output = std::fs::File::create(&log).unwrap();
        let errors = output.try_clone().unwrap();
        let child = Command::new("haproxy").arg("-f").arg(&file).stdout(output).stderr(errors).spawn().unwrap();
        Some(Self { _process: Process(child), address, log })
    }

    /// How many times it logged that an instance is up, or down.
    fn times_logged(&self, state: &str) -> usize {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        log.lines().filter(|line| line.contains("Server instances/") && line.contains(state)).count()
    }

    /// The status of a request; `None` if there was no response.
    pub(crate) fn get(&self, path: &str, key: &str) -> Option<u16> {
        Some(request(&self.address, "GET", path, &bearer(key), "")?.status)
    }
}

struct Instances {
    cluster: ThrowawayCluster,
    addresses: [String; 2],
    folders: [tempfile::TempDir; 2],
}

impl Instances {
    fn new() -> Self {
        let folders = [data_dir_after_start(), data_dir_after_start()];
        let cluster = embedded_postgres::throwaway().unwrap();
        Self { cluster, addresses: [(); 2].map(|()| free_address().unwrap().to_string()), folders }
    }

    fn start(&self, number: usize) -> Service {
        let url = self.cluster.database_url("postgres");
        let settings = [
            ("DATABASE_URL", &*url),
            ("SERVICE_MASTER_KEY", MASTER_KEY),
            ("SERVICE_BIND", &self.addresses[number]),
            ("SERVICE_TRUSTED_PROXIES", "127.0.0.1"),
        ];
        Service::start_with(self.folders[number].path(), &settings)
    }

    fn key(&self) -> String {
        acme_key(|arguments| {
            let mut command = command(self.folders[0].path());
            command.env("DATABASE_URL", self.cluster.database_url("postgres")).env("SERVICE_MASTER_KEY", MASTER_KEY);
            operate(command, arguments)
        })
    }
}

/// Both instances are restarted, one after the other, while a client keeps sending requests.
#[test]
fn no_request_fails_during_a_rolling_restart_behind_haproxy() {
    let instances = Instances::new();
    let [first, second] = &instances.addresses;
    let Some(proxy) = HaProxy::start(instances.folders[0].path(), &[first, second]) else { return };
    eventually("HAProxy has found no instance", || proxy.times_logged("is DOWN") == 2);
    let mut running = [instances.start(0), instances.start(1)];
    let key = instances.key();
    eventually("HAProxy has found both instances", || proxy.times_logged("is UP") == 2);
    let (is_over, served) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        let client = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let status = proxy.get("/api/v1/crm/deals?limit=1", &key);
                // The client may exceed its plan's limit per minute; the instances count separately.
                assert!(
                    matches!(status, Some(200 | 429)),
                    "{status:?} after {} requests",
                    served.load(Ordering::Relaxed)
                );
                served.fetch_add(1, Ordering::Relaxed);
            }
        });
        for (number, service) in running.iter_mut().enumerate() {
            let served_before = served.load(Ordering::Relaxed);
            eventually("requests are served", || {
                served.load(Ordering::Relaxed) > served_before || client.is_finished()
            });
            assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(instances.folders[number].path()));
            let before = proxy.times_logged("is UP");
            *service = instances.start(number);
            eventually("HAProxy has found it again", || proxy.times_logged("is UP") > before || client.is_finished());
        }
        is_over.store(true, Ordering::Relaxed);
        client.join().unwrap();
    });
    assert!(served.load(Ordering::Relaxed) > 10);
}
