//! Example events about the records of a small company.

use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;

use super::kind_events::CascadeRole;
use super::{Cascade, Event, EventBuilder, EventCause, EventSource};
use crate::identity::access::{Actor, ActorKind, Principal};
use crate::{CompanyId, ContactId, CycleId, DealId, ProjectId, UserId};

/// When the example records were created.
pub(crate) const MADE: OffsetDateTime = datetime!(2030-03-04 09:15:27.418205 UTC);
/// When they were changed.
pub(crate) const CHANGED: OffsetDateTime = datetime!(2030-03-06 14:02:51.090367 UTC);

/// A version 7 UUID from the time when the records were created.
pub(crate) const fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x01ba_6ff1_0f6a_7000_8000_0000_0000_0000 + number)
}

// The ids that records refer to.
pub(crate) const MEMBER: UserId = UserId(id(1));
pub(crate) const CONTACT: ContactId = ContactId(id(2));
pub(crate) const COMPANY: CompanyId = CompanyId(id(3));
pub(crate) const DEAL: DealId = DealId(id(4));
pub(crate) const PROJECT: ProjectId = ProjectId(id(5));
pub(crate) const CYCLE: CycleId = CycleId(id(6));
/// The member that records are assigned to.
pub(crate) const GRACE: UserId = UserId(id(9));

/// The member who makes all changes.
pub(crate) const ADA: Actor = Actor { kind: ActorKind::User, id: Some(MEMBER.0) };

fn by_ada(at: OffsetDateTime) -> EventBuilder {
    EventBuilder::new(&Principal::named(ADA, "Ada Byron", None), at)
}

/// Builds events at the time when the records were created.
pub(crate) fn at_creation() -> EventBuilder {
    by_ada(MADE)
}

/// Builds events at the time when the records were changed.
pub(crate) fn at_change() -> EventBuilder {
    by_ada(CHANGED)
}

/// The events of a record's life: its creation, deletion and restoration, and one update for each of `changes`. `record` builds the
/// record from its version and the time of its last change.
pub(crate) fn life<R: EventSource>(record: fn(i64, OffsetDateTime) -> R, changes: &[fn(&mut R)]) -> Vec<Event> {
    let new = record(1, MADE);
    let mut events = at_creation().created(&new);
    if new.kind().deletes().is_some() {
        events.push(cascade_event(&record(2, CHANGED), "deleted", id(20)));
        events.push(cascade_event(&record(3, CHANGED), "restored", id(21)));
    }
    for change in changes {
        let mut after = record(2, CHANGED);
        change(&mut after);
        events.extend(at_change().updated(&new, &after));
    }
    events
}

/// The event of a deletion or restoration; `leader` is the id of the leader's event.
fn cascade_event(record: &impl EventSource, verb: &str, leader: Uuid) -> Event {
    let event = at_change().happened(record, verb);
    match record.kind().events().cascade {
        None => event,
        Some(CascadeRole::Leader) => event.with_cascade(Some(Cascade { tasks: 12, cycles: 2 })),
        Some(CascadeRole::Follower) => {
            event.with_cause(Some(&EventCause { event: format!("project.{verb}"), id: leader }))
        }
    }
}
