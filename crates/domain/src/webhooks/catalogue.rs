//! Modules, their scope columns and the names of their events (contract: webhooks; events).

use crate::identity::access::{AccessRequirement, Area, Scope};
use crate::kernel::input::{choices, readable_choices};

/// The most characters of an event's name.
pub const MAX_NAME_LENGTH: usize = 100;
/// Stands for all events of a module.
pub const ALL_EVENTS: &str = "*";
/// What a test delivery is called, whatever a subscription asks for.
pub const TEST_EVENT: &str = "webhook.test";

choices! {
    /// What a subscription belongs to.
    pub enum Module {
        /// Projects, cycles and tasks.
        Projects = "projects",
        /// Tickets.
        Support = "support",
        /// Contacts, companies and deals.
        Crm = "crm",
        /// Bookings, kept elsewhere.
        Scheduling = "scheduling",
        /// Contracts, kept elsewhere.
        Contracts = "contracts",
        /// Time, kept elsewhere.
        Time = "time",
        /// Procurement, kept elsewhere.
        Procurement = "procurement",
        /// Planning, kept elsewhere.
        Planning = "planning",
        /// Goals, kept elsewhere.
        Goals = "goals",
        /// Surveys, kept elsewhere.
        Surveys = "surveys",
        /// Subscriptions of customers, kept elsewhere.
        Subscriptions = "subscriptions",
        /// Marketing, kept elsewhere.
        Marketing = "marketing",
    }
}

readable_choices!(Module);

impl Module {
    /// The member of `scope` that narrows a subscription of the module, if it has one.
    pub const fn scope_column(self) -> Option<&'static str> {
        match self {
            Self::Projects => Some("project_id"),
            Self::Scheduling => Some("booking_link_id"),
            Self::Contracts => Some("contract_id"),
            _ => None,
        }
    }

    /// The members of `scope` that there are.
    pub(crate) fn scope_columns() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter_map(|module| module.scope_column())
    }

    /// What reporting an event of the module takes; none where the events are the product's own.
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

    /// The events that the product emits itself; none where other programs report them under names of their own.
    pub const fn events(self) -> &'static [&'static str] {
        match self {
            Self::Projects => &[
                "project.created",
                "project.updated",
                "project.status_changed",
                "project.deleted",
                "cycle.created",
                "task.created",
                "task.updated",
                "task.status_changed",
                "task.assigned",
                "task.deleted",
                "task.comment_added",
            ],
            Self::Support => &[
                "ticket.created",
                "ticket.updated",
                "ticket.status_changed",
                "ticket.assigned",
                "ticket.comment_added",
            ],
            Self::Crm => &[
                "contact.created",
                "contact.updated",
                "contact.deleted",
                "company.created",
                "company.updated",
                "company.deleted",
                "deal.created",
                "deal.updated",
                "deal.stage_changed",
                "deal.won",
                "deal.lost",
                "deal.deleted",
            ],
            _ => &[],
        }
    }

    /// The name that an event of the module is kept and delivered under, for a name as a client writes it.
    pub fn canonical(self, name: &str) -> Option<String> {
        if name == ALL_EVENTS {
            return Some(name.to_owned());
        }
        if self.report_requirement().is_some() {
            return is_event_name(name).then(|| name.to_owned());
        }
        // The family of issues is an alias for tasks.
        let task = name.strip_prefix("issue.").filter(|_| self == Self::Projects).map(|verb| format!("task.{verb}"));
        let name = task.unwrap_or_else(|| name.to_owned());
        self.events().contains(&name.as_str()).then_some(name)
    }
}

/// `{noun}.{verb}` in lower case.
pub fn is_event_name(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let parts = name.split_once('.');
    name.len() <= MAX_NAME_LENGTH && parts.is_some_and(|(noun, verb)| word(noun) && word(verb)) && name != TEST_EVENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_own_event_is_canonical_and_belongs_to_one_module() {
        for module in Module::ALL.iter().copied() {
            assert_eq!(module.events().is_empty(), module.report_requirement().is_some(), "{module}");
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
    fn issues_are_tasks_under_another_name() {
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
