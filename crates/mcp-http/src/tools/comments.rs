//! Comments on tasks and tickets.

use domain::identity::access::{Actor, CreateComments, Permit, ReadComments};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{Integer, timestamp_json};
use domain::ports::Ports;
use domain::tools::Tool;
use domain::work::comments;
use domain::work::comments::{Comment, CommentFields, Visibility};
use domain::{CommentId, Error, IssueId, fields};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::arguments::{NamedId, Paged, WithId};
use crate::long_texts::{LongMember, LongTexts};
use crate::outputs::Listing;
use crate::tool::{Entry, ToolRequest, ToolResult};

/// Default length of a comment in a list, in characters.
const SHOWN_CHARACTERS: i32 = 1_000;

impl LongTexts for Comment {
    const NAMES: &'static [&'static str] = &["body"];

    /// Cuts the body to `characters`.
    fn read_on_with(&self) -> Option<Tool> {
        None
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::Text(&mut self.body)]
    }
}

/// A comment in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: CommentId,
    author: Actor,
    visibility: Visibility,
    body: String,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    created_at: OffsetDateTime,
}

impl Row {
    fn of(comment: &Comment, characters: usize) -> Self {
        let Comment { id, author, visibility, created_at, .. } = *comment;
        Self { id, author, visibility, body: beginning(&comment.body, characters), created_at }
    }
}

fn beginning(body: &str, characters: usize) -> String {
    match body.char_indices().nth(characters) {
        None => body.to_owned(),
        Some((end, _)) => {
            let total = body.chars().count();
            let shown = &body[..end];
            format!("{shown} … [cut after {characters} of {total} characters; body_characters shows more]")
        }
    }
}

fields! {
    /// The issue, and the length of its comments in a list.
    pub(crate) struct Filter {
        /// The task or ticket whose comments to list.
        issue_id: IssueId = required,
        /// Characters of each body to return.
        /// Default: 1000.
        body_characters: Integer<100, 10_000>,
    }
}

impl NamedId for CommentFields {
    const ID: &'static str = "issue_id";
    const IS_OF: &'static str = "The task or ticket to comment on.";
}

async fn list(call: ToolRequest<ReadComments, Paged<Filter, Comment>>) -> Result<ToolResult<Listing<Row>>, Error> {
    let Paged { filter, page, .. } = call.arguments;
    let issue = filter.issue_id.set().copied().ok_or(Error::NotFound("issue"))?;
    let characters = filter.body_characters.set().map_or(SHOWN_CHARACTERS, |number| number.get());
    let page = comments::list(&call.ports, &call.permit, issue, page).await?;
    Ok(ToolResult::Fresh(Listing::of(page, |comment| Row::of(comment, characters.unsigned_abs() as usize))))
}

async fn add(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<Comment>>,
    WithId { id, fields }: WithId<CommentFields>,
) -> Result<IdempotentResult<Comment>, Error> {
    comments::create(ports, permit, once, id.into(), fields).await
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::of(
            Tool::ListComments,
            "List comments",
            "Reads the conversation of one task or ticket, oldest first: who wrote what, and whether the customer sees it (public) or not (internal). Cheap.",
            list,
        ),
        Entry::create(
            Tool::AddComment,
            "Add comment",
            "Comments on a task or ticket. On a ticket, visibility public is a reply that the customer reads: get approval for its text first; internal (the default) is for the team.",
            add,
        ),
    ]
}
