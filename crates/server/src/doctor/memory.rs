//! Whether the machine has as much memory as the settings allow the service to use.

use storage_diesel::ServerFacts;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::Finding;
use crate::compose;
use crate::config::Config;

const MIB: u64 = 1 << 20;
/// The program itself, including caches and password hashes.
const PROGRAM: u64 = 128 * MIB;
/// The buffers of an open client connection.
const CONNECTION: u64 = 24 * 1024;
/// A Postgres server process, without memory for sorting.
const SERVER_PROCESS: u64 = 5 * MIB;

/// The maximum memory use, in bytes.
struct Plan {
    answers: u64,
    connections: u64,
    /// The page cache of Postgres, if it runs on this machine.
    page_cache: u64,
    server_processes: u64,
}

impl Plan {
    fn of(config: &Config, embedded: Option<&ServerFacts>) -> Self {
        let capacity = config.capacity;
        let sessions = u64::from(compose::database_connections(config.db_pool_size, config.db_heavy_jobs, 0));
        Self {
            answers: capacity.answers.process as u64,
            connections: (capacity.max_connections as u64).saturating_mul(CONNECTION),
            page_cache: embedded.map_or(0, |facts| facts.shared_buffers),
            server_processes: embedded.map_or(0, |facts| sessions * (SERVER_PROCESS + facts.work_mem)),
        }
    }

    const fn sum(&self) -> u64 {
        PROGRAM + self.answers + self.connections + self.page_cache + self.server_processes
    }
}

/// `embedded` are the facts about the embedded cluster, which shares the machine.
pub(super) fn check(config: &Config, embedded: Option<&ServerFacts>) -> Finding {
    judge(&Plan::of(config, embedded), machine_memory())
}

fn judge(plan: &Plan, machine: u64) -> Finding {
    let mib = |bytes: u64| bytes / MIB;
    let message = format!(
        "the settings allow {} MiB (program {}, responses {}, connections {}, Postgres page cache {}, Postgres processes {}) of {} MiB",
        mib(plan.sum()),
        mib(PROGRAM),
        mib(plan.answers),
        mib(plan.connections),
        mib(plan.page_cache),
        mib(plan.server_processes),
        mib(machine)
    );
    if machine == 0 {
        return Finding::not_checked("cannot determine how much memory this machine has");
    }
    if plan.sum() <= machine {
        return Finding::ok(message);
    }
    let cure = "lower SERVICE_ANSWER_MEMORY, SERVICE_MAX_CONNECTIONS or SERVICE_DB_POOL_SIZE, or add memory";
    Finding::warning(message, cure)
}

/// The memory of the machine, or of the container.
fn machine_memory() -> u64 {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    System::new_with_specifics(refresh)
        .map_or(0, |system| system.cgroup_limits().map_or_else(|| system.total_memory(), |limits| limits.total_memory))
}
