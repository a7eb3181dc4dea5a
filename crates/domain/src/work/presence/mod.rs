//! Who else has a record open, and who is writing on it.
//!
//! An open page says so every few seconds. Nobody is told of anything here: it is shown to those who ask in turn.

use time::{Duration, OffsetDateTime};

use super::comments::CommentedRecord;
use crate::crm::comments::CrmRecord;
use crate::identity::access::{Permit, ReadComments};
use crate::kernel::input::choices;
use crate::ports::{Ports, statement};
use crate::{Error, UserId};

/// How long somebody counts as there after their page last said so.
pub const PRESENT_FOR: Duration = Duration::seconds(30);
/// The most people that are shown of a record, the latest first.
pub const MAX_SHOWN: u32 = 50;
/// The most records that a person is there on; those they looked at before go.
pub const MAX_RECORDS: u32 = 20;

choices! {
    /// What somebody does on a record.
    pub enum PresenceState {
        /// They have it open.
        Looking = "looking",
        /// They are writing a comment.
        Writing = "writing",
    }
}

/// Somebody who has a record open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    pub user: UserId,
    pub name: String,
    pub state: PresenceState,
    pub seen_at: OffsetDateTime,
}

fn person(permit: &Permit<ReadComments>) -> Result<UserId, Error> {
    permit.session().map(|(_, user)| user).ok_or(Error::SessionNeeded)
}

/// Says that the caller has a record open, and returns who else has, the latest first.
///
/// # Errors
/// [`Error::NotFound`] for a record that the caller may not read, or that is deleted; [`Error::SessionNeeded`] for an API key.
pub async fn report_presence(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    record: CommentedRecord,
    state: PresenceState,
) -> Result<Vec<Presence>, Error> {
    let (user, now) = (person(permit)?, ports.clock.now());
    let reader = permit.clone();
    statement(ports, permit, move |tx| {
        record.check(tx, &reader, CrmRecord::may_be_read)?;
        Ok(tx.presence().report_presence(record.id(), user, state, now)?)
    })
    .await
}

/// Says that the caller has closed a record, whatever has become of it.
///
/// # Errors
/// [`Error::SessionNeeded`] for an API key.
pub async fn leave(ports: &Ports, permit: &Permit<ReadComments>, record: CommentedRecord) -> Result<(), Error> {
    let user = person(permit)?;
    statement(ports, permit, move |tx| Ok(tx.presence().leave(record.id(), user)?)).await
}
