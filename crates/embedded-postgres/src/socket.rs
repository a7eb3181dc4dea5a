//! The private folder of the server's socket.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::error::EmbeddedPostgresError;
use crate::folder::Folder;

/// Part of the socket's name, and therefore fixed, although nothing listens on TCP.
pub(crate) const PORT: u16 = 5432;

/// The maximum length of a socket path: 103 bytes on macOS, 107 on Linux.
const PATH_LIMIT: usize = 103;

pub(crate) fn socket_file(dir: &Path, port: u16) -> PathBuf {
    dir.join(format!(".s.PGSQL.{port}"))
}

/// Whether a server listens on the socket.
pub(crate) fn accepts_connections(dir: &Path, port: u16) -> bool {
    UnixStream::connect(socket_file(dir, port)).is_ok()
}

/// Whether a socket folder inside `root` keeps the path short enough.
pub(crate) fn fits_beneath(root: &Path) -> bool {
    fits(&root.join("postgres.socket"))
}

/// Whether the path is short enough and has no comma, which clients would take for a list of hosts.
fn fits(dir: &Path) -> bool {
    let file = socket_file(dir, PORT);
    let path = file.as_os_str().as_bytes();
    path.len() <= PATH_LIMIT && !path.contains(&b',')
}

/// A folder in the data folder or, if that path is not usable, in the temp folder, under a name derived from the data folder.
fn choose(root: &Path, temp_dirs: &[PathBuf]) -> Option<PathBuf> {
    let inside = root.join("postgres.socket");
    if fits(&inside) {
        return Some(inside);
    }
    let name = format!("workspace-service-{:016x}", fnv1a(root.as_os_str().as_bytes()));
    temp_dirs.iter().map(|dir| dir.join(&name)).find(|dir| fits(dir))
}

/// Creates the socket folder, which only `account` may enter, and removes what an earlier server left in it.
///
/// Call this only before a start, because a running server keeps its files there.
pub(crate) fn prepare(folder: &Folder, account: &Account) -> Result<PathBuf, EmbeddedPostgresError> {
    let temp_dirs = [std::env::temp_dir(), PathBuf::from("/tmp")];
    let dir = choose(&folder.root, &temp_dirs)
        .ok_or_else(|| EmbeddedPostgresError::NoSocketFolder { data_dir: folder.root.clone() })?;
    match DirBuilder::new().mode(0o700).create(&dir) {
        Ok(()) => account.give(&dir)?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => verify(&dir, account)?,
        Err(error) => return Err(EmbeddedPostgresError::io("create the folder", &dir)(error)),
    }
    let socket = socket_file(&dir, PORT);
    // The lock file may contain a process id that was reused, and then Postgres would refuse to start.
    let _ = fs::remove_file(socket.with_added_extension("lock"));
    let _ = fs::remove_file(socket);
    Ok(dir)
}

/// Checks owner and mode, because in a temp folder another user could have created the folder first.
fn verify(dir: &Path, account: &Account) -> Result<(), EmbeddedPostgresError> {
    let metadata = fs::symlink_metadata(dir).map_err(EmbeddedPostgresError::io("read the metadata of", dir))?;
    // A start that was interrupted before the chown leaves a folder owned by root.
    let half_made = account.dropped && metadata.uid() == 0;
    let owned = metadata.uid() == account.uid || half_made;
    if !metadata.is_dir() || !owned || metadata.mode() & 0o077 != 0 {
        return Err(EmbeddedPostgresError::SocketFolder { path: dir.to_path_buf() });
    }
    if half_made { account.give(dir) } else { Ok(()) }
}

/// FNV-1a. The name must be the same in every build, which the standard hasher does not guarantee.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_path_without_a_comma_stays_inside_the_data_folder() {
        let dir = choose(Path::new("/srv/data"), &[]).unwrap();
        assert_eq!(dir, Path::new("/srv/data/postgres.socket"));
        let dir = choose(Path::new("/srv/a,b"), &["/tmp".into()]).unwrap();
        assert!(dir.starts_with("/tmp"));
    }

    #[test]
    fn a_long_path_moves_the_socket_to_a_stable_path_that_fits() {
        let long_path = PathBuf::from(format!("/srv/{}", "x".repeat(100)));
        let temp = [PathBuf::from(format!("/{}", "t".repeat(90))), "/tmp".into()];
        let dir = choose(&long_path, &temp).unwrap();
        assert!(dir.starts_with("/tmp"));
        assert_eq!(choose(&long_path, &temp).unwrap(), dir);
        assert_ne!(choose(&long_path.join("y"), &temp).unwrap(), dir);
        assert_eq!(choose(&long_path, &temp[..1]), None);
    }

    #[test]
    fn the_hash_matches_published_values() {
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn refuses_a_folder_open_to_others_and_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let top = tempfile::tempdir().unwrap();
        let open = top.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        let link = top.path().join("link");
        let private = tempfile::tempdir().unwrap();
        fs::set_permissions(private.path(), fs::Permissions::from_mode(0o700)).unwrap();
        symlink(private.path(), &link).unwrap();
        let account = Account::for_programs();
        for dir in [open, link] {
            let refused = verify(&dir, &account);
            assert!(matches!(refused, Err(EmbeddedPostgresError::SocketFolder { .. })));
        }
        verify(private.path(), &account).unwrap();
    }
}
