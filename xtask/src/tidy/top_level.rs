//! The allowed entries at the top level of the repository.

const FILES: [&str; 12] = [
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "deny.toml",
    "rustfmt.toml",
    "workspace-service.toml",
];

const FOLDERS: [&str; 14] = [
    ".cargo",
    ".ci",
    ".git",
    "crates",
    "data",
    "docs",
    "examples",
    "migrations",
    "ops",
    "packaging",
    "sdks",
    "target",
    "tests",
    "xtask",
];

/// Required entries.
const NEEDED: [&str; 9] =
    ["Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "crates", "docs", "migrations", "tests", "xtask"];

/// Violations, for the names of all entries.
pub(super) fn check(entries: &[String]) -> Vec<String> {
    let is_known = |name: &str| FILES.contains(&name) || FOLDERS.contains(&name);
    let unknown = entries
        .iter()
        .filter(|name| !is_known(name))
        .map(|name| format!("{name}: not in the table of xtask/src/tidy/top_level.rs"));
    let missing = NEEDED
        .iter()
        .filter(|needed| !entries.iter().any(|name| name == *needed))
        .map(|needed| format!("{needed}: missing at the top level"));
    unknown.chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_required_entries_are_enough() {
        assert_eq!(check(&names(&NEEDED)), [""; 0]);
    }

    #[test]
    fn missing_and_unknown_entries_are_named() {
        let entries: Vec<&str> = NEEDED.iter().copied().filter(|name| *name != "migrations").chain(["notes"]).collect();
        let expected =
            ["notes: not in the table of xtask/src/tidy/top_level.rs", "migrations: missing at the top level"];
        assert_eq!(check(&names(&entries)), expected);
    }
}
