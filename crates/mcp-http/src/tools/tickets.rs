//! Tickets.

use domain::tools::Tool;
use domain::work::issues;

use super::issues::{Row, Tickets, create_ticket, list, update};
use crate::tool::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list(
            Tool::ListTickets,
            "List tickets",
            "Finds support tickets, newest first, as compact rows: by status, project, or word prefixes in title and description. Cheap.",
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
            "Files a support ticket. Only a title is needed; requester_email says for which customer. It starts open and gets a reference.",
            create_ticket,
        ),
        Entry::update(
            Tool::UpdateTicket,
            "Update ticket",
            "Changes fields of a ticket. Absent fields stay. Tickets are closed (status closed), never deleted. Reply to the customer with add_comment.",
            update::<Tickets>,
        ),
    ]
}
