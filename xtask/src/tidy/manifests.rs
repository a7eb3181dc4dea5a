//! Every dependency is inherited from the workspace table, which gives its version and reason. No production build has the
//! test feature, which can forge callers and operators.

use toml::{Table, Value};

const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The feature of test helpers, and the directories that may use it outside of `dev-dependencies`.
const FOR_TESTS: &str = "testing";
const TEST_CRATES: [&str; 2] = ["crates/storage-contract/", "tests/"];

/// Violations of one crate's manifest.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return vec![format!("{path}: {error}")],
    };
    let mut violations: Vec<String> = sections(&manifest)
        .into_iter()
        .flatten()
        .filter(|(_, value)| !inherits(value))
        .map(|(name, _)| format!("{path}: {name} must be inherited (workspace = true)"))
        .collect();
    if !TEST_CRATES.iter().any(|folder| path.starts_with(folder)) {
        violations.extend(
            with_test_aids(&manifest).map(|name| {
                format!("{path}: {name} must not have the feature {FOR_TESTS}, except in dev-dependencies")
            }),
        );
    }
    if !manifest.get("lints").is_some_and(inherits) {
        violations.push(format!("{path}: the lints must be inherited ([lints] workspace = true)"));
    }
    violations
}

/// Dependencies of the crate itself with the test feature, including through its default features.
fn with_test_aids(manifest: &Table) -> impl Iterator<Item = &str> {
    let names_it = |value: &Value, member: &str| {
        let features = value.get(member).and_then(Value::as_array);
        features.into_iter().flatten().any(|feature| {
            feature.as_str().is_some_and(|feature| feature == FOR_TESTS || feature.ends_with("/testing"))
        })
    };
    let needed = manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten();
    let needed = needed.filter(move |(_, value)| names_it(value, "features")).map(|(name, _)| name.as_str());
    let by_default = manifest.get("features").filter(move |features| names_it(features, "default"));
    needed.chain(by_default.map(|_| "default"))
}

fn sections(manifest: &Table) -> Vec<&Table> {
    let targets = manifest
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(|targets| targets.values().filter_map(Value::as_table));
    std::iter::once(manifest)
        .chain(targets)
        .flat_map(|table| SECTIONS.iter().filter_map(|section| table.get(*section)))
        .filter_map(Value::as_table)
        .collect()
}

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINTS: &str = "[lints]\nworkspace = true\n";

    #[test]
    fn inherited_dependencies_pass() {
        let text = "[dependencies]\nlog.workspace = true\nserde = { workspace = true, features = [\"rc\"] }\n";
        assert_eq!(check("Cargo.toml", &format!("{text}{LINTS}")), [""; 0]);
    }

    #[test]
    fn own_versions_and_paths_fail_in_every_section() {
        for section in ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            for value in ["\"1\"", "{ path = \"../log\" }", "{ version = \"1\" }"] {
                let text = format!("[{section}]\nlog = {value}\n{LINTS}");
                let expected = "c/Cargo.toml: log must be inherited (workspace = true)";
                assert_eq!(check("c/Cargo.toml", &text), [expected], "{text}");
            }
        }
    }

    #[test]
    fn test_helpers_are_only_for_tests() {
        let domain = "domain = { workspace = true, features = [\"testing\"] }\n";
        let expected = |name| {
            format!("crates/server/Cargo.toml: {name} must not have the feature testing, except in dev-dependencies")
        };
        for (section, path, violations) in [
            ("dependencies", "crates/server/Cargo.toml", vec![expected("domain")]),
            ("dev-dependencies", "crates/server/Cargo.toml", vec![]),
            ("dependencies", "crates/storage-contract/Cargo.toml", vec![]),
            ("dependencies", "tests/support/Cargo.toml", vec![]),
        ] {
            assert_eq!(check(path, &format!("[{section}]\n{domain}{LINTS}")), violations, "{section} of {path}");
        }
        for (feature, violations) in [("default", vec![expected("default")]), ("testing", vec![])] {
            let text = format!("[features]\n{feature} = [\"domain/testing\"]\n{LINTS}");
            assert_eq!(check("crates/server/Cargo.toml", &text), violations, "{feature}");
        }
    }

    #[test]
    fn own_lints_fail() {
        let violations = check("c/Cargo.toml", "[lints.rust]\nunsafe_code = \"warn\"\n");
        assert_eq!(violations, ["c/Cargo.toml: the lints must be inherited ([lints] workspace = true)"]);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_fails() {
        assert_eq!(check("c/Cargo.toml", "[dependencies").len(), 1);
    }
}
