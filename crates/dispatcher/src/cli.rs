//! The command line of the program.

use std::ffi::OsString;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};
use domain::webhooks::DEFAULT_MAX_WAITING;
use system::is_empty_variable;

/// Delivers the webhooks that instances of the service have queued in Postgres.
#[derive(Debug, Parser)]
#[command(name = "dispatcher", version = env!("VERSION_AND_COMMIT"))]
pub struct Cli {
    /// Allow http:// webhook targets: true or false.
    #[arg(long, env = "SERVICE_WEBHOOK_ALLOW_HTTP", value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub webhook_allow_http: bool,
    /// Allow webhook targets on private and local addresses: true or false.
    #[arg(long, env = "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub webhook_allow_private_networks: bool,
    /// Address and port for probes and metrics, or off [default: 127.0.0.1:9465, if it is free].
    #[arg(long, env = "DISPATCHER_ADMIN_BIND", value_name = "ADDRESS:PORT")]
    pub admin_bind: Option<String>,
    /// Maximum number of queued webhook deliveries per workspace; beyond that, its events wait.
    #[arg(long, env = "SERVICE_WEBHOOK_MAX_WAITING", value_name = "N", default_value_t = DEFAULT_MAX_WAITING,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub webhook_max_waiting: u32,
    /// Prepare each statement once per connection; turn off for PgBouncer before 1.21 in transaction mode.
    #[arg(long, env = "SERVICE_DB_PREPARED", value_name = "ON_OR_OFF", default_value = "on", value_parser = ["on", "off"])]
    pub db_prepared: String,
    /// Log filter, e.g. `info`.
    #[arg(long, env = "SERVICE_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
    /// Log format: text, or json for one object per line.
    #[arg(long, env = "SERVICE_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: String,
}

impl Cli {
    /// Parses the arguments, which begin with the name of the program, and the environment variables. Flags override variables, and
    /// empty variables count as unset. Fails with an error in the command line, or with the text of `--help`.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let without_empty = |argument: Arg| {
            if argument.get_env().is_some_and(is_empty_variable) { argument.env(None) } else { argument }
        };
        Self::from_arg_matches(&Self::command().mut_args(without_empty).try_get_matches_from(arguments)?)
    }

    /// Whether statements are prepared for a single use.
    pub fn db_prepared_off(&self) -> bool {
        self.db_prepared == "off"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each setting: its flag, its variable, and two values.
    const SETTINGS: &[(&str, &str, [&str; 2])] = &[
        ("--webhook-allow-http", "SERVICE_WEBHOOK_ALLOW_HTTP", ["true", "false"]),
        ("--webhook-allow-private-networks", "SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", ["true", "false"]),
        ("--admin-bind", "DISPATCHER_ADMIN_BIND", ["127.0.0.1:1", "off"]),
        ("--webhook-max-waiting", "SERVICE_WEBHOOK_MAX_WAITING", ["11", "12"]),
        ("--db-prepared", "SERVICE_DB_PREPARED", ["off", "on"]),
        ("--log", "SERVICE_LOG", ["warn", "debug"]),
        ("--log-format", "SERVICE_LOG_FORMAT", ["json", "text"]),
    ];

    const ARGUMENTS: &str = "TEST_ARGUMENTS_OF_CHILD";

    /// This test runs in a child process with its own environment. Without the variable, it prints nothing.
    #[test]
    fn a_child_prints_its_settings() {
        let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
        println!("\ntaken {:?}", Cli::read(arguments.lines().map(OsString::from)).unwrap());
    }

    /// The values of the variables.
    #[derive(Debug, Clone, Copy)]
    enum Variables {
        Unset,
        Empty,
        /// The value with this index.
        Value(usize),
    }
    use Variables::{Empty, Unset, Value};

    /// The settings parsed from flags and variables. `flags` is the index of the flags' values; `None` sets no flags.
    fn settings(flags: Option<usize>, variables: Variables) -> String {
        let mut arguments = vec!["dispatcher"];
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "cli::tests::a_child_prints_its_settings", "--nocapture"]).env_clear();
        for (flag, variable, values) in SETTINGS {
            arguments.extend(flags.into_iter().flat_map(|index| [*flag, values[index]]));
            match variables {
                Unset => {}
                Empty => drop(child.env(variable, "")),
                Value(index) => drop(child.env(variable, values[index])),
            }
        }
        let output = child.env(ARGUMENTS, arguments.join("\n")).output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let line = stdout.lines().find(|line| line.starts_with("taken "));
        line.unwrap_or_else(|| panic!("{stdout}{}", String::from_utf8_lossy(&output.stderr))).to_owned()
    }

    #[test]
    fn flags_override_variables_and_empty_variables_count_as_unset() {
        let declared: Vec<_> =
            Cli::command().get_arguments().filter_map(|one| one.get_env().map(ToOwned::to_owned)).collect();
        let listed: Vec<_> = SETTINGS.iter().map(|(_, variable, _)| OsString::from(variable)).collect();
        assert_eq!(listed, declared, "list two values of each setting, in order");
        let (none, first, second) = (settings(None, Unset), settings(Some(0), Unset), settings(Some(1), Unset));
        assert!(none != first && first != second, "{first}\n{second}");
        for (flags, variables, expected) in [
            (None, Empty, &none),
            (None, Value(0), &first),
            (None, Value(1), &second),
            (Some(0), Value(1), &first),
            (Some(1), Value(0), &second),
            (Some(1), Empty, &second),
        ] {
            assert_eq!(settings(flags, variables), *expected, "{flags:?} {variables:?}");
        }
        assert!(Cli::read(["dispatcher", "--log", "a", "--log", "b"].map(OsString::from)).is_err());
    }
}
