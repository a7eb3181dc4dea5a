//! Runs a private Postgres cluster in one folder.
//!
//! The service uses it if no `DATABASE_URL` is set, and tests use [`throwaway`]. Postgres's own binaries do the work
//! ([`Programs`] finds them). This crate decides who starts the server, under which account, and who stops it:
//!
//! - Every process that uses the cluster holds a [`Cluster`]. The first one starts the server, later ones join it,
//!   and the last one stops it. If a process crashes, its claim is released when it ends.
//! - The server listens only on a Unix socket in a folder of mode 0700.
//! - Postgres refuses to run as root, so root drops to `postgres`, or to `nobody` if that account does not exist.
//!
//! ```no_run
//! use embedded_postgres::{Cluster, ClusterOptions, DATABASE, Durability, Programs};
//!
//! let options = ClusterOptions::new("data", Durability::Full);
//! let programs = Programs::find_for(&options.data_dir)?;
//! let cluster = Cluster::join_or_start(&programs, &options)?;
//! println!("{}", cluster.database_url(DATABASE));
//! cluster.stop()?;
//! # Ok::<(), embedded_postgres::EmbeddedPostgresError>(())
//! ```

mod account;
mod cache;
mod client_programs;
mod cluster;
mod error;
mod folder;
mod init;
mod install;
mod log_file;
mod poll;
mod postmaster;
mod programs;
mod reach;
mod recovery;
mod server;
mod settings;
mod shared_buffers;
mod socket;
mod throwaway;
mod upgrade;
mod wal_archive;

pub use cache::{WHEEL_VERSION, wheel_cache_dir};
pub use client_programs::{ClientPrograms, ClientProgramsNotFound};
pub use cluster::{Cluster, ClusterOptions};
pub use error::EmbeddedPostgresError;
pub use install::{InstallError, InstallSource, fetch_once, install, installed_in};
pub use programs::{MINIMUM_MAJOR, Programs, ProgramsNotFound};
pub use recovery::{Recovery, recover};
pub use settings::Durability;
pub use throwaway::{ThrowawayCluster, throwaway, throwaway_with};
pub use upgrade::{BegunUpgrade, Upgrade, remove_kept};

/// The database that every new cluster has; the service keeps its tables in it.
pub const DATABASE: &str = "postgres";
