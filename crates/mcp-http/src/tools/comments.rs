//! Comments on records of the kinds that have them.

use domain::crm::comments::{CrmRecord, RecordComment};
use domain::identity::access::{Actor, CreateComments, ReadComments, UpdateComments};
use domain::kernel::idempotency::StoredResponse;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{OptionalTimestampText, TimestampText};
use domain::kernel::input::{Field, Input, InputMode, Integer, LongText, Problems, SchemaMember, take};
use domain::support::canned_replies::{Variable, variables_in};
use domain::tools::Tool;
use domain::work::comments::{self, AnyComment, Comment, CommentChange, CommentFields, CommentedRecord, Visibility};
use domain::{CommentId, Error, IssueId, fields};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::arguments::{Paged, Update};
use crate::long_texts::{Detail, long_texts};
use crate::outputs::Listing;
use crate::record_arguments::{RECORD_ARGUMENTS, RecordArgument, names_in_words};
use crate::tool::{Entry, ToolRequest, ToolResult, entry, stored_response};

/// Default length of a comment in a list, in characters.
const SHOWN_CHARACTERS: i32 = 1_000;

/// A comment on a record of any kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct CommentView {
    id: CommentId,
    /// The task or ticket that it is on; null if it is on another record.
    issue_id: Option<IssueId>,
    /// The contact, company or deal that it is on; null if it is on a task or a ticket.
    record: Option<CrmRecord>,
    body: String,
    /// Who may read it; null if it is on a contact, company or deal.
    visibility: Option<Visibility>,
    author: Actor,
    /// When the text was last changed; null if it never was.
    #[serde(with = "OptionalTimestampText")]
    edited_at: Option<OffsetDateTime>,
    version: i64,
    #[serde(with = "TimestampText")]
    created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    updated_at: OffsetDateTime,
    created_by: Actor,
}

impl From<AnyComment> for CommentView {
    fn from(comment: AnyComment) -> Self {
        match comment {
            AnyComment::OnIssue(comment) => Self {
                id: comment.id,
                issue_id: Some(comment.issue_id),
                record: None,
                body: comment.body,
                visibility: Some(comment.visibility),
                author: comment.author,
                edited_at: comment.edited_at,
                version: comment.version,
                created_at: comment.created_at,
                updated_at: comment.updated_at,
                created_by: comment.created_by,
            },
            AnyComment::OnRecord(comment) => Self {
                id: comment.id,
                issue_id: None,
                record: Some(comment.record),
                body: comment.body,
                visibility: None,
                author: comment.author,
                edited_at: comment.edited_at,
                version: comment.version,
                created_at: comment.created_at,
                updated_at: comment.updated_at,
                created_by: comment.created_by,
            },
        }
    }
}

// `list_comments` shows more of the body, with `body_characters`.
long_texts!(CommentView, None, body: Text);

/// A comment in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: CommentId,
    author: Actor,
    /// Who may read it; null on contacts, companies and deals.
    visibility: Option<Visibility>,
    body: String,
    #[serde(with = "TimestampText")]
    created_at: OffsetDateTime,
    /// When the text was last changed; null if it never was.
    #[serde(with = "OptionalTimestampText")]
    edited_at: Option<OffsetDateTime>,
}

impl Row {
    fn of(comment: &AnyComment, characters: usize) -> Self {
        // A long body is cut before it is copied.
        match comment {
            AnyComment::OnIssue(comment) => {
                let Comment { id, author, visibility, created_at, edited_at, .. } = *comment;
                let body = beginning(&comment.body, characters);
                Self { id, author, visibility: Some(visibility), body, created_at, edited_at }
            }
            AnyComment::OnRecord(comment) => {
                let RecordComment { id, author, created_at, edited_at, .. } = *comment;
                let body = beginning(&comment.body, characters);
                Self { id, author, visibility: None, body, created_at, edited_at }
            }
        }
    }
}

fn beginning(body: &str, characters: usize) -> String {
    match body.char_indices().nth(characters) {
        None => body.to_owned(),
        Some((end, _)) => {
            let total = body.chars().count();
            let text = &body[..end];
            format!("{text} … [cut after {characters} of {total} characters; body_characters shows more]")
        }
    }
}

/// Arguments in addition to those that name a record.
#[derive(Debug)]
pub(crate) struct OnRecord<F> {
    /// Present unless a problem was reported.
    target: Option<CommentedRecord>,
    fields: F,
}

impl<F: Input> Input for OnRecord<F> {
    fn members() -> Vec<SchemaMember> {
        RECORD_ARGUMENTS.iter().map(RecordArgument::member).chain(F::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let is_sent = |name: &str| object.get(name).is_some_and(|id| !id.is_null());
        if RECORD_ARGUMENTS.iter().filter(|argument| is_sent(&argument.name)).count() != 1 {
            problems.rule("record", "one_record", format!("send exactly one of {}", names_in_words()));
        }
        let records = RECORD_ARGUMENTS.iter().map(|argument| {
            let id: Field<Uuid> = take(&mut object, &argument.name, at, None, problems);
            argument.record(*id.set()?)
        });
        let target = records.collect::<Vec<_>>().into_iter().flatten().next();
        Self { target, fields: F::read(object, at, mode, problems) }
    }
}

impl<F> OnRecord<F> {
    fn target(&self) -> Result<CommentedRecord, Error> {
        self.target.ok_or(Error::NotFound("record"))
    }
}

fields! {
    /// The length of comments in a list.
    pub(crate) struct Length {
        /// Characters of each body to return.
        /// Default: 1000.
        body_characters: Integer<100, 10_000>,
    }
}

type ListRequest = ToolRequest<ReadComments, Paged<OnRecord<Length>, AnyComment>>;

async fn list(call: ListRequest) -> Result<ToolResult<Listing<Row>>, Error> {
    let Paged { filter, page, .. } = call.arguments;
    let characters = filter.fields.body_characters.set().map_or(SHOWN_CHARACTERS, |number| number.get());
    let page = comments::list_any(&call.ports, &call.permit, filter.target()?, page).await?;
    Ok(ToolResult::Fresh(Listing::of(page, |comment| Row::of(comment, characters.unsigned_abs() as usize))))
}

async fn add(
    mut call: ToolRequest<CreateComments, OnRecord<CommentFields>>,
) -> Result<ToolResult<Detail<CommentView>>, Error> {
    let idempotency = call.idempotent_with(stored_detail);
    let target = call.arguments.target()?;
    let CommentFields { body, visibility } = &call.arguments.fields;
    check_filled(visibility.set().copied(), body)?;
    let added = comments::create_any(&call.ports, &call.permit, idempotency, target, call.arguments.fields).await?;
    Ok(ToolResult::of(added, detail))
}

/// Refuses an answer to a customer that still has variables of canned replies. REST takes such texts as they are.
///
/// # Errors
/// [`Error::Invalid`].
fn check_filled<const MAX: usize>(visibility: Option<Visibility>, body: &Field<LongText<MAX>>) -> Result<(), Error> {
    let left = variables_in(body.set().map_or("", LongText::as_str));
    if left.is_empty() || visibility != Some(Visibility::Public) {
        return Ok(());
    }
    let left = left.into_iter().map(Variable::in_braces).collect::<Vec<_>>().join(", ");
    let message = format!(
        "has variables that are not filled in, and the customer would see them: {left}. get_canned_reply with ticket_id \
         fills them in (filled_body); write a value in place of those that it leaves"
    );
    Err(Error::invalid("body", "invalid_value", message))
}

fn detail(comment: AnyComment) -> Detail<CommentView> {
    Detail::new(comment.into(), None)
}

fn stored_detail(comment: &AnyComment) -> StoredResponse {
    stored_response(detail(comment.clone()))
}

async fn update(
    call: ToolRequest<UpdateComments, Update<CommentChange>>,
) -> Result<ToolResult<Detail<CommentView>>, Error> {
    let Update { id, expected, fields } = call.arguments;
    // Who reads a comment never changes, so it can be looked up before. Few texts have variables.
    if !variables_in(fields.body.set().map_or("", LongText::as_str)).is_empty() {
        let stored = comments::read_any(&call.ports, &call.permit, id.into()).await?;
        check_filled(stored.visibility(), &fields.body)?;
    }
    let changed = comments::update_any(&call.ports, &call.permit, id.into(), expected, fields).await?;
    Ok(ToolResult::Fresh(detail(changed)))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListComments, "List comments", "Lists a record's comments, oldest first.").run(list),
        entry(
            Tool::AddComment,
            "Add comment",
            "Adds a comment. On a ticket, customers see public ones: get approval, and fill in variables first.",
        )
        .run(add),
        entry(Tool::UpdateComment, "Update comment", "Replaces the text of a comment that this key wrote.").run(update),
        entry(Tool::DeleteComment, "Delete comment", "Deletes a comment that this key wrote, for good. Confirm first.")
            .delete(comments::delete_any),
    ]
}
