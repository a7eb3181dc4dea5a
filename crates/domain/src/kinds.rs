//! What each kind of record declares next to its own code. Whoever needs it of every kind asks here, and names none.

use crate::events::KindEvents;
use crate::identity::access::RecordKind;

impl RecordKind {
    /// What the kind declares of its events.
    pub(crate) fn events(self) -> &'static KindEvents {
        match self {
            Self::Contact => &crate::crm::contacts::events::EVENTS,
            Self::Company => &crate::crm::companies::events::EVENTS,
            Self::Deal => &crate::crm::deals::events::EVENTS,
            Self::Project => &crate::work::projects::events::EVENTS,
            Self::Cycle => &crate::work::cycles::events::EVENTS,
            Self::Task => &crate::work::issues::events::TASK_EVENTS,
            Self::Ticket => &crate::work::issues::events::TICKET_EVENTS,
            Self::Article => &crate::support::kb::events::EVENTS,
        }
    }
}
