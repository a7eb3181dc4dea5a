//! Creating and changing records: as a whole form, or one field in place.

use std::collections::BTreeSet;

use actix_web::http::header::{HeaderName, HeaderValue};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::Input;
use domain::kernel::input::json::Json;
use http_core::path::RecordPath;

use super::bulk::keep_change;
use super::merge::{self, ConflictPage};
use super::remove::{deleted_page_with, last_event};
use super::{Create, Edit, Kind, New, Update, path_of};
use crate::form::{FieldKind, kind_of_reference, once_as_typed};
use crate::pages::kinds;
use crate::parts::{people, pick};
use crate::prelude::*;

/// Members that a link to the form of a new record sets, such as the company of a contact.
pub(crate) struct Prefilled(Vec<(&'static str, String)>);

/// Members that links may set, besides those that refer to records.
const LINKED: [&str; 4] = ["title", "assignee_id", "stage", "status"];

impl Query for Prefilled {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let lists = kinds::KINDS.iter().filter_map(|pages| pages.list.as_ref());
        let members = lists.flat_map(|list| (list.members)()).map(|member| member.name);
        let references = members.filter(|name| kind_of_reference(name).is_some());
        let names: BTreeSet<_> = references.chain(LINKED).collect();
        Self(names.into_iter().filter_map(|name| Some((name, Parameters::single(query, name)?))).collect())
    }
}

/// The only field to change; `None` to change all of them.
pub(crate) struct OneField(Option<String>);

impl Query for OneField {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "field"))
    }
}

#[derive(Template)]
#[template(path = "records/form.html")]
struct FormPage {
    shell: Shell,
    form: FormView,
    list: String,
    list_path: &'static str,
    action: String,
    /// The page that "Cancel" leads to. Saving leads there as well, unless `next` is set.
    back: String,
    next: Option<String>,
    /// The only field of the form; `None` if it has all of them.
    field: Option<String>,
    /// Whether the form is shown inside the record's page, for scripts.
    in_place: bool,
    /// The member with a Markdown preview.
    previewed: Option<&'static str>,
    /// The kind of the record, which determines the maximum length of the previewed text.
    kind: &'static str,
}

/// The empty form of a kind.
fn blank<K: Kind>(browser: &Browser) -> FormView {
    let own = format!("help-{}", K::KIND.as_str().replace('_', "-"));
    let form = FormView::new::<K::Fields>().without(K::VIEW.hidden).without(K::withheld(browser));
    K::adapt_form(form.with_help_for("help-record").with_own_help(&own))
}

/// The empty form of a new record.
fn blank_new<K: Kind>(browser: &Browser) -> FormView {
    blank::<K>(browser).with_usual(K::VIEW.usual)
}

/// Adds the choices of fields, and the names of members and records.
async fn with_choices_and_names<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    mut form: FormView,
    record: &Json,
) -> Result<FormView, Error> {
    let names = people::names(ports, browser, form.wanted_names()).await?;
    form = form.with_names(&names).in_zone(&browser.preferences.zone);
    if form.fields.iter().any(|field| field.kind == FieldKind::Member) {
        form = form.with_members(&people::choices(ports, browser).await?);
    }
    K::with_choices(ports, browser, form, record).await
}

/// Lets the preview load pictures if the record's page does.
fn with_preview_pictures<K: Kind>(page: PageResult) -> PageResult {
    if K::SHOWS_PICTURES { responses::with_pictures(page) } else { page }
}

/// The page of a form that is sent to this path.
fn page_of<K: Kind>(shell: Shell, form: FormView, path: String) -> FormPage {
    FormPage {
        shell,
        form,
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        action: path.clone(),
        back: path,
        next: None,
        field: None,
        in_place: false,
        previewed: K::PREVIEWED,
        kind: K::KIND.as_str(),
    }
}

fn new_page<K: Kind>(browser: &Browser, form: FormView) -> FormPage {
    page_of::<K>(browser.shell(text(&format!("{}-new", K::KIND.plural()))), form, K::ROUTES.path.to_owned())
}

pub(super) async fn new<K: Kind>(request: PageRequest<New<K>>) -> PageResult {
    let PageRequest { ports, query, browser, .. } = request;
    let mut form = blank_new::<K>(&browser);
    K::prefill(&browser, &mut form);
    if let (Some(field), Some(user)) = (K::VIEW.responsible.and_then(|name| form.field_mut(name)), browser.user()) {
        field.set(&[user.0.to_string()]);
    }
    for (name, value) in query.0 {
        if let Some(field) = form.field_mut(name) {
            field.set(&[value]);
        }
    }
    let form = with_choices_and_names::<K>(&ports, &browser, form, &Json::Null).await?;
    with_preview_pictures::<K>(responses::page(&browser, new_page::<K>(&browser, form)))
}

pub(super) async fn create<K: Kind>(request: PageRequest<Create<K>>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    let (typed, mut offers) = (form.clone(), pick::Offers::new());
    K::adapt_input(&browser, &mut form);
    let result = async {
        pick::resolve_or_offer(&ports, &browser, &mut form, &K::Fields::members(), &mut offers).await?;
        let once = once_as_typed(&typed, Create::<K>::ROUTE);
        K::create(&ports, &permit, once, form.read_new(&browser)?).await
    };
    match result.await {
        Ok(result) => {
            let (path, notice) = match result {
                IdempotentResult::Fresh(record) => {
                    let record = json!(record);
                    let path = path_of::<K>(record["id"].as_str().unwrap_or_default());
                    (path, notice::<K>("record-created", &record))
                }
                IdempotentResult::Replayed(response) => {
                    (path_of::<K>(response.body), Notice::new(text("made-already")))
                }
            };
            let next = typed.next_path().unwrap_or(&path);
            Ok(responses::redirect(&browser, next, Some(notice)))
        }
        Err(error) => {
            let view = blank_new::<K>(&browser).with_input(&typed);
            let view = with_choices_and_names::<K>(&ports, &browser, view, &Json::Null).await?;
            let view = view.with_offers(offers).with_error(K::explain(error))?;
            with_preview_pictures::<K>(responses::unprocessable(&browser, new_page::<K>(&browser, view)))
        }
    }
}

fn notice<K: Kind>(key: &str, record: &Json) -> Notice {
    Notice::new(text_named(key, &(K::VIEW.title_of)(record)))
}

fn edit_page<K: Kind>(browser: &Browser, record: &Json, form: FormView, field: Option<String>) -> FormPage {
    let path = path_of::<K>(record["id"].as_str().unwrap_or_default());
    let shell = browser.shell((K::VIEW.title_of)(record)).part("edit");
    FormPage { field, in_place: browser.is_htmx, ..page_of::<K>(shell, form, path) }
}

pub(super) async fn edit<K: Kind>(request: PageRequest<Edit<K>>) -> PageResult {
    let PageRequest { ports, path, query, browser, .. } = request;
    let record = stored::<K>(&ports, &browser, path.record()).await?;
    // The form of an unknown field would be empty.
    let field = query.0.filter(|name| blank::<K>(&browser).field(name).is_some());
    let form = form_of::<K>(&browser, field.as_deref(), &record).with_record(&record, &browser.preferences.zone);
    let form = with_choices_and_names::<K>(&ports, &browser, form, &record).await?;
    with_preview_pictures::<K>(responses::page(&browser, edit_page::<K>(&browser, &record, form, field)))
}

/// The form of a record, or of one field. A single amount shows its currency as the unit.
fn form_of<K: Kind>(browser: &Browser, field: Option<&str>, record: &Json) -> FormView {
    let Some(field) = field else { return blank::<K>(browser) };
    let form = blank::<K>(browser).only(&[field]);
    match K::VIEW.money {
        Some((amount, currency)) => form.with_unit(amount, record[currency].as_str().unwrap_or_default()),
        None => form,
    }
}

/// The record as it is now.
///
/// # Errors
/// [`Error::NotFound`], also if the caller may not read it.
pub(crate) async fn stored<K: Kind>(ports: &Ports, browser: &Browser, id: K::Id) -> Result<Json, Error> {
    let permit = browser.permit::<K::Read>().ok_or(Error::NotFound(K::KIND.as_str()))?;
    Ok(json!(K::read(ports, &permit, id).await?))
}

/// The part of the response that htmx shows for a rejected form.
const RESELECT: HeaderName = HeaderName::from_static("hx-reselect");
const RETARGET: HeaderName = HeaderName::from_static("hx-retarget");

pub(super) async fn update<K: Kind>(request: PageRequest<Update<K>>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    let id = path.record();
    let field = form.value("_field").map(str::to_owned).filter(|field| !field.is_empty());
    let next = form.next_path().map(str::to_owned);
    if let Some(to) = K::next_step(id, &form) {
        return Ok(responses::redirect(&browser, &to, None));
    }
    let (typed, mut offers) = (form.clone(), pick::Offers::new());
    K::adapt_input(&browser, &mut form);
    let before = match stored::<K>(&ports, &browser, id).await {
        Err(Error::NotFound(_)) => return deleted_page_with::<K>(&ports, &browser, id, Some(&typed)).await,
        before => before?,
    };
    let saved = async {
        pick::resolve_or_offer(&ports, &browser, &mut form, &K::Fields::members(), &mut offers).await?;
        merge::save::<K>(&ports, &browser, &permit, id, &mut form).await
    };
    match saved.await {
        Ok(merge::SaveOutcome::Done(record)) => {
            let to = next.unwrap_or_else(|| path_of::<K>(id));
            let undo = keep_change::<K>(&ports, &browser, &before, &record).await;
            // Messages about a single field name the field, since several may be shown at once.
            let only = field.as_deref().filter(|field| browser.is_htmx && blank::<K>(&browser).field(field).is_some());
            let notice = match only {
                Some(field) => {
                    let values =
                        [("member", label("member", field).into()), ("name", (K::VIEW.title_of)(&record).into())];
                    Notice::new(text_with("record-field-saved", values))
                }
                None => notice::<K>("record-saved", &record),
            };
            let notice = notice.with_undo_of(undo);
            if field.is_some() && browser.is_htmx {
                // htmx follows the redirect, and replaces the parts of the page that show the record and the notice.
                let mut response = responses::redirect_from(&browser.base(), &to, false);
                if undo.is_some() {
                    responses::append_notice(&mut response, &browser, &browser.slug, &notice);
                }
                return Ok(response.finish());
            }
            Ok(responses::redirect(&browser, &to, Some(notice)))
        }
        Ok(merge::SaveOutcome::Conflict(record, merged)) => {
            // A page may use four statements, and this would be the fifth.
            let last = if merged.names_members() { None } else { last_event::<K>(&ports, &browser, id).await? };
            let page = ConflictPage {
                changed: last.map(|event| (event.actor.name, event.created_at)),
                shell: browser.shell((K::VIEW.title_of)(&record)),
                merged: merged.with_names(&ports, &browser).await?,
                list: text(K::ROUTES.title),
                list_path: K::ROUTES.path.to_owned(),
                action: path_of::<K>(id),
                next,
            };
            page.answer(&browser)
        }
        Err(error) => {
            let record = stored::<K>(&ports, &browser, id).await?;
            let view = form_of::<K>(&browser, field.as_deref(), &record)
                .with_record(&record, &browser.preferences.zone)
                .with_input(&typed);
            let view = with_choices_and_names::<K>(&ports, &browser, view, &record).await?;
            let view = view.with_offers(offers).with_error(K::explain(error))?;
            let target = field.as_deref().filter(|field| is_name(field)).map(|field| format!("#form-{field}"));
            let page = FormPage { next, ..edit_page::<K>(&browser, &record, view, field) };
            let page = with_preview_pictures::<K>(responses::unprocessable(&browser, page))?;
            Ok(retarget(page, target.as_deref().unwrap_or("#main")))
        }
    }
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Makes htmx replace this part of the page by the same part of the response.
pub(super) fn retarget(mut response: actix_web::HttpResponse, part: &str) -> actix_web::HttpResponse {
    if let Ok(part) = HeaderValue::from_str(part) {
        response.headers_mut().insert(RETARGET, part.clone());
        response.headers_mut().insert(RESELECT, part);
    }
    response
}
