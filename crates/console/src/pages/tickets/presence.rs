//! Who else has a ticket open, and who is writing.

use domain::IssueId;
use domain::identity::access::ReadComments;
use domain::work::comments::CommentedRecord;
use domain::work::presence::{self, PresenceState};

use crate::prelude::*;

page! {
    /// Sent by the page every few seconds while it is visible, and when it is closed.
    Present = "POST /tickets/{issue_id}/presence", access: ReadComments, path: IssueId => present
}

/// The maximum number of names that are shown.
const SHOWN: usize = 5;

#[derive(Template)]
#[template(path = "tickets/presence.html")]
struct PresencePart {
    looking: String,
    writing: String,
    /// How many others there are.
    more: usize,
}

async fn present(request: PageRequest<Present>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let on = CommentedRecord::Issue(path);
    let Some(state) = form.value("state").and_then(PresenceState::parse) else {
        presence::leave(&ports, &permit, on).await?;
        return responses::page(&browser, PresencePart { looking: String::new(), writing: String::new(), more: 0 });
    };
    let others = presence::report_presence(&ports, &permit, on, state).await?;
    let more = others.len().saturating_sub(SHOWN);
    let (writing, looking): (Vec<_>, Vec<_>) =
        others.into_iter().take(SHOWN).partition(|other| other.state == PresenceState::Writing);
    let names =
        |people: Vec<presence::Presence>| people.into_iter().map(|person| person.name).collect::<Vec<_>>().join(", ");
    responses::page(&browser, PresencePart { looking: names(looking), writing: names(writing), more })
}
