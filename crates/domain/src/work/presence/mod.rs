//! Who has a record open, and who is writing a comment on it.
//!
//! An open page reports its presence every few seconds, and receives that of others in the response. Nothing is pushed.

use time::{Duration, OffsetDateTime};

use super::comments::CommentedRecord;
use crate::crm::comments::CrmRecord;
use crate::identity::access::{Permit, ReadComments};
use crate::kernel::input::choices;
use crate::ports::{Ports, statement};
use crate::{Error, UserId};

/// How long a user counts as present after the last report of their page.
pub const PRESENT_FOR: Duration = Duration::seconds(30);
/// The maximum number of users that are shown for a record, the most recent first.
pub const MAX_SHOWN: u32 = 50;
/// The maximum number of records on which a user is present. Beyond that, the earliest are dropped.
pub const MAX_RECORDS: u32 = 20;

choices! {
    /// What a user does on a record.
    pub enum PresenceState {
        /// They have it open.
        Looking = "looking",
        /// They are writing a comment.
        Writing = "writing",
    }
}

/// A user who has a record open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    pub user: UserId,
    pub name: String,
    pub state: PresenceState,
    pub seen_at: OffsetDateTime,
}

/// Reports that the caller has a record open, and returns the other users who have, the most recent first.
///
/// # Errors
/// [`Error::NotFound`] for a record that the caller may not read, or that is deleted; [`Error::SessionNeeded`] for an API key.
pub async fn report_presence(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    record: CommentedRecord,
    state: PresenceState,
) -> Result<Vec<Presence>, Error> {
    let (user, now) = (permit.session_user()?, ports.clock.now());
    let reader = permit.clone();
    statement(ports, permit, move |tx| {
        record.check(tx, &reader, CrmRecord::may_be_read)?;
        Ok(tx.presence().report_presence(record.id(), user, state, now)?)
    })
    .await
}

/// Reports that the caller has closed a record, even if the record was deleted.
///
/// # Errors
/// [`Error::SessionNeeded`] for an API key.
pub async fn leave(ports: &Ports, permit: &Permit<ReadComments>, record: CommentedRecord) -> Result<(), Error> {
    let user = permit.session_user()?;
    statement(ports, permit, move |tx| Ok(tx.presence().leave(record.id(), user)?)).await
}
