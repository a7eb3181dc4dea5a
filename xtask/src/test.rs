//! `cargo xtask test`

use std::ffi::OsString;
use std::thread;

use anyhow::{Context, Result, ensure};
use cargo_metadata::{Dependency, Metadata, MetadataCommand, Package};
use clap::Args;
use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::not_run::{NotRun, is_ci, report_file};
use crate::test_program::{record_times, slowest};
use crate::{cargo, prepare};

/// Packages whose tests need Postgres.
const POSTGRES_PACKAGES: [&str; 2] = ["embedded-postgres", "server"];
/// The tests of packages that depend on this one also need Postgres.
const TEST_DATABASES: &str = "test-databases";
/// The same is true of packages that depend on one of these, with the feature next to it.
const DATABASE_FEATURES: [(&str, &str); 2] = [("http-core", "testing"), ("test-support", "app")];

/// Variable with the number of tests that run concurrently. Tests spend half of their time waiting: with two per core, a run takes a
/// sixth less time than with one.
const THREADS: &str = "RUST_TEST_THREADS";

const MEMORY_FOLDER: &str = "/dev/shm";
/// The tests use up to about 1 GiB; the rest is a margin.
const MIN_FREE_BYTES: u64 = 4 << 30;

#[derive(Args)]
pub(crate) struct Test {
    /// Arguments for `cargo test`, e.g. `-p domain webhooks`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn run(&self) -> Result<()> {
        let mut not_run = NotRun::default();
        let mut base_arguments = vec!["test".to_owned(), "--workspace".to_owned()];
        if let Err(error) = prepare::prepare() {
            // With an explicit PG_BIN_DIR there is no fallback.
            if is_ci() || std::env::var_os("PG_BIN_DIR").is_some() {
                return Err(error);
            }
            eprintln!("xtask: {error:#}");
            let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
            for package in packages_with_postgres(&metadata) {
                not_run.add(&format!("all tests of {package}"), "Postgres 14 or newer; install the package postgresql");
                base_arguments.extend(["--exclude".to_owned(), package]);
            }
        }
        let mut command = cargo::command();
        let report = report_file()?;
        report.set_for(&mut command);
        if let Some(folder) = folder_in_memory() {
            command.env("TMPDIR", folder);
        }
        if std::env::var_os(THREADS).is_none() {
            command.env(THREADS, (2 * thread::available_parallelism().map_or(1, usize::from)).to_string());
        }
        let times = record_times(&mut command)?;
        let status = command.args(&base_arguments).args(&self.arguments).status().context("cannot run cargo")?;
        print!("{}", slowest(&times.read()?));
        not_run.add_reported(&report.read()?);
        let all_run = not_run.conclude();
        ensure!(status.success(), "cargo test failed: {status}");
        all_run
    }
}

/// A memory-backed folder for temporary files, if it has enough free space. Each of a thousand tests copies a database of 700 files,
/// which takes four times as long on disk.
pub(crate) fn folder_in_memory() -> Option<&'static str> {
    let has_room = || {
        let stats = statvfs(MEMORY_FOLDER).ok()?;
        let is_usable = !stats.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY);
        Some(is_usable && stats.f_bavail.saturating_mul(stats.f_frsize) >= MIN_FREE_BYTES)
    };
    (std::env::var_os("TMPDIR").is_none() && has_room() == Some(true)).then_some(MEMORY_FOLDER)
}

fn packages_with_postgres(metadata: &Metadata) -> Vec<String> {
    let has_database = |dependency: &Dependency| {
        let has = |(name, feature): &(&str, &str)| {
            dependency.name == *name && dependency.features.iter().any(|own| own == feature)
        };
        dependency.name == TEST_DATABASES || DATABASE_FEATURES.iter().any(has)
    };
    let needs_postgres = |package: &&Package| {
        POSTGRES_PACKAGES.contains(&package.name.as_str()) || package.dependencies.iter().any(has_database)
    };
    metadata.packages.iter().filter(needs_postgres).map(|package| package.name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_whose_tests_need_postgres_are_found() {
        let metadata = MetadataCommand::new().no_deps().exec().unwrap();
        let mut packages = packages_with_postgres(&metadata);
        packages.sort();
        let expected = "browser console csv-files dispatcher domain email embedded-postgres fuzz http-actix http-core it mcp-http \
                        server storage-diesel test-support";
        assert_eq!(packages.join(" "), expected);
    }
}
