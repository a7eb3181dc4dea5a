//! Checks the document by our own rules for client generators, and by the recommended rules of Redocly and Spectral.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use super::{FILE, read, shapes};
use crate::clients::packages;
use crate::not_run::NotRun;

/// The pinned linters and their rules.
const LINT: &str = "tests/contract/lint";
const REDOCLY: &str = "@redocly/cli/bin/cli.js";

pub(super) fn lint() -> Result<()> {
    let document: Json = serde_json::from_str(&read(FILE)?).with_context(|| format!("{FILE} is not JSON"))?;
    let problems = shapes::problems(&document);
    ensure!(problems.is_empty(), "generators of clients cannot read these parts of {FILE}:\n{}", problems.join("\n"));
    let mut not_run = NotRun::default();
    if not_run.can_run("the linters of the OpenAPI document", packages::missing_for_node()) {
        run_linters()?;
    }
    not_run.conclude()
}

fn run_linters() -> Result<()> {
    let modules = packages::node_modules("lint", Path::new(LINT), REDOCLY)?;
    let mut redocly = Command::new(packages::node_of(&modules));
    redocly.arg(modules.join(REDOCLY));
    redocly.args(["lint", FILE, "--config"]).arg(Path::new(LINT).join("redocly.yaml"));
    // Turns off telemetry and checks for newer versions.
    redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    packages::succeed(&mut redocly, "redocly")?;
    let mut spectral = Command::new(packages::node_of(&modules));
    spectral.arg(modules.join("@stoplight/spectral-cli/dist/index.js"));
    spectral.args(["lint", FILE, "--fail-severity=hint", "--ruleset"]).arg(Path::new(LINT).join("spectral.yaml"));
    packages::succeed(&mut spectral, "spectral")
}
