//! Every documented tool: the permissions of which it needs one (or all, [`needs_all`]), and the class of its calls. The tools of
//! simple kinds have no rows here.

use std::sync::LazyLock;

use test_support::{SimpleKind, simple_kinds};

/// The rate-limit class of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallClass {
    Read,
    Write,
    Bulk,
}

use CallClass::{Bulk, Read, Write};

/// The kinds of records with permissions of their own, as the permissions name them, without simple kinds and webhooks.
pub(super) const KINDS: [&str; 10] = [
    "contacts",
    "companies",
    "deals",
    "projects",
    "cycles",
    "tasks",
    "tickets",
    "comments",
    "kb_articles",
    "time_entries",
];

/// Stands for every permission to read, any one of which suffices to see the members.
const READS: &[&str] = &["read_*"];
/// Stands for every permission to read records, any one of which suffices to see the events and histories that it covers.
const READS_RECORDS: &[&str] = &["read_* of records"];
/// Stands for every permission to delete, any one of which suffices to restore the records of its kind.
const DELETES: &[&str] = &["delete_*"];

type Row = (&'static str, &'static [&'static str], CallClass);

pub(super) static TOOLS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let any = |verb: &str, without: &[&str]| -> &'static [&'static str] {
        let kinds = KINDS.into_iter().filter(|kind| !without.contains(kind));
        let kinds = kinds.chain(simple_kinds().into_iter().map(|kind| kind.plural));
        kinds.map(|kind| permission(verb, kind)).collect::<Vec<_>>().leak()
    };
    let row = |(name, needed, counts): Row| match needed {
        READS => (name, any("read", &[]), counts),
        READS_RECORDS => (name, any("read", &["comments"]), counts),
        DELETES => (name, any("delete", &["tickets", "comments"]), counts),
        _ => (name, needed, counts),
    };
    let of_kind = |kind: SimpleKind| {
        let tool = |verb: &str, noun: &str, needed: &str, counts| -> Row {
            (&*format!("{verb}_{noun}").leak(), &*vec![permission(needed, kind.plural)].leak(), counts)
        };
        [
            tool("list", kind.plural, "read", Read),
            tool("get", kind.noun, "read", Read),
            tool("create", kind.noun, "create", Write),
            tool("update", kind.noun, "update", Write),
            tool("delete", kind.noun, "delete", Write),
        ]
    };
    let mut rows: Vec<_> = OWN_ROWS.into_iter().map(row).collect();
    let place = rows.iter().position(|(name, ..)| *name == "restore_record").unwrap();
    drop(rows.splice(place..place, simple_kinds().into_iter().flat_map(of_kind)));
    rows
});

fn permission(verb: &str, plural: &str) -> &'static str {
    format!("{verb}_{plural}").leak()
}

const OWN_ROWS: [Row; 73] = [
    // Every key may call it.
    ("whoami", &[], Read),
    ("list_members", READS, Read),
    ("get_history", READS_RECORDS, Read),
    ("list_events", READS_RECORDS, Read),
    ("list_contacts", &["read_contacts"], Read),
    ("get_contact", &["read_contacts"], Read),
    ("create_contact", &["create_contacts"], Write),
    ("update_contact", &["update_contacts"], Write),
    ("delete_contact", &["delete_contacts"], Write),
    ("erase_contact", &["delete_contacts", "update_tickets"], Write),
    ("upsert_contacts", &["create_contacts", "update_contacts"], Bulk),
    ("list_companies", &["read_companies"], Read),
    ("get_company", &["read_companies"], Read),
    ("create_company", &["create_companies"], Write),
    ("update_company", &["update_companies"], Write),
    ("delete_company", &["delete_companies"], Write),
    ("upsert_companies", &["create_companies", "update_companies"], Bulk),
    ("list_deals", &["read_deals"], Read),
    ("summarize_deals", &["read_deals"], Read),
    ("get_deal", &["read_deals"], Read),
    ("create_deal", &["create_deals"], Write),
    ("update_deal", &["update_deals"], Write),
    ("delete_deal", &["delete_deals"], Write),
    ("upsert_deals", &["create_deals", "update_deals"], Bulk),
    ("list_projects", &["read_projects"], Read),
    ("get_project", &["read_projects"], Read),
    ("create_project", &["create_projects"], Write),
    ("update_project", &["update_projects"], Write),
    ("delete_project", &["delete_projects"], Write),
    ("list_cycles", &["read_cycles"], Read),
    ("create_cycle", &["create_cycles"], Write),
    ("update_cycle", &["update_cycles"], Write),
    ("delete_cycle", &["delete_cycles"], Write),
    ("list_tasks", &["read_tasks"], Read),
    ("summarize_tasks", &["read_tasks"], Read),
    ("get_task", &["read_tasks"], Read),
    ("create_task", &["create_tasks"], Write),
    ("update_task", &["update_tasks"], Write),
    ("delete_task", &["delete_tasks"], Write),
    ("bulk_update_issues", &["update_tasks", "update_tickets"], Bulk),
    ("list_comments", &["read_comments", "read_contacts", "read_companies", "read_deals"], Read),
    ("add_comment", &["create_comments", "update_contacts", "update_companies", "update_deals"], Write),
    ("update_comment", &["update_comments", "update_contacts", "update_companies", "update_deals"], Write),
    ("delete_comment", &["delete_comments", "delete_contacts", "delete_companies", "delete_deals"], Write),
    ("list_tickets", &["read_tickets"], Read),
    ("summarize_tickets", &["read_tickets"], Read),
    ("get_ticket", &["read_tickets"], Read),
    ("create_ticket", &["create_tickets"], Write),
    ("update_ticket", &["update_tickets"], Write),
    ("search_kb", &["read_kb_articles"], Read),
    ("list_kb_articles", &["read_kb_articles"], Read),
    ("get_kb_article", &["read_kb_articles"], Read),
    ("create_kb_article", &["create_kb_articles"], Write),
    ("update_kb_article", &["update_kb_articles"], Write),
    ("delete_kb_article", &["delete_kb_articles"], Write),
    ("list_time_entries", &["read_time_entries"], Read),
    ("summarize_time", &["read_time_entries"], Read),
    ("log_time", &["create_time_entries"], Write),
    ("start_timer", &["create_time_entries"], Write),
    ("stop_timer", &["update_time_entries"], Write),
    ("update_time_entry", &["update_time_entries"], Write),
    ("delete_time_entry", &["delete_time_entries"], Write),
    ("restore_record", DELETES, Write),
    ("list_webhooks", &["read_webhooks"], Read),
    ("get_webhook", &["read_webhooks"], Read),
    ("create_webhook", &["create_webhooks"], Write),
    ("update_webhook", &["update_webhooks"], Write),
    ("delete_webhook", &["delete_webhooks"], Write),
    ("rotate_webhook_secret", &["update_webhooks"], Write),
    ("test_webhook", &["update_webhooks"], Write),
    ("list_webhook_deliveries", &["read_webhooks"], Read),
    ("get_webhook_delivery", &["read_webhooks"], Read),
    ("redeliver_webhook", &["update_webhooks"], Write),
];

pub(super) static PERMISSIONS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let kinds = KINDS.into_iter().chain(simple_kinds().into_iter().map(|kind| kind.plural)).chain(["webhooks"]);
    let all = kinds.flat_map(|kind| ["read", "create", "update", "delete"].map(|verb| permission(verb, kind)));
    // No tool deletes tickets.
    all.filter(|name| *name != "delete_tickets").collect()
});

/// The permissions on these kinds of records: all, or only those to read.
pub(super) fn permissions_on(nouns: &[&str], reads_alone: bool) -> Vec<&'static str> {
    let fits = |word: &&str| {
        word.split_once('_').is_some_and(|(verb, noun)| nouns.contains(&noun) && (verb == "read" || !reads_alone))
    };
    PERMISSIONS.iter().copied().filter(fits).collect()
}

/// Whether a tool needs all of its permissions rather than any one.
pub(super) fn needs_all(tool: &str) -> bool {
    tool.starts_with("upsert_") || tool == "erase_contact"
}

/// The tools that these permissions allow.
pub(super) fn tools_with(permissions: &[&str]) -> Vec<&'static str> {
    let is_granted = |permission: &&str| permissions.contains(permission);
    let fits = |name: &str, needed: &[&str]| {
        if needs_all(name) { needed.iter().all(is_granted) } else { needed.is_empty() || needed.iter().any(is_granted) }
    };
    TOOLS.iter().filter(|(name, needed, _)| fits(name, needed)).map(|(name, _, _)| *name).collect()
}
