//! `/event-types`: the events that the service emits, each with the schema and an example of its payload.

use domain::event_types::{self, EventType};
use domain::identity::access::ListEventTypes;
use http_core::operation;

operation! {
    /// List the event types.
    List = "GET /api/v1/event-types", contract: additional, access: ListEventTypes
    => shown(event_types::list()) -> Vec<&'static EventType>
}
