//! Looks up what each kind of record declares next to its own code, so that callers need not list the kinds.

use crate::events::KindEvents;
use crate::identity::access::RecordKind;

/// What is done with the records of a kind, written once for all kinds: `K` in `with_kind!(kind, K => …)` is their type.
macro_rules! with_kind {
    (@arms $kind:expr, $record:ident => $work:expr; $($($variant:ident)|+: $type:ty;)+) => {
        match $kind {
            $($($crate::records::RecordKind::$variant)|+ => { type $record = $type; $work })+
        }
    };
    ($kind:expr, $record:ident => $work:expr) => {
        $crate::kinds::with_kind! { @arms $kind, $record => $work;
            Contact: $crate::crm::contacts::Contact;
            Company: $crate::crm::companies::Company;
            Deal: $crate::crm::deals::Deal;
            Project: $crate::work::projects::Project;
            Cycle: $crate::work::cycles::Cycle;
            Task | Ticket: $crate::work::issues::Issue;
            Article: $crate::support::kb::Article;
        }
    };
}
pub(crate) use with_kind;

/// Passes two lists of record types to another macro: all of them, each after the types that its records refer to, and those that
/// have a [list](crate::records::ListedKind).
#[macro_export]
#[doc(hidden)]
macro_rules! with_kinds {
    ($then:ident!($($input:tt)*)) => {
        $then! {
            [
                $crate::crm::companies::Company,
                $crate::crm::contacts::Contact,
                $crate::crm::deals::Deal,
                $crate::work::projects::Project,
                $crate::work::cycles::Cycle,
                $crate::work::issues::Issue,
                $crate::support::kb::Article
            ]
            [
                $crate::crm::companies::Company,
                $crate::crm::contacts::Contact,
                $crate::crm::deals::Deal,
                $crate::work::projects::Project,
                $crate::work::issues::Issue,
                $crate::support::kb::Article
            ]
            $($input)*
        }
    };
}

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
