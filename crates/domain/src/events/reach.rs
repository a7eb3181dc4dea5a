//! Which events of the log a caller reads: those of records that it may read (interface 24.3).

use super::{ALL_EVENTS, Module};
use crate::identity::access::Permit;

/// The events of the log that a caller may read. Over REST a key reads by its scopes, in a tool by its permission map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventReach {
    /// The service's own events; each name belongs to one module.
    events: Vec<&'static str>,
    /// Modules whose events other systems report.
    modules: Vec<Module>,
}

impl EventReach {
    /// What the caller of a permit may read.
    pub fn of<P>(permit: &Permit<P>) -> Self {
        let may_read = |module: Module, event: &str| {
            module.read_requirements(event).into_iter().all(|needs| permit.may_read_here(needs))
        };
        let own = Module::ALL.iter().flat_map(|module| module.events().iter().map(|event| (*module, *event)));
        let reported = Module::ALL.iter().copied().filter(|module| module.report_requirement().is_some());
        Self {
            events: own.filter(|(module, event)| may_read(*module, event)).map(|(_, event)| event).collect(),
            modules: reported.filter(|module| may_read(*module, ALL_EVENTS)).collect(),
        }
    }

    /// The service's own events that may be read.
    pub fn events(&self) -> &[&'static str] {
        &self.events
    }

    /// The modules of other systems whose events may be read.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Whether an event of the log may be read.
    pub fn covers(&self, module: Module, event: &str) -> bool {
        self.modules.contains(&module) || self.events.contains(&event)
    }

    /// Whether comments on such records may be read, by the noun of their events.
    pub fn covers_comments_on(&self, noun: &str) -> bool {
        self.events.iter().any(|event| event.strip_prefix(noun) == Some(".comment_added"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::{ListMembers, ReadIssues, Scope, ScopeSet, ToolGrants};
    use crate::identity::workspaces::Role;
    use crate::testing;
    use crate::tools::{Tool, ToolPermission, ToolPermissions};

    fn caller(scopes: &[&str], map: Option<&[&str]>) -> crate::identity::access::Caller {
        let scopes: ScopeSet = scopes.iter().map(|name| Scope::parse(name).unwrap()).collect();
        let map: Option<ToolPermissions> =
            map.map(|names| names.iter().map(|name| ToolPermission::parse(name).unwrap()).collect());
        let credential = testing::caller(&[]).credential();
        testing::caller_with(
            testing::workspace_value(1),
            credential,
            "A key",
            scopes,
            ToolGrants::of_scopes(scopes, map.as_ref()),
        )
    }

    fn shown(reach: &EventReach) -> Vec<String> {
        let nouns = ["contact", "company", "deal", "project", "cycle", "task", "ticket", "article"];
        let mut shown: Vec<_> = nouns
            .iter()
            .filter(|noun| reach.events().contains(&&*format!("{noun}.updated")))
            .map(|noun| format!("{noun}{}", if reach.covers_comments_on(noun) { "+" } else { "" }))
            .collect();
        shown.extend(reach.modules().iter().map(|module| module.as_str().to_owned()));
        shown
    }

    #[test]
    fn over_rest_a_key_reads_by_its_scopes_and_in_a_tool_by_its_map() {
        for (scopes, map, over_rest, in_tools) in [
            (&["deals.read"][..], None, &["deal+"][..], &["deal+"][..]),
            (&["issues.read"], None, &["task+", "ticket+"], &["task+"]),
            (&["tickets.read", "deals.read"], None, &["deal+", "ticket+", "article"], &["deal+", "ticket+", "article"]),
            (&["issues.read"], Some(&["read_tasks"][..]), &["task+", "ticket+"], &["task"]),
            (
                &["crm.read", "planning.read"],
                Some(&["read_companies"]),
                &["company+", "planning"],
                &["company+", "planning"],
            ),
        ] {
            let caller = caller(scopes, map);
            let permit = caller.permit::<crate::identity::access::DescribeCaller>().unwrap();
            assert_eq!(shown(&EventReach::of(&permit)), over_rest, "{scopes:?} {map:?}");
            let called = caller.permit_for_tool::<ListMembers>(Tool::ListMembers).unwrap();
            assert_eq!(shown(&EventReach::of(&called)), in_tools, "{scopes:?} {map:?}");
        }
    }

    #[test]
    fn owners_read_everything() {
        let scopes: Vec<_> = Scope::all().map(|scope| scope.to_string()).collect();
        let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
        let owner = testing::user(Role::Owner, &scopes).permit::<ReadIssues>().unwrap();
        let reach = EventReach::of(&owner);
        for module in Module::ALL.iter().copied() {
            for event in module.events().iter().copied().chain((module.events().is_empty()).then_some("thing.made")) {
                assert!(reach.covers(module, event), "{module} {event}");
            }
        }
    }
}
