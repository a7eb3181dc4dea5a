//! Which events a caller may read: those about records that it may read (interface 16.33, 24.3).

use super::{ALL_EVENTS, Module};
use crate::identity::access::{Permit, ReadRequirement};

/// The modules and events that a caller may read. Owners, admins and operators may read everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventReach {
    modules: Vec<Module>,
    events: Vec<&'static str>,
}

impl EventReach {
    pub fn everything() -> Self {
        Self::new(|_| true)
    }

    /// What the caller of a permit may read. For a key, its scopes decide over REST, and its permission map in tools.
    pub fn for_permit<P>(permit: &Permit<P>) -> Self {
        Self::new(|needs| permit.may_read_here(needs))
    }

    /// What the webhooks that the caller creates or sees may send. For a key, its permission map decides on every surface.
    pub(crate) fn for_webhooks<P>(permit: &Permit<P>) -> Self {
        Self::new(|needs| permit.may_read(needs))
    }

    fn new(is_met: impl Fn(ReadRequirement) -> bool) -> Self {
        let may_read = |module: Module, event: &str| module.read_requirements(event).into_iter().all(&is_met);
        let reads_all = |module: &Module| module.expand(ALL_EVENTS).iter().all(|event| may_read(*module, event));
        let own_events = Module::ALL.iter().flat_map(|module| module.events().iter().map(|event| (*module, *event)));
        Self {
            modules: Module::ALL.iter().copied().filter(reads_all).collect(),
            events: own_events.filter(|(module, event)| may_read(*module, event)).map(|(_, event)| event).collect(),
        }
    }

    /// The modules whose events may all be read.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The events of the service's own modules that may be read. Each name belongs to one module.
    pub fn events(&self) -> &[&'static str] {
        &self.events
    }

    pub fn is_everything(&self) -> bool {
        self.modules.len() == Module::ALL.len()
    }

    /// Whether an event may be read. The module matters, because another system may report an event under a name of the service's
    /// own events.
    pub fn covers(&self, module: Module, event: &str) -> bool {
        self.modules.contains(&module) || (!module.events().is_empty() && self.events.contains(&event))
    }

    /// Whether comments on records with this event noun may be read.
    pub fn covers_comments_on(&self, noun: &str) -> bool {
        self.events.iter().any(|event| event.strip_prefix(noun) == Some(".comment_added"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::{DescribeCaller, ListMembers, ReadIssues, RecordKind, Scope};
    use crate::identity::workspaces::Role;
    use crate::testing;
    use crate::tools::Tool;

    fn is_simple(kind: RecordKind) -> bool {
        macro_rules! is_any {
            ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
                matches!(kind, $(RecordKind::$one)|+)
            };
        }
        crate::simple_kinds!(is_any!())
    }

    /// The kinds whose events can be read, and the other modules. Simple kinds are left out: the scope in its row opens each.
    fn readable(reach: &EventReach) -> Vec<String> {
        let nouns = RecordKind::ALL.iter().filter(|kind| !is_simple(**kind)).map(|kind| kind.as_str());
        let mut names: Vec<_> = nouns
            .filter(|noun| reach.events().contains(&&*format!("{noun}.updated")))
            .map(|noun| format!("{noun}{}", if reach.covers_comments_on(noun) { "+" } else { "" }))
            .collect();
        let reported = reach.modules().iter().filter(|module| module.events().is_empty());
        names.extend(reported.map(|module| module.as_str().to_owned()));
        names
    }

    #[test]
    fn scopes_decide_over_rest_and_the_permission_map_in_tools() {
        for (scopes, map, over_rest, in_tools) in [
            (&["deals.read"][..], None, &["deal+"][..], &["deal+"][..]),
            (&["issues.read"], None, &["task+", "ticket+"], &["task+"]),
            (&["tickets.read", "deals.read"], None, &["deal+", "ticket+"], &["deal+", "ticket+"]),
            (&["issues.read"], Some(&["read_tasks"][..]), &["task+", "ticket+"], &["task"]),
            (
                &["crm.read", "planning.read"],
                Some(&["read_companies"]),
                &["company+", "planning"],
                &["company+", "planning"],
            ),
        ] {
            let caller = testing::key_in(testing::workspace_value(1), scopes, map);
            let permit = caller.permit::<DescribeCaller>().unwrap();
            assert_eq!(readable(&EventReach::for_permit(&permit)), over_rest, "{scopes:?} {map:?}");
            let in_tool = caller.permit_for_tool::<ListMembers>(Tool::ListMembers).unwrap();
            assert_eq!(readable(&EventReach::for_permit(&in_tool)), in_tools, "{scopes:?} {map:?}");
        }
    }

    #[test]
    fn owners_read_everything() {
        let reach = EventReach::for_permit(
            &testing::user_with(Role::Owner, Scope::all().collect()).permit::<ReadIssues>().unwrap(),
        );
        for module in Module::ALL.iter().copied() {
            for event in module.events().iter().copied().chain((module.events().is_empty()).then_some("thing.made")) {
                assert!(reach.covers(module, event), "{module} {event}");
            }
        }
    }
}
