//! The tools, one file per kind of record and one entry per tool, each over a use case of the domain.

mod canned_replies;
mod comments;
mod companies;
mod contacts;
mod cycles;
mod deals;
mod deliveries;
mod events;
mod history;
mod issues;
mod kb;
mod members;
mod restore;
mod simple;
mod summaries;
mod tasks;
mod tickets;
mod time_entries;
mod webhooks;

use std::sync::LazyLock;

use domain::tools::Tool;

use crate::tool::Entry;

/// All tools, in the order of [`Tool::ALL`].
pub(crate) static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries: Vec<_> = [
        canned_replies::entries(),
        comments::entries(),
        companies::entries(),
        contacts::entries(),
        cycles::entries(),
        deals::entries(),
        deliveries::entries(),
        history::entries(),
        events::entries(),
        issues::entries(),
        kb::entries(),
        members::entries(),
        restore::entries(),
        simple::entries(),
        summaries::entries(),
        tasks::entries(),
        tickets::entries(),
        time_entries::entries(),
        webhooks::entries(),
    ]
    .into_iter()
    .flatten()
    .collect();
    entries.sort_by_key(|entry| entry.tool);
    entries
});

pub(crate) fn entry_of(tool: Tool) -> &'static Entry {
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
        assert!(Tool::ALL.iter().all(|tool| entry_of(*tool).tool == *tool));
    }

    #[test]
    fn documents_state_how_many_tools_manage_webhooks() {
        let page = include_str!("../../../../docs/ai-clients.md").split_whitespace().collect::<Vec<_>>().join(" ");
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
