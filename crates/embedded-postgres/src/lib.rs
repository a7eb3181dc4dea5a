//! Runs a private Postgres cluster out of one folder.
//!
//! The service uses it when no `DATABASE_URL` is given, and tests use [`throwaway`]. Postgres' own programs do the
//! work ([`Programs`] finds them); this crate decides who starts the server, under which account, and who ends it:
//!
//! - Every process that uses the cluster holds a [`Cluster`]. The first one starts the server, later ones join it,
//!   and the last one to leave stops it. A process that dies without a word releases its claim by dying.
//! - The server listens on a Unix socket in a folder of mode 0700 and nowhere else.
//! - Postgres refuses to run as root, so root drops to `postgres`, or to `nobody` where that account is missing.
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
mod cluster;
mod error;
mod folder;
mod init;
mod poll;
mod postmaster;
mod programs;
mod reach;
mod server;
mod settings;
mod shared_buffers;
mod socket;
mod throwaway;

pub use cache::{WHEEL_VERSION, wheel_bin_dir, wheel_cache_dir};
pub use cluster::{Cluster, ClusterOptions};
pub use error::EmbeddedPostgresError;
pub use programs::{MINIMUM_MAJOR, Programs, ProgramsNotFound};
pub use settings::Durability;
pub use throwaway::{ThrowawayCluster, throwaway};

/// The database that every new cluster has; the service keeps its tables there.
pub const DATABASE: &str = "postgres";
