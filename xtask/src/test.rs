//! `cargo xtask test`

use std::ffi::OsString;
use std::thread;

use anyhow::{Context, Result, ensure};
use cargo_metadata::{Metadata, MetadataCommand};
use clap::Args;
use rustix::fs::{StatVfsMountFlags, statvfs};

use crate::not_run::{NotRun, is_ci, report_file};
use crate::test_program::{slowest, time_them};
use crate::{cargo, prepare};

/// Packages that need Postgres.
const WITH_POSTGRES: [&str; 2] = ["embedded-postgres", "server"];
/// Packages that use this one need Postgres too, and so do those that use one of the pairs below: a package and its feature.
const TEST_DATABASES: &str = "test-databases";
const WITH_DATABASES: [(&str, &str); 2] = [("http-core", "testing"), ("test-support", "app")];

/// Number of tests that run concurrently. Tests wait half of the time, so twice as many as cores finish a sixth sooner.
const THREADS: &str = "RUST_TEST_THREADS";

const IN_MEMORY: &str = "/dev/shm";
/// The tests need about one gigabyte at the same time.
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
        let mut own = vec!["test".to_owned(), "--workspace".to_owned()];
        if let Err(error) = prepare::prepare() {
            // With an explicit PG_BIN_DIR there is no fallback.
            if is_ci() || std::env::var_os("PG_BIN_DIR").is_some() {
                return Err(error);
            }
            eprintln!("xtask: {error:#}");
            let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
            for package in packages_with_postgres(&metadata) {
                not_run.add(&format!("all tests of {package}"), "Postgres 14 or newer; install the package postgresql");
                own.extend(["--exclude".to_owned(), package]);
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
        let times = time_them(&mut command)?;
        let status = command.args(&own).args(&self.arguments).status().context("cannot run cargo")?;
        print!("{}", slowest(&times.read()?));
        not_run.add_reported(&report.read()?);
        let complete = not_run.conclude();
        ensure!(status.success(), "cargo test failed: {status}");
        complete
    }
}

/// A folder for temporary files in memory, if there is enough room for the tests. Each of a thousand tests copies a database of
/// 700 files, which takes four times as long on disk.
pub(crate) fn folder_in_memory() -> Option<&'static str> {
    let has_room = || {
        let found = statvfs(IN_MEMORY).ok()?;
        let is_usable = !found.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY);
        Some(is_usable && found.f_bavail.saturating_mul(found.f_frsize) >= MIN_FREE_BYTES)
    };
    (std::env::var_os("TMPDIR").is_none() && has_room() == Some(true)).then_some(IN_MEMORY)
}

fn packages_with_postgres(metadata: &Metadata) -> Vec<String> {
    let needs_it = |package: &&cargo_metadata::Package| {
        WITH_POSTGRES.contains(&package.name.as_str())
            || package.dependencies.iter().any(|dependency| {
                let has = |(name, feature): &(&str, &str)| {
                    dependency.name == *name && dependency.features.iter().any(|own| own == feature)
                };
                dependency.name == TEST_DATABASES || WITH_DATABASES.iter().any(has)
            })
    };
    metadata.packages.iter().filter(needs_it).map(|package| package.name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_postgres_the_others_are_tested() {
        let metadata = MetadataCommand::new().no_deps().exec().unwrap();
        let mut packages = packages_with_postgres(&metadata);
        packages.sort();
        let of_surfaces = ["console", "http-actix", "http-core", "mcp-http"];
        let of_rules = ["csv-files", "domain", "email"];
        let others =
            ["browser", "dispatcher", "embedded-postgres", "fuzz", "it", "server", "storage-diesel", "test-support"];
        let mut expected = [&of_surfaces[..], &of_rules, &others].concat();
        expected.sort_unstable();
        assert_eq!(packages, expected);
    }
}
