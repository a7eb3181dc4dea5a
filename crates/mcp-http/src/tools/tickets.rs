//! Tickets.

use domain::identity::access::ReadIssues;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, refuse_unknown, take};
use domain::tools::Tool;
use domain::work::issues::{self, Issue, TicketReference};
use domain::{Error, IssueId};

use super::issues::{Row, Tickets, create_ticket, list, update};
use crate::arguments::{Get, take_part};
use crate::long_texts::{Detail, Part};
use crate::outputs::FoundRow;
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// Selects a ticket by its id or its reference, and a part of its description.
#[derive(Debug)]
struct GetTicket {
    key: TicketKey,
    part: Option<Part>,
}

#[derive(Debug)]
enum TicketKey {
    Id(IssueId),
    Reference(TicketReference),
}

impl Input for GetTicket {
    fn members() -> Vec<SchemaMember> {
        let mut members = Get::<Issue>::members();
        for id in members.iter_mut().filter(|member| member.name == "id") {
            id.is_required = false;
        }
        let schema = <TicketReference as domain::kernel::input::Value>::schema();
        members.insert(1, SchemaMember::optional("reference", schema));
        members
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let has_id = object.contains_key("id");
        if has_id == object.get("reference").is_some_and(|json| !json.is_null()) {
            problems.rule("id", "required", "send either id or reference, but not both");
        }
        // A key that is sent must not be null.
        let required = has_id.then_some(InputMode::Create);
        let id: Field<IssueId> = take(&mut object, "id", "", required, problems);
        let reference: Field<TicketReference> = take(&mut object, "reference", "", None, problems);
        let part = take_part::<Issue>(&mut object, problems);
        refuse_unknown(&object, "", &["id", "reference", "expand", "offset"], problems);
        // A missing or invalid key was reported, so the nil id is never used.
        let id = || TicketKey::Id(id.set().copied().unwrap_or(IssueId(uuid::Uuid::nil())));
        Self { key: reference.set().cloned().map_or_else(id, TicketKey::Reference), part }
    }
}

async fn get(call: ToolRequest<ReadIssues, GetTicket>) -> Result<ToolResult<Detail<Issue>>, Error> {
    let GetTicket { key, part } = call.arguments;
    let found = match key {
        TicketKey::Id(id) => issues::read(&call.ports, &call.permit, id).await?,
        TicketKey::Reference(reference) => issues::read_by_reference(&call.ports, &call.permit, reference).await?,
    };
    Ok(ToolResult::Fresh(Detail::new(found, part)))
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
