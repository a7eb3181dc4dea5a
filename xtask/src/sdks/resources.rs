//! Groups operations in the SDKs: `deals_list` becomes `deals.list`, `issues_comments_create` becomes
//! `issues.comments.create`. Operations that API keys cannot use can only be called by their ids.

use super::contract::{Contract, Operation};
use super::schemas::pascal;

/// The prefix of the operations, and their group.
const PLACES: &[(&str, &[&str])] = &[
    ("companies", &["companies"]),
    ("company_comments", &["companies", "comments"]),
    ("contacts", &["contacts"]),
    ("deal_comments", &["deals", "comments"]),
    ("deals", &["deals"]),
    ("event_types", &["event_types"]),
    ("events", &["events"]),
    ("issues", &["issues"]),
    ("issues_comments", &["issues", "comments"]),
    ("me", &["me"]),
    ("members", &["members"]),
    ("modules", &["modules"]),
    ("projects", &["projects"]),
    ("projects_cycles", &["projects", "cycles"]),
    ("public_kb", &["knowledge_base"]),
    ("public_tickets", &["public_tickets"]),
    ("settings_webhooks", &["webhooks"]),
    ("settings_webhooks_deliveries", &["webhooks", "deliveries"]),
    ("settings_webhooks_replays", &["webhooks", "replays"]),
    ("time_entries", &["time_entries"]),
];

/// Methods that call a tool because no route does the same: the resource, the tool, and the kind of method.
const TOOLS: &[(&str, &str, ToolMethod)] = &[
    ("contacts", "get_contact", ToolMethod::Get),
    ("contacts", "update_contact", ToolMethod::Update),
    ("contacts", "delete_contact", ToolMethod::Delete),
    ("contacts", "upsert_contacts", ToolMethod::Upsert),
    ("companies", "upsert_companies", ToolMethod::Upsert),
    ("deals", "upsert_deals", ToolMethod::Upsert),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolMethod {
    Get,
    Update,
    Delete,
    Upsert,
}

impl ToolMethod {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Upsert => "upsert",
        }
    }

    /// What it does, as a sentence. `update` says what an update leaves and clears.
    pub(super) fn help(self, update: &str) -> String {
        match self {
            Self::Get => "Reads one by its id.".to_owned(),
            Self::Update => format!("Changes members; {update}."),
            Self::Delete => "Deletes one; it can be restored for 30 days.".to_owned(),
            Self::Upsert => "Creates or changes up to 500, matched by their keys.".to_owned(),
        }
    }
}

/// A group of methods.
pub(super) struct Resource<'a> {
    /// Name in snake case.
    pub(super) name: &'static str,
    /// Name of the type, including the enclosing groups: `issues.comments` becomes `IssuesComments`.
    pub(super) type_name: String,
    pub(super) methods: Vec<(String, &'a Operation)>,
    pub(super) tools: Vec<(&'static str, ToolMethod)>,
    pub(super) children: Vec<Resource<'a>>,
}

/// The top-level groups.
pub(super) fn resources(contract: &Contract) -> Vec<Resource<'_>> {
    children(contract, &[])
}

fn children<'a>(contract: &'a Contract, around: &[&str]) -> Vec<Resource<'a>> {
    let below = PLACES.iter().filter(|(_, place)| place.split_last().is_some_and(|(_, rest)| rest == around));
    below
        .map(|(prefix, place)| Resource {
            name: place.last().copied().unwrap_or_default(),
            type_name: place.iter().map(|name| pascal(name)).collect(),
            methods: methods(contract, prefix),
            tools: tools(place),
            children: children(contract, place),
        })
        .collect()
}

fn methods<'a>(contract: &'a Contract, prefix: &str) -> Vec<(String, &'a Operation)> {
    let of_prefix = contract.operations.iter().filter(|operation| place(&operation.id) == Some(prefix));
    of_prefix
        .map(|operation| {
            let name = operation.id[prefix.len()..].trim_start_matches('_');
            (if name == "read" { "get" } else { name }.to_owned(), operation)
        })
        .collect()
}

/// The longest matching prefix of an operation.
fn place(id: &str) -> Option<&'static str> {
    let matches = |prefix: &&str| id.strip_prefix(*prefix).is_some_and(|rest| rest.starts_with('_'));
    PLACES.iter().map(|(prefix, _)| *prefix).filter(matches).max_by_key(|prefix| prefix.len())
}

fn tools(place: &[&str]) -> Vec<(&'static str, ToolMethod)> {
    let [name] = place else { return Vec::new() };
    let of_resource = TOOLS.iter().filter(|(resource, ..)| resource == name);
    of_resource.map(|(_, tool, method)| (*tool, *method)).collect()
}

/// `iterate` for `list`, `iterate_history` for `history`.
pub(super) fn iterator_name(name: &str) -> String {
    let of = name.strip_prefix("list").unwrap_or(name).trim_start_matches('_');
    if of.is_empty() { "iterate".to_owned() } else { format!("iterate_{of}") }
}
