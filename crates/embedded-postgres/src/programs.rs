//! Finds the Postgres binaries on the machine.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::cache::wheel_bin_dirs;
use crate::folder::version_of;
use crate::reach;

/// The oldest supported major version of Postgres.
pub const MINIMUM_MAJOR: u32 = 14;

const NEEDED: [&str; 3] = ["initdb", "postgres", "pg_ctl"];

/// A folder with Postgres binaries that run on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    /// The folder of `initdb`, `postgres` and `pg_ctl`.
    pub bin_dir: PathBuf,
    /// Their major version.
    pub version: String,
}

/// Why there are no usable Postgres binaries.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramsNotFound {
    /// `PG_BIN_DIR` was set but is not usable. Nothing else was tried.
    #[error("PG_BIN_DIR={dir} is not usable: {why}", dir = dir.display())]
    Chosen { dir: PathBuf, why: String },
    #[error(
        "this machine has no Postgres {MINIMUM_MAJOR} or newer.{skipped}\nDo one of these:\n  \
         Debian, Ubuntu: apt-get install postgresql\n  \
         Fedora, RHEL:   dnf install postgresql-server\n  \
         Alpine:         apk add postgresql\n  \
         macOS:          brew install postgresql@17\n  \
         without a package manager: `workspace-service postgres install`\n  \
         elsewhere:      set PG_BIN_DIR to the folder that has initdb and postgres\n  \
         no Postgres here at all: set DATABASE_URL to your own server"
    )]
    Nowhere {
        /// The binaries that were found but cannot be used, one per line.
        skipped: String,
    },
}

impl Programs {
    /// Searches `PG_BIN_DIR` (nothing else, if set), `PATH`, the usual package folders, then
    /// [`wheel_cache_dir`](crate::wheel_cache_dir) and the folders that earlier releases installed next to it.
    ///
    /// To test machines without Postgres, `SERVICE_HIDE_SYSTEM_POSTGRES=1` ignores the machine's own: only `PG_BIN_DIR` and the
    /// cache are searched.
    pub fn find() -> Result<Self, ProgramsNotFound> {
        SearchPaths::of_this_process().find(None)
    }

    /// Like [`Programs::find`], but prefers the version that created the cluster in `data_dir`, if there is one.
    pub fn find_for(data_dir: &Path) -> Result<Self, ProgramsNotFound> {
        let version = version_of(&data_dir.join(crate::folder::CLUSTER));
        SearchPaths::of_this_process().find(version.as_deref())
    }

    /// The binaries in one folder, if they can be used; otherwise the reason.
    pub(crate) fn probe(bin_dir: &Path) -> Result<Self, String> {
        probe(bin_dir, &Account::for_programs())
    }

    pub(crate) fn major(&self) -> u32 {
        major_of(&self.version)
    }

    /// The path of one of the binaries.
    pub fn program(&self, name: &str) -> PathBuf {
        self.bin_dir.join(name)
    }
}

/// Where to search.
pub(crate) struct SearchPaths {
    chosen: Option<PathBuf>,
    path: Option<OsString>,
    hide_system: bool,
    cache: Vec<PathBuf>,
    account: Account,
}

impl SearchPaths {
    pub(crate) fn of_this_process() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            chosen: set("PG_BIN_DIR").map(PathBuf::from),
            path: set("PATH"),
            hide_system: set("SERVICE_HIDE_SYSTEM_POSTGRES").is_some_and(|value| value == "1"),
            cache: wheel_bin_dirs(),
            account: Account::for_programs(),
        }
    }

    fn find(&self, version: Option<&str>) -> Result<Programs, ProgramsNotFound> {
        if let Some(dir) = &self.chosen {
            return probe(dir, &self.account).map_err(|why| ProgramsNotFound::Chosen { dir: dir.clone(), why });
        }
        let mut skipped = String::new();
        let mut first = None;
        for dir in self.searched("postgres") {
            match probe(&dir, &self.account) {
                Ok(found) if version.is_none_or(|version| version == found.version) => return Ok(found),
                Ok(other) => first = first.or(Some(other)),
                Err(why) => {
                    // Writing to a String cannot fail.
                    let _ = write!(skipped, "\n  skipped {}: {why}", dir.display());
                }
            }
        }
        first.ok_or(ProgramsNotFound::Nowhere { skipped })
    }

    /// All usable binaries on this machine, those in `PG_BIN_DIR` first. An upgrade needs two versions.
    pub(crate) fn all(&self) -> Vec<Programs> {
        let dirs = self.chosen.clone().into_iter().chain(self.searched("postgres"));
        dirs.filter_map(|dir| probe(&dir, &self.account).ok()).collect()
    }

    /// The folders that contain a program, whether or not it runs; only `PG_BIN_DIR` if it is set.
    pub(crate) fn folders_with(&self, program: &str) -> Vec<PathBuf> {
        match &self.chosen {
            Some(dir) => vec![dir.clone()],
            None => self.searched(program),
        }
    }

    fn searched(&self, program: &str) -> Vec<PathBuf> {
        let mut dirs = Vec::new();
        if !self.hide_system {
            dirs.extend(on_path(self.path.as_deref(), program));
            dirs.extend(of_packages());
        }
        dirs.extend(self.cache.iter().cloned());
        dirs.retain(|dir| dir.join(program).exists());
        let mut seen = std::collections::HashSet::new();
        dirs.retain(|dir| seen.insert(dir.clone()));
        dirs
    }
}

/// Folders in `PATH` that contain the program. Symlinks are resolved, because `initdb` is next to the binary and not to the link.
fn on_path(path: Option<&std::ffi::OsStr>, program: &str) -> Vec<PathBuf> {
    path.map(std::env::split_paths)
        .into_iter()
        .flatten()
        .filter(|dir| dir.is_absolute())
        .filter_map(|dir| dir.join(program).canonicalize().ok())
        .filter_map(|program| program.parent().map(Path::to_path_buf))
        .collect()
}

fn of_packages() -> Vec<PathBuf> {
    [
        ("/usr/lib/postgresql", "", "bin"),
        ("/usr", "pgsql-", "bin"),
        ("/usr/libexec", "postgresql", ""),
        ("/opt/homebrew/opt", "postgresql", "bin"),
        ("/usr/local/opt", "postgresql", "bin"),
    ]
    .into_iter()
    .flat_map(|(parent, prefix, below)| newest_first(Path::new(parent), prefix, below))
    .collect()
}

/// The folders `parent/prefix<version>/below`, highest version first.
fn newest_first(parent: &Path, prefix: &str, below: &str) -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name.strip_prefix(prefix)?.trim_start_matches(['@', '-']);
            Some((leading_number(version)?, entry.path().join(below)))
        })
        .collect();
    versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    versions.into_iter().map(|(_, dir)| dir).collect()
}

/// Checks that the binaries in `dir` are complete, can be run by `account`, and are recent enough.
fn probe(dir: &Path, account: &Account) -> Result<Programs, String> {
    let dir = dir.canonicalize().map_err(|error| format!("cannot read the folder: {error}"))?;
    if let Some(missing) = NEEDED.iter().find(|name| !dir.join(name).is_file()) {
        return Err(format!("it has no {missing}"));
    }
    if let Some(closed) = reach::first_closed(&dir, account) {
        return Err(format!("user id {} cannot enter {}", account.uid, closed.display()));
    }
    let output = account
        .command(&dir.join("postgres"))
        .arg("--version")
        .current_dir("/")
        .output()
        .map_err(|error| format!("postgres cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(major) = parse_major(&text).filter(|_| output.status.success()) else {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`postgres --version` failed: {}", message.trim()));
    };
    if major < MINIMUM_MAJOR {
        return Err(format!("version {major} is older than {MINIMUM_MAJOR}"));
    }
    Ok(Programs { bin_dir: dir, version: major.to_string() })
}

/// Parses `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
pub(crate) fn parse_major(text: &str) -> Option<u32> {
    leading_number(text.split_once("(PostgreSQL) ")?.1)
}

/// A major version as a number; 0 if it is not one.
pub(crate) fn major_of(version: &str) -> u32 {
    version.parse().unwrap_or(0)
}

pub(crate) fn leading_number(text: &str) -> Option<u32> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    text.get(..digits)?.parse().ok()
}

#[cfg(test)]
mod tests;
