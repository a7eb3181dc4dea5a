//! The fields of a subscription that clients send, and the rules that depend on the module (interface 16.4).

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::TargetPolicy;
use super::custom_headers::HeaderFields;
use crate::events::{ALL_EVENTS, Module};
use crate::kernel::input::schema::format_schema;
use crate::kernel::input::{
    Field, InputMode, Items, LongText, Problems, Read, Several, TargetUrl, Value, fields, parse_uuid, path,
};

const MAX_EVENTS: usize = 50;
const MAX_MODULES: usize = Module::ALL.len();

/// An object such as `{"project_id": …}`. Which member is allowed depends on the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeObject {
    column: String,
    pub(super) id: Uuid,
}

impl Value for ScopeObject {
    fn schema() -> Json {
        let id = format_schema("uuid");
        let properties: Map<_, _> = Module::scope_columns().map(|column| (column.to_owned(), id.clone())).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false, "maxProperties": 1, "minProperties": 1 })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            return problems.malformed(
                at,
                "invalid_type",
                "must be an object such as {\"project_id\": \"…\"}, or null",
            );
        };
        let mut members = object.into_iter();
        let (Some((column, id)), None) = (members.next(), members.next()) else {
            return problems.malformed(at, "invalid_value", "must have exactly one member");
        };
        let column: String = column.chars().take(100).collect();
        if let Some(id) = id.as_str().and_then(parse_uuid) {
            return Read::Value(Self { column, id });
        }
        problems.malformed(path(at, &column), "invalid_uuid", "must be a UUID")
    }
}

fields! {
    /// The writable fields of a subscription.
    pub struct SubscriptionFields {
        /// The area whose events are sent; it never changes. A new webhook needs it, or modules.
        module: Module,
        /// Instead of module: one webhook for each of several areas, with the same url, headers and secret.
        modules: Several<Module, MAX_MODULES>,
        /// The URL that deliveries are sent to.
        url: TargetUrl = required,
        /// Its purpose, as a note for the team.
        description: LongText<1_000>,
        /// Event names such as task.created, or `*` for all events of the module. Of several modules, each gets its own.
        events: Items<MAX_EVENTS, 100> = required,
        /// The one project, booking link or contract whose events are sent.
        /// Note: Only events of this one; absent: all.
        /// Default: all.
        scope: ScopeObject,
        /// Whether events are sent.
        /// Default: true.
        enabled: bool,
        /// Additional headers of its requests, such as Authorization for a gateway: names and values, all of them each time.
        /// Values are never shown; null keeps the stored one. Another scheme, host or port in url removes them unless they
        /// are sent again.
        headers: HeaderFields,
    }
    together check_fields;
}

impl SubscriptionFields {
    /// The modules that a request names.
    pub(super) fn modules(&self) -> Vec<Module> {
        let several = self.modules.set().into_iter().flat_map(|several| &several.0);
        self.module.set().into_iter().chain(several).copied().collect()
    }

    /// The requested event names that belong to a module, without duplicates. With several modules, names of the service's own
    /// events do not belong to modules of other systems.
    pub(super) fn events_of(&self, module: Module) -> Vec<String> {
        let modules = self.modules();
        let belongs_elsewhere = |name: &str| {
            let owns = |other: Module| {
                other.owns_noun_of(name) || other.report_requirement().is_none() && other.canonical(name).is_some()
            };
            name != ALL_EVENTS && modules.iter().any(|other| *other != module && owns(*other))
        };
        let sent = self.events.set().map(Items::as_slice).unwrap_or_default();
        let mut names: Vec<_> =
            sent.iter().filter(|name| !belongs_elsewhere(name)).filter_map(|name| module.canonical(name)).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Checks the target, and events and scope against the modules. A patch has no module, so its check needs the stored subscription.
fn check_fields(fields: &SubscriptionFields, mode: InputMode, problems: &mut Problems) {
    let modules = fields.modules();
    if mode == InputMode::Create && modules.is_empty() && !problems.has("module") && !problems.has("modules") {
        match fields.modules {
            Field::Set(_) => problems.rule("modules", "required", "must have at least one module, such as crm"),
            _ => problems.shape("module", "required", "module is required: send it, or modules"),
        }
    }
    check_repeated(fields, problems);
    if fields.module.set().is_some() && fields.modules.set().is_some() {
        problems.rule("modules", "one_of", "send module or modules, but not both");
    }
    if let Some(context) = problems.context() {
        note_target(fields, context.settings.targets, problems);
    }
    if !modules.is_empty() {
        check_events(&modules, fields, problems);
        check_scope(&modules, fields, problems);
    }
    if fields.events.set().is_some_and(|events| events.as_slice().is_empty()) {
        problems.rule("events", "required", "must have at least one event");
    }
}

fn check_repeated(fields: &SubscriptionFields, problems: &mut Problems) {
    let several = fields.modules.set().map(|several| &*several.0).unwrap_or_default();
    for (index, module) in several.iter().enumerate() {
        if several[..index].contains(module) {
            problems.rule(format!("modules[{index}]"), "repeated", "must not be sent twice: name each module once");
        }
    }
}

/// Reports a target that the operator's policy does not allow.
pub(super) fn note_target(fields: &SubscriptionFields, targets: TargetPolicy, problems: &mut Problems) {
    if let Some(Err(refusal)) = fields.url.set().map(|url| targets.check(url.as_str())) {
        problems.rule("url", "invalid_target", refusal.to_string());
    }
}

/// Each name must be an event of one of the modules, and each module must have one.
pub(super) fn check_events(modules: &[Module], fields: &SubscriptionFields, problems: &mut Problems) {
    let Some(sent) = fields.events.set().map(Items::as_slice) else { return };
    for (index, name) in sent.iter().enumerate() {
        if modules.iter().all(|module| module.canonical(name).is_none()) {
            let expected = match modules.iter().flat_map(|module| module.events()).copied().collect::<Vec<_>>() {
                events if events.is_empty() => "a name such as booking.confirmed, in lower case".to_owned(),
                events => format!("one of {}", events.join(", ")),
            };
            problems.rule(format!("events[{index}]"), "unknown_event", format!("must be {expected}, or {ALL_EVENTS}"));
        }
    }
    if modules.len() > 1
        && !sent.is_empty()
        && let Some(module) = modules.iter().find(|module| fields.events_of(**module).is_empty())
    {
        problems.rule("events", "required", format!("must have an event of each module: {module} has none"));
    }
}

pub(super) fn check_scope(modules: &[Module], fields: &SubscriptionFields, problems: &mut Problems) {
    let Some(scope) = fields.scope.set() else { return };
    let [module] = modules else {
        problems.rule("scope", "unknown_scope", "must be null for several modules");
        return;
    };
    if module.scope_column() != Some(scope.column.as_str()) {
        let message = match module.scope_column() {
            Some(column) => format!("must contain {column}, the only scope of {module}"),
            None => format!("must be null: a webhook of {module} covers the whole workspace"),
        };
        problems.rule("scope", "unknown_scope", message);
    }
}
