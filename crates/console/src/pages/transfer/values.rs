//! Default values for rows in which a member has no value.

use domain::kernel::input::json::Json;
use domain::kernel::input::{Problem, Problems, SchemaMember};
use domain::transfer::TransferKind;

use crate::form::{Choice, FieldKind, ZONE};
use crate::parts::{people, pick};
use crate::prelude::*;

/// Prefix of the fields with these values, before the name of a member.
const PREFIX: &str = "value.";

/// The members that can have a default. Keys cannot, since the imported records do not share them.
fn members_of(kind: TransferKind) -> Vec<SchemaMember> {
    let members = kind.members().into_iter().filter(|member| !kind.keys().contains(&member.name));
    // A cycle can only be chosen within its project.
    members.filter(|member| member.name != "cycle_id").collect()
}

/// The empty fields of all these members.
pub(super) async fn fields(ports: &Ports, browser: &Browser, kind: TransferKind) -> Result<FormView, Error> {
    let mut form = FormView::of_members(&members_of(kind)).without_help();
    for field in &mut form.fields {
        field.is_required = false;
        if field.kind == FieldKind::YesNo {
            field.kind = FieldKind::Choice;
            field.choices =
                [("true", "yes"), ("false", "no")].map(|(value, key)| Choice::new(value, text(key), false)).into();
        }
        // The defaults of new records are not values for all rows.
        field.set(&[]);
    }
    Ok(form.in_zone(&browser.preferences.zone).with_members(&people::choices(ports, browser).await?))
}

/// The defaults in a form by the names of their members, with ids instead of names.
///
/// # Errors
/// [`Error::Invalid`] for a record or member that is not found or not unique; [`Error::Malformed`] for unreadable
/// values.
pub(super) async fn read(ports: &Ports, browser: &Browser, kind: TransferKind, form: &Form) -> Result<Form, Error> {
    let mut defaults = Form::default();
    for (name, value) in form.pairs() {
        if let Some(name) = name.strip_prefix(PREFIX).filter(|_| !value.trim().is_empty()) {
            defaults.set(name, value);
        }
    }
    let members = members_of(kind);
    // Forms also send the zones of empty times.
    for member in &members {
        if !defaults.has(member.name) {
            defaults.remove(&format!("{ZONE}{}", member.name));
        }
    }
    pick::resolve(ports, browser, &mut defaults, &members).await.map_err(with_labels)?;
    let mut problems = Problems::in_context(ports);
    defaults.note_unreadable(&members, &browser.preferences.zone, &mut problems);
    problems.into_result().map_err(with_labels)?;
    Ok(defaults)
}

/// Prefixes the messages of an error with the labels of the members.
fn with_labels(error: Error) -> Error {
    let with_label = |problem: Problem| Problem {
        message: format!("{}: {}", label("member", &problem.field), problem.message),
        ..problem
    };
    match error {
        Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(with_label).collect()),
        Error::Malformed(problems) => Error::Malformed(problems.into_iter().map(with_label).collect()),
        other => other,
    }
}

/// Members, the cell values that are replaced (empty cells), and the values as they would be in a cell.
pub(super) fn mapping(browser: &Browser, kind: TransferKind, defaults: &Form) -> Vec<(String, String, String)> {
    let members = members_of(kind);
    let mut object = defaults.to_object(&members, &browser.preferences.zone);
    // Always in the same order, because the import's digest includes them.
    let values = members.iter().filter_map(|member| object.remove(member.name).map(|value| (member.name, value)));
    let cell = |value| match value {
        Json::String(text) => text,
        other => other.to_string(),
    };
    values.map(|(name, value)| (name.to_owned(), String::new(), cell(value))).collect()
}

/// The defaults in words.
pub(super) async fn in_words(
    ports: &Ports,
    browser: &Browser,
    kind: TransferKind,
    defaults: &Form,
) -> Result<Vec<String>, Error> {
    if defaults.pairs().next().is_none() {
        return Ok(Vec::new());
    }
    let form = fields(ports, browser, kind).await?.with_input(defaults);
    let names = people::names(ports, browser, form.wanted_names()).await?;
    let form = form.with_names(&names);
    let set_fields = form.fields.iter().filter(|field| defaults.has(field.name));
    Ok(set_fields.map(|field| format!("{}: {}", field.label, field.displayed())).collect())
}
