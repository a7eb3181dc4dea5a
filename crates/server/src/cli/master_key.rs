//! The arguments of `master-key`.

use clap::Subcommand;

/// A rotation: `add`, start the service, `reseal`, `drop`.
#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// List the master keys by ID, with the number of stored secrets that each one sealed.
    List {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Add a new master key as the first one in `master-key` of the data folder, while the service is stopped. The first key
    /// seals; all keys open.
    Add,
    /// Reseal all stored secrets with the current master key, while the service runs. Can be interrupted and repeated at any
    /// time. All instances of the service must have been started with the current key.
    Reseal,
    /// Remove all but the current master key from `master-key` of the data folder, while the service is stopped. Refused
    /// while another key is still needed.
    Drop,
}
