//! Finds `pg_dump` and `pg_restore`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{Programs, SearchPaths, parse_major};

/// A folder with `pg_dump` and `pg_restore` of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientPrograms {
    pub bin_dir: PathBuf,
    /// Their major version.
    pub major: u32,
}

/// No `pg_dump` and `pg_restore` that support the server's version.
#[derive(Debug, thiserror::Error)]
#[error(
    "this machine has no pg_dump and pg_restore of Postgres {least} or newer (found: {found}): install the client programs \
     of that version (Debian, Ubuntu: apt-get install postgresql-client; Fedora: dnf install postgresql), or set PG_BIN_DIR \
     to the folder that has them"
)]
pub struct ClientProgramsNotFound {
    least: u32,
    found: String,
}

impl ClientPrograms {
    /// The oldest programs that support Postgres `least`, because newer ones write dumps for newer servers. Searches the folders of
    /// [`Programs::find`](crate::Programs::find).
    pub fn find(least: u32) -> Result<Self, ClientProgramsNotFound> {
        let mut all: Vec<Self> =
            SearchPaths::of_this_process().folders_with("pg_dump").iter().filter_map(|dir| probe(dir)).collect();
        all.sort_by_key(|programs| programs.major);
        let found: Vec<String> = all.iter().map(|programs| programs.major.to_string()).collect();
        all.into_iter().find(|programs| programs.major >= least).ok_or_else(|| ClientProgramsNotFound {
            least,
            found: if found.is_empty() { "none".to_owned() } else { found.join(", ") },
        })
    }

    /// The programs in the same folder as a server's programs.
    pub fn of(programs: &Programs) -> Self {
        Self { bin_dir: programs.bin_dir.clone(), major: programs.major() }
    }

    /// A command that runs one of the two programs.
    pub fn command(&self, name: &str) -> Command {
        Command::new(self.bin_dir.join(name))
    }
}

fn probe(dir: &Path) -> Option<ClientPrograms> {
    let bin_dir = dir.canonicalize().ok()?;
    if !bin_dir.join("pg_restore").is_file() {
        return None;
    }
    let output = Command::new(bin_dir.join("pg_dump")).arg("--version").output().ok()?;
    let major = parse_major(&String::from_utf8_lossy(&output.stdout))?;
    Some(ClientPrograms { bin_dir, major })
}
