//! Upgrades a cluster to a newer major version of Postgres. A new cluster is created next to the old one, and the caller loads the
//! content into it. Then the new cluster takes the place of the old one, which is kept under another name.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;

use crate::account::Account;
use crate::cluster::{ClusterOptions, database_url, start};
use crate::error::EmbeddedPostgresError;
use crate::folder::{CLUSTER, Folder, version_of};
use crate::postmaster::Postmaster;
use crate::programs::{Programs, SearchPaths, major_of};
use crate::server::{self, Launch, START_TIMEOUT};

/// The data folder of a cluster under construction, inside the data folder.
pub(crate) const DRAFT: &str = "postgres.next";
/// The prefix of the folder of a kept cluster; its version follows.
const KEPT_PREFIX: &str = "postgres.old-";

/// The start timeout of a server that has much to load or recover.
pub(crate) const LONG_START_TIMEOUT: Duration = Duration::from_hours(24);

/// The state of an upgrade.
#[derive(Debug)]
pub enum Upgrade {
    /// No programs are newer than the cluster, which has this major version.
    Newest(String),
    /// An earlier upgrade was interrupted after everything was loaded, and is complete now. Contains the folder of the kept cluster.
    Completed(PathBuf),
    /// Both clusters are running, and no other process can use them.
    Begun(Box<BegunUpgrade>),
}

/// Two running clusters. Dropping it stops both and leaves the old one unchanged.
#[derive(Debug)]
pub struct BegunUpgrade {
    old: RunningCluster,
    new: RunningCluster,
    // Released last. Other processes wait for the decision lock. If one gets past it, it finds the lock on "in use" taken.
    _claim: File,
    _decisions: File,
}

/// A running cluster and its programs.
#[derive(Debug)]
struct RunningCluster {
    folder: Folder,
    programs: Programs,
    account: Account,
    server: Postmaster,
}

impl Upgrade {
    /// Starts the cluster of the data folder, and a new one of the newest version whose programs this machine has.
    pub fn begin(options: &ClusterOptions) -> Result<Self, EmbeddedPostgresError> {
        let folder = Folder::prepare(&options.data_dir)?;
        let decisions = folder.lock_decisions()?;
        let claim = folder.lock_use_alone()?;
        if let Some(kept) = complete_swap(&folder)? {
            return Ok(Self::Completed(kept));
        }
        let cluster = folder.cluster();
        let made_by =
            version_of(&cluster).ok_or_else(|| EmbeddedPostgresError::NoCluster { cluster: cluster.clone() })?;
        let all = SearchPaths::of_this_process().all();
        let newest =
            all.iter().max_by_key(|programs| programs.major()).filter(|newest| newest.major() > major_of(&made_by));
        let Some(newest) = newest.cloned() else { return Ok(Self::Newest(made_by)) };
        let current = all.into_iter().find(|programs| programs.version == made_by).ok_or_else(|| {
            EmbeddedPostgresError::OtherVersion {
                cluster,
                made_by,
                bin_dir: newest.bin_dir.clone(),
                programs: newest.version.clone(),
            }
        })?;
        let kept = kept_folder(&folder, &current.version);
        if kept.exists() {
            return Err(EmbeddedPostgresError::KeptAlready { kept });
        }
        let old = RunningCluster::start(folder.clone(), current, options)?;
        let new = RunningCluster::start(new_draft(&folder)?, newest, options)?;
        Ok(Self::Begun(Box::new(BegunUpgrade { old, new, _claim: claim, _decisions: decisions })))
    }
}

impl BegunUpgrade {
    pub fn old_url(&self, database: &str) -> String {
        self.old.url(database)
    }

    pub fn new_url(&self, database: &str) -> String {
        self.new.url(database)
    }

    /// The programs of the new version.
    pub const fn programs(&self) -> &Programs {
        &self.new.programs
    }

    /// The programs of the old version. Its `pg_dump` omits internals of its own release: a minor release may add columns to tables
    /// that other versions do not have.
    pub const fn old_programs(&self) -> &Programs {
        &self.old.programs
    }

    /// Stops both servers, and replaces the old cluster with the new one, which has the content now. Returns the folder of the old
    /// cluster.
    pub fn finish(self) -> Result<PathBuf, EmbeddedPostgresError> {
        self.old.stop()?;
        self.new.stop()?;
        let folder = &self.old.folder;
        let kept = kept_folder(folder, &self.old.programs.version);
        fs::rename(folder.cluster(), &kept).map_err(EmbeddedPostgresError::io("rename", &folder.cluster()))?;
        complete_swap(folder)?;
        Ok(kept)
    }
}

impl RunningCluster {
    fn start(folder: Folder, programs: Programs, options: &ClusterOptions) -> Result<Self, EmbeddedPostgresError> {
        let account = folder.account()?;
        // A killed process may have left it running.
        server::stop(&folder, &programs, &account)?;
        let server = start(&Launch {
            folder: &folder,
            programs: &programs,
            account: &account,
            durability: options.durability,
            settings: &options.settings,
            start_timeout: START_TIMEOUT,
            decisions: None,
            pid_note: None,
        })?;
        Ok(Self { folder, programs, account, server })
    }

    fn url(&self, database: &str) -> String {
        database_url(&self.server.socket_dir, self.server.port, database)
    }

    fn stop(&self) -> Result<(), EmbeddedPostgresError> {
        server::stop(&self.folder, &self.programs, &self.account)
    }
}

impl Drop for RunningCluster {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            log::warn!("could not stop Postgres in {}: {error}", self.folder.cluster().display());
        }
    }
}

/// Removes clusters that upgrades kept; returns their folders. Requires that there is a current cluster.
pub fn remove_kept(options: &ClusterOptions) -> Result<Vec<PathBuf>, EmbeddedPostgresError> {
    let folder = Folder::prepare(&options.data_dir)?;
    let _decisions = folder.lock_decisions()?;
    let cluster = folder.cluster();
    if version_of(&cluster).is_none() {
        return Err(EmbeddedPostgresError::NoCluster { cluster });
    }
    let kept = kept_folders(&folder);
    for dir in &kept {
        fs::remove_dir_all(dir).map_err(EmbeddedPostgresError::io("remove", dir))?;
    }
    Ok(kept)
}

fn kept_folder(folder: &Folder, version: &str) -> PathBuf {
    folder.root.join(format!("{KEPT_PREFIX}{version}"))
}

/// The clusters that upgrades kept.
fn kept_folders(folder: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(&folder.root).into_iter().flatten().flatten();
    let kept = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(KEPT_PREFIX));
    kept.map(|entry| entry.path()).collect()
}

/// An empty data folder inside `folder` for a cluster under construction. Leftovers of an interrupted attempt are removed.
pub(crate) fn new_draft(folder: &Folder) -> Result<Folder, EmbeddedPostgresError> {
    let dir = folder.root.join(DRAFT);
    if dir.exists() {
        let left = Folder::prepare(&dir)?;
        if let (Some(server), Ok(programs)) = (Postmaster::running(&left.cluster()), Programs::find_for(&dir)) {
            log::warn!("stopping Postgres (process {}) of an interrupted attempt", server.pid);
            server::stop(&left, &programs, &left.account()?)?;
        }
        fs::remove_dir_all(&dir).map_err(EmbeddedPostgresError::io("remove", &dir))?;
    }
    Folder::prepare(&dir)
}

/// Moves a complete cluster to its final place, which must be free.
pub(crate) fn put_draft_in_place(folder: &Folder) -> Result<(), EmbeddedPostgresError> {
    let draft = folder.root.join(DRAFT);
    folder.put_cluster_in_place(&draft.join(CLUSTER))?;
    // It contains only a log and a socket, if anything.
    let _ = fs::remove_dir_all(draft);
    Ok(())
}

/// The old cluster, if a swap was interrupted: the old cluster was renamed, and the new one, which is complete, was not.
pub(crate) fn interrupted_swap(folder: &Folder) -> Option<PathBuf> {
    let has_new_one = version_of(&folder.root.join(DRAFT).join(CLUSTER)).is_some();
    kept_folders(folder).pop().filter(|_| has_new_one && !folder.cluster().exists())
}

/// Completes an interrupted swap. Returns the folder of the old cluster.
fn complete_swap(folder: &Folder) -> Result<Option<PathBuf>, EmbeddedPostgresError> {
    let Some(kept) = interrupted_swap(folder) else { return Ok(None) };
    put_draft_in_place(folder)?;
    Ok(Some(kept))
}
