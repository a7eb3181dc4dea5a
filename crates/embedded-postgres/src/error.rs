//! Errors of an embedded cluster.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::programs::ProgramsNotFound;

/// Why an embedded cluster could not be started, joined or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedPostgresError {
    #[error(transparent)]
    Programs(#[from] ProgramsNotFound),
    #[error("cannot {what} {path}: {cause}", path = path.display())]
    Io {
        /// The operation, in the infinitive.
        what: &'static str,
        path: PathBuf,
        /// The system's error. It is not a source, because the message contains it.
        cause: io::Error,
    },
    #[error(
        "Postgres does not run as root, and /etc/passwd has neither the user \"postgres\" nor \"nobody\": \
         start the service as an ordinary user"
    )]
    NoAccount,
    #[error(
        "started as root, Postgres runs as user id {uid}, which cannot enter {closed}, a parent of {wanted}: \
         choose another {setting} (for example below /var/lib/workspace-service), or grant access with \
         `chmod o+x {closed}`",
        closed = closed.display(),
        wanted = wanted.display()
    )]
    OutOfReach { closed: PathBuf, wanted: PathBuf, uid: u32, setting: &'static str },
    #[error(
        "the socket folder {path} is not private to the user that runs Postgres: remove it, or choose a shorter \
         SERVICE_DATA_DIR so that the socket fits inside it",
        path = path.display()
    )]
    SocketFolder { path: PathBuf },
    #[error(
        "there is no usable folder for the Postgres socket: the paths of {data_dir} and of the temp folder are too long or \
         contain a comma",
        data_dir = data_dir.display()
    )]
    NoSocketFolder { data_dir: PathBuf },
    /// The path has a line break, but the files of a running server contain the folder on a line of its own.
    #[error(
        "the path of the data folder {data_dir:?} has a line break, which Postgres does not support: choose another SERVICE_DATA_DIR"
    )]
    LineBreak { data_dir: PathBuf },
    #[error("initdb could not create a cluster: {output}")]
    Init { output: String },
    #[error(
        "the cluster in {cluster} was made by Postgres {made_by}, but the binaries in {bin_dir} have version \
         {programs}: install Postgres {made_by} or point PG_BIN_DIR at its binaries; if a newer version is installed as \
         well, `workspace-service upgrade-cluster` upgrades the cluster to it",
        cluster = cluster.display(),
        bin_dir = bin_dir.display()
    )]
    OtherVersion { cluster: PathBuf, made_by: String, bin_dir: PathBuf, programs: String },
    /// There is no cluster to upgrade, or to replace a kept one.
    #[error("there is no cluster in {cluster}", cluster = cluster.display())]
    NoCluster { cluster: PathBuf },
    #[error(
        "started as root, Postgres runs as user id {uid}, which does not own the archive {archive}: `chown {uid} {archive}`, \
         or name a folder that does not exist yet",
        archive = archive.display()
    )]
    ArchiveOwner { archive: PathBuf, uid: u32 },
    /// A recovery creates a new cluster, but there is already one.
    #[error("there is a cluster in {cluster}: recover into a new SERVICE_DATA_DIR", cluster = cluster.display())]
    ClusterExists { cluster: PathBuf },
    /// The requested time is before the base backup, from which a recovery goes forward.
    #[error(
        "{until} is before the base backup, which started at {begun}: choose a later time or an earlier base backup"
    )]
    BeforeBase { until: String, begun: String },
    #[error("the base backup is damaged: {message}")]
    DamagedBase { message: String },
    #[error(
        "the service or another command is using the cluster in {data_dir}: stop it first",
        data_dir = data_dir.display()
    )]
    InUse { data_dir: PathBuf },
    #[error(
        "{kept} is the old cluster of an earlier upgrade: remove it with `workspace-service upgrade-cluster --remove-old`, or \
         move it away",
        kept = kept.display()
    )]
    KeptAlready { kept: PathBuf },
    /// An upgrade was interrupted between its last two steps.
    #[error(
        "an upgrade of the cluster was interrupted just before it finished: run `workspace-service upgrade-cluster` again \
         (the old cluster is {kept})",
        kept = kept.display()
    )]
    HalfUpgraded { kept: PathBuf },
    #[error("Postgres exited while starting ({status}); the end of {log}:\n{tail}", log = log.display())]
    EndedEarly { status: String, log: PathBuf, tail: String },
    #[error("Postgres in {cluster} did not {what} within {timeout:?}", cluster = cluster.display())]
    TimedOut {
        /// The awaited step, in the infinitive.
        what: &'static str,
        cluster: PathBuf,
        timeout: Duration,
    },
}

impl EmbeddedPostgresError {
    /// For `map_err` on file operations.
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |cause| Self::Io { what, path, cause }
    }
}
