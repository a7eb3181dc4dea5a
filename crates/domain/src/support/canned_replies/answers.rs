//! Canned replies in answers to tickets: those to choose from, and their text in an answer.

use super::{CannedReply, CannedReplyFilter, CannedReplyId};
use crate::identity::access::{Permit, ReadCannedReplies, ReadIssues};
use crate::kernel::IssueKind;
use crate::kernel::input::Line;
use crate::kernel::paging::PageRequest;
use crate::kernel::search::SearchQuery;
use crate::ports::Ports;
use crate::records::{self, MAX_COMMENT, RecordKind};
use crate::work::issues::{self, Issue};
use crate::{Error, IssueId};

/// How many of the caller's own and how many shared replies are offered at once.
const MAX_OFFERED: u32 = 50;

/// The canned replies to choose from, the newest first.
#[derive(Debug, Default)]
pub struct OfferedReplies {
    /// The caller's own.
    pub own: Vec<CannedReply>,
    pub shared: Vec<CannedReply>,
    /// Whether more replies match.
    pub has_more: bool,
}

/// The canned replies that match a search; without one, all of them. Two statements.
pub async fn offered_replies(
    ports: &Ports,
    permit: &Permit<ReadCannedReplies>,
    search: Option<SearchQuery>,
) -> Result<OfferedReplies, Error> {
    let of = |shared| {
        let (search, shared) = (search.clone(), Some(shared));
        CannedReplyFilter { search, shared, ..CannedReplyFilter::default() }
    };
    let page = PageRequest::first(MAX_OFFERED);
    let own = records::list::<CannedReply>(ports, permit, of(false), page).await?;
    let shared = records::list::<CannedReply>(ports, permit, of(true), page).await?;
    let has_more = own.has_more || shared.has_more;
    Ok(OfferedReplies { own: own.items, shared: shared.items, has_more })
}

/// Reads a canned reply and, if a ticket is given, its body for an answer to that ticket.
///
/// # Errors
/// [`Error::NotFound`] for the reply; [`Error::Invalid`] for a ticket that does not exist or that the caller may not read, and for one
/// with which the body is longer than a comment.
pub async fn read_for_ticket(
    ports: &Ports,
    permit: &Permit<ReadCannedReplies>,
    id: CannedReplyId,
    ticket: Option<IssueId>,
) -> Result<(CannedReply, Option<String>), Error> {
    let reply = records::read::<CannedReply>(ports, permit, id).await?;
    let Some(ticket) = ticket else { return Ok((reply, None)) };
    let unknown = || Error::invalid("ticket_id", "not_found", "must be the id of a ticket that you may read");
    let reads = permit.permit_if_covered::<ReadIssues>().filter(|permit| permit.may_read(RecordKind::Ticket.reads()));
    let ticket = match issues::read(ports, &reads.ok_or_else(unknown)?, ticket).await {
        Ok(ticket) if ticket.kind == IssueKind::Ticket => ticket,
        Ok(_) | Err(Error::NotFound(_)) => return Err(unknown()),
        Err(error) => return Err(error),
    };
    let filled = reply.filled_for(permit, &ticket);
    check_fits_comment(&filled)?;
    Ok((reply, Some(filled)))
}

/// Values may be longer than their variables.
fn check_fits_comment(filled: &str) -> Result<(), Error> {
    let length = filled.chars().count();
    if length <= MAX_COMMENT {
        return Ok(());
    }
    let message = format!(
        "filled in for this ticket, the reply has {length} characters, more than the {MAX_COMMENT} of a comment: read it \
         without ticket_id, and write a shorter answer"
    );
    Err(Error::invalid("ticket_id", "too_long", message))
}

/// Adds a canned reply to the end of a text.
///
/// # Errors
/// [`Error::NotFound`] for the reply.
pub async fn append_reply(
    ports: &Ports,
    permit: &Permit<ReadCannedReplies>,
    ticket: &Issue,
    typed: &str,
    id: CannedReplyId,
) -> Result<String, Error> {
    let reply = records::read::<CannedReply>(ports, permit, id).await?;
    Ok(appended(typed, &reply.filled_for(permit, ticket)))
}

/// The text and, after a blank line, the reply.
fn appended(typed: &str, reply: &str) -> String {
    let typed = typed.trim_end();
    if typed.is_empty() { reply.to_owned() } else { format!("{typed}\n\n{reply}") }
}

/// Replaces a shortcut at the end of a text by its canned reply; `None` if the caller sees no such reply. The caller's own replies take
/// precedence over shared ones, and newer replies over older ones.
pub async fn insert_reply(
    ports: &Ports,
    permit: &Permit<ReadCannedReplies>,
    ticket: &Issue,
    typed: &str,
) -> Result<Option<String>, Error> {
    let Some((before, shortcut)) = typed_shortcut(typed) else { return Ok(None) };
    // A text that is not a valid line cannot be a shortcut.
    let Ok(shortcut) = Line::parse(shortcut, "shortcut") else { return Ok(None) };
    let Some(reply) = reply_for(ports, permit, shortcut).await? else { return Ok(None) };
    Ok(Some(format!("{before}{}", reply.filled_for(permit, ticket))))
}

/// The shortcut at the end of a text, without its slash.
pub fn shortcut_in(text: &str) -> Option<&str> {
    typed_shortcut(text).map(|(_, shortcut)| shortcut)
}

/// The newest of the caller's own replies with a shortcut or, if there is none, the newest shared one.
async fn reply_for(
    ports: &Ports,
    permit: &Permit<ReadCannedReplies>,
    shortcut: Line<255>,
) -> Result<Option<CannedReply>, Error> {
    for shared in [false, true] {
        let (shortcut, shared) = (Some(shortcut.clone()), Some(shared));
        let filter = CannedReplyFilter { shortcut, shared, ..CannedReplyFilter::default() };
        let found = records::list::<CannedReply>(ports, permit, filter, PageRequest::first(1)).await?;
        if let Some(reply) = found.items.into_iter().next() {
            return Ok(Some(reply));
        }
    }
    Ok(None)
}

/// The text before a shortcut at its end, and the shortcut without its slash.
fn typed_shortcut(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let word = text.rsplit(char::is_whitespace).next()?;
    let shortcut = word.strip_prefix('/').filter(|shortcut| !shortcut.is_empty())?;
    Some((text.strip_suffix(word)?, shortcut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_added_after_a_blank_line() {
        assert_eq!(appended(" \n", "Reply"), "Reply");
        assert_eq!(appended("Dear Ann,\n", "Reply"), "Dear Ann,\n\nReply");
    }

    #[test]
    fn a_reply_fits_a_comment_up_to_its_bound() {
        assert!(check_fits_comment(&"ü".repeat(MAX_COMMENT)).is_ok());
        let refused = check_fits_comment(&"ü".repeat(MAX_COMMENT + 1)).unwrap_err().details();
        assert_eq!((refused[0].field.as_str(), refused[0].code), ("ticket_id", "too_long"));
        assert!(refused[0].message.contains("10001 characters"), "{}", refused[0].message);
    }

    #[test]
    fn only_the_last_word_is_a_shortcut() {
        for (text, expected) in [
            ("/late", Some(("", "late"))),
            ("Dear Ann,\n/late \n", Some(("Dear Ann,\n", "late"))),
            ("see /late and", None),
            ("https://example.com/late", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(typed_shortcut(text), expected, "{text:?}");
        }
    }
}
