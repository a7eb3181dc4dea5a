//! Modules, their scope columns and the names of their events (interface 16.2, 16.5–16.9).

use serde_json::{Value as Json, json};

use crate::identity::access::{AccessRequirement, Area, ReadRequirement, RecordKind, Scope};
use crate::kernel::input::{choices, readable_choices};

/// Maximum length of an event name, in characters.
pub const MAX_NAME_LENGTH: usize = 100;
/// Stands for every event of a module.
pub const ALL_EVENTS: &str = "*";
/// The event name of a test delivery, regardless of the subscription's events.
pub const TEST_EVENT: &str = "webhook.test";

choices! {
    /// The module that a subscription belongs to.
    pub enum Module {
        /// Projects, cycles and tasks.
        Projects = "projects",
        /// Tickets.
        Support = "support",
        /// Contacts, companies and deals.
        Crm = "crm",
        /// Bookings, kept in another system.
        Scheduling = "scheduling",
        /// Contracts, kept in another system.
        Contracts = "contracts",
        /// Time entries, and what other systems report.
        Time = "time",
        /// Procurement, kept in another system.
        Procurement = "procurement",
        /// Planning, kept in another system.
        Planning = "planning",
        /// Goals, kept in another system.
        Goals = "goals",
        /// Surveys, kept in another system.
        Surveys = "surveys",
        /// Subscriptions of customers, kept in another system.
        Subscriptions = "subscriptions",
        /// Marketing, kept in another system.
        Marketing = "marketing",
    }
}

readable_choices!(Module);

impl Module {
    /// The member of `scope` that narrows a subscription of the module; `None` if the module has no scope.
    pub const fn scope_column(self) -> Option<&'static str> {
        match self {
            Self::Projects => Some("project_id"),
            Self::Scheduling => Some("booking_link_id"),
            Self::Contracts => Some("contract_id"),
            _ => None,
        }
    }

    /// Every member that `scope` can have.
    pub(crate) fn scope_columns() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter_map(|module| module.scope_column())
    }

    /// The access needed to report an event of the module; `None` if the service emits the module's events itself.
    pub const fn report_requirement(self) -> Option<AccessRequirement> {
        let area = match self {
            Self::Projects | Self::Support | Self::Crm => return None,
            Self::Contracts => return Some(AccessRequirement::Administrator),
            Self::Scheduling => const { &[Scope::write(Area::Bookings)] },
            Self::Time => const { &[Scope::write(Area::Time)] },
            Self::Procurement => const { &[Scope::write(Area::Procurement)] },
            Self::Planning => const { &[Scope::write(Area::Planning)] },
            Self::Goals => const { &[Scope::write(Area::Goals)] },
            Self::Surveys => const { &[Scope::write(Area::Surveys)] },
            Self::Subscriptions => const { &[Scope::write(Area::Subscriptions)] },
            Self::Marketing => const { &[Scope::write(Area::Marketing)] },
        };
        Some(AccessRequirement::Scopes(area))
    }

    /// The events that a name in a subscription stands for. Other systems name their events freely, so each of their names stands
    /// for itself.
    pub(crate) fn expand(self, event: &str) -> Vec<&str> {
        match (event, self.events()) {
            (ALL_EVENTS, own) if !own.is_empty() => {
                let reported = self.report_requirement().map(|_| event);
                own.iter().copied().chain(reported).collect()
            }
            _ => vec![event],
        }
    }

    /// What a caller must be able to read to see the event; empty for a test. An event that no kind declares requires an
    /// administrator.
    pub(crate) fn read_requirements(self, event: &str) -> Vec<ReadRequirement> {
        if event == TEST_EVENT {
            return Vec::new();
        }
        if let Some(own) = self.own_events().iter().find(|own| own.name == event) {
            return own.read_requirements();
        }
        match self.report_requirement() {
            Some(AccessRequirement::Scopes(scopes) | AccessRequirement::KeyScopes(scopes)) => {
                scopes.iter().map(|scope| ReadRequirement::Area(scope.area)).collect()
            }
            Some(_) | None => vec![ReadRequirement::Administrator],
        }
    }

    /// Whether the noun of a name is a kind of record of the module, whose events only the service emits.
    pub(crate) fn owns_noun_of(self, name: &str) -> bool {
        let noun = name.split('.').next().and_then(RecordKind::parse);
        noun.is_some_and(|kind| kind.events().module == self)
    }

    /// The canonical form of an event name sent by a client; `None` if the module has no such event.
    pub fn canonical(self, name: &str) -> Option<String> {
        if name == ALL_EVENTS {
            return Some(name.to_owned());
        }
        if self.report_requirement().is_some() && !self.owns_noun_of(name) {
            return is_event_name(name).then(|| name.to_owned());
        }
        // `issue.*` is an alias of `task.*`.
        let task = name.strip_prefix("issue.").filter(|_| self == Self::Projects).map(|verb| format!("task.{verb}"));
        let name = task.unwrap_or_else(|| name.to_owned());
        self.events().contains(&name.as_str()).then_some(name)
    }
}

pub fn event_name_schema() -> Json {
    json!({ "type": "string", "maxLength": MAX_NAME_LENGTH, "pattern": r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$" })
}

/// Whether a name has the form `{noun}.{verb}` in lower case.
pub fn is_event_name(name: &str) -> bool {
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let parts = name.split_once('.');
    name.len() <= MAX_NAME_LENGTH
        && parts.is_some_and(|(noun, verb)| is_word(noun) && is_word(verb))
        && name != TEST_EVENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_own_event_is_canonical_and_belongs_to_one_module() {
        for module in Module::ALL.iter().copied() {
            let is_mixed = module == Module::Time;
            assert_eq!(module.events().is_empty() || is_mixed, module.report_requirement().is_some(), "{module}");
            for name in module.events() {
                assert!(is_event_name(name), "{name}");
                let owners = Module::ALL.iter().filter(|other| other.events().contains(name)).count();
                assert_eq!((module.canonical(name).as_deref(), owners), (Some(*name), 1));
            }
            assert_eq!(module.canonical("*").as_deref(), Some("*"));
            assert_eq!(module.canonical(TEST_EVENT), None);
        }
    }

    #[test]
    fn tests_require_nothing_and_undeclared_events_an_administrator() {
        for module in [Module::Projects, Module::Support, Module::Crm] {
            assert!(module.read_requirements(TEST_EVENT).is_empty());
            for unknown in ["deal.nope", "nope.created", ALL_EVENTS] {
                assert_eq!(module.read_requirements(unknown), [ReadRequirement::Administrator], "{module} {unknown}");
            }
        }
    }

    #[test]
    fn other_systems_report_events_of_time_but_none_of_time_entries() {
        let time = Module::Time;
        for (name, canonical) in [
            ("time_entry.created", true),
            ("time_entry.rejected", true),
            ("time_entry.billed", false),
            ("timesheet.closed", true),
            ("deal.closed", true),
        ] {
            assert_eq!(time.canonical(name).is_some(), canonical, "{name}");
        }
        assert!(time.owns_noun_of("time_entry.billed") && !time.owns_noun_of("timesheet.closed"));
        assert!(
            time.expand(ALL_EVENTS).contains(&"time_entry.created") && time.expand(ALL_EVENTS).contains(&ALL_EVENTS)
        );
        assert!(matches!(time.read_requirements("time_entry.created")[..], [ReadRequirement::Records(_)]));
        assert!(matches!(time.read_requirements("timesheet.closed")[..], [ReadRequirement::Area(_)]));
    }

    #[test]
    fn issue_events_are_aliases_of_task_events() {
        for verb in ["created", "updated", "status_changed", "assigned", "deleted", "comment_added"] {
            let canonical = Module::Projects.canonical(&format!("issue.{verb}"));
            assert_eq!(canonical, Some(format!("task.{verb}")));
        }
        assert_eq!(Module::Projects.canonical("issue.nope"), None);
        assert_eq!(Module::Support.canonical("issue.created"), None);
        assert_eq!(Module::Projects.canonical("ticket.created"), None);
    }

    #[test]
    fn other_modules_name_their_events_themselves() {
        for (name, good) in [
            ("booking.confirmed", true),
            ("time_entry.created_2", true),
            ("booking", false),
            ("Booking.confirmed", false),
            ("booking.confirmed.twice", false),
            ("booking.", false),
            (".confirmed", false),
            ("1booking.x", false),
            ("booking.con firmed", false),
        ] {
            assert_eq!(Module::Scheduling.canonical(name).is_some(), good, "{name}");
        }
        let long = format!("{}.b", "a".repeat(MAX_NAME_LENGTH - 2));
        assert!(is_event_name(&long) && !is_event_name(&format!("a{long}")));
    }
}
