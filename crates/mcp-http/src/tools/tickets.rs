//! Tickets.

use domain::Error;
use domain::identity::access::{CreateIssues, ReadIssues, UpdateIssues};
use domain::tools::Tool;
use domain::work::issues::{self, Issue};

use super::issues::{FieldsOf, FilterOf, Row, Tickets};
use crate::arguments::{Get, Paged, Update};
use crate::long_texts::Detail;
use crate::outputs::Listing;
use crate::tool::{ToolCall, ToolRequest, ToolResult};

/// Lists and searches tickets.
pub(crate) struct ListTickets;

impl ToolCall for ListTickets {
    const TOOL: Tool = Tool::ListTickets;
    const TITLE: &'static str = "List tickets";
    const DESCRIPTION: &'static str = "Finds support tickets, newest first, as compact rows: by status, project, or starts of words in title and description. Cheap.";
    type Permission = ReadIssues;
    type Arguments = Paged<FilterOf<Tickets>, Issue>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let page = issues::list(&call.ports, &call.permit, filter.into_filter(), page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a ticket.
pub(crate) struct GetTicket;

impl ToolCall for GetTicket {
    const TOOL: Tool = Tool::GetTicket;
    const TITLE: &'static str = "Get ticket";
    const DESCRIPTION: &'static str =
        "Reads one support ticket with all fields by its id; the conversation comes from list_comments. Cheap.";
    type Permission = ReadIssues;
    type Arguments = Get<Issue>;
    type Output = Detail<Issue>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = issues::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a ticket.
pub(crate) struct CreateTicket;

impl ToolCall for CreateTicket {
    const TOOL: Tool = Tool::CreateTicket;
    const TITLE: &'static str = "Create ticket";
    const DESCRIPTION: &'static str =
        "Files a support ticket. Only a title is needed; it starts open and gets a reference for the customer.";
    type Permission = CreateIssues;
    type Arguments = FieldsOf<Tickets>;
    type Output = Detail<Issue>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(issues::create(&call.ports, &call.permit, once, call.arguments.into_new()).await?))
    }
}

/// Changes a ticket.
pub(crate) struct UpdateTicket;

impl ToolCall for UpdateTicket {
    const TOOL: Tool = Tool::UpdateTicket;
    const TITLE: &'static str = "Update ticket";
    const DESCRIPTION: &'static str = "Changes fields of a ticket. Fields that are absent stay; null clears one. Tickets are closed (status closed), never deleted. Answer the customer with add_comment.";
    type Permission = UpdateIssues;
    type Arguments = Update<FieldsOf<Tickets>>;
    type Output = Detail<Issue>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = issues::update(&call.ports, &call.permit, id.into(), expected, fields.fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}
