//! Shows only a command's own options in its `--help`, and checks settings that clap does not check.
//!
//! Every command accepts all settings, because commands share an environment. Only `serve` shows the settings of the server.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory};
use system::is_empty_variable;

use super::Cli;
use crate::config_args::ConfigArgs;

/// Settings that every command needs.
const COMMON_SETTINGS: [&str; 2] = ["config", "data_dir"];
const SERVE: &str = "serve";

/// The command line.
pub(super) fn command() -> Command {
    let settings = ConfigArgs::augment_args(Command::new(SERVE)).mut_args(without_empty_variable);
    let server_settings: Vec<_> = settings
        .get_arguments()
        .filter(|argument| !COMMON_SETTINGS.contains(&argument.get_id().as_str()))
        .cloned()
        .collect();
    let mut root = Cli::command().mut_args(without_empty_variable).after_help(
        "Without a command, the service runs. `workspace-service serve --help` lists its settings; the other commands need \
         only --config and --data-dir, or DATABASE_URL.",
    );
    for argument in &server_settings {
        root = root.mut_arg(argument.get_id(), |argument| argument.hide(true));
    }
    with_settings(root, &server_settings)
}

fn without_empty_variable(argument: Arg) -> Arg {
    if argument.get_env().is_some_and(is_empty_variable) { argument.env(None) } else { argument }
}

/// Refuses contradictory options, of which clap would silently use one: different values of a setting before and after a command,
/// and `--no-demo` with `--demo`. Variables are not checked, because flags override them.
pub(super) fn check(command: &mut Command, arguments: &[OsString], matches: &ArgMatches) -> Result<(), clap::Error> {
    let mut innermost = matches;
    while let Some((_, subcommand)) = innermost.subcommand() {
        innermost = subcommand;
    }
    let settings = ConfigArgs::augment_args(Command::new(SERVE));
    for setting in settings.get_arguments() {
        let Some(name) = setting.get_long() else { continue };
        let used = innermost.get_raw_occurrences(setting.get_id().as_str()).map_or(0, Iterator::count);
        if occurrences(arguments, name) > used {
            let message = format!("--{name} is given more than once: give it once, before or after the command");
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
    }
    let is_flag = |id| innermost.value_source(id) == Some(ValueSource::CommandLine);
    if is_flag("demo") && is_flag("no_demo") {
        let message = "--no-demo cannot be used with --demo: it is the same as --demo false";
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    Ok(())
}

/// How many times a flag is given, before and after commands.
fn occurrences(arguments: &[OsString], name: &str) -> usize {
    let is_flag = |word: &&OsString| {
        let given = word.to_str().and_then(|word| word.strip_prefix("--")).and_then(|word| word.strip_prefix(name));
        given.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    arguments.iter().take_while(|word| *word != "--").filter(is_flag).count()
}

/// Adds the server's settings to all subcommands, because clap would copy the hidden ones of the root.
fn with_settings(command: Command, server_settings: &[clap::Arg]) -> Command {
    command.mut_subcommands(|subcommand| {
        let is_shown = subcommand.get_name() == SERVE;
        let settings = server_settings.iter().map(|argument| argument.clone().hide(!is_shown));
        with_settings(subcommand.args(settings), server_settings)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// Each command with its full name.
    fn all(command: &Command, name: &str, commands: &mut Vec<(String, Command)>) {
        for subcommand in command.get_subcommands() {
            let name = format!("{name} {}", subcommand.get_name());
            all(subcommand, &name, commands);
            commands.push((name, subcommand.clone()));
        }
    }

    #[test]
    fn each_command_has_a_one_line_description() {
        let mut commands = Vec::new();
        all(&command(), "workspace-service", &mut commands);
        assert!(commands.len() > 15, "{commands:?}");
        for (name, command) in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(about.len() > 10 && !about.contains('\n'), "{name}: {about}");
        }
    }

    #[test]
    fn settings_are_accepted_before_and_after_every_command() {
        for line in [
            &["--bind", "127.0.0.1:1"][..],
            &["--bind", "127.0.0.1:1", "serve"],
            &["serve", "--bind", "127.0.0.1:1"],
            &["workspace", "list", "--bind", "127.0.0.1:1"],
            &["workspace", "--bind", "127.0.0.1:1", "list"],
        ] {
            assert_eq!(parsed(line).unwrap().config.bind.as_deref(), Some("127.0.0.1:1"), "{line:?}");
        }
    }

    fn parsed(line: &[&str]) -> Result<Cli, clap::Error> {
        Cli::parsed(std::iter::once("workspace-service").chain(line.iter().copied()).map(OsString::from))
    }

    #[test]
    fn a_flag_is_given_once_before_or_after_the_command() {
        for line in [
            &["--bind", "127.0.0.1:1", "--bind", "127.0.0.1:2"][..],
            &["--bind", "127.0.0.1:1", "serve", "--bind", "127.0.0.1:2"],
            &["--bind=127.0.0.1:1", "serve", "--bind=127.0.0.1:1"],
            &["workspace", "--data-dir", "a", "list", "--data-dir", "b"],
            &["--config", "a", "serve", "--config", "b"],
            &["--trusted-proxies", "10.0.0.1", "serve", "--trusted-proxies", "10.0.0.2"],
        ] {
            let error = parsed(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line:?}");
            let flag = line.iter().find(|word| word.starts_with("--")).unwrap().split('=').next().unwrap();
            assert!(error.to_string().contains(flag), "{line:?}: {error}");
        }
        // The values of a list may be given separately.
        let proxies = parsed(&["--trusted-proxies", "10.0.0.1", "--trusted-proxies", "10.0.0.2,10.0.0.3"]).unwrap();
        assert_eq!(proxies.config.trusted_proxies.unwrap().len(), 3);
    }

    #[test]
    fn no_demo_and_demo_are_contradictory() {
        for line in [
            &["--no-demo", "--demo", "true"][..],
            &["--demo=false", "serve", "--no-demo"],
            &["--no-demo", "serve", "--demo=true"],
        ] {
            assert!(parsed(line).unwrap_err().to_string().contains("--no-demo"), "{line:?}");
        }
        assert!(parsed(&["serve", "--no-demo"]).unwrap().config.no_demo);
    }
}
