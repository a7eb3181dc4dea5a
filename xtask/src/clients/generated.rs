//! Clients generated from the OpenAPI document. Each must be complete, compile with strict settings, and make a few calls.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::packages::{missing_for_python, node_modules, node_of, output, run_quietly, venv};
use super::{RunningService, TESTS};
use crate::cargo::Paths;
use crate::sdks::missing_for_node;

/// A generator, and the test of the client that it generates.
pub(super) struct Generator {
    pub(super) name: &'static str,
    /// Whether it is quick enough for every merge.
    pub(super) is_quick: bool,
    pub(super) missing: fn() -> Option<&'static str>,
    test: fn(&Trial<'_>) -> Result<()>,
}

pub(super) const GENERATORS: &[Generator] = &[
    Generator { name: "openapi-typescript", is_quick: true, missing: missing_for_node, test: openapi_typescript },
    Generator {
        name: "openapi-python-client",
        is_quick: true,
        missing: missing_for_python,
        test: openapi_python_client,
    },
    Generator { name: "hey-api", is_quick: false, missing: missing_for_node, test: hey_api },
    Generator {
        name: "typescript-fetch of OpenAPI Generator",
        is_quick: false,
        missing: || missing_for_openapi_generator().or_else(missing_for_node),
        test: typescript_fetch,
    },
    Generator {
        name: "python of OpenAPI Generator",
        is_quick: false,
        missing: missing_for_openapi_generator,
        test: openapi_generator_python,
    },
];

/// The jar of OpenAPI Generator comes in a Python package.
fn missing_for_openapi_generator() -> Option<&'static str> {
    let java = || output("java", ["-version"]).is_none().then_some("java; install the package default-jre-headless");
    missing_for_python().or_else(java)
}

impl Generator {
    /// Generates the client, compiles it, and runs it against the service.
    pub(super) fn run(&self, paths: &Paths, running: &RunningService) -> Result<()> {
        let folder = running.folder.join(self.name.replace(' ', "-"));
        fs::create_dir(&folder).context("cannot create a directory")?;
        let tests = paths.root.join(TESTS).join("generated");
        let document = paths.root.join("docs/openapi.json");
        (self.test)(&Trial { tests, document, folder, running })
    }
}

struct Trial<'a> {
    /// The test programs, and the pinned versions of the generators.
    tests: PathBuf,
    document: PathBuf,
    folder: PathBuf,
    running: &'a RunningService,
}

fn openapi_typescript(trial: &Trial<'_>) -> Result<()> {
    trial.typescript("openapi-typescript", |modules, made| {
        let mut generator = node(modules, "openapi-typescript/bin/cli.js");
        // Otherwise clients would have to send members that have a default.
        generator.arg(&trial.document).args(["--default-non-nullable=false", "--output"]).arg(made.join("schema.ts"));
        Ok(generator)
    })
}

fn hey_api(trial: &Trial<'_>) -> Result<()> {
    trial.typescript("hey-api", |modules, _| {
        let mut generator = node(modules, "@hey-api/openapi-ts/bin/run.js");
        generator.args(["--no-log-file", "--file"]).arg(trial.tests.join("typescript/hey-api.config.mjs"));
        generator.env("DOCUMENT", &trial.document);
        Ok(generator)
    })
}

fn typescript_fetch(trial: &Trial<'_>) -> Result<()> {
    trial.typescript("typescript-fetch", |_, made| {
        let mut generator = trial.openapi_generator("typescript-fetch", made)?;
        generator.arg("--additional-properties=importFileExtension=.js");
        Ok(generator)
    })
}

fn openapi_python_client(trial: &Trial<'_>) -> Result<()> {
    let python = trial.venv("openapi_python_client")?;
    let mut generator = Command::new(&python);
    // A warning means that an operation was left out.
    generator.args(["-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none", "--path"]);
    generator.arg(&trial.document).args(["--output-path", "openapi_python", "--config"]);
    generator.arg(trial.tests.join("python/openapi_python_client.yaml"));
    trial.quietly(&mut generator, "the generator")?;
    trial.python(&python, "openapi_python_client.py", &["--strict", "openapi_python"])
}

fn openapi_generator_python(trial: &Trial<'_>) -> Result<()> {
    // The template generates empty types for webhooks, in a file that nothing imports.
    fs::write(trial.folder.join(".openapi-generator-ignore"), "openapi_client/api/deliveries_api.py\n")?;
    trial.quietly(&mut trial.openapi_generator("python", &trial.folder)?, "the generator")?;
    // As strict as the generator claims to be.
    let types = ["--config-file", "pyproject.toml", "openapi_client"];
    trial.python(&trial.venv("openapi_generator")?, "openapi_generator.py", &types)
}

fn node(modules: &Path, script: &str) -> Command {
    let mut node = Command::new(node_of(modules));
    node.arg(modules.join(script));
    node
}

impl Trial<'_> {
    /// Generates a client in a directory of this name, and tests it with the program of the same name.
    fn typescript(&self, name: &str, generator: impl FnOnce(&Path, &Path) -> Result<Command>) -> Result<()> {
        let pins = self.tests.join("typescript");
        let modules = node_modules("generated", &pins, "typescript/bin/tsc")?;
        symlink(&modules, self.folder.join("node_modules")).context("cannot link the packages")?;
        for file in ["check.ts", "package.json", "tsconfig.json", &*format!("{name}.ts")] {
            fs::copy(pins.join(file), self.folder.join(file)).with_context(|| format!("cannot copy {file}"))?;
        }
        let made = self.folder.join(name);
        fs::create_dir(&made).context("cannot create a directory")?;
        self.quietly(&mut generator(&modules, &made)?, "the generator")?;
        self.quietly(node(&modules, "typescript/bin/tsc").args(["--project", "."]), "the strict compilation")?;
        let mut program = Command::new(node_of(&modules));
        self.call(program.arg(format!("build/{name}.js")), name)
    }

    fn python(&self, python: &Path, program: &str, types: &[&str]) -> Result<()> {
        fs::copy(self.tests.join("python").join(program), self.folder.join(program)).context("cannot copy it")?;
        self.quietly(Command::new(python).args(["-m", "mypy"]).args(types).arg(program), "mypy")?;
        self.call(Command::new(python).args(["-B", program]), program)
    }

    /// A Python environment with this generator and the dependencies of its clients.
    fn venv(&self, generator: &str) -> Result<PathBuf> {
        let module = if generator == "openapi_generator" { "openapi_generator_cli" } else { generator };
        venv(generator, &self.tests.join("python").join(format!("{generator}.txt")), module, &[])
    }

    fn openapi_generator(&self, template: &str, made: &Path) -> Result<Command> {
        let mut generator = Command::new(self.venv("openapi_generator")?);
        generator.args(["-c", "import sys, openapi_generator_cli; sys.exit(openapi_generator_cli.cli())"]);
        generator.args(["generate", "--generator-name", template, "--input-spec"]).arg(&self.document);
        generator.arg("--output").arg(made);
        Ok(generator)
    }

    fn call(&self, program: &mut Command, title: &str) -> Result<()> {
        program.env("SERVICE_URL", format!("http://{}", self.running.address)).env("SERVICE_KEY", &self.running.key);
        self.quietly(program.env("DEAL_TITLE", title), "its calls")
    }

    /// Runs a command in the directory.
    fn quietly(&self, command: &mut Command, what: &str) -> Result<()> {
        run_quietly(command.current_dir(&self.folder), what).map(drop)
    }
}
