//! Checks that are skipped because a program is missing. They are listed, and are an error if `CI=true`.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

/// Tests append one line each to the file named by this variable; see `tests/not-run`.
const REPORT_FILE: &str = "TESTS_NOT_RUN_FILE";
/// Prefix of a test's line.
const PREFIX: &str = "not run: ";

/// Skipped checks, one line each: the name, and what is missing.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct NotRun(Vec<String>);

impl NotRun {
    pub(crate) fn add(&mut self, what: &str, missing: &str) {
        self.0.push(format!("{what}: {missing}"));
    }

    /// Whether a check can run. If something is missing for it, adds it to the list.
    pub(crate) fn can_run(&mut self, what: &str, missing: Option<&str>) -> bool {
        if let Some(missing) = missing {
            self.add(what, missing);
        }
        missing.is_none()
    }

    pub(crate) fn add_reported(&mut self, report: &str) {
        self.0.extend(report.lines().map(|line| line.strip_prefix(PREFIX).unwrap_or(line).to_owned()));
    }

    /// Prints the list.
    ///
    /// # Errors
    ///
    /// If `CI=true` and the list is not empty.
    pub(crate) fn conclude(mut self) -> Result<()> {
        self.0.sort();
        print!("{}", self.summary());
        ensure!(self.0.is_empty() || !is_ci(), "with CI=true, every check must run");
        Ok(())
    }

    fn summary(&self) -> String {
        let head = format!("not run: {}", self.0.len());
        let lines = std::iter::once(head).chain(self.0.iter().map(|line| format!("  {line}")));
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }
}

/// Whether a missing program is a failure.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// The file in which tests report that they were skipped.
pub(crate) fn report_file() -> Result<ReportFile> {
    ReportFile::create(REPORT_FILE)
}

/// A file to which test programs append lines, removed on drop.
pub(crate) struct ReportFile {
    variable: &'static str,
    file: NamedTempFile,
}

impl ReportFile {
    /// `variable` passes the path to the programs.
    pub(crate) fn create(variable: &'static str) -> Result<Self> {
        let file = NamedTempFile::new().context("cannot create a temporary file for the reports of tests")?;
        Ok(Self { variable, file })
    }

    pub(crate) fn set_for(&self, command: &mut Command) {
        command.env(self.variable, self.file.path());
    }

    pub(crate) fn read(&self) -> Result<String> {
        std::fs::read_to_string(self.file.path()).context("cannot read the reports of tests")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_and_names() {
        let mut not_run = NotRun::default();
        assert_eq!(not_run.summary(), "not run: 0\n");
        not_run.add("the Python client", "python3");
        not_run.add_reported("not run: limiter suite::in_redis: redis-server\n");
        let expected = "not run: 2\n  the Python client: python3\n  limiter suite::in_redis: redis-server\n";
        assert_eq!(not_run.summary(), expected);
    }

    #[test]
    fn reported_lines_are_read_back() {
        let report = report_file().unwrap();
        std::fs::write(report.file.path(), "not run: one: a\nnot run: two: b\n").unwrap();
        let mut not_run = NotRun::default();
        not_run.add_reported(&report.read().unwrap());
        assert_eq!(not_run, NotRun(vec!["one: a".to_owned(), "two: b".to_owned()]));
    }
}
