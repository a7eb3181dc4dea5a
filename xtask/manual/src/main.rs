//! Writes the manual pages (`man1/`) and shell completions (`completions/`) of the shipped programs into a folder.
//!
//! A separate program, so that its dependencies are in none of the shipped ones.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Command, CommandFactory, Parser};
use clap_complete::{Shell, generate_to};

/// Write the manual pages and shell completions of the shipped programs.
#[derive(Parser)]
struct Options {
    /// Folder to write into.
    folder: PathBuf,
}

fn main() -> anyhow::Result<()> {
    write(&Options::parse().folder)
}

fn programs() -> [Command; 3] {
    [server::Cli::command_line(), dispatcher::Cli::command(), service_mcp::command_line()].map(without_help)
}

/// Removes the `help` subcommands, which would all get manual pages.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn write(folder: &Path) -> anyhow::Result<()> {
    let (pages, completions) = (folder.join("man1"), folder.join("completions"));
    for subfolder in [&pages, &completions] {
        fs::create_dir_all(subfolder).with_context(|| format!("cannot create {}", subfolder.display()))?;
    }
    for mut program in programs() {
        let name = program.get_name().to_owned();
        let written = || format!("cannot write what is made from the options of {name}");
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            generate_to(shell, &mut program, &name, &completions).with_context(written)?;
        }
        clap_mangen::generate_to(program, &pages).with_context(written)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Settings without a flag.
    const SECRETS: [&str; 3] = ["SERVICE_MASTER_KEY", "SERVICE_REDIS_URL", "SERVICE_SMTP_URL"];

    #[test]
    fn settings_in_packages_exist() {
        let program = server::Cli::command_line();
        let known: Vec<_> = program.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
        for (name, text, least) in [
            ("compose.yaml", include_str!("../../../packaging/compose.yaml"), 3),
            ("Containerfile", include_str!("../../../packaging/Containerfile"), 2),
            ("the unit", include_str!("../../../packaging/systemd/workspace-service.service"), 1),
        ] {
            let words = text.split(|c: char| !c.is_ascii_uppercase() && c != '_');
            let named: Vec<_> = words.filter(|word| word.starts_with("SERVICE_")).collect();
            assert!(named.len() >= least, "{name}: {named:?}");
            for setting in named {
                assert!(known.contains(&setting) || SECRETS.contains(&setting), "{name}: {setting}");
            }
        }
    }

    #[test]
    fn each_program_has_pages_and_completions() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        for name in ["workspace-service", "dispatcher", "service-mcp"] {
            assert!(read(&format!("man1/{name}.1")).contains(".SH OPTIONS"), "{name}");
            assert!(read(&format!("completions/{name}.bash")).contains("complete -F"), "{name}");
            assert!(read(&format!("completions/{name}.fish")).contains("complete -c"), "{name}");
            assert!(read(&format!("completions/_{name}")).starts_with("#compdef"), "{name}");
        }
        assert!(read("man1/workspace-service-key-create.1").contains("preset"));
        assert!(!folder.path().join("man1/workspace-service-help.1").exists());
    }
}
