//! What commands log, on the standard error; `serve` does as it is configured.

use telemetry::log_context::LogFormat;

use crate::cli::Command;
use crate::config_args::ConfigArgs;

/// Lets a command say what takes time, such as waiting for another instance that migrates.
pub(super) fn start(command: &Command, given: &ConfigArgs) {
    let filter = match command {
        Command::Serve => return,
        // Of these, each step is worth a line.
        Command::Migrate | Command::Restore(_) | Command::Recover(_) | Command::UpgradeCluster(_) => "info",
        _ => "warn",
    };
    // What is wrong with the settings is said when they are used.
    let format = given.log_format.as_deref().and_then(|name| name.parse().ok()).unwrap_or(LogFormat::Text);
    if let Ok(mut logger) = telemetry::log_context::logger("", filter, format) {
        // A program that runs several commands has one already.
        let _ = logger.try_init();
    }
}
