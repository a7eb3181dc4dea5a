//! Permissions of API keys on tools (interface 15.3–15.5 and 15.20).

use std::collections::BTreeSet;

use super::scopes::areas_of;
use super::{Area, MapRequirement, Scope, ScopeSet};
use crate::Error;
use crate::kernel::{IssueKind, IssueKinds};
use crate::tools::{Feature, Tool, ToolPermission, ToolPermissions};

/// The tool permissions of a caller; empty for sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolGrants {
    granted: ToolPermissions,
    read_comments_on: IssueKinds,
    write_comments_on: IssueKinds,
    /// The allowlist of a trial key.
    trial: Option<BTreeSet<Tool>>,
    /// The permission map, if it also narrows REST.
    over_rest: Option<ToolPermissions>,
}

impl ToolGrants {
    /// The permissions of the scopes, narrowed by an explicit map if there is one.
    ///
    /// A map never exceeds the scopes, with one exception: only a map grants webhook permissions.
    pub fn from_scopes(scopes: ScopeSet, map: Option<&ToolPermissions>) -> Self {
        let is_granted = |permission: &ToolPermission| match map {
            Some(map) => {
                map.grants(*permission) && (permission.manages_webhooks() || is_granted_by(scopes, *permission))
            }
            None => is_granted_by(scopes, *permission),
        };
        let granted = ToolPermission::ALL.iter().copied().filter(is_granted).collect();
        let named = map.map_or(IssueKinds::NONE, kinds_covered);
        Self {
            read_comments_on: kinds_of_comments(ToolPermission::ReadComments, scopes, named),
            write_comments_on: kinds_of_comments(ToolPermission::CreateComments, scopes, named),
            granted,
            trial: None,
            over_rest: None,
        }
    }

    /// The same grants, with a map that also narrows REST.
    #[must_use]
    pub fn narrowed_over_rest(self, map: ToolPermissions) -> Self {
        Self { over_rest: Some(map), ..self }
    }

    /// The kinds of issues that the permission map lets a call over REST reach.
    ///
    /// # Errors
    /// [`Error::GrantNeeded`] if the map does not grant what is required.
    pub(super) fn kinds_over_rest(&self, requirement: MapRequirement) -> Result<IssueKinds, Error> {
        let Some(map) = &self.over_rest else { return Ok(IssueKinds::ALL) };
        let (missing, granted): (_, &[_]) = match requirement {
            MapRequirement::Nothing => return Ok(IssueKinds::ALL),
            MapRequirement::AllOf(all) => (all.iter().find(|one| !map.grants(**one)), all),
            MapRequirement::AnyOf(any) => (any.first().filter(|_| !any.iter().any(|one| map.grants(*one))), any),
        };
        if let Some(missing) = missing {
            return Err(Error::GrantNeeded { needs: missing.as_str() });
        }
        let kinds = |permission: &ToolPermission| match permission.issue_kind() {
            Some(kind) => IssueKinds::of(Some(kind)),
            None if permission.is_on_comments() => commented_kinds(map),
            None => IssueKinds::ALL,
        };
        let granted = granted.iter().filter(|permission| map.grants(**permission));
        Ok(granted.fold(IssueKinds::NONE, |all, permission| all.and(kinds(permission))))
    }

    /// Whether the permission map lets REST read records by this permission.
    pub(super) fn reads_over_rest(&self, permission: ToolPermission) -> bool {
        self.over_rest.as_ref().is_none_or(|map| map.grants(permission))
    }

    /// Whether the permission map lets REST read comments on issues of this kind.
    pub(super) fn reads_comments_over_rest(&self, kind: IssueKind) -> bool {
        let reads = |map: &ToolPermissions| map.grants(ToolPermission::ReadComments) && commented_kinds(map).has(kind);
        self.over_rest.as_ref().is_none_or(reads)
    }

    /// Only the permissions of a trial's tools. Its comment tools reach the kinds of records that its other tools reach.
    pub fn for_trial(tools: &BTreeSet<Tool>) -> Self {
        let permissions = |on_comments: bool| {
            let with_own_permissions = tools.iter().filter(|tool| !tool.is_for_any_reader());
            let selected = with_own_permissions.filter(move |tool| has_comment_permissions(**tool) == on_comments);
            selected.flat_map(|tool| tool.permissions()).copied()
        };
        let own: ToolPermissions = permissions(false).collect();
        let named = kinds_covered(&own);
        let kinds = if named == IssueKinds::NONE { IssueKinds::ALL } else { named };
        let is_reached = |permission: &ToolPermission| {
            let is_named = || own.granted().any(|other| other.noun() == permission.noun());
            permission.is_on_comments() || own.granted().next().is_none() || is_named()
        };
        Self {
            granted: own.granted().chain(permissions(true).filter(is_reached)).collect(),
            read_comments_on: kinds,
            write_comments_on: kinds,
            trial: Some(tools.clone()),
            over_rest: None,
        }
    }

    /// Whether calls are counted against a trial's quota.
    pub const fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Whether a key with these grants may call the tool at all. Every key may call a tool without permissions, except that a trial
    /// may call only the tools of its list.
    pub fn allows(&self, tool: Tool) -> bool {
        let needs = tool.permissions();
        let reaches_anything = |permission: &ToolPermission| {
            self.granted.grants(*permission)
                && (!permission.is_on_comments() || self.kinds_by(*permission) != IssueKinds::NONE)
        };
        match &self.trial {
            Some(tools) if !tools.contains(&tool) => false,
            Some(_) if tool.is_for_any_reader() => true,
            _ if tool.needs_every_permission() => needs.iter().all(reaches_anything),
            _ => needs.is_empty() || needs.iter().any(reaches_anything),
        }
    }

    /// The features in which the caller reaches any record. A tool of several features counts only for those whose records it
    /// reaches; a tool for any reader counts for no feature.
    pub fn features(&self) -> impl Iterator<Item = Feature> {
        let counts = |tool: &Tool| !tool.has_no_area() && self.allows(*tool);
        let allowed: Vec<_> = Tool::ALL.iter().copied().filter(counts).collect();
        let is_reached = move |feature: &Feature| {
            allowed.iter().any(|tool| match tool.features() {
                [only] => only == feature,
                several => several.contains(feature) && self.reaches(*tool, *feature),
            })
        };
        Feature::ALL.iter().copied().filter(is_reached)
    }

    fn reaches(&self, tool: Tool, feature: Feature) -> bool {
        match feature {
            Feature::Projects => self.kinds(tool).has(IssueKind::Task),
            Feature::Support => self.kinds(tool).has(IssueKind::Ticket),
            _ => tool.permissions().iter().any(|permission| !is_about_issues(*permission) && self.has(*permission)),
        }
    }

    pub fn granted(&self) -> impl Iterator<Item = ToolPermission> {
        self.granted.granted()
    }

    /// Whether comments on issues of the kind may be read.
    pub(super) fn reads_comments_on(&self, kind: IssueKind) -> bool {
        self.granted.grants(ToolPermission::ReadComments) && self.read_comments_on.has(kind)
    }

    pub fn has(&self, permission: ToolPermission) -> bool {
        self.granted.grants(permission)
    }

    /// The permissions that are not granted.
    pub fn denied(&self) -> impl Iterator<Item = ToolPermission> {
        ToolPermission::ALL.iter().copied().filter(|permission| !self.granted.grants(*permission))
    }

    /// The kinds of issues that a call of the tool reaches; all kinds if the tool does not handle issues.
    pub fn kinds(&self, tool: Tool) -> IssueKinds {
        let permissions = tool.permissions();
        if tool.is_for_any_reader() || !permissions.iter().any(|permission| is_about_issues(*permission)) {
            return IssueKinds::ALL;
        }
        let granted = permissions.iter().copied().filter(|permission| self.granted.grants(*permission));
        granted.fold(IssueKinds::NONE, |kinds, permission| kinds.and(self.kinds_by(permission)))
    }

    /// The kinds of issues that a permission reaches.
    const fn kinds_by(&self, permission: ToolPermission) -> IssueKinds {
        match permission {
            ToolPermission::ReadComments => self.read_comments_on,
            other if other.is_on_comments() => self.write_comments_on,
            other => IssueKinds::of(other.issue_kind()),
        }
    }
}

const fn is_about_issues(permission: ToolPermission) -> bool {
    permission.issue_kind().is_some() || permission.is_on_comments()
}

fn has_comment_permissions(tool: Tool) -> bool {
    !tool.is_for_any_reader() && tool.permissions().iter().any(|permission| permission.is_on_comments())
}

/// Whether the scopes grant a permission. No scope grants webhook permissions.
pub(super) fn is_granted_by(scopes: ScopeSet, permission: ToolPermission) -> bool {
    areas_of(permission).iter().any(|area| scopes.allows(scope_in(*area, permission)))
}

fn scope_in(area: Area, permission: ToolPermission) -> Scope {
    if permission.is_read() { Scope::read(area) } else { Scope::write(area) }
}

/// The kinds of issues that a permission map covers.
fn kinds_covered(map: &ToolPermissions) -> IssueKinds {
    let kinds = map.granted().filter_map(ToolPermission::issue_kind);
    kinds.fold(IssueKinds::NONE, |kinds, kind| kinds.and(IssueKinds::of(Some(kind))))
}

/// The kinds of issues whose comments a map may reach: those that it covers, or all if it covers none.
fn commented_kinds(map: &ToolPermissions) -> IssueKinds {
    match kinds_covered(map) {
        IssueKinds::NONE => IssueKinds::ALL,
        named => named,
    }
}

/// The kinds of issues whose comments are reachable, by scope. A map with a permission on tasks or tickets limits
/// comments to the kinds that it covers.
fn kinds_of_comments(permission: ToolPermission, scopes: ScopeSet, named: IssueKinds) -> IssueKinds {
    [(Area::Issues, IssueKind::Task), (Area::Tickets, IssueKind::Ticket)]
        .into_iter()
        .filter(|(area, kind)| {
            scopes.allows(scope_in(*area, permission)) && (named == IssueKinds::NONE || named.has(*kind))
        })
        .fold(IssueKinds::NONE, |kinds, (_, kind)| kinds.and(IssueKinds::of(Some(kind))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::Preset;

    fn map(names: &[&str]) -> ToolPermissions {
        names.iter().map(|name| ToolPermission::parse(name).unwrap()).collect()
    }

    fn scopes(names: &[&str]) -> ScopeSet {
        names.iter().map(|name| Scope::parse(name).unwrap()).collect()
    }

    fn names(grants: &ToolGrants) -> Vec<&'static str> {
        grants.granted().map(ToolPermission::as_str).collect()
    }

    #[test]
    fn each_scope_grants_exactly_the_permissions_on_its_area() {
        for area in Area::ALL.iter().copied() {
            let on_area = ToolPermission::ALL.iter().copied().filter(|one| areas_of(*one).contains(&area));
            let granted = |scope: Scope| names(&ToolGrants::from_scopes([scope].into_iter().collect(), None));
            let expected: Vec<_> = on_area.map(ToolPermission::as_str).collect();
            assert_eq!(granted(Scope::write(area)), expected, "{area}.write");
            let reads: Vec<_> = expected.into_iter().filter(|name| name.starts_with("read_")).collect();
            assert_eq!(granted(Scope::read(area)), reads, "{area}.read");
        }
        for (noun, areas) in [
            ("contacts", &[Area::Contacts][..]),
            ("companies", &[Area::Crm]),
            ("deals", &[Area::Deals]),
            ("projects", &[Area::Projects]),
            ("cycles", &[Area::Projects]),
            ("tasks", &[Area::Issues]),
            ("tickets", &[Area::Tickets]),
            ("comments", &[Area::Issues, Area::Tickets]),
            ("kb_articles", &[Area::Tickets]),
            ("time_entries", &[Area::Time]),
            ("canned_replies", &[Area::Tickets]),
            ("webhooks", &[]),
        ] {
            let on_noun = ToolPermission::ALL.iter().filter(|one| one.noun() == noun);
            assert!(on_noun.clone().count() > 2 && on_noun.clone().all(|one| areas_of(*one) == areas), "{noun}");
        }
    }

    #[test]
    fn a_map_only_narrows_the_scopes_except_for_webhooks() {
        let deals = scopes(&["deals.write"]);
        let narrowed = ToolGrants::from_scopes(deals, Some(&map(&["read_deals", "read_contacts", "read_webhooks"])));
        assert_eq!(names(&narrowed), ["read_deals", "read_webhooks"]);
        assert_eq!(names(&ToolGrants::from_scopes(deals, Some(&map(&[])))), [""; 0]);
        for preset in Preset::ALL {
            let grants = ToolGrants::from_scopes(preset.scopes(), None);
            assert!(grants.granted().all(|permission| !permission.manages_webhooks()), "{preset}");
        }
    }

    #[test]
    fn a_map_that_narrows_rest_requires_what_it_names() {
        let (tasks, tickets) = (IssueKinds::of(Some(IssueKind::Task)), IssueKinds::of(Some(IssueKind::Ticket)));
        let any_issue = MapRequirement::AnyOf(&[ToolPermission::ReadTasks, ToolPermission::ReadTickets]);
        let comments = MapRequirement::AnyOf(&[ToolPermission::ReadComments]);
        let of_project = MapRequirement::AllOf(&[ToolPermission::ReadProjects, ToolPermission::ReadTasks]);
        for (names, requirement, expected) in [
            (&["read_tasks"][..], any_issue, Ok(tasks)),
            (&["read_tickets"], any_issue, Ok(tickets)),
            (&["read_tasks", "read_tickets"], any_issue, Ok(IssueKinds::ALL)),
            (&["create_tasks"], any_issue, Err("read_tasks")),
            (&["read_comments"], comments, Ok(IssueKinds::ALL)),
            (&["read_comments", "update_tickets"], comments, Ok(tickets)),
            (&["read_tasks"], comments, Err("read_comments")),
            (&["read_projects"], of_project, Err("read_tasks")),
            (&["read_projects", "read_tasks"], of_project, Ok(IssueKinds::ALL)),
            (&[], MapRequirement::Nothing, Ok(IssueKinds::ALL)),
        ] {
            let grants = ToolGrants::default().narrowed_over_rest(map(names));
            let actual = grants.kinds_over_rest(requirement).map_err(|error| match error {
                Error::GrantNeeded { needs } => needs,
                other => panic!("{other}"),
            });
            assert_eq!(actual, expected, "{names:?}");
            assert!(matches!(ToolGrants::default().kinds_over_rest(requirement), Ok(IssueKinds::ALL)));
        }
    }

    #[test]
    fn tools_fail_closed_and_follow_their_one_permission() {
        let all: ScopeSet = Scope::all().collect();
        for permission in ToolPermission::ALL.iter().copied() {
            let only = ToolGrants::from_scopes(all, Some(&ToolPermissions::from_iter([permission])));
            for tool in Tool::ALL.iter().copied() {
                let expected =
                    tool == Tool::Whoami || tool.permissions().contains(&permission) && !tool.needs_every_permission();
                assert_eq!(only.allows(tool), expected, "{tool} with {permission}");
            }
        }
        for tool in Tool::ALL.iter().copied() {
            let own = tool.permissions().iter().copied().collect();
            assert!(ToolGrants::from_scopes(all, Some(&own)).allows(tool), "{tool} with all its permissions");
        }
        for empty in [ToolGrants::default(), ToolGrants::from_scopes(ScopeSet::default(), None)] {
            assert!(Tool::ALL.iter().all(|tool| empty.allows(*tool) == (*tool == Tool::Whoami)));
        }
    }

    #[test]
    fn calls_reach_the_granted_kinds_of_issues() {
        let (tasks, tickets) = (IssueKinds::of(Some(IssueKind::Task)), IssueKinds::of(Some(IssueKind::Ticket)));
        let both = scopes(&["issues.write", "tickets.write"]);
        for (key_scopes, map_names, tool, expected) in [
            (scopes(&["issues.write"]), None, Tool::AddComment, tasks),
            (scopes(&["tickets.write"]), None, Tool::AddComment, tickets),
            (scopes(&["tickets.read", "issues.write"]), None, Tool::AddComment, tasks),
            (scopes(&["tickets.read", "issues.write"]), None, Tool::ListComments, IssueKinds::ALL),
            (both, None, Tool::AddComment, IssueKinds::ALL),
            (both, Some(&["create_comments"][..]), Tool::AddComment, IssueKinds::ALL),
            (both, Some(&["create_comments", "read_tasks"]), Tool::AddComment, tasks),
            (both, Some(&["create_comments", "read_tasks", "read_tickets"]), Tool::AddComment, IssueKinds::ALL),
            (both, Some(&["update_tickets"]), Tool::BulkUpdateIssues, tickets),
            (both, None, Tool::BulkUpdateIssues, IssueKinds::ALL),
            (scopes(&["contacts.write"]), None, Tool::AddComment, IssueKinds::NONE),
            (both, None, Tool::UpdateComment, IssueKinds::ALL),
            (both, Some(&["delete_comments", "read_tasks"]), Tool::DeleteComment, tasks),
            (both, None, Tool::GetTask, tasks),
            (both, None, Tool::GetDeal, IssueKinds::ALL),
        ] {
            let grants = ToolGrants::from_scopes(key_scopes, map_names.map(map).as_ref());
            assert_eq!(grants.kinds(tool), expected, "{tool} with {map_names:?}");
        }
    }

    #[test]
    fn a_trial_has_only_its_tools_and_no_others_with_the_same_permission() {
        let grants = ToolGrants::for_trial(&[Tool::GetTask, Tool::AddComment].into());
        for tool in Tool::ALL.iter().copied() {
            assert_eq!(grants.allows(tool), matches!(tool, Tool::GetTask | Tool::AddComment), "{tool}");
        }
        assert_eq!(grants.kinds(Tool::AddComment), IssueKinds::of(Some(IssueKind::Task)));
        assert!(grants.is_trial() && !ToolGrants::default().is_trial());
    }

    #[test]
    fn a_trial_reaches_comments_on_the_records_of_its_other_tools() {
        for (tools, expected) in [
            (&[Tool::GetTask, Tool::AddComment][..], &["read_tasks", "create_comments"][..]),
            (&[Tool::GetContact, Tool::AddComment], &["read_contacts", "update_contacts", "create_comments"]),
            (&[Tool::AddComment], &["update_contacts", "update_companies", "update_deals", "create_comments"]),
        ] {
            let grants = ToolGrants::for_trial(&tools.iter().copied().collect());
            assert_eq!(names(&grants), expected, "{tools:?}");
            assert!(!grants.allows(Tool::UpdateContact), "{tools:?}");
        }
    }

    #[test]
    fn only_features_of_reached_records_count() {
        for (scope, expected) in [
            ("deals.read", &[Feature::Crm][..]),
            ("issues.write", &[Feature::Projects]),
            ("tickets.read", &[Feature::Support]),
            ("planning.write", &[]),
        ] {
            let grants = ToolGrants::from_scopes(scopes(&[scope]), None);
            assert_eq!(grants.features().collect::<Vec<_>>(), expected, "{scope}");
        }
    }
}
