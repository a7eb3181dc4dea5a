//! The size of Postgres's buffer cache.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The default of Postgres.
const MIN_MIB: u64 = 128;
/// Memory beyond this is left to the operating system's file cache.
const MAX_MIB: u64 = 1_024;

/// The value of the setting: a quarter of the memory, as the Postgres manual advises. Pages outside the cache are copied and
/// their checksums computed at every read.
pub(crate) fn shared_buffers() -> String {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let total = System::new_with_specifics(refresh)
        .map_or(0, |memory| memory.cgroup_limits().map_or_else(|| memory.total_memory(), |limits| limits.total_memory));
    format!("{}MB", quarter_mib(total))
}

fn quarter_mib(total_bytes: u64) -> u64 {
    (total_bytes / 4 / (1 << 20)).clamp(MIN_MIB, MAX_MIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_a_quarter_of_the_memory_within_bounds() {
        const GIB: u64 = 1 << 30;
        for (total, mib) in [(0, 128), (GIB / 4, 128), (GIB, 256), (3 * GIB, 768), (64 * GIB, 1_024)] {
            assert_eq!(quarter_mib(total), mib);
        }
        let setting = shared_buffers();
        let mib: u64 = setting.trim_end_matches("MB").parse().unwrap();
        assert!((MIN_MIB..=MAX_MIB).contains(&mib), "{setting}");
    }
}
