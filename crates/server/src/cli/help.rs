//! What `--help` shows: each command its own options.
//!
//! The settings are accepted everywhere, as an environment is shared by all commands. Those of the server are shown by
//! `serve` alone.

use clap::{Args, Command, CommandFactory};

use super::Cli;
use crate::config_args::ConfigArgs;

/// Settings that every command needs.
const OF_EVERY_COMMAND: [&str; 2] = ["config", "data_dir"];
const SERVE: &str = "serve";

/// The command line.
pub(super) fn command() -> Command {
    let settings = ConfigArgs::augment_args(Command::new(SERVE));
    let of_server: Vec<_> = settings
        .get_arguments()
        .filter(|argument| !OF_EVERY_COMMAND.contains(&argument.get_id().as_str()))
        .cloned()
        .collect();
    let mut root = Cli::command().after_help(
        "Without a command, the service runs. `workspace-service serve --help` lists its settings; the other commands need \
         only --config and --data-dir, or DATABASE_URL.",
    );
    for argument in &of_server {
        root = root.mut_arg(argument.get_id(), |argument| argument.hide(true));
    }
    with_settings(root, &of_server)
}

/// Adds the server's settings to all commands below, where clap would copy the hidden ones of the root.
fn with_settings(command: Command, of_server: &[clap::Arg]) -> Command {
    command.mut_subcommands(|below| {
        let is_shown = below.get_name() == SERVE;
        let settings = of_server.iter().map(|argument| argument.clone().hide(!is_shown));
        with_settings(below.args(settings), of_server)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// Each command with its full name.
    fn all(command: &Command, name: &str, found: &mut Vec<(String, Command)>) {
        for below in command.get_subcommands() {
            let name = format!("{name} {}", below.get_name());
            all(below, &name, found);
            found.push((name, below.clone()));
        }
    }

    #[test]
    fn each_command_says_in_a_line_what_it_does() {
        let mut found = Vec::new();
        all(&command(), "workspace-service", &mut found);
        assert!(found.len() > 15, "{found:?}");
        for (name, command) in found {
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
            let words = ["workspace-service"].iter().chain(line);
            let cli = Cli::from_arg_matches(&command().get_matches_from(words)).unwrap();
            assert_eq!(cli.config.bind.as_deref(), Some("127.0.0.1:1"), "{line:?}");
        }
    }
}
