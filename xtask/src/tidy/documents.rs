//! Migrations have both files, and every decision is linked from the index.

/// A migration folder without one of its two files.
pub(super) fn migration(folder: &str, files: &[String]) -> Vec<String> {
    ["up.sql", "down.sql"]
        .into_iter()
        .filter(|needed| !files.iter().any(|file| file == needed))
        .map(|missing| format!("{folder}: {missing} is missing"))
        .collect()
}

/// Decisions that the index does not link to.
pub(super) fn decisions(index: &str, files: &[String]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.as_str() != "README.md" && file.to_lowercase().ends_with(".md"))
        .filter(|file| !links_to(index, file))
        .map(|file| format!("docs/adr/README.md: no link to {file}"))
        .collect()
}

fn links_to(index: &str, file: &str) -> bool {
    [format!("({file})"), format!("(./{file})"), format!("]: {file}")].iter().any(|link| index.contains(link))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_migration_needs_both_files() {
        assert_eq!(migration("m", &names(&["up.sql", "down.sql"])), [""; 0]);
        assert_eq!(migration("m", &names(&["up.sql"])), ["m: down.sql is missing"]);
        assert_eq!(migration("m", &names(&["down.sql"])), ["m: up.sql is missing"]);
        assert_eq!(migration("m", &[]).len(), 2);
    }

    #[test]
    fn a_decision_needs_a_link() {
        let files = names(&["README.md", "0001-storage.md", "0002-keys.md"]);
        let index = "- [Storage](0001-storage.md)\n- 0002-keys.md";
        assert_eq!(decisions(index, &files), ["docs/adr/README.md: no link to 0002-keys.md"]);
    }
}
