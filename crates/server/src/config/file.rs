//! The configuration file.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::table;
use crate::config_args::ConfigArgs;

/// Read if it exists and `--config` is not set.
const DEFAULT_FILE: &str = "workspace-service.toml";

/// The file to read, if any.
pub(crate) fn path(chosen: Option<&Path>) -> Option<PathBuf> {
    let path = chosen.unwrap_or(Path::new(DEFAULT_FILE));
    (chosen.is_some() || path.exists()).then(|| path.to_owned())
}

/// The settings in the file. An unknown member is an error.
pub(super) fn read(chosen: Option<&Path>) -> anyhow::Result<ConfigArgs> {
    let Some(path) = path(chosen) else { return Ok(ConfigArgs::default()) };
    parse(&text_of(&path)?).with_context(|| format!("the configuration file {} is invalid", path.display()))
}

/// The settings in the file, and its unknown members.
pub(crate) fn read_leniently(path: &Path) -> anyhow::Result<(ConfigArgs, Vec<String>)> {
    let text = text_of(path)?;
    let members: toml::Table = parse(&text)?;
    let settings = table::settings();
    let (known, unknown): (toml::Table, toml::Table) =
        members.into_iter().partition(|(name, _)| settings.iter().any(|setting| setting.member == *name));
    // Parse the text to get line numbers. If there are unknown members, parse the known ones instead.
    let given = if unknown.is_empty() { parse(&text) } else { known.try_into().map_err(anyhow::Error::new) };
    Ok((given?, unknown.into_iter().map(|(name, _)| name).collect()))
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read the configuration file {}", path.display()))
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    // The parser's full message quotes the line, which may contain a password. Keep only the reason and the line number.
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        anyhow::anyhow!("line {}: {}", line.unwrap_or(1), error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SecretText;

    #[test]
    fn an_unknown_key_and_a_bad_value_are_named() {
        let unknown = parse::<ConfigArgs>("bind = \"x\"\nprot = 1\n").unwrap_err().to_string();
        assert!(unknown.contains("line 2") && unknown.contains("prot"), "{unknown}");
        let bad = parse::<ConfigArgs>("db_pool_size = \"many\"").unwrap_err().to_string();
        assert!(bad.contains("line 1"), "{bad}");
        for not_a_setting in ["config", "no_demo"] {
            assert!(parse::<ConfigArgs>(&format!("{not_a_setting} = true")).is_err(), "{not_a_setting}");
        }
    }

    #[test]
    fn a_password_in_the_file_is_not_repeated() {
        let error = parse::<ConfigArgs>("database_url = \"postgres://u:hunter2@h/d\"\ndatabase_url = 1")
            .unwrap_err()
            .to_string();
        assert!(!error.contains("hunter2"), "{error}");
        assert_eq!(format!("{:?}", SecretText("postgres://u:hunter2@h/d".into())), "SecretText(…)");
    }
}
