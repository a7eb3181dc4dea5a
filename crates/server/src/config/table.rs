//! The table of all settings, generated from their declaration.

use std::fmt::Write;

use clap::{Arg, Args, Command};

use crate::backup::PASSPHRASE_VARIABLE;
use crate::config_args::{ConfigArgs, SECRETS};

/// The beginning of `docs/settings.md`, before the tables.
const INTRODUCTION: &str = "# Settings

<!-- Made from the code by `cargo xtask openapi`. Do not edit. -->

A setting is an environment variable, a flag of `serve` or a member of `workspace-service.toml` in the working directory (or of the
file that `--config` names). `SERVICE_DB_POOL_SIZE=20` is the same as `--db-pool-size 20` and `db_pool_size = 20`. Flags override
the environment, and the environment overrides the file. An empty variable counts as unset, except `DATABASE_URL`, where it is an error.
The service does not start if the file has an unknown member, a value is empty or invalid, or a flag is given twice;
`workspace-service doctor` also finds misspelt variables.

";

const SECRETS_INTRODUCTION: &str = "
## Secrets

Secrets have no flags, because process lists show flags. To read a secret from a file, as Docker, Kubernetes and systemd provide it, set
the variable with the suffix `_FILE` to its path (`DATABASE_URL_FILE=/run/secrets/database-url`). Setting both variables is an error.

";

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The member of the file.
    pub(crate) member: String,
    pub(crate) variable: String,
    pub(crate) is_secret: bool,
    /// The allowed values, or the name of the value in `--help`.
    value: String,
    default: String,
    meaning: String,
}

impl Setting {
    fn new(member: &str, variable: &str, value: Option<String>, help: &str) -> Self {
        let (meaning, default) = help.trim().trim_end_matches('.').rsplit_once(" [default: ").unwrap_or((help, ""));
        Self {
            member: member.to_owned(),
            variable: variable.to_owned(),
            is_secret: value.is_none(),
            value: value.unwrap_or_default(),
            default: default.trim_end_matches(']').to_owned(),
            meaning: meaning.trim().trim_end_matches('.').to_owned(),
        }
    }
}

/// All settings in order of declaration, secrets last.
pub(crate) fn settings() -> Vec<Setting> {
    let command = ConfigArgs::augment_args(Command::new("settings"));
    let given = command.get_arguments().filter_map(|argument| {
        let variable = argument.get_env()?.to_str()?;
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Setting::new(argument.get_id().as_str(), variable, Some(value_of(argument)), &help))
    });
    let secrets = SECRETS.iter().map(|secret| Setting::new(secret.member, secret.variable, None, secret.help));
    given.chain(secrets).collect()
}

fn value_of(argument: &Arg) -> String {
    let possible: Vec<_> =
        argument.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    let names = argument.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
    if possible.is_empty() { names.collect() } else { possible.join(" or ") }
}

/// The environment variables that the program reads.
pub(crate) fn variables() -> Vec<String> {
    let names = |setting: Setting| {
        let file = setting.is_secret.then(|| format!("{}_FILE", setting.variable));
        std::iter::once(setting.variable).chain(file)
    };
    settings().into_iter().flat_map(names).chain([PASSPHRASE_VARIABLE.to_owned()]).collect()
}

/// `docs/settings.md`.
pub(crate) fn page() -> String {
    let settings = settings();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("| variable | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for setting in settings.iter().filter(|setting| !setting.is_secret) {
        let Setting { variable, value, default, meaning, .. } = setting;
        let _ = writeln!(page, "| `{variable}` | {value} | {} | {meaning}. |", formatted(default));
    }
    page.push_str(SECRETS_INTRODUCTION);
    page.push_str("| variable | unset | meaning |\n| --- | --- | --- |\n");
    for Setting { variable, default, meaning, .. } in settings.iter().filter(|setting| setting.is_secret) {
        let _ = writeln!(page, "| `{variable}` | {default} | {meaning}. |");
    }
    let _ = writeln!(
        page,
        "\n`backup` and `restore` also read `{PASSPHRASE_VARIABLE}` ([backup](backup.md)), and `service-mcp` its own variables\n\
         ([AI clients](ai-clients.md)). The `dispatcher` binary reads those of the database, the master key, the log and webhook targets,\n\
         `SERVICE_WEBHOOK_MAX_WAITING`, and `DISPATCHER_ADMIN_BIND` (`127.0.0.1:9465`)."
    );
    page
}

/// Formats a default as a literal if it is a value.
fn formatted(default: &str) -> String {
    if is_literal(default) { format!("`{default}`") } else { default.to_owned() }
}

fn is_literal(default: &str) -> bool {
    default != "none" && !default.contains([' ', ','])
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;
    use crate::config::Config;

    const PAGE: &str = include_str!("../../../../docs/settings.md");

    #[test]
    fn the_page_is_up_to_date() {
        assert_eq!(page(), PAGE, "regenerate docs/settings.md: cargo xtask openapi");
    }

    #[test]
    fn every_setting_has_a_description_and_a_default() {
        let settings = settings();
        assert!(settings.len() > 40, "{settings:?}");
        for setting in settings {
            assert!(setting.meaning.len() > 10 && !setting.default.is_empty(), "{setting:?}");
            let expected = setting.member.to_uppercase();
            let expected = if expected == "DATABASE_URL" { expected } else { format!("SERVICE_{expected}") };
            assert_eq!(setting.variable, expected, "names must match");
        }
    }

    fn given(arguments: &[String]) -> Config {
        let command = ConfigArgs::augment_args(Command::new("settings")).mut_args(|argument| argument.env(None));
        let command_line = std::iter::once("settings".to_owned()).chain(arguments.iter().cloned());
        Config::of(ConfigArgs::from_arg_matches(&command.get_matches_from(command_line)).unwrap()).unwrap()
    }

    #[test]
    fn the_defaults_match_the_help() {
        let default = format!("{:?}", given(&[]));
        let mut checked = 0;
        for setting in settings().iter().filter(|setting| !setting.is_secret && is_literal(&setting.default)) {
            let flag = format!("--{}", setting.member.replace('_', "-"));
            let config = format!("{:?}", given(&[flag, setting.default.trim_start_matches("./").to_owned()]));
            assert_eq!(config, default, "{setting:?}");
            checked += 1;
        }
        assert!(checked > 20, "{checked}");
    }

    #[test]
    fn every_setting_changes_the_configuration() {
        for (member, values) in crate::config::precedence::VALUES {
            let config =
                |value: &str| format!("{:?}", given(&[format!("--{}", member.replace('_', "-")), value.to_owned()]));
            assert_ne!(config(values[0]), config(values[1]), "{member}");
        }
    }
}
