//! Checks skipped because a program is missing: they are listed, and an error if `CI=true`.

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

/// Tests append one line each to the file named by this variable; see `tests/not-run`.
const REPORT_FILE: &str = "TESTS_NOT_RUN_FILE";
/// Prefix of a test's line.
const PREFIX: &str = "not run: ";

/// What was not run, one line each: the name, and what is missing.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct NotRun(Vec<String>);

impl NotRun {
    pub(crate) fn add(&mut self, what: &str, missing: &str) {
        self.0.push(format!("{what}: {missing}"));
    }

    fn add_reported(&mut self, report: &str) {
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

/// The file to which tests report, removed on drop.
pub(crate) struct ReportFile(NamedTempFile);

impl ReportFile {
    pub(crate) fn create() -> Result<Self> {
        NamedTempFile::new().map(Self).context("cannot create a temporary file for the list of tests that were not run")
    }

    /// The environment variable for the tests.
    pub(crate) fn variable(&self) -> (&'static str, &std::path::Path) {
        (REPORT_FILE, self.0.path())
    }

    pub(crate) fn add_to(&self, not_run: &mut NotRun) -> Result<()> {
        let report = std::fs::read_to_string(self.0.path()).context("cannot read which tests were not run")?;
        not_run.add_reported(&report);
        Ok(())
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
    fn what_tests_wrote_is_read_back() {
        let file = ReportFile::create().unwrap();
        std::fs::write(file.variable().1, "not run: one: a\nnot run: two: b\n").unwrap();
        let mut not_run = NotRun::default();
        file.add_to(&mut not_run).unwrap();
        assert_eq!(not_run, NotRun(vec!["one: a".to_owned(), "two: b".to_owned()]));
    }
}
