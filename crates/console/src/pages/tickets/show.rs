//! A ticket: its conversation, the forms for answers and notes, and its properties.

use actix_web::http::StatusCode;
use domain::console::{Names, WantedNames};
use domain::identity::access::{CreateComments, Permit, ReadComments, ReadHistory, ReadIssues, UpdateIssues};
use domain::kernel::paging::{PageRequest as Paging, Paginated, Position};
use domain::records::RecordKind;
use domain::work::comments::{self, AnyComment, Comment, CommentedRecord, Visibility};
use domain::work::drafts::{self, Draft};
use domain::work::issues::{self, Issue, IssueFields, IssueStatus};
use domain::work::projects::Priority;
use domain::{CommentId, IssueId};
use time::OffsetDateTime;

use super::conversation::{Message, Reader, last_seen_marker};
use super::position::ListPosition;
use super::{Tickets, Tinted, path_of, statuses, tinted_priority, tinted_status};
use crate::lists::with;
use crate::markdown::may_have_pictures;
use crate::pages::time::{logged_card, start_button};
use crate::parts::people;
use crate::prelude::*;
use crate::records::{COMMENT_BYTES, Markup, UseCases, shortened};

page! {
    Show = "GET /tickets/{issue_id}", access: ReadIssues, path: IssueId, query: Part => show
}

/// The part of the conversation to show: the end, unless a page is requested.
#[derive(Default)]
pub(crate) struct Part {
    page: Option<Paging>,
    position: ListPosition,
}

impl Query for Part {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let page = query.page(AnyComment::LIST);
        let is_beginning = Parameters::single(query, "from").as_deref() == Some("beginning");
        // Without a page, the end of the conversation is shown.
        let page = (is_beginning || page.position != Position::Page(1)).then_some(page);
        Self { page, position: ListPosition::read(query) }
    }
}

/// A text that is being written.
#[derive(Default)]
pub(super) struct Composer {
    pub(super) body: String,
    /// When it was saved as a draft.
    pub(super) kept_at: Option<OffsetDateTime>,
    pub(super) error: Option<String>,
}

/// Why a form was rejected, and what was typed into it.
#[derive(Default)]
pub(super) struct Rejection {
    /// An error that is not about a text.
    pub(super) problem: Option<String>,
    /// The text that was not sent, and its error.
    pub(super) text: Option<(Visibility, String, Option<String>)>,
    /// The new comments that the writer of the answer has not seen.
    pub(super) crossed: Vec<CommentId>,
    /// The ticket's position in its list.
    pub(super) position: ListPosition,
}

impl Rejection {
    pub(super) fn problem(position: ListPosition, problem: String) -> Self {
        Self { problem: Some(problem), position, ..Self::default() }
    }
}

/// The customer in brief.
struct Customer {
    name: String,
    email: String,
    is_erased: bool,
    /// The contact, if the reader may see it.
    contact: Option<(String, String)>,
}

#[derive(Template)]
#[template(path = "tickets/show.html")]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a page")]
struct TicketPage {
    shell: Shell,
    id: String,
    path: String,
    /// The ticket's URL within its list.
    own: String,
    reference: String,
    version: i64,
    status: Tinted,
    priority: Tinted,
    /// The statuses that it may get next.
    next: Vec<Tinted>,
    priorities: Vec<Tinted>,
    assignee: FormView,
    assignee_name: Option<String>,
    is_mine: bool,
    me: String,
    /// Each with the URL of the tickets that have it.
    labels: Vec<(String, String)>,
    label_text: String,
    due_at: Option<OffsetDateTime>,
    is_open: bool,
    project: Option<(String, String)>,
    customer: Option<Customer>,
    messages: Vec<Message>,
    /// The URL of the conversation's beginning, if that is not shown.
    beginning: Option<String>,
    later: Option<String>,
    is_end: bool,
    answer: Composer,
    note: Composer,
    seen: String,
    held: Vec<Message>,
    problem: Option<String>,
    takes_answers: bool,
    /// Whether an answer can leave the ticket waiting for the customer.
    may_become_pending: bool,
    /// Whether an answer can assign the ticket to the reader, because it is unassigned.
    may_take: bool,
    /// The list from which the ticket was opened, and its neighbours there.
    list_address: String,
    previous_ticket: String,
    next_ticket: String,
    /// Whether it was just answered, so that the next ticket is suggested.
    was_just_answered: bool,
    position: ListPosition,
    may_write: bool,
    may_update: bool,
    may_link: bool,
    may_see_history: bool,
    start_timer: Option<Markup>,
    /// The time on it, next to what was estimated.
    logged: Option<Markup>,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, path, query, browser, .. } = request;
    let ticket = issues::open_ticket(&ports, &permit, path).await?;
    page_of(&ports, &browser, &ticket, query, None).await
}

/// The page of a ticket with a rejected form.
pub(super) async fn rejected_page(ports: &Ports, browser: &Browser, id: IssueId, rejection: Rejection) -> PageResult {
    let permit: Permit<ReadIssues> = browser.permit().ok_or(Error::NotFound("ticket"))?;
    let ticket = Tickets::read(ports, &permit, id).await?;
    let part = Part { position: rejection.position.clone(), ..Part::default() };
    page_of(ports, browser, &ticket, part, Some(rejection)).await
}

struct Conversation {
    comments: Vec<Comment>,
    beginning: Option<String>,
    later: Option<String>,
    is_end: bool,
}

async fn read_conversation(
    ports: &Ports,
    browser: &Browser,
    ticket: &Issue,
    part: &Part,
) -> Result<Conversation, Error> {
    let part_from = |name: &str, value: &str| part.position.part(ticket.id, name, value);
    let Some(permit) = browser.permit::<ReadComments>() else {
        return Ok(Conversation { comments: Vec::new(), beginning: None, later: None, is_end: true });
    };
    if let Some(page) = part.page {
        let page = shortened(comments::list_of_loaded(ports, &permit, CommentedRecord::Issue(ticket.id), page).await?);
        let later = page.next_cursor.as_deref().map(|cursor| part_from("cursor", cursor));
        let comments = page.items.into_iter().filter_map(|comment| match comment {
            AnyComment::OnIssue(comment) => Some(comment),
            AnyComment::OnRecord(_) => None,
        });
        return Ok(Conversation { comments: comments.collect(), beginning: None, is_end: later.is_none(), later });
    }
    let latest = comments::latest(ports, &permit, ticket).await?;
    let (comments, leaves_out) = newest(latest.comments);
    let beginning = (latest.has_earlier || leaves_out).then(|| part_from("from", "beginning"));
    Ok(Conversation { comments, beginning, later: None, is_end: true })
}

/// The newest comments that fit on a page, and whether earlier ones are left out. The last public comment is always
/// included, because its reader must have seen it before answering.
fn newest(mut comments: Vec<Comment>) -> (Vec<Comment>, bool) {
    let mut bytes = 0;
    let is_full = |comment: &Comment| {
        bytes += comment.body.len();
        bytes >= COMMENT_BYTES
    };
    let first = comments.iter().rposition(is_full).unwrap_or_default();
    let public = comments.iter().rposition(|comment| comment.visibility == Visibility::Public);
    let left_out = public.map_or(first, |public| public.min(first));
    comments.drain(..left_out);
    (comments, left_out > 0)
}

async fn page_of(
    ports: &Ports,
    browser: &Browser,
    ticket: &Issue,
    part: Part,
    rejection: Option<Rejection>,
) -> PageResult {
    let conversation = read_conversation(ports, browser, ticket, &part).await?;
    let writes = browser.permit::<CreateComments>();
    let drafts = match &writes {
        Some(permit) => drafts::read(ports, permit, CommentedRecord::Issue(ticket.id)).await?,
        None => Vec::new(),
    };
    let names = people::names(ports, browser, wanted_names(ticket, &conversation.comments)).await?;
    let status = match &rejection {
        None => StatusCode::OK,
        Some(rejection) if !rejection.crossed.is_empty() => StatusCode::CONFLICT,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let mut view =
        view_of(browser, (ticket, part.position), conversation, &drafts, &names, rejection.unwrap_or_default());
    view.start_timer = start_button(browser, "ticket_id", &view.id, &view.path)?;
    view.logged = logged_card(browser, "ticket_id", &json!(ticket))?;
    let has_pictures = view.messages.iter().any(|one| one.is_by_staff && may_have_pictures(&one.body));
    let page = responses::page_with(status, browser, view);
    if has_pictures { responses::with_pictures(page) } else { page }
}

fn wanted_names(ticket: &Issue, comments: &[Comment]) -> WantedNames {
    let mut wanted = WantedNames::default();
    wanted.people.extend(ticket.assignee_id.map(|id| id.0));
    wanted.people.extend(ticket.created_by.id);
    wanted.people.extend(comments.iter().filter_map(|comment| comment.author.id));
    let contact = ticket.requester.as_ref().and_then(|requester| requester.contact_id);
    wanted.records.extend(contact.map(|id| (RecordKind::Contact, id.0)));
    wanted.records.extend(ticket.project_id.map(|id| (RecordKind::Project, id.0)));
    wanted
}

/// The text that is being written: the rejected text or the draft.
fn composer_of(visibility: Visibility, drafts: &[Draft], rejection: &Rejection) -> Composer {
    let draft = drafts.iter().find(|draft| draft.visibility == visibility);
    let kept_at = draft.map(|draft| draft.updated_at);
    match &rejection.text {
        Some((of, body, error)) if *of == visibility => Composer { body: body.clone(), kept_at, error: error.clone() },
        _ => Composer { body: draft.map(|draft| draft.body.clone()).unwrap_or_default(), kept_at, error: None },
    }
}

fn customer_of(ticket: &Issue, names: &Names) -> Option<Customer> {
    let requester = ticket.requester.as_ref()?;
    let contact = requester.contact_id.and_then(|id| {
        let name = names.records.get(&(RecordKind::Contact, id.0))?;
        Some((format!("/contacts/{id}"), name.clone()))
    });
    let (name, email) = (requester.name.clone(), requester.email.clone());
    Some(Customer { name, email, is_erased: requester.is_erased(), contact })
}

fn view_of(
    browser: &Browser,
    (ticket, position): (&Issue, ListPosition),
    conversation: Conversation,
    drafts: &[Draft],
    names: &Names,
    rejection: Rejection,
) -> TicketPage {
    let current = position.clone().or_current(ticket);
    let [previous_ticket, next_ticket] = current.neighbours(ticket.id);
    let reader = Reader::new(browser, names);
    let message = |comment: &Comment| reader.message(ticket, comment);
    let opening = if conversation.beginning.is_none() { reader.opening(ticket) } else { None };
    let held = conversation.comments.iter().filter(|comment| rejection.crossed.contains(&comment.id));
    let assignee = FormView::new::<IssueFields>().only(&["assignee_id"]);
    let next = statuses().filter(|next| *next != ticket.status && ticket.status.may_become(*next));
    let project = ticket.project_id.and_then(|id| {
        let name = names.records.get(&(RecordKind::Project, id.0))?;
        Some((format!("/projects/{id}"), name.clone()))
    });
    TicketPage {
        shell: browser.shell(ticket.title.clone()),
        id: ticket.id.to_string(),
        path: path_of(ticket.id),
        own: position.clone().without_cursor().ticket(ticket.id),
        reference: ticket.reference.clone().unwrap_or_default(),
        version: ticket.version,
        status: tinted_status(ticket.status),
        priority: tinted_priority(ticket.priority),
        next: next.map(tinted_status).collect(),
        priorities: Priority::ALL.iter().copied().map(tinted_priority).collect(),
        assignee: assignee.with_record(&json!(ticket), &browser.preferences.zone).with_names(names),
        assignee_name: ticket
            .assignee_id
            .map(|id| names.people.get(&id.0).cloned().unwrap_or_else(|| text("unknown-member"))),
        is_mine: ticket.assignee_id.is_some() && ticket.assignee_id == browser.user(),
        me: browser.user().map(|id| id.0.to_string()).unwrap_or_default(),
        labels: ticket.labels.iter().map(|label| (with("/tickets", "", "label", label), label.clone())).collect(),
        label_text: ticket.labels.join(", "),
        due_at: ticket.due_at,
        is_open: ticket.status.is_open(),
        project,
        customer: customer_of(ticket, names),
        held: held.map(message).collect(),
        messages: opening.into_iter().chain(conversation.comments.iter().map(message)).collect(),
        seen: last_seen_marker(&conversation.comments),
        beginning: conversation.beginning,
        later: conversation.later,
        is_end: conversation.is_end,
        answer: composer_of(Visibility::Public, drafts, &rejection),
        note: composer_of(Visibility::Internal, drafts, &rejection),
        problem: rejection.problem,
        takes_answers: ticket.status != IssueStatus::Closed,
        may_become_pending: ticket.status != IssueStatus::Pending && ticket.status.may_become(IssueStatus::Pending),
        may_take: ticket.assignee_id.is_none() && browser.may::<UpdateIssues>() && browser.user().is_some(),
        list_address: position.list_address(),
        previous_ticket,
        next_ticket,
        was_just_answered: position.was_just_answered(),
        position: current,
        may_write: browser.may::<CreateComments>(),
        may_update: browser.may::<UpdateIssues>(),
        may_link: browser.may::<UpdateIssues>() && ticket.requester.as_ref().is_some_and(|one| !one.is_erased()),
        may_see_history: browser.may::<ReadHistory>(),
        start_timer: None,
        logged: None,
    }
}
