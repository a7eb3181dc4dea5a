//! Values that members get in all rows that say nothing of them.

use domain::Error;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Problem, Problems, SchemaMember};
use domain::ports::Ports;
use domain::transfer::TransferKind;

use crate::form::{Choice, FieldKind, Form, FormView, ZONE};
use crate::layout::Browser;
use crate::parts::{people, pick};
use crate::texts::{label, text};

/// What the names of their fields begin with, which have the name of a member behind it.
const PREFIX: &str = "value.";

/// The members that can have one: many records, as an import makes them, do not share a key.
fn members_of(kind: TransferKind) -> Vec<SchemaMember> {
    let members = kind.members().into_iter().filter(|member| !kind.keys().contains(&member.name));
    // A cycle is chosen within its project.
    members.filter(|member| member.name != "cycle_id").collect()
}

/// The empty fields of all members.
///
/// # Errors
/// Those of the store.
pub(super) async fn fields(ports: &Ports, browser: &Browser, kind: TransferKind) -> Result<FormView, Error> {
    let mut form = FormView::of_members(&members_of(kind)).without_help();
    for field in &mut form.fields {
        field.is_required = false;
        if field.kind == FieldKind::YesNo {
            field.kind = FieldKind::Choice;
            let choice = |value: &str, key| Choice { value: value.to_owned(), label: text(key), is_chosen: false };
            field.choices = vec![choice("true", "yes"), choice("false", "no")];
        }
        // What a new record has unless somebody says otherwise is no value for all rows.
        field.set(&[]);
    }
    Ok(form.in_zone(&browser.preferences.zone).with_members(&people::choices(ports, browser).await?))
}

/// The fields that are filled in, under the names of their members, with ids for what was picked.
///
/// # Errors
/// [`Error::Invalid`] for a record or member that is not found or not unique; [`Error::Malformed`] for unreadable values.
pub(super) async fn filled(ports: &Ports, browser: &Browser, kind: TransferKind, form: &Form) -> Result<Form, Error> {
    let mut filled = Form::default();
    for (name, value) in form.pairs() {
        if let Some(name) = name.strip_prefix(PREFIX).filter(|_| !value.trim().is_empty()) {
            filled.set(name, value);
        }
    }
    let members = members_of(kind);
    // Forms also send the zones of empty times.
    for member in &members {
        if !filled.has(member.name) {
            filled.remove(&format!("{ZONE}{}", member.name));
        }
    }
    pick::resolve(ports, browser, &mut filled, &members).await.map_err(naming_members)?;
    let mut problems = Problems::in_context(ports);
    filled.note_unreadable(&members, &browser.preferences.zone, &mut problems);
    problems.into_result().map_err(naming_members)?;
    Ok(filled)
}

/// Prefixes the messages of an error with the names of the members.
fn naming_members(error: Error) -> Error {
    let named = |problem: Problem| Problem {
        message: format!("{}: {}", label("member", &problem.field), problem.message),
        ..problem
    };
    match error {
        Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(named).collect()),
        Error::Malformed(problems) => Error::Malformed(problems.into_iter().map(named).collect()),
        other => other,
    }
}

/// Members, the cells for which they get a value, which are empty, and the value as a cell has it.
pub(super) fn mapped(browser: &Browser, kind: TransferKind, filled: &Form) -> Vec<(String, String, String)> {
    let members = members_of(kind);
    let mut object = filled.to_object(&members, &browser.preferences.zone);
    // In one order, however they are sent: the import is known by it.
    let values = members.iter().filter_map(|member| object.remove(member.name).map(|value| (member.name, value)));
    let cell = |value| match value {
        Json::String(text) => text,
        other => other.to_string(),
    };
    values.map(|(name, value)| (name.to_owned(), String::new(), cell(value))).collect()
}

/// The values as people read them.
///
/// # Errors
/// Those of the store.
pub(super) async fn shown(
    ports: &Ports,
    browser: &Browser,
    kind: TransferKind,
    filled: &Form,
) -> Result<Vec<String>, Error> {
    if filled.pairs().next().is_none() {
        return Ok(Vec::new());
    }
    let form = fields(ports, browser, kind).await?.typed(filled);
    let names = people::names(ports, browser, form.wanted_names()).await?;
    let form = form.named(&names);
    let given = form.fields.iter().filter(|field| filled.has(field.name));
    Ok(given.map(|field| format!("{}: {}", field.label, field.displayed())).collect())
}
