//! Describes a submitted form in words, for pages that keep what was typed until it can be sent again or copied.

use std::collections::BTreeMap;
use std::time::Duration;

use actix_web::rt::time::timeout;
use domain::UndoId;
use domain::console::{Names, WantedNames, undos};
use domain::identity::access::SearchRecords;
use domain::kernel::input::json::Json;
use uuid::Uuid;

use super::kinds;
use crate::form::{Field, FieldKind, fingerprint};
use crate::parts::{history, people};
use crate::prelude::*;
use crate::records::{bulk_summary, counted, day, id_of};

/// How long looking up names may take. If it takes longer, the form is shown without names.
const NAMES_TIMEOUT: Duration = Duration::from_millis(500);

/// Values with more characters or lines than this get a scroll bar.
const MAX_LENGTH: usize = 400;
const MAX_LINES: usize = 8;

/// Fields of other forms whose values have labels.
const WITH_LABELS: [&str; 10] =
    ["status", "stage", "priority", "visibility", "role", "plan", "preset", "expiry", "access", "theme"];

/// Fields that are sent again, but not shown.
const HIDDEN: [&str; 4] = ["selected", "query", "page", "next"];

/// A value with its label.
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) is_long: bool,
}

impl Line {
    fn new(label: String, value: String) -> Self {
        let is_long = value.chars().count() > MAX_LENGTH || value.lines().count() > MAX_LINES;
        Self { label, value, is_long }
    }
}

/// Whether a field is neither shown nor sent again, so that it has to be typed again.
pub(crate) fn is_secret(name: &str) -> bool {
    name.ends_with("password") || name.ends_with("secret") || matches!(name, "code" | "token")
}

/// Describes a form that was sent to the browser's address: what was typed, or how many records it changes and how.
/// Names that cannot be read are left out.
pub(crate) async fn lines(ports: &Ports, browser: &Browser, form: &Form) -> Vec<Line> {
    let path = browser.path();
    if let Some(id) = path.strip_prefix("/undo/").and_then(|id| id.parse().ok()) {
        let lines = timeout(NAMES_TIMEOUT, undo_lines(ports, browser, UndoId(id))).await;
        return lines.ok().flatten().unwrap_or_default();
    }
    let form = with_button(form);
    let mut view = form_at(path).with_input(&form).in_zone(&browser.preferences.zone);
    let is_typed = |field: &Field| form.has(field.name) && field.kind != FieldKind::Password && !is_secret(field.name);
    view.fields.retain(is_typed);
    let others = others(&form, &view);
    let mut wanted = view.wanted_names();
    for (name, value) in &others {
        history::note_name(name, &Json::from(value.as_str()), &mut wanted);
    }
    let names = timeout(NAMES_TIMEOUT, people::names(ports, browser, wanted)).await;
    let names = names.ok().and_then(Result::ok).unwrap_or_default();
    let view = view.with_names(&names);
    let whole = action_line(path, &form).into_iter().chain(bulk_summary(&form));
    let mut lines: Vec<_> = whole.map(|(label, value)| Line::new(label, value)).collect();
    lines.extend(view.fields.iter().filter_map(line_of));
    let other = |(name, value): (&str, String)| {
        let value = in_words(browser, name, value, &names);
        Line::new(label("member", name), value)
    };
    lines.extend(others.into_iter().map(other));
    lines
}

/// The form with the value that its button sets: `status=closed`.
fn with_button(form: &Form) -> Form {
    let mut form = form.clone();
    let set = form.value("_set").and_then(|set| set.split_once('='));
    if let Some((name, value)) = set.map(|(name, value)| (name.to_owned(), value.to_owned())) {
        form.set(&name, &value);
        if value.is_empty() {
            form.set("_clear", &name);
        }
    }
    form
}

/// The fields that a form at this path may have.
fn form_at(path: &str) -> FormView {
    let mut parts = path.split('/').skip(1);
    let list = parts.next();
    // The form for a new cycle is below its project.
    let pages = parts.nth(1).and_then(kinds::by_plural).or_else(|| kinds::by_plural(list?));
    pages.map(|pages| (pages.form)()).unwrap_or_default()
}

/// What was typed into a field; `None` if it is empty or unchanged.
fn line_of(field: &Field) -> Option<Line> {
    let is_off = field.kind == FieldKind::YesNo && field.value != "true";
    let is_empty = field.value.trim().is_empty();
    let is_same = field.was.as_deref() == Some(&fingerprint(&field.sent()));
    if is_same || (field.was.is_none() && (is_off || is_empty)) {
        return None;
    }
    let value = if is_empty && !is_off { text("nothing") } else { value_text(field) };
    Some(Line::new(field.label.clone(), value))
}

fn value_text(field: &Field) -> String {
    let is_unnamed = field.shown.is_empty() && field.value.parse::<Uuid>().is_ok();
    match field.kind {
        FieldKind::Member if is_unnamed => text("unknown-member"),
        FieldKind::Record(_) if is_unnamed => text("record-gone"),
        FieldKind::Date => day(&field.value),
        FieldKind::Time => format!("{} ({})", field.value.replace('T', " "), field.zone_name()),
        _ => field.displayed(),
    }
}

/// What was typed into other fields, each listed once.
fn others<'a>(form: &'a Form, view: &FormView) -> Vec<(&'a str, String)> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (name, value) in form.pairs() {
        let is_listed = !name.starts_with('_') && !HIDDEN.contains(&name) && !is_secret(name);
        if !is_listed || view.field(name).is_some() || value.trim().is_empty() {
            continue;
        }
        match lines.iter_mut().find(|(known, _)| *known == name) {
            // A checked checkbox comes after the hidden field for the unchecked one.
            Some((_, known)) if matches!(value, "true" | "false") => value.clone_into(known),
            Some((_, known)) => {
                known.push_str(", ");
                known.push_str(value);
            }
            None => lines.push((name, value.to_owned())),
        }
    }
    lines
}

fn in_words(browser: &Browser, name: &str, value: String, names: &Names) -> String {
    match &*value {
        "true" => text("yes"),
        "false" => text("no"),
        word if WITH_LABELS.contains(&name) => label("value", word),
        _ => {
            let json = Json::from(value.as_str());
            let is_id = id_of(&json).is_some();
            if is_id { history::in_words(name, &json, names, &browser.preferences.zone) } else { value }
        }
    }
}

/// What a form without fields does to a record, and the record's name.
fn action_line(path: &str, form: &Form) -> Vec<(String, String)> {
    let action = path.rsplit('/').next().filter(|last| matches!(*last, "delete" | "restore"));
    let Some(action) = action else { return Vec::new() };
    let name = form.value("_name").map(|name| (text("kept-records"), name.to_owned()));
    std::iter::once((text("kept-action"), text(action))).chain(name).collect()
}

/// The records that an undo restores, and their former values.
async fn undo_lines(ports: &Ports, browser: &Browser, id: UndoId) -> Option<Vec<Line>> {
    let permit = browser.permit::<SearchRecords>()?;
    let undo = undos::read(ports, &permit, id).await.ok()?;
    let mut values: BTreeMap<&str, Option<&Json>> = BTreeMap::new();
    for (name, value) in undo.entries.iter().flat_map(|one| &one.patch).filter(|(name, _)| !name.starts_with('_')) {
        let known = values.entry(name.as_str()).or_insert(Some(value));
        *known = known.filter(|known| *known == value);
    }
    let mut wanted = WantedNames::default();
    wanted.records.extend(undo.entries.iter().map(|one| (undo.kind, one.id)).take(1));
    for (name, value) in &values {
        if let Some(value) = value {
            history::note_name(name, value, &mut wanted);
        }
    }
    let names = people::names(ports, browser, wanted).await.unwrap_or_default();
    let only = undo.entries.first().filter(|_| undo.entries.len() == 1);
    let only = only.and_then(|one| names.records.get(&(undo.kind, one.id)).cloned());
    let records = only.unwrap_or_else(|| counted(undo.entries.len()));
    let first = [("kept-action", text("undo")), ("kept-records", records)];
    let first = first.into_iter().map(|(key, value)| Line::new(text(key), value));
    let restored = values.into_iter().map(|(name, value)| {
        let value = value.map(|value| history::in_words(name, value, &names, &browser.preferences.zone));
        Line::new(label("member", name), value.unwrap_or_else(|| text("kept-various")))
    });
    Some(first.chain(restored).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary_of(path: &str, form: &str) -> Vec<(String, String)> {
        let form = with_button(&Form::parse(form.as_bytes()));
        let view = form_at(path).with_input(&form);
        let typed = view.fields.iter().filter(|field| form.has(field.name)).filter_map(line_of);
        typed.map(|line| (line.label, line.value)).collect()
    }

    fn pair(label: &str, value: &str) -> (String, String) {
        (label.to_owned(), value.to_owned())
    }

    #[test]
    fn typed_values_are_shown_with_the_labels_of_their_choices() {
        assert_eq!(summary_of("/deals/bulk/apply", "stage=proposal&title="), [pair("Stage", "Proposal")]);
        assert_eq!(summary_of("/deals/1/stage", "stage=proposal&_from=discovery"), [pair("Stage", "Proposal")]);
        assert_eq!(summary_of("/tickets/bulk", "_set=status%3Dclosed"), [pair("Status", "Closed")]);
        let id = "01a22682-0000-7000-8000-000000000001";
        assert_eq!(summary_of("/deals", &format!("assigned_to={id}")).swap_remove(0).1, text("unknown-member"));
        let form = format!("company_id=Acme&_id.company_id={id}&_name.company_id=Acme");
        assert_eq!(summary_of("/deals", &form).swap_remove(0).1, "Acme");
    }

    #[test]
    fn unchanged_fields_are_left_out_and_cleared_ones_are_listed() {
        let [title, source] = ["Pilot", "Fair"].map(fingerprint);
        let form = format!("title=Pilot&_was.title={title}&source=&_was.source={source}");
        assert_eq!(summary_of("/deals/1", &form), [pair("Source", &text("nothing"))]);
    }

    #[test]
    fn other_fields_are_listed_once_and_secrets_never() {
        let form =
            Form::parse(b"shared=false&shared=true&name=Hot&query=stage%3Dproposal&password=x&_next=%2F&a=1&a=2");
        let pairs = others(&form, &FormView::default());
        assert_eq!(pairs, [("shared", "true".to_owned()), ("name", "Hot".to_owned()), ("a", "1, 2".to_owned())]);
    }

    #[test]
    fn long_values_scroll() {
        for (value, is_long) in
            [("x".repeat(MAX_LENGTH), false), ("x".repeat(MAX_LENGTH + 1), true), ("x\n".repeat(9), true)]
        {
            assert_eq!(Line::new(String::new(), value).is_long, is_long);
        }
    }
}
