//! Tickets.

use domain::tools::Tool;
use domain::work::issues;

use super::issues::{Row, Tickets, create, list, update};
use crate::tool::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list(
            Tool::ListTickets,
            "List tickets",
            "Finds support tickets, newest first, as compact rows: by search, which matches word prefixes, or exactly by status, requester (e-mail address), reference, assignee, priority, label, project, cycle or due time. To count tickets use summarize_tickets. Cheap.",
            list::<Tickets>,
            Row::of,
        ),
        Entry::get(
            Tool::GetTicket,
            "Get ticket",
            "Reads one support ticket with all fields by its id; the conversation comes from list_comments. Cheap.",
            issues::read,
        ),
        Entry::create(
            Tool::CreateTicket,
            "Create ticket",
            "Files a support ticket. Only a title is needed; it starts open and gets a reference for the customer.",
            create::<Tickets>,
        ),
        Entry::update(
            Tool::UpdateTicket,
            "Update ticket",
            "Changes fields of a ticket. Fields that are absent stay; null clears one. Tickets are closed (status closed), never deleted. Reply to the customer with add_comment.",
            update::<Tickets>,
        ),
    ]
}
