//! `cargo xtask citus`: the service over a Citus cluster on this machine.
//!
//! Citus is AGPL-3.0. It is built from an archive that the caller provides, and used as a separate server, not as a part of the product.

mod build;
mod counters;
mod drive;
mod faults;
mod http;
mod locks;
mod nodes;
mod order;
mod schemas;
mod smoke;
mod steps;
mod suites;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use test_support::program::{Program, data_folder, data_folder_in};

use crate::cargo;
use crate::test::folder_in_memory;
use build::Build;
use nodes::Nodes;

/// The variable that names the archive.
const SOURCE: &str = "CITUS_SOURCE";

#[derive(Args)]
pub(crate) struct Citus {
    /// Do not run the tests of the store
    #[arg(long)]
    without_suites: bool,
    /// Also run the tests over HTTP (`tests/it`), which takes long; a name selects some
    #[arg(long, value_name = "FILTER", num_args = 0..=1, default_missing_value = "")]
    it: Option<String>,
}

impl Citus {
    pub(crate) fn run(&self) -> Result<()> {
        let Some(source) = std::env::var_os(SOURCE).map(PathBuf::from) else {
            println!("not run: the Citus cluster: {SOURCE} names no archive of Citus {}", build::VERSION);
            return Ok(());
        };
        build::ensure_genuine(&source)?;
        let paths = cargo::Paths::find()?;
        let programs = Build { source: &source, folder: paths.target.join("citus") }.programs()?;
        cargo::run_cargo(cargo::BUILD_PROGRAMS)?;
        let service = paths.debug("workspace-service");
        let data = match folder_in_memory() {
            Some(memory) => data_folder_in(Path::new(memory))?,
            None => data_folder()?,
        };
        let mut nodes = Nodes::start(&programs, data.path())?;
        let tables = distribute(&service, data.path(), &nodes.url(nodes::COORDINATOR))?;
        ensure!(tables > 50, "distribute did not distribute all tables, but {tables}");
        schemas::run(&service, data.path(), &nodes)?;
        smoke::run(&service, data.path(), &nodes)?;
        counters::run(&service, data.path(), &nodes)?;
        locks::run(&service, data.path(), &mut nodes)?;
        faults::run(&service, data.path(), &mut nodes)?;
        suites::prepare(&nodes)?;
        order::run(&nodes)?;
        if !self.without_suites {
            suites::store(&nodes)?;
        }
        if let Some(filter) = &self.it {
            suites::over_http(&nodes, filter)?;
        }
        println!("citus: all good");
        Ok(())
    }
}

/// Migrates, and distributes twice: the second time must be a no-op. Returns the number of tables.
fn distribute(service: &Path, folder: &Path, url: &str) -> Result<usize> {
    let program = Program::new(service, folder).with("DATABASE_URL", url);
    program.output(&["migrate"], "")?;
    let first = program.operate(&["distribute"], "")?;
    let again = program.operate(&["distribute"], "")?;
    ensure!(again["distributed"] == serde_json::json!([]), "a second distribute found something to do: {again}");
    let tables = first["distributed"].as_array().map_or(0, Vec::len);
    println!("citus: {tables} tables were distributed, with {} foreign keys", first["foreign_keys"]);
    Ok(tables)
}

#[expect(clippy::disallowed_methods, reason = "a while of load, or polls a process, with a bound")]
fn pause(length: Duration) {
    thread::sleep(length);
}
