//! The one table of tools.

use std::sync::LazyLock;

use domain::tools::Tool;

use crate::tool::Entry;
use crate::tools;

/// Every tool, in the order of the domain's table.
pub(crate) static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = tools::all();
    entries.sort_by_key(|entry| entry.tool);
    entries
});

/// The entry of a tool.
pub(crate) fn entry(tool: Tool) -> &'static Entry {
    // One for each tool, in their order, as a test proves.
    &CATALOGUE[tool as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_entry_at_its_own_place() {
        let listed: Vec<_> = CATALOGUE.iter().map(|entry| entry.tool).collect();
        assert_eq!(listed, Tool::ALL);
        assert!(Tool::ALL.iter().all(|tool| entry(*tool).tool == *tool));
    }
}
