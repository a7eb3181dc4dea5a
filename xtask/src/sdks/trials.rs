//! Tests the SDKs: runs their own tests, the shared scenario and the code in their READMEs, and checks their packages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use test_support::program::{Service, data_folder};

use super::{Language, generators};
use crate::cargo::{self, Paths};
use crate::clients::packages::{node_modules, run_quietly, succeed};
use crate::clients::service;
use crate::prepare;

/// The webhook receivers are on this machine.
const SETTINGS: &[(&str, &str)] = &[
    ("SERVICE_PUBLIC_URL", "http://127.0.0.1"),
    ("SERVICE_WEBHOOK_ALLOW_HTTP", "true"),
    ("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true"),
];

/// A running service, a key, and a key that manages webhooks.
pub(super) struct RunningService {
    url: String,
    key: String,
    webhook_key: String,
}

impl RunningService {
    fn environment(&self) -> [(&'static str, &str); 3] {
        [("SERVICE_API_URL", &self.url), ("SERVICE_API_KEY", &self.key), ("SERVICE_WEBHOOK_KEY", &self.webhook_key)]
    }
}

/// Tests all SDKs even if one fails, so that one run reports every failure.
pub(super) fn run(paths: &Paths, languages: &[&Language]) -> Result<()> {
    prepare::prepare()?;
    cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
    let copy = copied(paths)?;
    let folder = data_folder()?;
    let service = service::start(&paths.debug("workspace-service"), folder.path(), SETTINGS)?;
    let key = service::make_key(&service, service::WORKSPACE)?;
    let running = RunningService { url: service.url(), key, webhook_key: webhook_key(&service)? };
    let mut failures = Vec::new();
    for language in languages {
        if let Err(error) = (language.test)(paths, &copy, &running) {
            failures.push(format!("{}: {error:#}", language.name));
        }
    }
    service.stop()?;
    ensure!(failures.is_empty(), "sdks: {}", failures.join("; "));
    println!("sdks: all good");
    Ok(())
}

/// A key that manages webhooks of deals.
fn webhook_key(service: &Service) -> Result<String> {
    let granted =
        ["--permission", "read_deals", "read_webhooks", "create_webhooks", "update_webhooks", "delete_webhooks"];
    let key = ["key", "create", "--workspace", service::WORKSPACE, "--name", "Webhooks", "--scope", "deals.read"];
    let output = service.program.operate(&[&key[..], &granted].concat(), "")?;
    Ok(output["key"].as_str().context("no key in the output")?.to_owned())
}

/// A copy of `sdks` in the target directory, where builds may leave files.
fn copied(paths: &Paths) -> Result<PathBuf> {
    let copy = paths.target.join("sdks");
    if copy.exists() {
        fs::remove_dir_all(&copy).context("cannot remove the former copy of the SDKs")?;
    }
    let mut tracked = Command::new("git");
    tracked.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "sdks"]).current_dir(&paths.root);
    for name in run_quietly(&mut tracked, "git ls-files")?.split_terminator('\0') {
        let from = paths.root.join(name);
        if !from.is_file() {
            continue;
        }
        let to = paths.target.join(name);
        fs::create_dir_all(to.parent().unwrap_or(&copy))?;
        fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
    }
    Ok(copy)
}

pub(super) fn typescript(paths: &Paths, copy: &Path, running: &RunningService) -> Result<()> {
    let folder = copy.join("typescript");
    let modules = linked_modules(paths, &folder)?;
    succeed(npm(&["test", "--silent"], &folder).envs(running.environment()), "its tests")?;
    // As a user would: installs the package, and runs the code in the README.
    let user = copy.join("typescript-user");
    pack_typescript(&folder, &modules, &user)?;
    fs::write(user.join("package.json"), "{\"type\": \"module\"}")?;
    fs::write(user.join("readme.ts"), code_in(&folder.join("README.md"), "ts")?)?;
    let mut compiler = Command::new("node");
    compiler.arg(modules.join("typescript/bin/tsc")).current_dir(&user);
    compiler.args(["--strict", "--target", "es2023", "--module", "nodenext", "--types", "node", "readme.ts"]);
    succeed(&mut compiler, "the compilation of its README")?;
    let mut program = Command::new("node");
    succeed(program.arg("readme.js").current_dir(&user).envs(running.environment()), "the code of its README")
}

/// Builds the TypeScript SDK in `target`, and installs it in `user` as a package. Returns the `node_modules` of its tools.
pub(crate) fn typescript_package(root: &Path, target: &Path, user: &Path) -> Result<PathBuf> {
    let paths = Paths { root: root.to_owned(), target: target.to_owned() };
    let folder = copied(&paths)?.join("typescript");
    let modules = linked_modules(&paths, &folder)?;
    if user.exists() {
        fs::remove_dir_all(user).context("cannot remove the former package")?;
    }
    pack_typescript(&folder, &modules, user)?;
    Ok(modules)
}

fn linked_modules(paths: &Paths, folder: &Path) -> Result<PathBuf> {
    let modules = node_modules("sdk-typescript", &paths.root.join("sdks/typescript"), "typescript/bin/tsc")?;
    symlink(&modules, folder.join("node_modules")).context("cannot link the packages")?;
    Ok(modules)
}

fn npm(arguments: &[&str], folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder);
    npm
}

fn pack_typescript(folder: &Path, modules: &Path, user: &Path) -> Result<()> {
    succeed(&mut npm(&["run", "--silent", "build"], folder), "its build")?;
    succeed(npm(&["pack", "--silent", "--ignore-scripts"], folder).stdout(Stdio::null()), "npm pack")?;
    let package = user.join("node_modules/workspace-service-sdk");
    fs::create_dir_all(&package)?;
    symlink(modules.join("@types"), user.join("node_modules/@types"))?;
    let mut unpack = Command::new("tar");
    unpack.arg("-xzf").arg(folder.join("workspace-service-sdk-0.1.0.tgz")).arg("--strip-components=1");
    succeed(unpack.arg("-C").arg(&package), "tar")
}

pub(super) fn python(paths: &Paths, copy: &Path, running: &RunningService) -> Result<()> {
    let folder = copy.join("python");
    let program = generators::python_tools(paths)?;
    let python = |arguments: &[&str], path: &Path, what: &str| {
        let mut python = Command::new(&program);
        python.args(arguments).current_dir(&folder).env("PYTHONPATH", path).envs(running.environment());
        succeed(&mut python, what)
    };
    let source = folder.join("src");
    python(&["-m", "mypy"], &source, "mypy")?;
    python(
        &["-B", "-m", "unittest", "discover", "--quiet", "--top-level-directory", ".", "--start-directory", "tests"],
        &source,
        "its tests",
    )?;
    python(&["-m", "hatchling", "build"], &source, "its build")?;
    // As a user would: installs the wheel, and runs the code in the README.
    fs::write(folder.join("readme.py"), code_in(&folder.join("README.md"), "python")?)?;
    python(&["-m", "mypy", "--strict", "readme.py"], &source, "the types of its README")?;
    python(&["readme.py"], &folder.join("dist/workspace_service_sdk-0.1.0-py3-none-any.whl"), "the code of its README")
}

/// All blocks of a language in a document, as one program.
pub(crate) fn code_in(document: &Path, language: &str) -> Result<String> {
    let text = fs::read_to_string(document)?;
    let begin = format!("```{language}\n");
    let blocks = text.split(&begin).skip(1).filter_map(|rest| rest.split_once("\n```"));
    let code = blocks.map(|(code, _)| code).collect::<Vec<_>>().join("\n\n");
    ensure!(!code.is_empty(), "{} shows no code", document.display());
    Ok(code + "\n")
}

pub(super) fn rust(paths: &Paths, copy: &Path, running: &RunningService) -> Result<()> {
    let folder = copy.join("rust");
    let cargo = |arguments: &[&str], what: &str| {
        let mut cargo = cargo::command();
        cargo.args(arguments).current_dir(&folder).env("CARGO_TARGET_DIR", paths.target.join("sdks-rust"));
        cargo.env("SERVICE_OPENAPI", paths.root.join(super::OPENAPI));
        succeed(cargo.envs(running.environment()), what)
    };
    fs::create_dir_all(folder.join("examples"))?;
    fs::write(folder.join("examples/readme.rs"), code_in(&folder.join("README.md"), "rust")?)?;
    cargo(&["clippy", "--locked", "--quiet", "--all-targets", "--", "--deny", "warnings"], "clippy")?;
    cargo(&["test", "--locked", "--quiet"], "its tests")?;
    cargo(&["run", "--locked", "--quiet", "--example", "readme"], "the code of its README")?;
    cargo(&["package", "--locked", "--quiet", "--allow-dirty", "--no-verify"], "cargo package")
}
