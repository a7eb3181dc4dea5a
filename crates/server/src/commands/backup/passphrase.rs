//! The passphrase for the master key in a backup. It is never an argument, because process lists show arguments.

use std::env::VarError;
use std::fs;
use std::io::{IsTerminal, stdin};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::backup::PASSPHRASE_VARIABLE;
use crate::commands::terminal;

/// The first line of the file, or the value of the environment variable.
pub(super) fn configured(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(file) = file else {
        return match std::env::var(PASSPHRASE_VARIABLE) {
            Err(VarError::NotUnicode(_)) => bail!("{PASSPHRASE_VARIABLE} is not valid UTF-8"),
            text => Ok(text.ok().filter(|text| !text.is_empty())),
        };
    };
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
}

/// Prompts for it on a terminal; `None` without one.
pub(super) fn prompt() -> anyhow::Result<Option<String>> {
    if !stdin().is_terminal() {
        return Ok(None);
    }
    terminal::hidden("Passphrase of the master key: ").map(Some)
}

/// Prompts for it twice on a terminal; an empty passphrase leaves the master key out.
pub(super) fn prompt_new() -> anyhow::Result<Option<String>> {
    if !stdin().is_terminal() {
        return Ok(None);
    }
    let first = terminal::hidden("Passphrase for the master key, at least 12 characters (empty: omit the key): ")?;
    if first.is_empty() {
        return Ok(None);
    }
    ensure!(first == terminal::hidden("Repeat: ")?, "the two passphrases differ: nothing was done");
    Ok(Some(first))
}
