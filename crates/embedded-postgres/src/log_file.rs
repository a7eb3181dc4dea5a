//! The server's log, which is rotated by size, so that it stays bounded while the server runs.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A log that is larger than this is rotated.
const LIMIT: u64 = 16 * 1024 * 1024;
/// How many earlier logs are kept: `postgres.log.1` is the newest.
const KEPT: u32 = 3;

/// The log, opened for the server to append to, and its current length. Rotated first if it is too long.
pub(crate) fn open(path: &Path) -> io::Result<(File, u64)> {
    rotate_if_long(path)?;
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

/// If the log is too long, moves its content to `postgres.log.1`. The running server keeps the file open, so the log is copied and
/// emptied instead of renamed. Lines written between the two steps are lost.
pub(crate) fn rotate_if_long(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.len() > LIMIT => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => return Ok(()),
    }
    for number in (1..KEPT).rev() {
        let rotated = numbered(path, number);
        if rotated.exists() {
            fs::rename(&rotated, numbered(path, number + 1))?;
        }
    }
    let newest = numbered(path, 1);
    let mut copy = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&newest)?;
    let copied = File::open(path).and_then(|mut log| io::copy(&mut log, &mut copy));
    // Even if there was no room for the copy: a full disk is the worst time to keep a long log.
    let emptied = OpenOptions::new().write(true).open(path)?.set_len(0);
    copied.and(emptied)
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{number}"));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_long_log_is_rotated_and_three_earlier_ones_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postgres.log");
        let (mut server, length) = open(&path).unwrap();
        assert_eq!(length, 0);
        server.set_len(LIMIT).unwrap();
        rotate_if_long(&path).unwrap();
        assert!(!numbered(&path, 1).exists(), "the log is just short enough");
        for round in 1..=5 {
            server.write_all(format!("round {round}\n").as_bytes()).unwrap();
            server.set_len(LIMIT + round).unwrap();
            rotate_if_long(&path).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().len(), 0);
        }
        // The server's open file continues at the start of the new log.
        server.write_all(b"after\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after\n");
        let lengths = |number| fs::metadata(numbered(&path, number)).unwrap().len() - LIMIT;
        assert_eq!([lengths(1), lengths(2), lengths(3)], [5, 4, 3]);
        assert!(!numbered(&path, 4).exists());
        let mode = fs::metadata(numbered(&path, 1)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
