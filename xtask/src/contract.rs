//! `cargo xtask contract`: tests the running service with schemathesis, which knows only the OpenAPI document.
//!
//! It sends requests that match the document and requests that do not, follows records from creation to deletion, and
//! compares every response with the document.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use clap::Args;
use test_support::program::{PASSWORD, Service, data_folder};

use crate::clients::packages;
use crate::clients::service;
use crate::not_run::NotRun;
use crate::{cargo, prepare};

const TESTER: &str = "schemathesis";
const WORKSPACE: &str = "contract";
/// Requests without credentials are all refused for the same reason, so a few are enough.
const ANONYMOUS_CASES: u32 = 10;
/// Sequences of several requests, in total for all operations.
const SCENARIOS_PER_CASE: u32 = 2;

/// The service sends nothing: no webhook is delivered, and e-mails are files.
const SETTINGS: &[(&str, &str)] = &[
    ("SERVICE_DISPATCHER", "off"),
    ("SERVICE_ADMIN_BIND", "off"),
    ("SERVICE_LIMIT_ANONYMOUS", "1000000"),
    ("SERVICE_LIMIT_CRITICAL", "1000000"),
    ("SERVICE_LIMIT_BULK", "1000000"),
];

/// Far more than a run sends: 429 would hide every other response.
const LIMITS: &[&str] = &[
    "requests_per_minute=1000000",
    "emails_per_hour=1000000",
    "public_tickets_per_hour=1000000",
    "public_fetches_per_minute=1000000",
    "public_kb_searches_per_minute=1000000",
];

#[derive(Args)]
pub(crate) struct Contract {
    /// Test cases per operation
    #[arg(long, default_value_t = 200)]
    cases: u32,
    /// Additional arguments for schemathesis, such as -- --include-path /api/v1/me
    #[arg(last = true)]
    rest: Vec<OsString>,
}

impl Contract {
    pub(crate) fn run(&self) -> Result<()> {
        let mut not_run = NotRun::default();
        if not_run.can_run(TESTER, packages::missing_for_python()) {
            self.test()?;
        }
        not_run.conclude()
    }

    fn test(&self) -> Result<()> {
        let paths = cargo::Paths::find()?;
        let tests = paths.root.join("tests/contract");
        let python = packages::venv(TESTER, &tests.join("requirements.txt"), TESTER, &[])?;
        prepare::prepare()?;
        cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
        let folder = data_folder()?;
        let service = service::start(&paths.debug("workspace-service"), folder.path(), SETTINGS)?;
        let tester = Tester { python, tests, document: paths.root.join("docs/openapi.json"), rest: &self.rest };
        let url = format!("http://{}", service.address);
        let key = seed(&service)?;
        let run = || -> Result<()> {
            tester.run(&url, Some(&key), self.cases)?;
            tester.run(&url, None, self.cases.min(ANONYMOUS_CASES))
        };
        let outcome = run();
        // Only the log says why a response was 500.
        for line in service.program.log().lines().filter(|line| line.contains("ERROR")) {
            eprintln!("service: {line}");
        }
        outcome?;
        service.stop()
    }
}

/// Creates the workspace, its members and its key. The tester creates the rest over HTTP.
fn seed(service: &Service) -> Result<String> {
    let program = &service.program;
    program.create_workspace(WORKSPACE, "enterprise")?;
    program.set_limits(WORKSPACE, LIMITS)?;
    for email in ["owner@contract.example", "guest@contract.example"] {
        program.create_user(WORKSPACE, email, "owner", &[])?;
    }
    program.create_key(WORKSPACE)
}

struct Tester<'a> {
    python: PathBuf,
    tests: PathBuf,
    document: PathBuf,
    rest: &'a [OsString],
}

impl Tester<'_> {
    /// Runs schemathesis with a key, or without credentials.
    fn run(&self, url: &str, key: Option<&str>, cases: u32) -> Result<()> {
        let mut command = Command::new(&self.python);
        // The installed script contains the path of its first location, so the module is run instead.
        command.args(["-B", "-m", "schemathesis.cli"]);
        command.arg("--config-file").arg(self.tests.join("schemathesis.toml"));
        command.arg("run").arg(&self.document).args(["--url", url, "--max-examples", &cases.to_string()]);
        if key.is_none() {
            command.args(["--phases", "examples,coverage,fuzzing"]);
        }
        // The settings name the hooks relative to this folder.
        command.args(self.rest).current_dir(&self.tests);
        command
            .env("CONTRACT_URL", url)
            .env("CONTRACT_PASSWORD", PASSWORD)
            .env("CONTRACT_SCENARIOS", (cases * SCENARIOS_PER_CASE).to_string())
            .env("CONTRACT_KEY", key.unwrap_or_default());
        packages::succeed(&mut command, TESTER)
    }
}
