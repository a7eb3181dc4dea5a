//! `cargo xtask examples`: tests the projects in `examples/` against a running service, each in a workspace of its own.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;
use clap::Args;
use test_support::program::{PASSWORD, Service, data_folder};

use crate::clients::packages;
use crate::clients::service;
use crate::not_run::NotRun;
use crate::{cargo, prepare, sdks};

/// Receivers of webhooks are on this machine.
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
    /// By `python -m unittest`, with the packages of its `requirements.txt`, one of which is imported by this name.
    Python { module: &'static str },
    /// By `npm test`, in a copy.
    Node,
}

const EXAMPLES: &[Example] = &[
    Example { folder: "agent", test: Test::Python { module: "mcp" } },
    Example { folder: "chat-notifier", test: Test::Node },
    Example { folder: "sync", test: Test::Python { module: "httpx" } },
];

#[derive(Args)]
pub(crate) struct Examples {
    /// Folders below examples/; all of them by default
    names: Vec<String>,
    /// Use the workspace-service and service-mcp of this folder, and build none
    #[arg(long)]
    programs: Option<PathBuf>,
}

/// Paths of the repository and of what is built.
struct Places {
    root: PathBuf,
    target: PathBuf,
    programs: PathBuf,
}

impl Examples {
    pub(crate) fn run(&self) -> Result<()> {
        let examples = self.chosen()?;
        let mut not_run = NotRun::default();
        let mut possible = Vec::new();
        for example in examples {
            match example.test.missing() {
                Some(missing) => not_run.add(example.folder, missing),
                None => possible.push(example),
            }
        }
        if !possible.is_empty() {
            self.test(&possible)?;
        }
        not_run.conclude()
    }

    fn chosen(&self) -> Result<Vec<&'static Example>> {
        let is_known = |name: &String| EXAMPLES.iter().any(|example| example.folder == name);
        if let Some(unknown) = self.names.iter().find(|name| !is_known(name)) {
            let known: Vec<_> = EXAMPLES.iter().map(|example| example.folder).collect();
            anyhow::bail!("there is no example {unknown}; there are {}", known.join(", "));
        }
        let is_chosen =
            |example: &&Example| self.names.is_empty() || self.names.iter().any(|name| name == example.folder);
        Ok(EXAMPLES.iter().filter(is_chosen).collect())
    }

    /// Tests all of them, whether or not one fails: one run reports every failure.
    fn test(&self, examples: &[&Example]) -> Result<()> {
        let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
        let target = metadata.target_directory.as_std_path().to_owned();
        let places = Places {
            root: metadata.workspace_root.into(),
            programs: self.programs.clone().unwrap_or_else(|| target.join("debug")),
            target,
        };
        prepare::prepare()?;
        if self.programs.is_none() {
            cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
        }
        let data = data_folder()?;
        let service = service::start(&places.programs.join("workspace-service"), data.path(), SETTINGS)?;
        let mut failures = Vec::new();
        for example in examples {
            println!("examples: {}", example.folder);
            if let Err(error) = example.run(&places, &service, data.path()) {
                failures.push(format!("{}: {error:#}", example.folder));
            }
        }
        service.stop()?;
        ensure!(failures.is_empty(), "examples: {}", failures.join("; "));
        println!("examples: all good");
        Ok(())
    }
}

impl Test {
    /// What is missing for it on this machine.
    fn missing(&self) -> Option<&'static str> {
        match self {
            Self::Python { .. } => packages::lacks_python(PYTHON_MINOR)
                .then_some("python3 of 3.10 or newer with venv; install the package python3-venv"),
            Self::Node => sdks::missing_for_node(),
        }
    }
}

impl Example {
    fn run(&self, places: &Places, service: &Service, data: &Path) -> Result<()> {
        let source = places.root.join("examples").join(self.folder);
        let mut command = match self.test {
            Test::Python { module } => self.python(places, &source, module)?,
            Test::Node => self.node(places, &source)?,
        };
        // As users set them, for all clients; an owner's token; and what some tests start themselves.
        let key = set_up(service, self.folder)?;
        let url = format!("http://{}", service.address);
        command.env("SERVICE_ACCESS_TOKEN", service::sign_in(service, self.folder, OWNER, PASSWORD)?);
        command.env("SERVICE_API_URL", &url).env("SERVICE_API_KEY", &key);
        command.env("SERVICE_MCP_API_URL", &url).env("SERVICE_MCP_API_KEY", &key);
        command.env("SERVICE_DATA_DIR", data).env("SERVICE_WORKSPACE", self.folder);
        command.env("SERVICE_PROGRAM", places.programs.join("workspace-service"));
        command.env("SERVICE_MCP_PROGRAM", places.programs.join("service-mcp"));
        packages::succeed(&mut command, "its test")
    }

    fn python(&self, places: &Places, source: &Path, module: &str) -> Result<Command> {
        let name = format!("example-{}", self.folder);
        let python = packages::venv(&name, &source.join("requirements.txt"), module, &["--require-hashes"])?;
        let mut command = Command::new(python);
        command.args(["-B", "-m", "unittest", "discover", "--top-level-directory", ".", "--start-directory", "tests"]);
        command.current_dir(source).env("PYTHONPATH", places.root.join("sdks/python/src"));
        Ok(command)
    }

    /// In a copy, with the TypeScript SDK as a package, and the compiler that it is built with.
    fn node(&self, places: &Places, source: &Path) -> Result<Command> {
        let own = places.target.join("examples");
        let copy = own.join(self.folder);
        let tools = sdks::typescript_package(&places.root, &own, &copy)?;
        copy_files(source, &copy)?;
        let modules = copy.join("node_modules");
        for entry in fs::read_dir(&tools).context("cannot list the packages")? {
            let entry = entry?;
            let link = modules.join(entry.file_name());
            if !link.exists() {
                symlink(entry.path(), link).context("cannot link a package")?;
            }
        }
        let mut command = Command::new("npm");
        command.args(["test", "--silent"]).current_dir(&copy);
        Ok(command)
    }
}

/// Makes a workspace with an owner, and a key for everything.
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
