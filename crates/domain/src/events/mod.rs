//! The event log: every change of a record, kept once (interface 24).
//!
//! Use cases append [`Event`]s in their transactions ([`crate::ports::Tx::emit`]). The log serves webhooks, followers and
//! histories.

mod catalogue;
mod event;
mod history;
mod logged;
mod own;
mod reach;
mod retention;

pub use catalogue::{ALL_EVENTS, MAX_NAME_LENGTH, Module, TEST_EVENT, is_event_name};
pub use event::{Event, EventRecord};
pub(crate) use event::{EventBuilder, EventSource, event_source};
pub use history::HistoryQuery;
pub use logged::{EventActor, EventRecordView, EventView, LoggedEvent};
pub use own::OwnEvent;
pub use reach::EventReach;
pub use retention::EventRetention;
