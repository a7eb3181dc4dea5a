//! Doing the same to many records of a list, with the outcome of each.

use std::collections::HashMap;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Error;
use domain::identity::access::RestoreRecords;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Input, InputMode, Problems};
use domain::kernel::versions::ExpectedVersion;
use domain::records::DeletableKind;
use domain::restore::restore_any;
use serde_json::json;
use uuid::Uuid;

use super::{Bulk, Kind, edit, path_of};
use crate::answers::{self, Notice};
use crate::errors::message_of;
use crate::filters;
use crate::form::{Form, ZONE};
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult};
use crate::parts::pick;
use crate::texts::{text, text_with};

/// As many as a page has.
const MOST: usize = 100;

/// A record that was selected, with the version that was seen.
struct Selected {
    id: Uuid,
    version: i64,
    name: String,
}

/// What came of one record.
struct Outcome {
    id: String,
    version: i64,
    name: String,
    href: String,
    /// Why nothing was done.
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "records/bulk.html")]
struct BulkPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    /// The list as it was, with its filters.
    back: String,
    done: String,
    outcomes: Vec<Outcome>,
    /// Whether they were deleted and can be restored here.
    may_restore: bool,
}

/// The selected records: `id:version` of each, and its name; or those that a notice brings back.
fn selected(form: &Form) -> Vec<Selected> {
    if let Some(many) = form.value("_many") {
        let bytes = URL_SAFE_NO_PAD.decode(many).unwrap_or_default();
        let ids = bytes.chunks_exact(16).filter_map(|id| Uuid::from_slice(id).ok());
        return ids.take(MOST).map(|id| Selected { id, version: 0, name: String::new() }).collect();
    }
    let ids = form.values("selected").filter_map(|value| {
        let (id, version) = value.split_once(':')?;
        let name = form.value(&format!("_name.{id}")).unwrap_or_default().to_owned();
        Some(Selected { id: id.parse().ok()?, version: version.parse().ok()?, name })
    });
    ids.take(MOST).collect()
}

/// The ids of records, short enough for the cookie of a notice.
fn packed(outcomes: &[Outcome]) -> String {
    let ids = outcomes.iter().filter_map(|one| one.id.parse::<Uuid>().ok());
    URL_SAFE_NO_PAD.encode(ids.flat_map(Uuid::into_bytes).collect::<Vec<_>>())
}

/// The list as it was when the form was made.
fn back_to<K: Kind>(form: &Form) -> String {
    let path = K::ROUTES.path;
    let is_list = |next: &&str| next.split('?').next() == Some(path) && answers::is_own_path(next);
    form.value("_next").filter(is_list).unwrap_or(path).to_owned()
}

pub(super) async fn bulk<K: Kind>(request: PageRequest<Bulk<K>>) -> PageResult {
    let selected = selected(&request.form);
    let action = request.form.value("_action").unwrap_or_default().to_owned();
    let mut form = request.form;
    let back = back_to::<K>(&form);
    if selected.is_empty() {
        return Ok(answers::redirect(&request.browser, &back, Some(Notice::new(text("bulk-none")))));
    }
    pick::resolve(&request.ports, &request.browser, &mut form, &K::bulk_members()).await?;
    let request = PageRequest { form, ..request };
    let reasons = if action.is_empty() { set_together::<K>(&request, &selected).await? } else { None };
    let mut outcomes = Vec::with_capacity(selected.len());
    for one in selected {
        let reason = reasons.as_ref().map(|reasons| reasons.get(&one.id).cloned());
        let result = match &*action {
            _ if reason.is_some() => Ok(()),
            "delete" => delete::<K>(&request, &one).await,
            "restore" => restore::<K>(&request, &one).await,
            "tag" => tag::<K>(&request, &one).await,
            _ => set::<K>(&request, &one).await,
        };
        let error = match result {
            Ok(()) => reason.flatten(),
            Err(Error::Store(error)) => return Err(Error::Store(error).into()),
            Err(error) => Some(error.details().first().map_or_else(|| message_of(&error), |one| one.message.clone())),
        };
        let id = one.id.to_string();
        outcomes.push(Outcome { href: path_of::<K>(&id), version: one.version, name: one.name, id, error });
    }
    answer::<K>(&request.browser, &action, back, outcomes)
}

/// Leads back to the list; where something was not done, shows which and why.
fn answer<K: Kind>(browser: &Browser, action: &str, back: String, outcomes: Vec<Outcome>) -> PageResult {
    let done = outcomes.iter().filter(|outcome| outcome.error.is_none()).count();
    let key = match action {
        "delete" => "bulk-deleted",
        "restore" => "bulk-restored",
        _ => "bulk-changed",
    };
    let may_restore = action == "delete" && done > 0 && browser.may::<RestoreRecords>();
    let message = text_with(key, [("count", done.into())]);
    if done == outcomes.len() {
        let mut notice = Notice::new(message);
        if may_restore {
            notice = notice.with_undo_of_many(format!("{}/bulk", K::ROUTES.path), packed(&outcomes));
        }
        return Ok(answers::redirect(browser, &back, Some(notice)));
    }
    let view = BulkPage {
        shell: browser.shell(text("bulk-title")),
        list: text(&format!("{}-title", K::SHOWN.texts)),
        list_path: K::ROUTES.path,
        back,
        done: message,
        outcomes,
        may_restore,
    };
    answers::page(browser, view)
}

async fn delete<K: Kind>(request: &PageRequest<Bulk<K>>, one: &Selected) -> Result<(), Error> {
    let permit = request.browser.permit::<K::Delete>().ok_or(Error::RoleNeeded)?;
    K::delete(&request.ports, &permit, one.id.into(), ExpectedVersion::OneOf(vec![one.version])).await
}

async fn restore<K: Kind>(request: &PageRequest<Bulk<K>>, one: &Selected) -> Result<(), Error> {
    let permit = request.browser.permit::<RestoreRecords>().ok_or(Error::RoleNeeded)?;
    let kind = DeletableKind::parse(K::KIND.as_str()).ok_or(Error::NotFound(K::KIND.as_str()))?;
    restore_any(&request.ports, &permit, None, kind, one.id).await.map(drop)
}

/// Sets the member that was chosen in all of them in one step, if the kind can; returns why it was not set, by record.
async fn set_together<K: Kind>(
    request: &PageRequest<Bulk<K>>,
    selected: &[Selected],
) -> Result<Option<HashMap<Uuid, String>>, Error> {
    let chosen = request.form.value("_member").unwrap_or_default();
    let members = K::bulk_members();
    let Some(member) = members.iter().find(|member| member.name == chosen) else { return Ok(None) };
    let zone = &request.browser.preferences.zone;
    let patch = request.form.to_object(std::slice::from_ref(member), zone);
    let ids: Vec<_> = selected.iter().map(|one| one.id).collect();
    let mut problems = Problems::in_context(&request.ports);
    request.form.note_unreadable(std::slice::from_ref(member), zone, &mut problems);
    let changed = match problems.into_result() {
        Ok(()) => K::change_many(&request.ports, &request.permit, &ids, patch).await,
        Err(error) => Some(Err(error)),
    };
    match changed {
        None => Ok(None),
        Some(Ok(reasons)) => Ok(Some(reasons)),
        Some(Err(error)) if error.details().is_empty() => Err(error),
        // What is wrong with the value is wrong for all.
        Some(Err(error)) => {
            let message = error.details().into_iter().next().map(|problem| problem.message).unwrap_or_default();
            Ok(Some(ids.into_iter().map(|id| (id, message.clone())).collect()))
        }
    }
}

/// Sets the member that was chosen.
async fn set<K: Kind>(request: &PageRequest<Bulk<K>>, one: &Selected) -> Result<(), Error> {
    let chosen = request.form.value("_member").unwrap_or_default();
    let Some(member) = K::SHOWN.bulk.iter().find(|member| **member == chosen) else {
        return Err(Error::malformed("_member", "invalid_value", "must be a member that can be set for many"));
    };
    let mut form = Form::default();
    form.set(member, request.form.value(member).unwrap_or_default());
    if let Some(zone) = request.form.value(&format!("{ZONE}{member}")) {
        form.set(&format!("{ZONE}{member}"), zone);
    }
    let fields = form.read::<K::Fields>(InputMode::Patch, &request.ports, &request.browser.preferences.zone)?;
    let expected = ExpectedVersion::OneOf(vec![one.version]);
    K::update(&request.ports, &request.permit, one.id.into(), expected, fields).await.map(drop)
}

/// Adds a tag to those that the record has.
async fn tag<K: Kind>(request: &PageRequest<Bulk<K>>, one: &Selected) -> Result<(), Error> {
    let tag = request.form.value("_tag").map(str::trim).unwrap_or_default();
    if tag.is_empty() || tag.contains(',') {
        return Err(Error::invalid("tags", "required", "must be one tag, without commas"));
    }
    let record = edit::stored::<K>(&request.ports, &request.browser, one.id.into()).await?;
    let mut tags: Vec<String> = serde_json::from_value(record["tags"].clone()).unwrap_or_default();
    if tags.iter().any(|known| known.eq_ignore_ascii_case(tag)) {
        return Ok(());
    }
    tags.push(tag.to_owned());
    let object = [("tags".to_owned(), Json::from(tags))].into_iter().collect();
    let fields = K::Fields::from_object_with(object, InputMode::Patch, Problems::in_context(&request.ports))?;
    let expected = ExpectedVersion::OneOf(vec![json!(record)["version"].as_i64().unwrap_or_default()]);
    K::update(&request.ports, &request.permit, one.id.into(), expected, fields).await.map(drop)
}
