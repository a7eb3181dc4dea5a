//! Reading a canned reply, also as the text of an answer to a ticket.

use domain::identity::access::ReadCannedReplies;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, refuse_unknown, take};
use domain::support::canned_replies::{self, CannedReply};
use domain::tools::Tool;
use domain::{Error, IssueId};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::arguments::{Get, take_id, take_part};
use crate::long_texts::{Detail, LongMember, LongTexts, Part};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// A canned reply, and its text for a ticket.
#[derive(Debug, Serialize, JsonSchema)]
struct ReplyView {
    #[serde(flatten)]
    reply: CannedReply,
    /// The body for the ticket, with its variables filled in; absent without a ticket. It is never cut, because it is sent as it is. It
    /// is at most as long as a comment, so a result always has room for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    filled_body: Option<String>,
}

impl LongTexts for ReplyView {
    const NAMES: &'static [&'static str] = &["body"];

    fn reader_tool(&self) -> Option<Tool> {
        Some(Tool::GetCannedReply)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::Text(&mut self.reply.body)]
    }
}

const TICKET: &str = "ticket_id";

/// Selects a canned reply, a part of its text, and the ticket for which its variables are filled in.
#[derive(Debug)]
struct GetReply {
    id: Uuid,
    part: Option<Part>,
    ticket: Option<IssueId>,
}

impl Input for GetReply {
    fn members() -> Vec<SchemaMember> {
        let mut members = Get::<ReplyView>::members();
        let ticket = SchemaMember::optional(TICKET, Uuid::schema());
        members.insert(1, ticket.described("Fills in the variables for this ticket."));
        members
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let id = take_id(&mut object, problems);
        let ticket: Field<Uuid> = take(&mut object, TICKET, "", None, problems);
        let ticket = ticket.set().copied().map(IssueId);
        let part = take_part::<ReplyView>(&mut object, problems);
        refuse_unknown(&object, "", &["id", TICKET, "expand", "offset"], problems);
        Self { id, part, ticket }
    }
}

async fn get(call: ToolRequest<ReadCannedReplies, GetReply>) -> Result<ToolResult<Detail<ReplyView>>, Error> {
    let GetReply { id, part, ticket } = call.arguments;
    let (reply, filled_body) = canned_replies::read_for_ticket(&call.ports, &call.permit, id.into(), ticket).await?;
    Ok(ToolResult::Fresh(Detail::new(ReplyView { reply, filled_body }, part)))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::GetCannedReply,
            "Get canned reply",
            "Reads one canned reply in full. Variables such as {{customer.name}} must be filled in before it is sent: \
             pass ticket_id, and give filled_body to add_comment.",
        )
        .run(get),
    ]
}
