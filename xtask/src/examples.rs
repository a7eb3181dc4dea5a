//! `cargo xtask examples`: tests the projects in `examples/` against a running service, each in its own workspace. Examples
//! with a storm start their own service.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use test_support::program::{PASSWORD, Service, data_folder};

use crate::clients::packages;
use crate::clients::service;
use crate::not_run::NotRun;
use crate::{cargo, prepare, sdks};

/// The webhook receivers are on this machine.
const SETTINGS: &[(&str, &str)] =
    &[("SERVICE_WEBHOOK_ALLOW_HTTP", "true"), ("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true")];
const OWNER: &str = "ada@example.com";
/// Minimum minor version of Python 3.
const PYTHON_MINOR: u32 = 10;

/// An example, by its folder in `examples/`.
struct Example {
    folder: &'static str,
    test: Test,
}

/// How an example is tested.
enum Test {
    /// `python -m unittest`, with the packages of its `requirements.txt`, one of which is imported by this name.
    Python { module: &'static str },
    /// `npm test`, in a copy.
    Node,
    /// Its `storm`, which runs its Python and TypeScript programs with their own service, and kills all of them.
    Storm,
}

const EXAMPLES: &[Example] = &[
    Example { folder: "agent", test: Test::Python { module: "mcp" } },
    Example { folder: "chat-notifier", test: Test::Node },
    Example { folder: "sync", test: Test::Python { module: "httpx" } },
    Example { folder: "two-way", test: Test::Storm },
];

#[derive(Args)]
pub(crate) struct Examples {
    /// Folders below examples/; all of them by default
    names: Vec<String>,
    /// Use the workspace-service and service-mcp of this folder instead of building them
    #[arg(long)]
    programs: Option<PathBuf>,
    /// Minimum length of the storm of two-way, which completes its round; starting and comparing take a few more seconds
    #[arg(long, default_value_t = 20)]
    seconds: u32,
}

/// Paths of the repository and of the built programs.
struct Paths {
    root: PathBuf,
    target: PathBuf,
    programs: PathBuf,
}

impl Examples {
    pub(crate) fn run(&self) -> Result<()> {
        let mut not_run = NotRun::default();
        let mut possible = self.chosen()?;
        possible.retain(|example| not_run.can_run(example.folder, example.test.missing()));
        if !possible.is_empty() {
            self.test(&possible)?;
        }
        not_run.conclude()
    }

    fn chosen(&self) -> Result<Vec<&'static Example>> {
        let folders: Vec<_> = EXAMPLES.iter().map(|example| example.folder).collect();
        if let Some(unknown) = self.names.iter().find(|name| !folders.contains(&name.as_str())) {
            anyhow::bail!("there is no example {unknown}; there are {}", folders.join(", "));
        }
        let is_chosen =
            |example: &&Example| self.names.is_empty() || self.names.iter().any(|name| name == example.folder);
        Ok(EXAMPLES.iter().filter(is_chosen).collect())
    }

    /// Tests all examples even if one fails, so that one run reports every failure.
    fn test(&self, examples: &[&Example]) -> Result<()> {
        let cargo::Paths { root, target } = cargo::Paths::find()?;
        let programs = self.programs.clone().unwrap_or_else(|| target.join("debug"));
        let paths = Paths { root, target, programs };
        prepare::prepare()?;
        if self.programs.is_none() {
            cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
        }
        let data = data_folder()?;
        let start = || service::start(&paths.programs.join("workspace-service"), data.path(), SETTINGS);
        let needs_service = examples.iter().any(|example| example.test.needs_service());
        let service = needs_service.then(start).transpose()?;
        let mut failures = Vec::new();
        for example in examples {
            println!("examples: {}", example.folder);
            let shared = service.as_ref().filter(|_| example.test.needs_service());
            if let Err(error) = example.run(&paths, shared, data.path(), self.seconds) {
                failures.push(format!("{}: {error:#}", example.folder));
            }
        }
        if let Some(service) = service {
            service.stop()?;
        }
        ensure!(failures.is_empty(), "examples: {}", failures.join("; "));
        println!("examples: all good");
        Ok(())
    }
}

impl Test {
    /// What is missing on this machine, if anything.
    fn missing(&self) -> Option<&'static str> {
        match self {
            Self::Python { .. } => missing_for_python(),
            Self::Node => sdks::missing_for_node(),
            Self::Storm => missing_for_python().or_else(sdks::missing_for_node),
        }
    }

    /// Whether it uses the shared service.
    fn needs_service(&self) -> bool {
        !matches!(self, Self::Storm)
    }
}

impl Example {
    fn run(&self, paths: &Paths, service: Option<&Service>, data: &Path, seconds: u32) -> Result<()> {
        let source = paths.root.join("examples").join(self.folder);
        let mut command = match self.test {
            Test::Python { module } => self.python(paths, &source, module)?,
            Test::Node => self.node(paths, &source)?,
            Test::Storm => self.storm(paths, &source, seconds)?,
        };
        if let Some(service) = service {
            self.give_service(&mut command, paths, service, data)?;
        }
        packages::succeed(&mut command, "its test")
    }

    /// Sets the variables that users set for clients, an owner's token, and the paths of programs that some tests start.
    fn give_service(&self, command: &mut Command, paths: &Paths, service: &Service, data: &Path) -> Result<()> {
        let key = set_up(service, self.folder)?;
        let url = format!("http://{}", service.address);
        command.env("SERVICE_ACCESS_TOKEN", service::sign_in(service, self.folder, OWNER, PASSWORD)?);
        command.env("SERVICE_API_URL", &url).env("SERVICE_API_KEY", &key);
        command.env("SERVICE_MCP_API_URL", &url).env("SERVICE_MCP_API_KEY", &key);
        command.env("SERVICE_DATA_DIR", data).env("SERVICE_WORKSPACE", self.folder);
        command.env("SERVICE_PROGRAM", paths.programs.join("workspace-service"));
        command.env("SERVICE_MCP_PROGRAM", paths.programs.join("service-mcp"));
        Ok(())
    }

    fn python(&self, paths: &Paths, source: &Path, module: &str) -> Result<Command> {
        let name = format!("example-{}", self.folder);
        let python = packages::venv(&name, &source.join("requirements.txt"), module, &["--require-hashes"])?;
        let mut command = Command::new(python);
        command.args(["-B", "-m", "unittest", "discover", "--top-level-directory", ".", "--start-directory", "tests"]);
        command.current_dir(source).env("PYTHONPATH", paths.root.join("sdks/python/src"));
        Ok(command)
    }

    fn node(&self, paths: &Paths, source: &Path) -> Result<Command> {
        let mut command = Command::new("npm");
        command.args(["test", "--silent"]).current_dir(self.node_copy(paths, source)?);
        Ok(command)
    }

    /// The command that runs the storm with its own service.
    fn storm(&self, paths: &Paths, source: &Path, seconds: u32) -> Result<Command> {
        let name = format!("example-{}", self.folder);
        let requirements = source.join("python/requirements.txt");
        let python = packages::venv(&name, &requirements, "httpx", &["--require-hashes"])?;
        let copy = self.node_copy(paths, &source.join("typescript"))?;
        packages::succeed(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&copy), "its build")?;
        let mut command = Command::new(&python);
        command.args(["-B", "-m", "storm", "--seconds", &seconds.to_string(), "--service"]);
        command.arg(paths.programs.join("workspace-service"));
        command.arg(format!("'{}' -B python/two_way.py", python.display()));
        command.arg(format!("node '{}'", copy.join("build/main.js").display()));
        command.current_dir(source).env("PYTHONPATH", paths.root.join("sdks/python/src"));
        Ok(command)
    }

    /// A copy with the TypeScript SDK as a package, and the same compiler.
    fn node_copy(&self, paths: &Paths, source: &Path) -> Result<PathBuf> {
        let folder = paths.target.join("examples");
        let copy = folder.join(self.folder);
        let tools = sdks::typescript_package(&paths.root, &folder, &copy)?;
        copy_files(source, &copy)?;
        let modules = copy.join("node_modules");
        for entry in fs::read_dir(&tools).context("cannot list the packages")? {
            let entry = entry?;
            let link = modules.join(entry.file_name());
            if !link.exists() {
                symlink(entry.path(), link).context("cannot link a package")?;
            }
        }
        Ok(copy)
    }
}

fn missing_for_python() -> Option<&'static str> {
    packages::lacks_python(PYTHON_MINOR)
        .then_some("python3 of 3.10 or newer with venv; install the package python3-venv")
}

/// Creates a workspace with an owner and a full-access key.
fn set_up(service: &Service, slug: &str) -> Result<String> {
    let key = service::make_key(service, slug)?;
    service.program.create_user(slug, OWNER, "owner", &[])?;
    Ok(key)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy_files(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_example_is_tested() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let folders: BTreeSet<_> = fs::read_dir(root)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().unwrap().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        let tested: BTreeSet<_> = EXAMPLES.iter().map(|example| example.folder.to_owned()).collect();
        assert!(folders.is_subset(&tested), "an example has no row in EXAMPLES: {folders:?}");
    }
}
