//! What commands log to standard error. `serve` logs as configured.

use telemetry::log_context::LogFormat;

use crate::cli::Command;
use crate::config_args::ConfigArgs;

/// Lets a command report what takes time, such as waiting for another instance to finish a migration.
pub(super) fn start(command: &Command, given: &ConfigArgs) {
    let filter = match command {
        Command::Serve => return,
        // For these commands, each step is worth a line.
        Command::Migrate | Command::Restore(_) | Command::Recover(_) | Command::UpgradeCluster(_) => "info",
        _ => "warn",
    };
    // Invalid settings are reported when they are used.
    let format = given.log_format.as_deref().and_then(|name| name.parse().ok()).unwrap_or(LogFormat::Text);
    if let Ok(mut logger) = telemetry::log_context::logger("", filter, format) {
        // A program that runs several commands already has a logger.
        let _ = logger.try_init();
    }
}
