//! The arguments of `master-key`.

use clap::Subcommand;

/// A rotation: `add`, start the service, `reseal`, `drop`.
#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// List the master keys by their ids, and how many stored secrets each has sealed.
    List {
        /// Print the result as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Put a new master key before those in `master-key` of the data folder, while the service is stopped: the first one
    /// seals, all open.
    Add,
    /// Seal all stored secrets anew with the current master key, while the service runs. It may be ended at any time and
    /// repeated. All instances of the service must have been started with the current key.
    Reseal,
    /// Remove all but the current master key from `master-key` of the data folder, while the service is stopped. Refused as
    /// long as another key is needed.
    Drop,
}
