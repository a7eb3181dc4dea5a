//! The table of tools.

use std::sync::LazyLock;

use domain::tools::Tool;

use crate::tool::Entry;
use crate::tools;

/// All tools, in the order of [`Tool::ALL`].
pub(crate) static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = tools::all();
    entries.sort_by_key(|entry| entry.tool);
    entries
});

pub(crate) fn entry(tool: Tool) -> &'static Entry {
    // A test verifies that there is one entry per tool, in order.
    &CATALOGUE[tool as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_entry_at_its_index() {
        let listed: Vec<_> = CATALOGUE.iter().map(|entry| entry.tool).collect();
        assert_eq!(listed, Tool::ALL);
        assert!(Tool::ALL.iter().all(|tool| entry(*tool).tool == *tool));
    }

    #[test]
    fn documents_state_how_many_tools_manage_webhooks() {
        let page = include_str!("../../../docs/ai-clients.md").split_whitespace().collect::<Vec<_>>().join(" ");
        let of_webhooks = Tool::ALL.iter().filter(|tool| tool.manages_webhooks()).count();
        let expected = format!(" in total, of which {of_webhooks} manage webhooks.");
        assert!(page.contains(&expected), "{expected}");
    }

    #[test]
    fn the_full_catalogue_has_what_the_list_leaves_out() {
        let whole = crate::listing::catalogue();
        let tools = whole["tools"].as_array().unwrap();
        assert_eq!(tools.len(), Tool::ALL.len());
        let upsert = tools.iter().find(|tool| tool["name"] == "upsert_contacts").unwrap();
        let email = &upsert["inputSchema"]["properties"]["items"]["items"]["properties"]["email"];
        assert_eq!(email["maxLength"], 320);
        assert!(!whole.to_string().contains("\"x-"), "marks are for the service alone");
    }
}
