//! Tests that need a program that is missing on this machine. They are reported as not run, and fail if `CI=true`.
//!
//! A test that returns early counts as passed, so the line bypasses the harness's capture of standard error, and
//! is appended to the file that `cargo xtask test` summarizes.
#![expect(clippy::unwrap_used, reason = "helper of tests, where a panic is the report")]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Names the file that `cargo xtask test` reads.
const REPORT_FILE: &str = "TESTS_NOT_RUN_FILE";

/// Reports the calling test as not run. Call it on the test's own thread, which has its name.
///
/// # Panics
///
/// With `CI=true` in the environment.
pub fn report(missing: &str) {
    let thread = std::thread::current();
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let line = line(&package, thread.name().unwrap_or("a test"), missing);
    assert!(!fails(std::env::var("CI").ok().as_deref()), "{line}");
    // Not `eprintln!`, which the harness captures and drops for a test that passes.
    let _ = writeln!(std::io::stderr(), "{line}");
    if let Some(path) = std::env::var_os(REPORT_FILE) {
        append(Path::new(&path), &line);
    }
}

fn line(package: &str, test: &str, missing: &str) -> String {
    format!("not run: {}: {missing}", format!("{package} {test}").trim())
}

fn fails(ci: Option<&str>) -> bool {
    ci == Some("true")
}

/// Writes the line in one call, so that lines of concurrent tests do not mix.
fn append(path: &Path, line: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_test_and_program() {
        assert_eq!(
            line("limiter", "suite::in_redis", "redis-server"),
            "not run: limiter suite::in_redis: redis-server"
        );
        assert_eq!(line("", "in_redis", "redis-server"), "not run: in_redis: redis-server");
    }

    #[test]
    fn only_ci_requires_every_program() {
        assert_eq!([Some("true"), Some("false"), Some(""), None].map(fails), [true, false, false, false]);
    }

    #[test]
    fn lines_are_added_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("not-run");
        append(&path, "one");
        append(&path, "two");
        assert_eq!(std::fs::read_to_string(path).unwrap(), "one\ntwo\n");
    }
}
