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
    let modules: String = Module::ALL.iter().map(|module| of_module(*module)).collect();
    format!("# Event types\n{ORIGIN}{INTRO}{modules}\n## Modules of other systems\n{OTHERS}\n{}", others())
}

/// Empty for a module whose events are reported by other systems.
fn of_module(module: Module) -> String {
    let own: Vec<_> = event_types::catalogue().iter().filter(|known| known.module == module).collect();
    if own.is_empty() {
        return String::new();
    }
    let row = |known: &&EventType| {
        let anchor = known.event.replace('.', "");
        vec![format!("[`{}`](#{anchor})", known.event), known.description.to_owned()]
    };
    let described: String = own.iter().map(|known| described(known)).collect();
    format!("\n## Module `{module}`\n\n{}{described}", table(&["Event", "When"], own.iter().map(row)))
}

fn described(known: &EventType) -> String {
    let members = names(known.example["changes"].as_object().into_iter().flat_map(|changes| changes.keys()));
    let changed = if members.is_empty() { String::new() } else { format!(" In the example, {members} changed.") };
    let example = format!("{:#}", known.example);
    format!("\n### {}\n\n{}{changed}\n\n```json\n{example}\n```\n", known.event, known.description)
}

fn others() -> String {
    let row = |module: &Module| {
        let needs = match module.report_requirement()? {
            AccessRequirement::Scopes(scopes) => names(scopes),
            _ => "the access token of an owner or admin".to_owned(),
        };
        let narrowed = module.scope_column().map_or_else(|| "–".to_owned(), |member| format!("`{member}`"));
        Some(vec![format!("`{module}`"), needs, narrowed])
    };
    table(&["Module", "Reporting needs", "Member of `scope`"], Module::ALL.iter().filter_map(row))
}
