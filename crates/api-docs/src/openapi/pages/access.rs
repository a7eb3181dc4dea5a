//! The page on roles, scopes and permissions.

use domain::events::Module;
use domain::identity::access::{AccessRequirement, Area, Level, Preset, Scope, ScopeSet, ToolGrants};
use domain::identity::workspaces::Role;
use domain::tools::{Tool, ToolPermission, ToolPermissions};
use http_core::Operation;
use http_core::admission::AuthScheme;

use super::{ORIGIN, names, table};
use crate::openapi::{security, tags};

const INTRO: &str = "
Members have a role, and API keys have scopes. `{area}.write` includes `{area}.read`. The REST API checks both in the same way: a role is
a set of scopes, and each operation requires scopes. Tools require permissions, which follow from the scopes. A permission map on the key
can narrow both: a request over REST then also needs the permission for what it does. Only such a map grants permissions on webhooks. A
request without the required access gets 403 `forbidden`, and the message names what is missing.

A map without `read_…` does not hide records from a key that may write them. The response to a create, a change or a restoration is the whole
record, and changing or restoring needs only its id: with `update_deals` or `delete_deals` alone, a key can read each deal that it can name.
It cannot list or search them. To hide records from a key, give it no permission on them at all.
";

/// The page "Roles, scopes and permissions".
pub fn access<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> String {
    let operations: Vec<_> =
        operations.into_iter().filter(|one| one.describe.is_some() && one.method != "OPTIONS").collect();
    format!(
        "# Roles, scopes and permissions\n{ORIGIN}{INTRO}\n## Roles\n\n{}\n## Presets of API keys\n\n{}\n\
         ## Scopes\n\n{}\n## Operations\n\n{}\n## Tools\n\n{}",
        roles(),
        presets(),
        scopes(&operations),
        by_operation(&operations),
        tools(),
    )
}

fn roles() -> String {
    let row = |role: &Role| {
        let records = if role.scopes().allows(Scope::write(Area::Contacts)) { "read and write" } else { "read" };
        let settings = if role.administers() { "yes" } else { "no" };
        vec![format!("`{role}`"), records.to_owned(), settings.to_owned()]
    };
    table(&["Role", "Records and articles", "Keys, members, webhooks, settings, audit log"], Role::ALL.iter().map(row))
}

fn presets() -> String {
    let granted = |preset: &Preset| {
        let scopes = preset.scopes();
        let all_of = |level| Area::ALL.iter().all(|area| scopes.iter().any(|one| one == Scope { area: *area, level }));
        match Level::ALL.iter().find(|level| all_of(**level)) {
            Some(level) => format!("every scope that ends in `.{level}`{}", beyond_reading(*preset)),
            None if scopes.is_empty() => "none; only the tools chosen for it".to_owned(),
            None => names(scopes.iter()),
        }
    };
    table(&["Preset", "Scopes"], Preset::ALL.iter().map(|preset| vec![format!("`{preset}`"), granted(preset)]))
}

/// A preset's permissions other than reading, for a sentence; empty for a preset without a permission map.
fn beyond_reading(preset: Preset) -> String {
    let map = preset.permissions();
    let granted = map.iter().flat_map(ToolPermissions::granted).filter(|permission| !permission.is_read());
    let named: Vec<_> = granted.map(|permission| format!(", `{permission}`")).collect();
    named.concat()
}

/// What each scope opens: REST operations, tools, and the events that other systems report.
fn scopes(operations: &[&Operation]) -> String {
    let row = |scope: Scope| {
        let mut groups: Vec<_> = operations
            .iter()
            .filter(|one| one.scopes().contains(&scope))
            .map(|one| tags::for_path(one.pattern))
            .collect();
        groups.sort_unstable();
        groups.dedup();
        let permissions = ToolPermission::ALL.iter().filter(|one| scopes_granting(**one).contains(&scope));
        let opened = [groups.join(", "), names(permissions), events_of_other_systems(scope)];
        let opens_nothing = opened.iter().all(String::is_empty);
        let mut cells = opened.map(|cell| if cell.is_empty() { "–".to_owned() } else { cell });
        if opens_nothing {
            NOTHING_YET.clone_into(&mut cells[0]);
        }
        [vec![format!("`{scope}`")], cells.to_vec()].concat()
    };
    let text = "Each row shows what the scope itself grants; a `.write` scope also grants everything in the row of its \
                `.read` scope. Other systems report the events of some modules ([webhooks](webhooks.md)): the `.read` scope \
                reads them in the event log, and the `.write` scope reports them. Every key except a trial key may call \
                `GET /api/v1/me`, whatever its scopes.\n\n";
    let head = ["Scope", "REST operations on", "Tool permissions", "Events of other systems"];
    text.to_owned() + &table(&head, Scope::all().map(row))
}

/// What a scope opens whose area has no records, and no module.
const NOTHING_YET: &str =
    "nothing today: the service has no records of this area, and no other system reports its events";

/// What a scope opens of the events that other systems report; empty if nothing.
fn events_of_other_systems(scope: Scope) -> String {
    let needed = Scope::write(scope.area);
    let is_open = |module: &&Module| matches!(module.report_requirement(), Some(AccessRequirement::Scopes(scopes)) if scopes.contains(&needed));
    let modules = names(Module::ALL.iter().filter(is_open));
    let verb = if scope.level == Level::Write { "report" } else { "read" };
    if modules.is_empty() { modules } else { format!("{verb} those of {modules}") }
}

/// The scopes of which any one grants a permission.
fn scopes_granting(permission: ToolPermission) -> Vec<Scope> {
    let grants = |scope: &Scope| {
        let alone: ScopeSet = [*scope].into_iter().collect();
        ToolGrants::from_scopes(alone, None).has(permission)
    };
    let all: Vec<_> = Scope::all().filter(grants).collect();
    let is_included = |scope: &Scope| scope.level == Level::Write && all.contains(&Scope::read(scope.area));
    all.iter().copied().filter(|scope| !is_included(scope)).collect()
}

fn by_operation(operations: &[&Operation]) -> String {
    let row = |operation: &&Operation| {
        let route = format!("`{} {}`", operation.method, operation.pattern);
        vec![route, security::sentence(operation), allowed_members(operation)]
    };
    table(&["Operation", "Credential", "Members"], operations.iter().map(row))
}

/// The members whose access tokens may call an operation.
fn allowed_members(operation: &Operation) -> String {
    let Some(needs) = operation.needs.filter(|_| matches!(operation.auth_scheme, AuthScheme::Caller)) else {
        return "–".to_owned();
    };
    let may = |role: &Role| {
        let scopes = role.scopes();
        match needs {
            AccessRequirement::Scopes(all) | AccessRequirement::SessionScopes(all) => {
                all.iter().all(|scope| scopes.allows(*scope))
            }
            AccessRequirement::AnyScope(any) => any.iter().any(|scope| scopes.allows(*scope)),
            AccessRequirement::Session | AccessRequirement::CredentialButTrial => true,
            AccessRequirement::Administrator | AccessRequirement::AdministratorOrGrant(_) => role.administers(),
            AccessRequirement::KeyScopes(_) | AccessRequirement::Credential | AccessRequirement::Operator => false,
        }
    };
    let allowed: Vec<_> = Role::ALL.iter().filter(|role| may(role)).collect();
    match allowed.len() {
        0 if matches!(needs, AccessRequirement::Operator) => "operators".to_owned(),
        0 => "–".to_owned(),
        all if all == Role::ALL.len() => "all".to_owned(),
        _ => names(allowed),
    }
}

fn tools() -> String {
    let row = |tool: &Tool| {
        let permissions = tool.permissions();
        let joined = |word: &str| {
            let all: Vec<_> = permissions.iter().map(|one| format!("`{one}`")).collect();
            all.join(word)
        };
        let needs = if permissions.is_empty() {
            "–".to_owned()
        } else if tool.is_for_any_reader() {
            "any permission to read records".to_owned()
        } else {
            joined(if tool.needs_every_permission() { " and " } else { " or " })
        };
        let effect = if tool.is_read_only() { "reads" } else { "writes" };
        vec![format!("`{tool}`"), effect.to_owned(), needs]
    };
    table(&["Tool", "Effect", "Permissions"], Tool::ALL.iter().map(row))
}
