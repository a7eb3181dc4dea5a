//! Canned replies in an answer: by a shortcut at the end of the text, or chosen from a list.

use domain::IssueId;
use domain::identity::access::{CreateComments, Permit, ReadCannedReplies, ReadIssues};
use domain::kernel::search::SearchQuery;
use domain::support::canned_replies::{self, CannedReply, CannedReplyId, OfferedReplies};
use domain::work::comments::{CommentedRecord, Visibility};
use domain::work::drafts;
use domain::work::issues::Issue;
use uuid::Uuid;

use super::answer::{keep, position_of};
use super::position::ListPosition;
use super::show::{self, Rejection};
use super::{Tickets, path_of};
use crate::prelude::*;
use crate::records::UseCases;
use crate::texts::shortened;

page! {
    /// A separate page, whose list the ticket's page shows in a dialog.
    Choose = "GET /tickets/{issue_id}/replies", access: CreateComments, path: IssueId, query: Search => choose;
    Insert = "POST /tickets/{issue_id}/draft/insert", access: CreateComments, path: IssueId => insert;
}

/// The form field with the reply that was chosen.
const CHOSEN: &str = "_reply";
/// How much of a reply the list shows, in characters.
const SHOWN_CHARACTERS: usize = 160;
/// How much of an unknown shortcut the message shows, in characters.
const SHOWN_SHORTCUT: usize = 60;

/// What was typed to find a reply.
pub(crate) struct Search {
    typed: String,
    position: ListPosition,
}

impl Query for Search {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let typed = Parameters::single(query, "q").unwrap_or_default();
        Self { typed, position: ListPosition::read(query) }
    }
}

/// A reply in the list.
struct Choice {
    id: String,
    title: String,
    shortcut: Option<String>,
    /// The beginning of its text for the ticket.
    beginning: String,
}

#[derive(Template)]
#[template(path = "tickets/replies.html")]
struct RepliesPage {
    shell: Shell,
    path: String,
    title: String,
    /// The URL of the ticket.
    back: String,
    /// The query of the list from which the ticket was opened.
    list: String,
    typed: String,
    /// Headings and choices: the reader's own replies, and the shared ones.
    groups: Vec<(String, Vec<Choice>)>,
    has_more: bool,
}

/// The permits to read canned replies and the ticket.
fn permits(browser: &Browser) -> Result<(Permit<ReadCannedReplies>, Permit<ReadIssues>), Error> {
    browser.permit().zip(browser.permit()).ok_or(Error::NotFound("ticket"))
}

async fn choose(request: PageRequest<Choose>) -> PageResult {
    let PageRequest { ports, path, query, browser, .. } = request;
    let Search { typed, position } = query;
    let (permit, reads_tickets) = permits(&browser)?;
    let ticket = Tickets::read(&ports, &reads_tickets, path).await?;
    let OfferedReplies { own, shared, has_more } = match SearchQuery::parse(&typed) {
        Ok(words) => canned_replies::offered_replies(&ports, &permit, words).await?,
        // A search with too many words finds nothing.
        Err(_) => OfferedReplies::default(),
    };
    let groups = [("tickets-replies-own", own), ("tickets-replies-shared", shared)].into_iter();
    let groups = groups.filter(|(_, replies)| !replies.is_empty()).map(|(key, replies)| {
        let choices = replies.into_iter().map(|reply| choice_of(reply, &permit, &ticket));
        (text(key), choices.collect::<Vec<_>>())
    });
    let view = RepliesPage {
        shell: browser.shell(text("tickets-replies-title")),
        path: path_of(path),
        title: ticket.title.clone(),
        back: format!("{}#write", position.ticket(path)),
        list: position.list().to_owned(),
        typed,
        groups: groups.collect(),
        has_more,
    };
    responses::page(&browser, view)
}

fn choice_of(reply: CannedReply, permit: &Permit<ReadCannedReplies>, ticket: &Issue) -> Choice {
    let filled = reply.filled_for(permit, ticket);
    let line = filled.split_whitespace().collect::<Vec<_>>().join(" ");
    Choice {
        id: reply.id.to_string(),
        title: reply.title,
        shortcut: reply.shortcut,
        beginning: shortened(&line, SHOWN_CHARACTERS),
    }
}

/// Puts a canned reply into the draft of an answer: the one that was chosen, or else the one whose shortcut is at the end of the text.
/// Without either, it leads to the list of replies.
async fn insert(request: PageRequest<Insert>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    form.set("visibility", Visibility::Public.as_str());
    let typed = text_so_far(&ports, &permit, path, &form).await?;
    form.set("body", &typed);
    let (replies, reads_tickets) = permits(&browser)?;
    let ticket = Tickets::read(&ports, &reads_tickets, path).await?;
    let chosen = form.value(CHOSEN).and_then(|id| id.parse::<Uuid>().ok());
    let inserted = match chosen.map(CannedReplyId) {
        Some(reply) => canned_replies::append_reply(&ports, &replies, &ticket, &typed, reply).await.map(Some),
        None => canned_replies::insert_reply(&ports, &replies, &ticket, &typed).await,
    };
    let position = position_of(&form);
    let problem = match (inserted, canned_replies::shortcut_in(&typed)) {
        (Ok(Some(body)), _) => {
            form.set("body", &body);
            let to = format!("{}#write", position.ticket(path));
            return keep(&ports, &browser, &permit, path, &form, &to, Some("tickets-reply-inserted")).await;
        }
        (Ok(None), None) => return keep(&ports, &browser, &permit, path, &form, &position.replies(path), None).await,
        (Ok(None), Some(shortcut)) => text_named("tickets-no-reply", &shortened(shortcut, SHOWN_SHORTCUT)),
        (Err(Error::NotFound(_)), _) => text("tickets-reply-gone"),
        (Err(error), _) => return Err(error.into()),
    };
    let text = Some((Visibility::Public, typed, Some(problem)));
    let rejection = Rejection { text, position, ..Rejection::default() };
    show::rejected_page(&ports, &browser, path, rejection).await
}

/// The text of the form. The page of replies has no text field: for its form, the text of the saved draft.
async fn text_so_far(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    id: IssueId,
    form: &Form,
) -> Result<String, Error> {
    if let Some(typed) = form.value("body") {
        return Ok(typed.to_owned());
    }
    let drafts = drafts::read(ports, permit, CommentedRecord::Issue(id)).await?;
    let draft = drafts.into_iter().find(|draft| draft.visibility == Visibility::Public);
    Ok(draft.map(|draft| draft.body).unwrap_or_default())
}
