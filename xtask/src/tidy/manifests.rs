//! Every dependency comes from the workspace's table, where its version and the reason for it stand once.

use toml::{Table, Value};

const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

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
    if !manifest.get("lints").is_some_and(inherits) {
        violations.push(format!("{path}: the lints must be inherited ([lints] workspace = true)"));
    }
    violations
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
    fn versions_and_paths_of_its_own_fail_in_every_section() {
        for section in ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            for value in ["\"1\"", "{ path = \"../log\" }", "{ version = \"1\" }"] {
                let text = format!("[{section}]\nlog = {value}\n{LINTS}");
                let expected = "c/Cargo.toml: log must be inherited (workspace = true)";
                assert_eq!(check("c/Cargo.toml", &text), [expected], "{text}");
            }
        }
    }

    #[test]
    fn lints_of_its_own_fail() {
        let found = check("c/Cargo.toml", "[lints.rust]\nunsafe_code = \"warn\"\n");
        assert_eq!(found, ["c/Cargo.toml: the lints must be inherited ([lints] workspace = true)"]);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_fails() {
        assert_eq!(check("c/Cargo.toml", "[dependencies").len(), 1);
    }
}
