//! Tags, which group operations.

use serde_json::{Value as Json, json};

/// Path prefix, tag and the tag's description. The first match counts.
const TAGS: &[(&str, &str, &str)] = &[
    ("/api/v1/crm/contacts", "Contacts", "People that the workspace does business with"),
    ("/api/v1/crm/companies", "Companies", "Organisations and their notes"),
    ("/api/v1/crm/deals", "Deals", "Sales and their notes"),
    ("/api/v1/projects/{project_id}/cycles", "Cycles", "Cycles (sprints) of a project"),
    ("/api/v1/projects", "Projects", "Projects and their issues"),
    ("/api/v1/issues", "Issues", "Tasks and support tickets, with comments"),
    ("/api/v1/time", "Time entries", "Time that members have worked, timers, approval and totals"),
    ("/api/v1/support/", "Support", "What answers to tickets are made of"),
    ("/api/v1/event", "Events", "The event log and the event types"),
    ("/api/v1/", "Workspace", "The current credential and the members"),
    ("/api/public/", "Public tickets", "Tickets and article search for a backend that serves customers"),
    ("/api/portal/", "Portal", "A customer's access to their own ticket"),
    ("/api/widget/", "Widget", "New tickets and article search for pages with the widget"),
    ("/api/mcp", "Tools", "The tool API for AI agents"),
    ("/api/modules/", "Modules", "Events reported by external systems"),
    ("/api/auth/", "Sign-in", "Sessions and passwords"),
    ("/api/account", "Account", "A member's own account"),
    ("/api/settings/webhooks", "Webhooks", "Webhooks and their deliveries"),
    ("/api/settings/kb", "Knowledge base", "Articles for customers"),
    ("/api/settings/", "Settings", "Administration of a workspace"),
    ("/api/operator/", "Operator", "Administration of the service"),
];

/// The tag of webhook deliveries: name and description. It differs from the tag of operations on webhooks, because client
/// generators write one file per tag, and would write two files of the same name.
pub(crate) const DELIVERIES: (&str, &str) = ("Deliveries", "What webhooks receive");

pub(crate) fn all() -> Vec<Json> {
    let groups = TAGS.iter().map(|&(_, name, description)| (name, description)).chain([DELIVERIES]);
    groups.map(|(name, description)| json!({ "name": name, "description": description })).collect()
}

/// The tag of a path. If none matches, the last one is used and a test fails.
pub(crate) fn for_path(pattern: &str) -> &'static str {
    TAGS.iter().find(|(start, _, _)| pattern.starts_with(start)).map_or("Other", |(_, name, _)| name)
}
