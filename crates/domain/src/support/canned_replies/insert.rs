//! Inserts a canned reply where its shortcut was typed.

use super::{CannedReply, CannedReplyFilter, Variable};
use crate::Error;
use crate::identity::access::{Permit, ReadCannedReplies};
use crate::kernel::input::Line;
use crate::kernel::paging::PageRequest;
use crate::ports::Ports;
use crate::records;
use crate::work::issues::Issue;

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
    let (agent, workspace) = (permit.principal().name, &permit.workspace().name);
    let customer = ticket.requester.as_ref().filter(|requester| !requester.is_erased());
    let inserted = reply.filled(|variable| match variable {
        Variable::CustomerName => customer.map(|customer| customer.name.clone()),
        Variable::CustomerEmail => customer.map(|customer| customer.email.clone()),
        Variable::TicketNumber => ticket.reference.clone(),
        Variable::TicketTitle => Some(ticket.title.clone()),
        Variable::AgentName => Some(agent.to_string()),
        Variable::WorkspaceName => Some(workspace.clone()),
    });
    Ok(Some(format!("{before}{inserted}")))
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
