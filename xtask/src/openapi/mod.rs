//! `cargo xtask openapi`: writes or checks the OpenAPI document and the pages that are generated from the same declarations.

mod breaking;
mod lint;
mod shapes;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use breaking::Breaking;
use clap::Args;
use serde_json::Value as Json;

use crate::cargo;

const FILE: &str = "docs/openapi.json";
/// Pages that are generated from the same declarations.
const PAGES: &[(&str, &[&str])] = &[
    ("docs/access.md", &["page", "access"]),
    ("docs/event-types.md", &["page", "event-types"]),
    ("docs/settings.md", &["page", "settings"]),
];
const CHANGELOG: &str = "CHANGELOG.md";

#[derive(Args)]
pub(crate) struct Openapi {
    /// Write nothing; fail if the file differs from the code's declarations, or breaks clients of the last release in a way
    /// that the changelog does not name
    #[arg(long)]
    check: bool,
    /// Write nothing; check the file by rules for client generators, and by the recommended rules of Redocly and Spectral
    #[arg(long, conflicts_with = "check")]
    lint: bool,
}

impl Openapi {
    pub(crate) fn run(&self) -> Result<()> {
        if self.lint {
            return lint::lint();
        }
        let service = cargo::built_service()?;
        let declared = cargo::output_of(&service, &["openapi"])?;
        self.write_or_compare(FILE, &declared)?;
        for (file, arguments) in PAGES {
            self.write_or_compare(file, &cargo::output_of(&service, arguments)?)?;
        }
        if !self.check {
            return Ok(());
        }
        let Some(release) = last_release()? else {
            println!("{FILE} is what the code declares. Nothing has been released that it could break.");
            return Ok(());
        };
        let released = git(&["show", &format!("{release}:{FILE}")])?;
        let document = |text: &str| serde_json::from_str::<Json>(text).with_context(|| format!("{FILE} is not JSON"));
        let changes = breaking::between(&document(&released)?, &document(&declared)?);
        let unnamed = unnamed(&changes, &read(CHANGELOG)?);
        ensure!(
            unnamed.is_empty(),
            "these changes break clients of the last release: keep what was, or name them in {CHANGELOG} under Unreleased, in \
             items that begin with **Breaking:** and have the place and the member in backticks:\n{}",
            unnamed.join("\n")
        );
        println!(
            "{FILE} is what the code declares. Breaking changes since {release}: {}, all in {CHANGELOG}.",
            changes.len()
        );
        Ok(())
    }

    fn write_or_compare(&self, file: &str, declared: &str) -> Result<()> {
        if !self.check {
            return fs::write(file, declared).with_context(|| format!("cannot write {file}"));
        }
        ensure!(
            read(file)? == declared,
            "{file} is not what the code declares: run cargo xtask openapi, and commit it"
        );
        Ok(())
    }
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {file}"))
}

/// The tag of the last release, if there is one in this clone.
fn last_release() -> Result<Option<String>> {
    Ok(git(&["tag", "--list", "v[0-9]*", "--sort=-version:refname"])?.lines().next().map(str::to_owned))
}

fn git(arguments: &[&str]) -> Result<String> {
    cargo::output_of(Path::new("git"), arguments)
}

/// The breaking changes that the changelog does not name.
fn unnamed(changes: &[Breaking], changelog: &str) -> Vec<String> {
    let unreleased = changelog.split("\n## ").find(|section| section.starts_with("[Unreleased]")).unwrap_or_default();
    let items: Vec<_> = unreleased.split("\n- ").filter(|item| item.starts_with("**Breaking:**")).collect();
    let is_named = |change: &Breaking| {
        let has = |text: &str, item: &str| text.is_empty() || item.contains(&format!("`{text}`"));
        items.iter().any(|item| has(&change.place, item) && has(&change.member, item))
    };
    changes.iter().filter(|change| !is_named(change)).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_breaking_change_is_named_with_its_place_and_member() {
        let old = json!({ "paths": { "/deals": { "get": { "parameters": [{ "name": "stage", "in": "query" }] }, "post": {} } } });
        let new = json!({ "paths": { "/deals": { "get": {} } } });
        let changes = breaking::between(&old, &new);
        let left = |items: &str| {
            unnamed(&changes, &format!("# Changelog\n\n## [Unreleased]\n\n- Other.\n{items}\n## [1.0.0]\n"))
        };
        assert_eq!(left(""), ["GET /deals: `stage` is gone", "POST /deals: is gone"]);
        assert_eq!(left("- **Breaking:** `GET /deals` has no parameter `stage`.\n"), ["POST /deals: is gone"]);
        assert_eq!(left("- `GET /deals` has no parameter `stage`.\n").len(), 2);
        let both = "- **Breaking:** `GET /deals` has no `stage`.\n- **Breaking:** `POST /deals` is\n  gone.\n";
        assert_eq!(left(both), Vec::<String>::new());
    }
}
