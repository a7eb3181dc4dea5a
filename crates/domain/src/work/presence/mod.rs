//! Who else has a record open, and who is writing on it.
//!
//! An open page says so every few seconds. Nobody is told of anything here: it is shown to those who ask in turn.

use time::{Duration, OffsetDateTime};

use super::comments::CommentedRecord;
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

/// The person, if they may read the record.
fn reader(permit: &Permit<ReadComments>, record: CommentedRecord) -> Result<UserId, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    match record {
        CommentedRecord::Crm(of_crm) if !of_crm.may_be_read(permit) => Err(Error::NotFound(record.noun())),
        _ => Ok(user),
    }
}

/// Says that the caller has a record open, and returns who else has, the latest first. The page has read the record, which
/// is not read again: an id that is none of the workspace's records shows nobody.
///
/// # Errors
/// [`Error::NotFound`] for a record that the caller may not read; [`Error::SessionNeeded`] for an API key.
pub async fn be_there(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    record: CommentedRecord,
    state: PresenceState,
) -> Result<Vec<Presence>, Error> {
    let (user, now) = (reader(permit, record)?, ports.clock.now());
    statement(ports, permit, move |tx| Ok(tx.presence().be_there(record.id(), user, state, now)?)).await
}

/// Says that the caller has closed a record.
///
/// # Errors
/// Those of [`be_there`].
pub async fn leave(ports: &Ports, permit: &Permit<ReadComments>, record: CommentedRecord) -> Result<(), Error> {
    let user = reader(permit, record)?;
    statement(ports, permit, move |tx| Ok(tx.presence().leave(record.id(), user)?)).await
}
