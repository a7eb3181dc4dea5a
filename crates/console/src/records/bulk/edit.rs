//! The page that edits many records: what can be set, and the current values.

use std::collections::{BTreeMap, BTreeSet};

use domain::kernel::input::json::Json;
use uuid::Uuid;

use super::change_set::{ADD_TAGS, CLEAR, REMOVE_TAGS, can_be_empty};
use super::selection::{self, RECORDS, SelectedRecord, name_field, pack, selects_all, ticked};
use super::{MAX_TICKED, back_to, is_address_of};
use crate::form::{Choice, Field, FieldKind};
use crate::parts::{history, people};
use crate::prelude::*;
use crate::records::{EditMany, Kind};

/// How many different values of a member are shown.
const SHOWN_VALUES: usize = 10;

/// A field of the page, with the current values as its help.
struct EditField {
    field: Field,
    /// Whether the member can be cleared.
    can_clear: bool,
    is_cleared: bool,
}

#[derive(Template)]
#[template(path = "records/bulk_edit.html")]
struct EditPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    back: String,
    error: Option<String>,
    fields: Vec<EditField>,
    /// The tags to add and to remove; `None` for kinds without tags.
    tags: Option<[String; 2]>,
    /// Hidden fields with the ids and versions of the records, and the names of the first of them.
    hidden: Vec<(String, String)>,
    is_all: bool,
}

/// The records that the page's URL selects, so that the page can be reloaded and revisited.
pub(crate) struct Selection {
    list: Option<String>,
    ids: Vec<String>,
    is_all: bool,
}

impl Query for Selection {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self {
            list: Parameters::single(query, "list"),
            ids: Parameters::all(query, "ids"),
            is_all: Parameters::single(query, "all").as_deref() == Some("true"),
        }
    }
}

/// The URL of the page for the selected records; `None` if the form already has input for that page, or if the URL
/// would be too long.
pub(super) fn address_of<K: Kind>(form: &Form) -> Option<String> {
    let is_typed = |name: &str| {
        matches!(name, CLEAR | ADD_TAGS | REMOVE_TAGS | RECORDS) || (!name.starts_with('_') && name != "selected")
    };
    if form.pairs().any(|(name, value)| !value.is_empty() && is_typed(name)) {
        return None;
    }
    let list = form.value("_next").filter(|next| is_address_of::<K>(next))?;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("list", list);
    if selects_all(form) {
        query.append_pair("all", "true");
    } else {
        let ids: BTreeSet<Uuid> = ticked(form).into_keys().collect();
        query.extend_pairs(ids.iter().map(|id| ("ids", id.to_string())));
    }
    let address = format!("{}/bulk?{}", K::ROUTES.path, query.finish());
    is_own_path(&address).then_some(address)
}

/// The page for the records that its URL selects. Redirects to the list if there are none.
pub(in crate::records) async fn edit_many<K: Kind>(request: PageRequest<EditMany<K>>) -> PageResult {
    let PageRequest { ports, query, browser, .. } = request;
    let list = query.list.filter(|list| is_address_of::<K>(list));
    let is_all = query.is_all && list.is_some();
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.extend_pairs(list.map(|list| ("_next", list))).extend_pairs(query.ids.iter().map(|id| ("selected", id)));
    if is_all {
        pairs.append_pair("_all", "true");
    }
    let form = Form::parse(pairs.finish().as_bytes());
    let back = back_to::<K>(&form);
    if !is_all && ticked(&form).is_empty() {
        return Ok(responses::redirect(&browser, &back, None));
    }
    edit::<K>(&ports, &browser, &form, back, None).await
}

/// Shows the current records with what was typed, and its errors if it was rejected.
pub(super) async fn edit<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    form: &Form,
    back: String,
    refusal: Option<Error>,
) -> PageResult {
    let is_all = selects_all(form) || form.has(RECORDS);
    let records = match selection::read::<K>(ports, browser, form).await {
        Err(Error::Conflict(message)) => return responses::success(browser, &back, message),
        records => records?,
    };
    if records.is_empty() {
        return responses::success(browser, &back, text("bulk-none"));
    }
    let is_rejected = refusal.is_some();
    let view = fields_of::<K>(ports, browser, form, &records, refusal).await?;
    let title = if is_all { "bulk-edit-all" } else { "bulk-edit-count" };
    let tags = || [ADD_TAGS, REMOVE_TAGS].map(|name| form.value(name).unwrap_or_default().to_owned());
    let page = EditPage {
        shell: browser.shell(text_with(title, [("count", records.len().into())])).part(K::ROUTES.title),
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        back,
        error: view.error,
        fields: with_clear::<K>(view.fields, form),
        tags: K::VIEW.has_tags.then(tags),
        hidden: hidden_fields(&records, is_all),
        is_all,
    };
    if is_rejected { responses::unprocessable(browser, page) } else { responses::page(browser, page) }
}

/// The fields of [`EditPage::hidden`].
fn hidden_fields(records: &[SelectedRecord], is_all: bool) -> Vec<(String, String)> {
    // If all matching records are selected, one page of names is enough.
    let names = records.iter().take(MAX_TICKED).map(|one| (name_field(&one.id), one.title.clone()));
    let field = |one: &SelectedRecord| ("selected".to_owned(), format!("{}:{}", one.id, one.version));
    let records = if is_all { vec![(RECORDS.to_owned(), pack(records))] } else { records.iter().map(field).collect() };
    records.into_iter().chain(names).collect()
}

/// The fields, with only what was typed as values. The defaults of new records do not apply.
async fn fields_of<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    form: &Form,
    records: &[SelectedRecord],
    refusal: Option<Error>,
) -> Result<FormView, Error> {
    let counts_by_member: BTreeMap<_, _> = K::VIEW.bulk.iter().map(|name| (*name, counts_of(name, records))).collect();
    let mut view = K::adapt_form(FormView::of_members(&K::bulk_members())).without_help();
    for choice in view.fields.iter_mut().flat_map(|field| field.choices.iter_mut()) {
        choice.is_chosen = false;
    }
    // The choices may depend on the project, if all records have the same one.
    let project = counts_by_member.get("project_id").filter(|counts| counts.len() == 1).map(|counts| &counts[0].0);
    let project = project.filter(|id| !id.is_null()).map(|id| json!({ "project_id": id }));
    view = view.in_zone(&browser.preferences.zone).with_input(form);
    view = K::with_choices(ports, browser, view, &project.unwrap_or_default()).await?;
    if let Some(error) = refusal {
        view = view.with_error(error)?;
    }
    let mut wanted = view.wanted_names();
    for (name, counts) in &counts_by_member {
        for (value, _) in counts {
            history::note_name(name, value, &mut wanted);
        }
    }
    let names = people::names(ports, browser, wanted).await?;
    view = view.with_names(&names);
    if view.fields.iter().any(|field| field.kind == FieldKind::Member) {
        view = view.with_members(&people::choices(ports, browser).await?);
    }
    for field in &mut view.fields {
        let words = |value: &Json| history::in_words(field.name, value, &names, &browser.preferences.zone);
        field.help = counts_by_member
            .get(field.name)
            .map_or_else(String::new, |counts| current_values(counts, records.len(), words));
    }
    Ok(view)
}

/// The current values, in words.
fn current_values(counts: &[(Json, usize)], records: usize, words: impl Fn(&Json) -> String) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut values: Vec<_> = counts.iter().map(|(value, count)| format!("{} ({count})", words(value))).collect();
    let shown: usize = counts.iter().map(|(_, count)| count).sum();
    if shown < records {
        values.push(format!("{} ({})", text("bulk-others"), records - shown));
    }
    text_with("bulk-now", [("values", values.join(", ").into())])
}

/// The most frequent values of a member, with their counts.
fn counts_of(name: &str, records: &[SelectedRecord]) -> Vec<(Json, usize)> {
    // Added and removed labels are not values that a record has.
    if matches!(name, "add_labels" | "remove_labels") {
        return Vec::new();
    }
    let mut counts: BTreeMap<String, (Json, usize)> = BTreeMap::new();
    for value in records.iter().filter_map(|one| one.values.get(name)) {
        counts.entry(value.to_string()).or_insert_with(|| (value.clone(), 0)).1 += 1;
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(SHOWN_VALUES);
    counts
}

/// Adds a choice to keep the value, and a check box to clear it.
fn with_clear<K: Kind>(fields: Vec<Field>, form: &Form) -> Vec<EditField> {
    let members = K::bulk_members();
    let cleared: BTreeSet<_> = form.values(CLEAR).collect();
    let field = |mut field: Field| {
        if !field.choices.is_empty() {
            field.choices.insert(0, Choice::new("", text("bulk-keep"), false));
            // So that the template adds no empty choice of its own.
            field.is_required = true;
        }
        EditField {
            can_clear: members.iter().any(|member| member.name == field.name && can_be_empty(member)),
            is_cleared: cleared.contains(field.name),
            field,
        }
    };
    fields.into_iter().map(field).collect()
}
