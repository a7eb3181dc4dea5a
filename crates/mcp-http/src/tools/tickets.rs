//! Tickets.

use domain::Error;
use domain::identity::access::ReadIssues;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember, Value, refuse_unknown};
use domain::tools::Tool;
use domain::work::issues::{self, Issue, TicketReference};

use super::issues::{Row, Tickets, create_ticket, list, update};
use crate::arguments::{Get, Key, take_key, take_part};
use crate::long_texts::{Detail, Part};
use crate::outputs::FoundRow;
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// Selects a ticket by its id or its reference, and a part of its description.
#[derive(Debug)]
struct GetTicket {
    key: Key,
    part: Option<Part>,
}

impl Input for GetTicket {
    fn members() -> Vec<SchemaMember> {
        let mut members = Get::<Issue>::members();
        for id in members.iter_mut().filter(|member| member.name == "id") {
            id.is_required = false;
        }
        members.insert(1, SchemaMember::optional("reference", TicketReference::schema()));
        members
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let key = take_key(&mut object, "send either id or reference, but not both", problems);
        let part = take_part::<Issue>(&mut object, problems);
        refuse_unknown(&object, "", &["id", "reference", "expand", "offset"], problems);
        Self { key, part }
    }
}

async fn get(call: ToolRequest<ReadIssues, GetTicket>) -> Result<ToolResult<Detail<Issue>>, Error> {
    let GetTicket { key, part } = call.arguments;
    let ticket = match key {
        Key::Id(id) => issues::read(&call.ports, &call.permit, id.into()).await?,
        Key::Reference(reference) => issues::read_by_reference(&call.ports, &call.permit, reference).await?,
    };
    Ok(ToolResult::Fresh(Detail::new(ticket, part)))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListTickets, "List tickets", "Finds tickets, newest first by default.")
            .list(list::<Tickets>, |ticket| FoundRow::of(ticket, Row::of)),
        entry(Tool::GetTicket, "Get ticket", "Reads one ticket with all fields, by id or reference.").run(get),
        entry(Tool::CreateTicket, "Create ticket", "Files a ticket; requester_email names the customer.")
            .create(create_ticket),
        entry(
            Tool::UpdateTicket,
            "Update ticket",
            "Changes a ticket; null clears a field. Tickets are closed, never deleted. add_comment replies.",
        )
        .update(update::<Tickets>),
    ]
}
