//! The parts of a webhook's form that are not plain fields: events, scope and custom headers.

use domain::events::Module;
use domain::kernel::input::SchemaMember;
use domain::webhooks::{SubscriptionFields, SubscriptionView};
use serde_json::{Map, Value as Json};

use crate::form::Field;
use crate::parts::pick;
use crate::prelude::*;

/// The field with the names of the headers that were stored when the form was rendered.
const HEADERS_WERE: &str = "_header_names";
/// Empty rows for new headers. The next form has more.
const EMPTY_ROWS: usize = 2;

/// A custom header as a row of the form.
pub(super) struct HeaderRow {
    pub(super) number: usize,
    pub(super) name: String,
    /// Whether a value is stored. It is kept if no other value is typed.
    pub(super) is_stored: bool,
}

/// What the form shows besides plain fields.
pub(super) struct SpecialFields {
    pub(super) events: Vec<String>,
    pub(super) header_names: Vec<String>,
    pub(super) stored_headers: Vec<String>,
}

impl SpecialFields {
    pub(super) fn stored(webhook: &SubscriptionView) -> Self {
        let names: Vec<_> = webhook.headers.keys().cloned().collect();
        Self { events: webhook.events.clone(), header_names: names.clone(), stored_headers: names }
    }

    pub(super) fn typed(form: &Form, stored_headers: Vec<String>) -> Self {
        Self {
            events: form.values("events").map(str::to_owned).collect(),
            header_names: form.values("header_name").map(str::to_owned).collect(),
            stored_headers,
        }
    }

    /// The names of the stored headers.
    pub(super) fn stored_header_names(&self) -> String {
        self.stored_headers.join(", ")
    }

    pub(super) fn header_rows(&self) -> Vec<HeaderRow> {
        let names = self.header_names.iter().cloned().chain((0..EMPTY_ROWS).map(|_| String::new()));
        let rows = names.enumerate().map(|(index, name)| HeaderRow {
            number: index + 1,
            is_stored: self.stored_headers.contains(&name),
            name,
        });
        rows.collect()
    }
}

/// The form with the members of a webhook: scope and headers have several fields each.
fn members(form: &Form, modules: &[Module]) -> Form {
    let mut members = form.clone();
    let column = only(modules).and_then(Module::scope_column);
    if let Some((column, id)) = column.and_then(|column| Some((column, form.value(column)?))) {
        let id = id.trim();
        let scope = if id.is_empty() { String::new() } else { json!({ column: id }).to_string() };
        members.set("scope", &scope);
    }
    if form.has("header_name") {
        let typed = |name: &'static str| form.pairs().filter(move |(known, _)| *known == name);
        let pairs = typed("header_name").zip(typed("header_value")).map(|((_, name), (_, value))| (name.trim(), value));
        let headers: Vec<_> = pairs.filter(|(name, value)| !name.is_empty() || !value.is_empty()).collect();
        // If no header was changed, changes by others are kept.
        let names = headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        if form.value(HEADERS_WERE) == Some(&*names) && headers.iter().all(|(_, value)| value.is_empty()) {
            return members;
        }
        // If no value was typed, null keeps the stored one.
        let header = |value: &str| if value.is_empty() { Json::Null } else { json!(value) };
        let headers: Map<_, _> = headers.into_iter().map(|(name, value)| (name.to_owned(), header(value))).collect();
        members.set("headers", &Json::Object(headers).to_string());
    }
    members
}

/// The module, if there is only one.
pub(super) fn only(modules: &[Module]) -> Option<Module> {
    if let [module] = modules { Some(*module) } else { None }
}

/// The member that limits webhooks to a scope. Webhooks with several modules have none.
fn scope_member(modules: &[Module]) -> Option<SchemaMember> {
    let id = json!({ "type": "string", "format": "uuid" });
    only(modules)
        .and_then(Module::scope_column)
        .map(|column| SchemaMember::optional(column, id).described(text("webhook-scope-hint")))
}

/// An empty form for webhooks of these modules.
pub(super) fn blank(modules: &[Module]) -> FormView {
    let mut view = FormView::new::<SubscriptionFields>();
    view.fields.extend(scope_member(modules).iter().map(Field::of));
    view
}

/// The typed members of a webhook, with the id of the project that was named.
pub(super) async fn typed_members<P: PageRoute>(request: &PageRequest<P>, modules: &[Module]) -> Result<Form, Error> {
    let mut form = request.form.clone();
    let scope: Vec<_> = scope_member(modules).into_iter().collect();
    pick::resolve(&request.ports, &request.browser, &mut form, &scope).await?;
    Ok(members(&form, modules))
}
