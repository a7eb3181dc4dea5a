//! Runs the third-party generators, which generate the types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::contract::Contract;
use super::{python, rust, typescript};
use crate::cargo::{self, Paths};
use crate::clients::packages::{node_modules, output, succeed, venv};

/// What is missing for the TypeScript SDK, if anything.
pub(crate) fn missing_for_node() -> Option<&'static str> {
    let is_new = output("node", ["-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"]).is_some();
    let has_all = is_new && output("npm", ["--version"]).is_some();
    (!has_all).then_some("node of 20 or newer, and npm; install the packages nodejs and npm")
}

pub(super) fn typescript(contract: &Contract, types: &Path, paths: &Paths, dir: &Path) -> Result<()> {
    for (name, text) in typescript::files(contract) {
        fs::write(dir.join(name), text)?;
    }
    let pins = paths.root.join("sdks/typescript");
    let modules = node_modules("sdk-typescript", &pins, "openapi-typescript/bin/cli.js")?;
    let mut generator = Command::new("node");
    generator.arg(modules.join("openapi-typescript/bin/cli.js")).arg(types).arg("--output").arg(dir.join("types.ts"));
    generator.args(["--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false"]);
    succeed(generator.stdout(std::process::Stdio::null()), "openapi-typescript")
}

/// A Python with the tools that build and test the Python SDK.
pub(super) fn python_tools(paths: &Paths) -> Result<PathBuf> {
    venv("sdk-python", &paths.root.join("sdks/python/tools.txt"), "datamodel_code_generator", &["--require-hashes"])
}

pub(super) fn python(contract: &Contract, types: &Path, paths: &Paths, dir: &Path) -> Result<()> {
    for (name, text) in python::files(contract) {
        fs::write(dir.join(name), text)?;
    }
    let file = dir.join("types.py");
    let mut generator = Command::new(python_tools(paths)?);
    generator.args(["-W", "ignore", "-m", "datamodel_code_generator", "--input-file-type", "openapi"]);
    generator.args(["--output-model-type", "typing.TypedDict", "--target-python-version", "3.10"]);
    generator.args(["--enum-field-as-literal", "all", "--use-standard-collections", "--use-union-operator"]);
    generator.args([
        "--use-schema-description",
        "--use-field-description",
        "--disable-timestamp",
        "--formatters",
        "black",
    ]);
    succeed(generator.arg("--input").arg(types).arg("--output").arg(&file), "datamodel-codegen")?;
    let text = fs::read_to_string(&file)?;
    ensure!(text.contains(python::TYPING), "the generator imports typing in another way");
    Ok(fs::write(&file, text.replacen(python::TYPING, python::CONDITIONAL_TYPING, 1))?)
}

/// Types from a separate generator program, which is built once.
pub(super) fn rust(contract: &Contract, _: &Path, paths: &Paths, dir: &Path) -> Result<()> {
    for (name, text) in rust::files(contract) {
        fs::write(dir.join(name), text)?;
    }
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.json");
    fs::write(&input, rust::types(contract).to_string())?;
    let mut cargo = cargo::command();
    cargo.args(["run", "--locked", "--quiet", "--manifest-path"]).arg(paths.root.join("sdks/rust-types/Cargo.toml"));
    cargo.arg("--target-dir").arg(paths.target.join("tools/sdk-rust-types")).arg("--").arg(&input);
    let result = cargo.stderr(std::process::Stdio::inherit()).output()?;
    ensure!(result.status.success(), "sdk-rust-types failed");
    Ok(fs::write(dir.join("types.rs"), result.stdout)?)
}
