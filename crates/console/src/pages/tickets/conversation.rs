//! The conversation on a ticket, as it is shown: messages by the customer, answers to the customer, and internal notes.

use domain::console::Names;
use domain::identity::access::{Actor, ActorKind};
use domain::kernel::input::format_timestamp;
use domain::work::comments::{Comment, LastSeen, Visibility};
use domain::work::issues::Issue;
use domain::{CommentId, UserId};
use time::OffsetDateTime;

use crate::layout::Browser;
use crate::records::icon_of_actor;
use crate::texts::{self, text};

/// Who wrote a message, and who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Customer,
    /// Written by the team for the customer.
    Team,
    /// Written by the team for itself.
    Internal,
}

impl Side {
    /// The part of its CSS classes.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Team => "team",
            Self::Internal => "internal",
        }
    }

    /// The label next to the author.
    pub(super) fn label(self) -> String {
        text(match self {
            Self::Customer => "tickets-from-customer",
            Self::Team => "tickets-to-customer",
            Self::Internal => "tickets-internal",
        })
    }
}

pub(super) struct Message {
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) side: Side,
    pub(super) author: String,
    pub(super) icon: &'static str,
    pub(super) at: OffsetDateTime,
    pub(super) is_edited: bool,
    pub(super) body: String,
    /// Whether a member wrote it, so that its pictures load on a click.
    pub(super) is_by_staff: bool,
    /// Whether the reader can change or delete it. Messages of customers cannot be changed.
    pub(super) may_change: bool,
    /// The value of [`SEEN`] for a writer who has seen this message; `None` for notes, which answers do not cross.
    pub(super) seen: Option<String>,
}

/// The user who reads the conversation.
pub(super) struct Reader<'a> {
    pub(super) user: Option<UserId>,
    pub(super) administers: bool,
    pub(super) names: &'a Names,
}

impl<'a> Reader<'a> {
    pub(super) fn new(browser: &Browser, names: &'a Names) -> Self {
        Self { user: browser.user(), administers: browser.administers(), names }
    }

    pub(super) fn message(&self, ticket: &Issue, comment: &Comment) -> Message {
        let side = match (comment.author.kind, comment.visibility) {
            (ActorKind::Customer, _) => Side::Customer,
            (_, Visibility::Public) => Side::Team,
            (_, Visibility::Internal) => Side::Internal,
        };
        let is_own = self.user.is_some_and(|user| comment.author.id == Some(user.0));
        Message {
            id: comment.id.to_string(),
            version: comment.version,
            side,
            author: self.author(ticket, comment.author),
            icon: icon_of_actor(comment.author.kind.as_str()),
            at: comment.created_at,
            is_edited: comment.edited_at.is_some(),
            body: comment.body.clone(),
            is_by_staff: comment.author.kind == ActorKind::User,
            may_change: side != Side::Customer && (is_own || self.administers),
            seen: (comment.visibility == Visibility::Public).then(|| seen_marker(comment)),
        }
    }

    /// The message that opened the ticket.
    pub(super) fn opening(&self, ticket: &Issue) -> Option<Message> {
        let body = ticket.description.clone()?;
        let is_by_customer = ticket.requester.is_some();
        let author = Actor { kind: ActorKind::Customer, id: None };
        let author = if is_by_customer { author } else { ticket.created_by };
        Some(Message {
            id: "opening".to_owned(),
            version: 0,
            side: if is_by_customer { Side::Customer } else { Side::Internal },
            author: self.author(ticket, author),
            icon: icon_of_actor(author.kind.as_str()),
            at: ticket.created_at,
            is_edited: false,
            body,
            is_by_staff: author.kind == ActorKind::User,
            may_change: false,
            seen: None,
        })
    }

    fn author(&self, ticket: &Issue, actor: Actor) -> String {
        match (actor.kind, actor.id) {
            (ActorKind::Customer, _) => {
                ticket.requester.as_ref().map_or_else(|| text("actor-customer"), |requester| requester.name.clone())
            }
            (kind, id) => {
                let name = id.and_then(|id| self.names.people.get(&id).cloned());
                name.unwrap_or_else(|| texts::label("actor", kind.as_str()))
            }
        }
    }
}

/// The field with the last message that a writer has seen.
pub(super) const SEEN: &str = "_seen";

fn seen_marker(comment: &Comment) -> String {
    format!("{} {}", format_timestamp(comment.created_at), comment.id)
}

/// The value of [`SEEN`] for a reader of these comments: the last public one.
pub(super) fn last_seen_marker(comments: &[Comment]) -> String {
    let last = comments.iter().rev().find(|comment| comment.visibility == Visibility::Public);
    last.map(seen_marker).unwrap_or_default()
}

/// What a writer has seen, from the field. One that cannot be read stands for nothing, so that the answer is held back.
pub(super) fn parse_seen(text: &str) -> LastSeen {
    let parsed = text.split_once(' ').and_then(|(time, id)| {
        let instant: jiff::Timestamp = time.parse().ok()?;
        let created_at = OffsetDateTime::from_unix_timestamp_nanos(instant.as_nanosecond()).ok()?;
        Some(LastSeen::Until { created_at, id: CommentId(id.parse().ok()?) })
    });
    parsed.unwrap_or(LastSeen::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_seen_message_round_trips_through_the_form() {
        let id = CommentId(uuid::Uuid::from_u128(7));
        let created_at = time::macros::datetime!(2026-11-22 09:30:00.123456 UTC);
        let field = format!("{} {id}", format_timestamp(created_at));
        assert_eq!(parse_seen(&field), LastSeen::Until { created_at, id });
        for unreadable in ["", "x", "2026-11-22T09:30:00Z", "2026-11-22T09:30:00Z x"] {
            assert_eq!(parse_seen(unreadable), LastSeen::Nothing, "{unreadable}");
        }
    }
}
