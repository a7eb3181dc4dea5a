//! Rules for Rust files.

use std::path::Path;

const MAX_LINES: usize = 400;

/// Crates whose examples in comments are compiled and run. Doing so for all crates would take a minute.
const WITH_EXAMPLES: [&str; 2] = ["crates/domain/", "crates/embedded-postgres/"];

/// Crates with `test = false` in the manifest: they have no unit tests, so they are not compiled a second time.
const WITHOUT_TESTS: [&str; 5] = [
    "crates/assets/src/",
    "crates/dispatcher/src/main.rs",
    "crates/server/src/main.rs",
    "crates/service-mcp/src/main.rs",
    "tests/fuzz/src/main.rs",
];

const UNIT_TEST: &str =
    "no unit test of this target is run: remove `test = false` from its manifest, and its path from WITHOUT_TESTS";
const EXAMPLE: &str = "no example in a comment of this crate is run: remove `doctest = false` from its manifest, and add it to \
                       WITH_EXAMPLES";

/// Split, so that this file does not violate its own rule.
const FORBIDDEN: [&str; 2] = [concat!("#[", "allow("), concat!("#![", "allow(")];

/// Violations of one Rust file; `path` is relative to the repository.
pub(super) fn check(path: &Path, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES && !may_be_long(path) {
        violations.push(format!("{}: {lines} lines, {MAX_LINES} at most", path.display()));
    }
    let mut report = |line: usize, problem: &str| violations.push(format!("{}:{line}: {problem}", path.display()));
    let has_no_tests = WITHOUT_TESTS.iter().any(|start| path.starts_with(start));
    for (line, code) in (1..).zip(text.lines().map(str::trim_start)) {
        if FORBIDDEN.iter().any(|start| code.starts_with(start)) {
            report(line, "expect a lint with a reason, or fix it, instead of allowing it");
        }
        if has_no_tests && code.starts_with("#[") && code.ends_with("test]") {
            report(line, UNIT_TEST);
        }
    }
    if !WITH_EXAMPLES.iter().any(|start| path.starts_with(start)) {
        for line in examples(text) {
            report(line, EXAMPLE);
        }
    }
    violations
}

/// The lines with comment examples that would be compiled.
fn examples(text: &str) -> impl Iterator<Item = usize> {
    let mut is_open = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let comment = line.trim_start();
        let comment = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!"))?;
        let language = comment.trim_start().strip_prefix("```")?;
        is_open = !is_open;
        (is_open && ["", "rust", "no_run", "should_panic"].contains(&language.trim())).then_some(number + 1)
    })
}

/// Tests may be long lists of cases, and diesel generates `schema.rs`.
fn may_be_long(path: &Path) -> bool {
    let in_tests = path.components().any(|part| part.as_os_str() == "tests");
    let name = path.file_name();
    in_tests || name.is_some_and(|name| name == "tests.rs" || name == "schema.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_fails_outside_tests() {
        let text = "fn f() {}\n".repeat(MAX_LINES + 1);
        let violations = check(Path::new("crates/domain/src/deals.rs"), &text);
        assert_eq!(violations, ["crates/domain/src/deals.rs: 401 lines, 400 at most"]);
        for exempt in [
            "tests/it/src/deals.rs",
            "crates/domain/src/deals/tests.rs",
            "crates/domain/tests/deals.rs",
            "crates/storage-diesel/src/schema.rs",
        ] {
            assert_eq!(check(Path::new(exempt), &text), [""; 0], "{exempt}");
        }
        let just = "fn f() {}\n".repeat(MAX_LINES);
        assert_eq!(check(Path::new("crates/domain/src/deals.rs"), &just), [""; 0]);
    }

    #[test]
    fn an_allowed_lint_fails_everywhere() {
        for start in FORBIDDEN {
            let text = format!("//! Doc.\n    {start}dead_code)]\n");
            let violations = check(Path::new("tests/it/src/a.rs"), &text);
            assert_eq!(violations.len(), 1, "{text}");
            assert!(violations[0].starts_with("tests/it/src/a.rs:2: "), "{violations:?}");
        }
    }

    #[test]
    fn examples_are_only_where_they_are_run() {
        let example = "//! Doc.\n/// ```\n/// f();\n/// ```\n/// ```text\n/// a\n/// ```\n";
        assert_eq!(check(Path::new("crates/domain/src/lib.rs"), example), [""; 0]);
        let violations = check(Path::new("crates/email/src/lib.rs"), example);
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert!(violations[0].starts_with("crates/email/src/lib.rs:2: "), "{violations:?}");
    }

    #[test]
    fn unit_tests_are_only_where_they_are_run() {
        let text = "fn f() {}\n#[tokio::test]\nasync fn t() {}\n    #[test]\n    fn t() {}\n";
        assert_eq!(check(Path::new("crates/server/src/cli.rs"), text), [""; 0]);
        for path in ["crates/server/src/main.rs", "tests/fuzz/src/main.rs"] {
            let violations = check(Path::new(path), text);
            assert_eq!(violations.len(), 2, "{violations:?}");
            assert!(violations[0].starts_with(&format!("{path}:2: ")), "{violations:?}");
        }
    }

    #[test]
    fn an_expected_lint_and_a_comment_pass() {
        let text = format!("// Not {}x)]\n#[expect(dead_code, reason = \"r\")]\n", FORBIDDEN[0]);
        assert_eq!(check(Path::new("crates/a/src/lib.rs"), &text), [""; 0]);
    }
}
