//! Free space in the data folder.

use std::path::Path;

use super::{Finding, Installation};

const MIB: u64 = 1 << 20;
/// Postgres writes files of 16 MiB. With less space than this, a busy hour may fill the disk.
const MIN_FREE: u64 = 256 * MIB;
const SCARCE: u64 = 1024 * MIB;
const SCARCE_PERCENT: u64 = 10;

pub(super) fn check(installation: &Installation) -> Vec<Finding> {
    let data_dir = std::path::absolute(&installation.config.data_dir).unwrap_or_default();
    let existing = data_dir.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let finding = match rustix::fs::statvfs(existing) {
        Ok(disk) => judge(disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize, existing),
        Err(error) => Finding::error(
            format!("cannot determine the free space of {}: {error}", existing.display()),
            "give the account of the service read access to the data folder (SERVICE_DATA_DIR)",
        ),
    };
    vec![finding]
}

fn judge(free: u64, total: u64, folder: &Path) -> Finding {
    let percent = free.saturating_mul(100) / total.max(1);
    let message = format!("{} MiB ({percent} %) are free for {}", free / MIB, folder.display());
    let cure = "free or add disk space, or move the data folder (SERVICE_DATA_DIR)";
    if free < MIN_FREE {
        Finding::error(message, cure)
    } else if free < SCARCE || percent < SCARCE_PERCENT {
        Finding::warning(message, cure)
    } else {
        Finding::ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Status;
    use super::*;

    #[test]
    fn little_space_is_a_warning_and_hardly_any_an_error() {
        let gib = 1024 * MIB;
        for (free, total, status) in [
            (255 * MIB, 100 * gib, Status::Error),
            (256 * MIB, 300 * MIB, Status::Warning),
            (1023 * MIB, 2 * gib, Status::Warning),
            (9 * gib, 100 * gib, Status::Warning),
            (10 * gib, 100 * gib, Status::Ok),
            (0, 0, Status::Error),
        ] {
            assert_eq!(judge(free, total, Path::new("/data")).status, status, "{free} of {total}");
        }
    }
}
