//! The environment in which pages run: programs, SDKs, a service and a workspace.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use tempfile::TempDir;
use test_support::program::{PASSWORD, Service, data_folder, free_address};

use super::session::Session;
use crate::clients::packages;
use crate::clients::service;
use crate::sdks::typescript_package;
use crate::{cargo, prepare};

/// Addresses on pages: of the service, of its probes, and of a deployed service.
const ADDRESS: &str = "127.0.0.1:8080";
const ADMIN_ADDRESS: &str = "127.0.0.1:9464";
const PUBLIC_URL: &str = "https://service.example.com";

/// The webhook receivers of pages are on this machine, and each page has the only workspace of its service.
const SETTINGS: &[(&str, &str)] = &[
    ("SERVICE_DEMO", "false"),
    ("SERVICE_WEBHOOK_ALLOW_HTTP", "true"),
    ("SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS", "true"),
];
const SLUG: &str = "acme";
const OWNER: &str = "ada@acme.example";

/// Shared by all pages.
pub(super) struct Stage {
    root: PathBuf,
    /// Folder of the built programs.
    programs: PathBuf,
    /// Folder for Rust programs.
    cargo_target: PathBuf,
    python: PathBuf,
    /// `node_modules` with the TypeScript SDK, as users install it.
    node_modules: PathBuf,
    compiler: PathBuf,
}

impl Stage {
    /// Uses these programs, or builds them.
    pub(super) fn build(root: &Path, target: &Path, programs: Option<&Path>) -> Result<Self> {
        prepare::prepare()?;
        if programs.is_none() {
            cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
        }
        let python = packages::venv("docs", &root.join("tests/docs/requirements.txt"), "httpx", &[])?;
        let folder = target.join("docs-test");
        let user = folder.join("user");
        let compiler = typescript_package(root, &folder, &user)?.join("typescript/bin/tsc");
        Ok(Self {
            root: root.to_owned(),
            programs: programs.map_or_else(|| target.join("debug"), Path::to_owned),
            // Shares the build output of the SDK's tests.
            cargo_target: target.join("sdks-rust"),
            python,
            node_modules: user.join("node_modules"),
            compiler,
        })
    }

    /// Starts a service for one page.
    pub(super) fn scene(&self) -> Result<Scene> {
        let (data, page, scratch) = (data_folder()?, data_folder()?, data_folder()?);
        let admin = free_address()?.to_string();
        let mut settings = SETTINGS.to_vec();
        settings.push(("SERVICE_ADMIN_BIND", &admin));
        let service = service::start(&self.programs.join("workspace-service"), data.path(), &settings)?;
        symlink(&self.node_modules, page.path().join("node_modules"))?;
        fs::write(page.path().join("package.json"), "{\"type\": \"module\"}")?;
        let mut scene = Scene { service, data, page, scratch, admin, environment: Vec::new(), programs: 0 };
        scene.set_up(self)?;
        Ok(scene)
    }

    /// The command that compiles a file of a page.
    pub(super) fn compilation(&self, file: &str) -> String {
        let compiler = self.compiler.display();
        format!("node '{compiler}' --strict --target es2023 --module nodenext --types node {file}")
    }

    /// The manifest of a Rust program.
    pub(super) fn manifest(&self) -> String {
        let sdk = self.root.join("sdks/rust");
        let sdk = sdk.display();
        format!(
            "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             workspace-service-sdk = {{ path = \"{sdk}\" }}\ntokio = {{ version = \"1\", features = [\"full\"] }}\n\
             futures-util = \"0.3\"\nserde_json = \"1\"\nanyhow = \"1\"\n"
        )
    }

    /// The lock file that pins the dependencies of Rust programs.
    pub(super) fn rust_lock(&self) -> PathBuf {
        self.root.join("sdks/rust/Cargo.lock")
    }

    fn path(&self) -> Result<String> {
        let mut folders = vec![self.programs.clone()];
        folders.extend(self.python.parent().map(Path::to_owned));
        folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        env::join_paths(folders)?.into_string().ok().context("PATH is not UTF-8")
    }
}

/// The service, workspace and folder of a page.
pub(super) struct Scene {
    service: Service,
    data: TempDir,
    page: TempDir,
    scratch: TempDir,
    admin: String,
    environment: Vec<(&'static str, String)>,
    programs: usize,
}

impl Scene {
    fn set_up(&mut self, stage: &Stage) -> Result<()> {
        let service = &self.service;
        service.program.operate(&["workspace", "create", "--name", "Acme", "--slug", SLUG], "")?;
        service.program.create_user(SLUG, OWNER, "owner", &["--operator"])?;
        let key = service.program.create_key(SLUG)?;
        let url = service.url();
        let token = service::sign_in(service, SLUG, OWNER, PASSWORD)?;
        self.environment = vec![
            ("URL", url.clone()),
            ("API", format!("{url}/api/v1")),
            ("MCP", format!("{url}/api/mcp")),
            ("KEY", key.clone()),
            ("TOKEN", token),
            ("SERVICE_API_URL", url.clone()),
            ("SERVICE_API_KEY", key.clone()),
            ("SERVICE_MCP_API_URL", url),
            ("SERVICE_MCP_API_KEY", key),
            ("SERVICE_DATA_DIR", self.data.path().display().to_string()),
            ("PATH", stage.path()?),
            ("PYTHONPATH", stage.root.join("sdks/python/src").display().to_string()),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
            ("CARGO_TARGET_DIR", stage.cargo_target.display().to_string()),
        ];
        Ok(())
    }

    pub(super) fn session(&self) -> Result<Session> {
        Session::start(self.page.path(), self.scratch.path(), &self.environment)
    }

    /// The folder in which the page's commands run.
    pub(super) fn page(&self) -> &Path {
        self.page.path()
    }

    /// The name of the next unnamed program.
    pub(super) fn next_program(&mut self) -> String {
        self.programs += 1;
        format!("program-{}", self.programs)
    }

    /// Replaces the addresses of pages by those of this run.
    pub(super) fn real(&self, text: &str) -> String {
        let text = text.replace(PUBLIC_URL, &self.service.url());
        text.replace(ADDRESS, &self.service.address.to_string()).replace(ADMIN_ADDRESS, &self.admin)
    }

    /// Replaces the addresses of this run by those of pages.
    pub(super) fn as_on_pages(&self, text: &str) -> String {
        let text = text.replace(PUBLIC_URL, &format!("http://{ADDRESS}"));
        text.replace(&self.service.address.to_string(), ADDRESS).replace(&self.admin, ADMIN_ADDRESS)
    }
}
