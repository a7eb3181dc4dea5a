//! The event log: every change of a record, stored once (interface 24).
//!
//! Use cases append [`Event`]s in their transactions ([`crate::ports::Tx::emit`]). The log serves webhooks, followers and
//! histories.

mod catalogue;
mod event;
pub(crate) mod example;
mod filter;
mod follow;
mod kind_events;
mod logged;
mod newest;
mod no_followers;
mod own;
mod place;
mod reach;
mod retention;

pub use catalogue::{ALL_EVENTS, MAX_NAME_LENGTH, Module, TEST_EVENT, event_name_schema, is_event_name};
pub(crate) use event::event_source;
pub use event::{Event, EventBuilder, EventRecord, EventSource};
pub use filter::{ActorChoice, EventActorKind, EventFilter, EventMatcher, EventName, ExcludedActor, RecordId};
pub use follow::{EventPage, FollowRequest, Following, MAX_WAIT_SECONDS, is_passing, list, list_serialized};
pub use kind_events::{Cascade, DataType, EventCause};
pub(crate) use kind_events::{CascadeRole, KindEvents};
pub use logged::{EventActor, EventRecordView, EventView, HistoryQuery, LoggedEvent, ShownEvent};
pub use newest::{NewestRequest, list_newest};
pub use no_followers::NoFollowers;
pub use own::OwnEvent;
pub use place::LogPlace;
pub use reach::EventReach;
pub use retention::EventRetention;
