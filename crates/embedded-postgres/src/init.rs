//! Creates a cluster atomically.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::error::EmbeddedPostgresError;
use crate::folder::{Folder, replace_file, version_of};
use crate::server::Launch;
use crate::settings::Durability;
use crate::upgrade::interrupted_swap;

/// The prefix of the names of unfinished clusters, by which leftovers of interrupted starts are recognized.
const DRAFT_PREFIX: &str = "postgres.new-";

/// Has no line for TCP. The mode of the socket's folder controls access.
const HBA: &str = "# Written by the service.\nlocal all all trust\nlocal replication all trust\n";
const HBA_BEGINNING: &str = "# Written by the service";

impl Launch<'_> {
    /// Creates the cluster unless it exists, and rejects one of another version. The caller must hold the decision lock.
    pub(crate) fn ensure_cluster(&self) -> Result<(), EmbeddedPostgresError> {
        remove_drafts(self.folder);
        let cluster = self.folder.cluster();
        match version_of(&cluster) {
            Some(made_by) if made_by == self.programs.version => Ok(()),
            Some(made_by) => Err(EmbeddedPostgresError::OtherVersion {
                cluster,
                made_by,
                bin_dir: self.programs.bin_dir.clone(),
                programs: self.programs.version.clone(),
            }),
            None => match interrupted_swap(self.folder) {
                // A new cluster would be empty.
                Some(kept) => Err(EmbeddedPostgresError::HalfUpgraded { kept }),
                None => self.make_cluster(),
            },
        }
    }

    /// Allows base backups, which clusters of earlier releases did not.
    pub(crate) fn ensure_access_rules(&self) -> Result<(), EmbeddedPostgresError> {
        let path = self.folder.cluster().join("pg_hba.conf");
        let rules = fs::read_to_string(&path).map_err(EmbeddedPostgresError::io("read", &path))?;
        if rules == HBA || !rules.starts_with(HBA_BEGINNING) {
            return Ok(());
        }
        replace_file(self.folder, &path, HBA, self.account)
    }

    fn make_cluster(&self) -> Result<(), EmbeddedPostgresError> {
        let folder = self.folder;
        let draft = folder.root.join(format!("{DRAFT_PREFIX}{}", std::process::id()));
        let failed = EmbeddedPostgresError::io("create the folder", &draft);
        DirBuilder::new().mode(0o700).create(&draft).map_err(failed)?;
        self.account.give(&draft)?;
        log::info!("creating a Postgres {} cluster in {}", self.programs.version, folder.cluster().display());
        let result = self
            .run_initdb(&draft)
            .and_then(|()| replace_file(folder, &draft.join("pg_hba.conf"), HBA, self.account))
            .and_then(|()| folder.put_cluster_in_place(&draft));
        if result.is_err() {
            remove_drafts(folder);
        }
        result
    }

    fn run_initdb(&self, draft: &Path) -> Result<(), EmbeddedPostgresError> {
        let mut command = self.command("initdb");
        command
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"])
            .arg("--no-instructions")
            .arg(match self.durability {
                Durability::Full => "--data-checksums",
                Durability::Throwaway => "--no-sync",
            })
            .arg("--pgdata")
            .arg(draft);
        let (log, log_start) = self.folder.open_log()?;
        let program = self.programs.program("initdb");
        let failed = || EmbeddedPostgresError::io("run", &program);
        // A file, not a pipe: if we are killed, initdb can still finish.
        command.stdout(log.try_clone().map_err(failed())?).stderr(log);
        if let Some(decisions) = self.decisions {
            // initdb does not read it, but inherits the lock. If we are killed, the next start then waits for initdb.
            command.stdin(decisions.try_clone().map_err(failed())?);
        }
        if command.status().map_err(failed())?.success() {
            return Ok(());
        }
        Err(EmbeddedPostgresError::Init { output: self.folder.log_tail(log_start) })
    }
}

/// Removes leftovers, as far as possible. Those that remain do no harm and are tried again at the next start.
fn remove_drafts(folder: &Folder) {
    let entries = fs::read_dir(&folder.root).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_draft(&entry.file_name())) {
        let path = entry.path();
        if let Err(error) = fs::remove_dir_all(&path) {
            log::warn!("cannot remove {}, a leftover of an interrupted start: {error}", path.display());
        }
    }
}

fn is_draft(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(DRAFT_PREFIX))
}
