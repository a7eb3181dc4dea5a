//! The account that Postgres runs as: ours, or an unprivileged one if we are root, because Postgres refuses to run as root.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::EmbeddedPostgresError;

/// The variables that Postgres programs get from our environment, in addition to `LC_ALL`. The others may hold secrets of the
/// service. The account that we drop to could read them, and so could every superuser of the database with `COPY … FROM PROGRAM`.
const PASSED_ON: [&str; 8] = [
    "PATH",
    "HOME",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PG_OOM_ADJUST_FILE",
    "PG_OOM_ADJUST_VALUE",
];

/// A user and its primary group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Whether we are root and drop privileges to this account.
    pub(crate) dropped: bool,
}

impl Account {
    /// The account for a cluster: its owner if the cluster exists. A `postgres` account that is added later then does not lock us
    /// out of a cluster created as `nobody`.
    pub(crate) fn for_cluster(cluster: &Path) -> Result<Self, EmbeddedPostgresError> {
        let ids = effective_ids();
        if ids.0 != 0 {
            return Ok(Self::own(ids));
        }
        if let Ok(metadata) = fs::metadata(cluster)
            && metadata.uid() != 0
        {
            return Ok(Self { uid: metadata.uid(), gid: metadata.gid(), dropped: true });
        }
        let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
        unprivileged(&passwd).ok_or(EmbeddedPostgresError::NoAccount)
    }

    /// The account for running programs without a cluster, such as `postgres --version`; our own if there is none to drop to.
    pub(crate) fn for_programs() -> Self {
        Self::for_cluster(Path::new("")).unwrap_or_else(|_| Self::own((0, 0)))
    }

    fn own((uid, gid): (u32, u32)) -> Self {
        Self { uid, gid, dropped: false }
    }

    /// A command that runs as this account, with messages in English, empty standard input, and no secrets in its environment.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let passed_on = PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command.env_clear().envs(passed_on).env("LC_ALL", "C").stdin(Stdio::null());
        if self.dropped {
            // `uid` also clears root's supplementary groups.
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Changes the owner of a file or directory to this account.
    pub(crate) fn give(&self, path: &Path) -> Result<(), EmbeddedPostgresError> {
        if !self.dropped {
            return Ok(());
        }
        chown(path, Some(self.uid), Some(self.gid)).map_err(EmbeddedPostgresError::io("change the owner of", path))
    }
}

/// `postgres` if it exists, otherwise `nobody`.
fn unprivileged(passwd: &str) -> Option<Account> {
    let (uid, gid) = ["postgres", "nobody"].into_iter().find_map(|name| user(passwd, name))?;
    Some(Account { uid, gid, dropped: true })
}

fn user(passwd: &str, name: &str) -> Option<(u32, u32)> {
    passwd.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        match fields.as_slice() {
            [found, _, uid, gid, ..] if *found == name => Some((id(uid)?, id(gid)?)),
            _ => None,
        }
    })
}

/// Parses an id. macOS writes the ids of `nobody` as -2.
fn id(text: &str) -> Option<u32> {
    text.parse::<u32>().ok().or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned)).filter(|id| *id != 0)
}

/// The effective user and group id. The standard library cannot query them, so this reads Linux's `/proc`, or runs `id`.
fn effective_ids() -> (u32, u32) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let from_proc = |field: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let uid = from_proc("Uid:").or_else(|| ask_id("-u"));
    let gid = from_proc("Gid:").or_else(|| ask_id("-g"));
    // If they cannot be determined, assume an ordinary user, for whom nothing is dropped or chowned.
    (uid.unwrap_or(u32::MAX), gid.unwrap_or(u32::MAX))
}

fn ask_id(flag: &str) -> Option<u32> {
    let output = Command::new("id").arg(flag).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefers_postgres_over_nobody_and_never_drops_to_root() {
        for (passwd, ids) in [
            (
                "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\npostgres:x:101:104::/:/bin/sh",
                Some((101, 104)),
            ),
            ("nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false", Some((u32::MAX - 1, u32::MAX - 1))),
            ("postgres:x:0:0::/:/bin/sh", None),
            ("root:x:0:0::/root:/bin/sh", None),
        ] {
            assert_eq!(unprivileged(passwd).map(|account| (account.uid, account.gid)), ids, "{passwd}");
        }
    }

    #[test]
    fn reads_our_own_ids() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let metadata = file.as_file().metadata().unwrap();
        assert_eq!(effective_ids().0, metadata.uid());
        assert_eq!(ask_id("-u"), Some(metadata.uid()));
    }
}
