//! `cargo xtask sdks`: generates the SDKs from the declarations of the service, and tests them.

mod contract;
mod generators;
mod parts;
mod python;
mod resources;
mod rust;
mod schemas;
mod trials;
mod typescript;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use crate::cargo::{self, Paths};
use crate::clients::packages::missing_for_python;
use crate::not_run::NotRun;
use contract::Contract;
pub(crate) use generators::missing_for_node;
pub(crate) use trials::{code_in, typescript_package};

const OPENAPI: &str = "docs/openapi.json";
const TOOLS: &str = "docs/tools.json";

#[derive(Args)]
pub(crate) struct Sdks {
    /// Write nothing; fail if a generated file differs from the service's declarations
    #[arg(long)]
    check: bool,
    /// Check like --check, then build, test and package the SDKs, and run their scenario against the service
    #[arg(long, conflicts_with = "check")]
    test: bool,
}

/// The language of an SDK.
struct Language {
    name: &'static str,
    /// What is missing on this machine, if anything.
    missing: fn() -> Option<&'static str>,
    /// Writes the generated files into a directory, given the contract, the file with the types, and the paths.
    generate: fn(&Contract, &Path, &Paths, &Path) -> Result<()>,
    /// Folder of the generated files, relative to the root of the repository.
    generated: &'static str,
    /// Builds, tests and packages a copy of `sdks` with a running service.
    test: fn(&Paths, &Path, &trials::RunningService) -> Result<()>,
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "the TypeScript SDK",
        missing: generators::missing_for_node,
        generate: generators::typescript,
        generated: "sdks/typescript/src/generated",
        test: trials::typescript,
    },
    Language {
        name: "the Python SDK",
        missing: missing_for_python,
        generate: generators::python,
        generated: "sdks/python/src/workspace_service/_generated",
        test: trials::python,
    },
    Language {
        name: "the Rust SDK",
        missing: || None,
        generate: generators::rust,
        generated: "sdks/rust/src/generated",
        test: trials::rust,
    },
];

impl Sdks {
    pub(crate) fn run(&self) -> Result<()> {
        let paths = Paths::find()?;
        let is_check = self.check || self.test;
        write_or_compare(&paths.root.join(TOOLS), &cargo::output_of(&cargo::built_service()?, &["tools"])?, is_check)?;
        let contract = Contract::read(&read_json(&paths.root.join(OPENAPI))?, &read_json(&paths.root.join(TOOLS))?)?;
        let mut not_run = NotRun::default();
        let mut possible: Vec<_> = LANGUAGES.iter().collect();
        possible.retain(|language| not_run.can_run(language.name, (language.missing)()));
        for language in &possible {
            generate(language, &contract, &paths, is_check).with_context(|| language.name)?;
        }
        if self.test && !possible.is_empty() {
            trials::run(&paths, &possible)?;
        }
        not_run.conclude()
    }
}

fn generate(language: &Language, contract: &Contract, paths: &Paths, is_check: bool) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    let types = folder.path().join("types.json");
    fs::write(&types, contract.types().to_string())?;
    let generated = folder.path().join("made");
    fs::create_dir(&generated)?;
    (language.generate)(contract, &types, paths, &generated)?;
    for entry in fs::read_dir(&generated)? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        write_or_compare(&paths.root.join(language.generated).join(entry.file_name()), &text, is_check)?;
    }
    Ok(())
}

fn write_or_compare(path: &Path, text: &str, is_check: bool) -> Result<()> {
    if is_check {
        let committed = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(
            committed == text,
            "{} is not what the service declares: run cargo xtask sdks, and commit it",
            path.display()
        );
        return Ok(());
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn read_json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}
