//! Checks that the account that runs Postgres can enter a folder, before `initdb` fails halfway.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::error::EmbeddedPostgresError;

/// The outermost folder on the way to `path`, including `path` itself, that `account` cannot enter.
///
/// Parts that do not exist yet count as open. If no account is dropped to, everything does.
pub(crate) fn first_closed(path: &Path, account: &Account) -> Option<PathBuf> {
    if !account.dropped {
        return None;
    }
    let mut ancestors: Vec<&Path> = path.ancestors().collect();
    ancestors.reverse();
    ancestors.into_iter().find(|folder| is_closed(folder, account)).map(Path::to_path_buf)
}

fn is_closed(folder: &Path, account: &Account) -> bool {
    let Ok(metadata) = fs::metadata(folder) else {
        return false;
    };
    metadata.is_dir() && !may_enter(metadata.mode(), (metadata.uid(), metadata.gid()), (account.uid, account.gid))
}

fn may_enter(mode: u32, owner: (u32, u32), who: (u32, u32)) -> bool {
    let bit = if owner.0 == who.0 {
        0o100
    } else if owner.1 == who.1 {
        0o010
    } else {
        0o001
    };
    mode & bit != 0
}

/// Makes sure that `account` can enter `folder`, which is ours, and its parents, which are not.
///
/// Only the account's group may enter, and it may not list the folder.
pub(crate) fn open_folder(folder: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let Some(closed) = first_closed(folder, account) else {
        return Ok(());
    };
    if closed != folder {
        let (wanted, uid) = (folder.to_path_buf(), account.uid);
        return Err(EmbeddedPostgresError::OutOfReach { closed, wanted, uid, setting: "SERVICE_DATA_DIR" });
    }
    let mode = fs::metadata(folder).map_err(EmbeddedPostgresError::io("read the metadata of", folder))?.mode();
    chown(folder, None, Some(account.gid)).map_err(EmbeddedPostgresError::io("change the group of", folder))?;
    // The permissions of the previous group must not go to the new one.
    let opened = mode & 0o7707 | 0o010;
    fs::set_permissions(folder, Permissions::from_mode(opened))
        .map_err(EmbeddedPostgresError::io("change the mode of", folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_matching_permission_class_decides() {
        assert!(may_enter(0o700, (5, 5), (5, 9)));
        assert!(!may_enter(0o700, (0, 0), (5, 5)));
        assert!(may_enter(0o710, (0, 5), (5, 5)));
        assert!(may_enter(0o701, (0, 0), (5, 5)));
        assert!(!may_enter(0o071, (5, 5), (5, 5)));
    }

    #[test]
    fn the_outermost_closed_folder_is_named() {
        let top = tempfile::tempdir().unwrap();
        fs::set_permissions(top.path(), Permissions::from_mode(0o700)).unwrap();
        let inner = top.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        let unprivileged = Account { uid: 4_000_000, gid: 4_000_000, dropped: true };
        assert_eq!(first_closed(&inner, &unprivileged).as_deref(), Some(top.path()));
        let current = Account { dropped: false, ..unprivileged };
        assert_eq!(first_closed(&inner, &current), None);
    }
}
