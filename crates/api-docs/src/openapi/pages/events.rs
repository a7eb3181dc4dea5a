//! The page on event types.

use domain::event_types::{self, EventType};
use domain::events::Module;
use domain::identity::access::AccessRequirement;

use super::{ORIGIN, names, table};

const INTRO: &str = "
A change to a record is an event. The service delivers events to [webhooks](webhooks.md) and keeps them in the [event log](events.md). The
`payload` of an event has the record after the change (`data`), the members that changed (`changes`), and who made the change (`actor`).
A running service returns this catalogue, with the JSON Schema of each payload, from `GET /api/v1/event-types`. The code that creates the
events also creates the examples.
";

const OTHERS: &str = "
Other systems report events of these modules (`POST /api/modules/{module}/events`) under names that they choose. Webhooks subscribe to
these names or to `*`. The `scope` of a webhook can narrow it by the member in the table. Events of time entries are the service's own: no
other system reports one whose noun is `time_entry`.
";

/// The page "Event types".
pub fn event_types() -> String {
    let modules: String = Module::ALL.iter().map(|module| module_section(*module)).collect();
    format!("# Event types\n{ORIGIN}{INTRO}{modules}\n## Modules of other systems\n{OTHERS}\n{}", external_modules())
}

/// Empty for a module whose events are reported by other systems.
fn module_section(module: Module) -> String {
    let own: Vec<_> = event_types::catalogue().iter().filter(|event_type| event_type.module == module).collect();
    if own.is_empty() {
        return String::new();
    }
    let row = |event_type: &&EventType| {
        let anchor = event_type.event.replace('.', "");
        vec![format!("[`{}`](#{anchor})", event_type.event), event_type.description.to_owned()]
    };
    let described: String = own.iter().map(|event_type| described(event_type)).collect();
    format!("\n## Module `{module}`\n\n{}{described}", table(&["Event", "When"], own.iter().map(row)))
}

fn described(event_type: &EventType) -> String {
    let members = names(event_type.example["changes"].as_object().into_iter().flat_map(|changes| changes.keys()));
    let changed = if members.is_empty() { String::new() } else { format!(" In the example, {members} changed.") };
    let example = format!("{:#}", event_type.example);
    format!("\n### {}\n\n{}{changed}\n\n```json\n{example}\n```\n", event_type.event, event_type.description)
}

fn external_modules() -> String {
    let row = |module: &Module| {
        let needs = match module.report_requirement()? {
            AccessRequirement::Scopes(scopes) => names(scopes),
            _ => "the access token of an owner or admin".to_owned(),
        };
        let scope_field = module.scope_column().map_or_else(|| "–".to_owned(), |member| format!("`{member}`"));
        Some(vec![format!("`{module}`"), needs, scope_field])
    };
    table(&["Module", "Reporting needs", "Member of `scope`"], Module::ALL.iter().filter_map(row))
}
