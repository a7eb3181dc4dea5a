//! The CPU time of the service and of its database, measured separately.

use std::ops::Sub;
use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, RefreshKind, System};

/// CPU time used by both since they started.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CpuTime {
    pub(crate) service: Duration,
    pub(crate) database: Duration,
}

impl CpuTime {
    /// For a service and its embedded Postgres, which is all descendants of the service.
    pub(crate) fn of(service: u32) -> Self {
        let service = Pid::from_u32(service);
        let refresh = ProcessRefreshKind::nothing().with_cpu().without_tasks();
        let Ok(system) = System::new_with_specifics(RefreshKind::nothing().with_processes(refresh)) else {
            return Self::default();
        };
        let parent = |pid: Pid| system.process(pid).and_then(sysinfo::Process::parent);
        let mut times = Self::default();
        for (pid, process) in system.processes() {
            let used = Duration::from_millis(process.accumulated_cpu_time());
            let above = parent(*pid);
            if *pid == service {
                times.service += used;
            } else if above == Some(service) || above.and_then(parent) == Some(service) {
                times.database += used;
            }
        }
        times
    }
}

impl Sub for CpuTime {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            service: self.service.saturating_sub(earlier.service),
            database: self.database.saturating_sub(earlier.database),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_this_process_is_found() {
        let pid = std::process::id();
        let before = CpuTime::of(pid);
        // Listing all processes takes some CPU time itself.
        let used = (0..1_000).map(|_| CpuTime::of(pid) - before).find(|used| !used.service.is_zero());
        assert!(used.is_some());
        assert_eq!(CpuTime::of(u32::MAX).service, Duration::ZERO);
    }
}
