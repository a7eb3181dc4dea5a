//! Changing many records of a list, with an outcome for each, and undoing such changes.

mod change_set;
mod edit;
mod selection;
mod summary;
mod undo;

pub(crate) use summary::{bulk_summary, counted};
pub(crate) use undo::{divide, keep_change, keep_former, report_undo, restore_values};

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::UndoId;
use domain::console::undos;
use domain::identity::access::{Permit, RestoreRecords};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{FormerValues, RecordChange};
use domain::restore::restore_any;
use uuid::Uuid;

use self::change_set::ChangeSet;
pub(super) use self::edit::{Selection, edit_many};
use self::selection::{SelectedRecord, name_in, selects_all, ticked, versions_in};
use super::{Apply, Bulk, Kind, path_of};
use crate::errors::message_of;
use crate::prelude::*;

/// The maximum number of ticked records: one page of the list.
const MAX_TICKED: usize = 100;
/// The maximum number of failures that are listed.
const SHOWN_FAILURES: usize = 50;

/// A record that was not changed, and the reason.
struct Failure {
    id: Uuid,
    href: String,
    name: String,
    error: String,
}

/// The outcome of a bulk change.
#[derive(Default)]
struct BulkOutcome {
    done: usize,
    /// How many other records were restored in part.
    partly: usize,
    failures: Vec<Failure>,
    /// The former values of the changed records.
    former: Vec<FormerValues>,
    /// Records whose state does not allow the change.
    refused: Vec<Uuid>,
    /// Records that others changed first.
    outdated: Vec<Uuid>,
    /// The undo that can be tried again for the failed records.
    again: Option<UndoId>,
    /// An error that applies to every record, such as a member who was removed.
    common_error: Option<Error>,
}

impl BulkOutcome {
    fn add(&mut self, other: Self) {
        self.done += other.done;
        self.failures.extend(other.failures);
        self.former.extend(other.former);
        self.refused.extend(other.refused);
        self.outdated.extend(other.outdated);
    }
}

#[derive(Template)]
#[template(path = "records/bulk.html")]
struct BulkPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    /// The URL of the list with its filters.
    back: String,
    done: String,
    failures: Vec<Failure>,
    /// How many failures are not listed.
    more: Option<String>,
    /// The path to which the undo form is sent.
    undo: Option<String>,
    /// The path to which the form is sent that tries the failed part of an undo again.
    again: Option<String>,
    /// The ids of the deleted records that can be restored here.
    restorable: String,
}

/// The URL of the list when the form was rendered.
fn back_to<K: Kind>(form: &Form) -> String {
    form.value("_next").filter(|next| is_address_of::<K>(next)).unwrap_or(K::ROUTES.path).to_owned()
}

/// Whether an address is the list, with any filters.
fn is_address_of<K: Kind>(address: &str) -> bool {
    address.split('?').next() == Some(K::ROUTES.path) && responses::is_own_path(address)
}

/// Redirects to the page that edits the records, or immediately makes the change of a button.
pub(super) async fn bulk<K: Kind>(request: PageRequest<Bulk<K>>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let back = back_to::<K>(&form);
    let is_selected = selects_all(&form) || form.has("_many") || !ticked(&form).is_empty();
    if !is_selected {
        return responses::success(&browser, &back, text("bulk-none"));
    }
    let action = form.value("_action").filter(|action| matches!(*action, "delete" | "restore"));
    let button = form.value("_set");
    if selects_all(&form) && (action.is_some() || button.is_some()) {
        return responses::success(&browser, &back, text("bulk-all-edits-only"));
    }
    if let Some(button) = button {
        let change_set = ChangeSet::of_button::<K>(&ports, button)?;
        let selected = selection::read::<K>(&ports, &browser, &form).await?;
        let missing = missing::<K>(&form, ticked(&form).into_keys(), &selected);
        let mut outcome = change::<K>(&ports, &permit, &change_set, selected).await?;
        outcome.failures.extend(missing);
        return finish::<K>(&ports, &browser, &permit, "bulk-changed", back, outcome).await;
    }
    match action {
        Some(action) => delete_or_restore::<K>(&ports, &browser, &form, action == "delete", back).await,
        None => match edit::address_of::<K>(&form) {
            Some(address) => Ok(responses::redirect(&browser, &address, None)),
            None => edit::edit::<K>(&ports, &browser, &form, back, None).await,
        },
    }
}

/// Changes the records that have not changed since the page was rendered.
pub(super) async fn apply<K: Kind>(request: PageRequest<Apply<K>>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let back = back_to::<K>(&form);
    let change_set = match ChangeSet::read::<K>(&ports, &browser, &form).await {
        Ok(change_set) => change_set,
        Err(error) => return edit::edit::<K>(&ports, &browser, &form, back, Some(error)).await,
    };
    let versions = versions_in(&form);
    if versions.is_empty() {
        return responses::success(&browser, &back, text("bulk-none"));
    }
    let ids: Vec<_> = versions.keys().copied().collect();
    let records = selection::read_by_ids::<K, _>(&ports, &browser, &ids, SelectedRecord::of::<K>).await?;
    let missing = missing::<K>(&form, ids, &records);
    let is_unchanged = |one: &SelectedRecord| versions.get(&one.id) == Some(&one.version);
    let (unchanged, outdated): (Vec<_>, Vec<_>) = records.into_iter().partition(is_unchanged);
    let mut outcome = change::<K>(&ports, &permit, &change_set, unchanged).await?;
    if let Some(error) = outcome.common_error.take() {
        return edit::edit::<K>(&ports, &browser, &form, back, Some(error)).await;
    }
    outcome
        .failures
        .extend(outdated.into_iter().map(|one| failure::<K>(&one.id, one.title, text("bulk-changed-since"))));
    outcome.failures.extend(missing);
    finish::<K>(&ports, &browser, &permit, "bulk-changed", back, outcome).await
}

fn failure<K: Kind>(id: &Uuid, name: String, error: String) -> Failure {
    Failure { id: *id, href: path_of::<K>(id), name, error }
}

/// A failure for each record that no longer exists.
fn missing<K: Kind>(form: &Form, ids: impl IntoIterator<Item = Uuid>, records: &[SelectedRecord]) -> Vec<Failure> {
    let existing: HashSet<_> = records.iter().map(|one| one.id).collect();
    let deleted = ids.into_iter().filter(|id| !existing.contains(id));
    deleted.map(|id| failure::<K>(&id, name_in(form, &id), text("record-gone"))).collect()
}

/// Changes the records that still have the version that was read.
async fn change<K: Kind>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    change_set: &ChangeSet,
    selected: Vec<SelectedRecord>,
) -> Result<BulkOutcome, Error> {
    let mut patches = Vec::with_capacity(selected.len());
    let mut names = HashMap::with_capacity(selected.len());
    for one in selected {
        patches.push((one.id, one.version, change_set.patch_of(&one.tags)));
        names.insert(one.id, one.title);
    }
    let name = |id: &Uuid| names.get(id).cloned().unwrap_or_default();
    outcomes_of::<K>(ports, permit, patches, name, "bulk-changed-since").await
}

/// Applies its patch to each record that still has this version. `changed_since` is the key of the message for the other
/// records.
async fn outcomes_of<K: Kind>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    patches: Vec<(Uuid, i64, Map<String, Json>)>,
    name: impl Fn(&Uuid) -> String,
    changed_since: &str,
) -> Result<BulkOutcome, Error> {
    let mut all = BulkOutcome::default();
    let mut changes = Vec::with_capacity(patches.len());
    for (id, version, patch) in patches {
        let patch = K::without_derived(patch);
        // It has the tags already.
        if patch.is_empty() {
            all.done += 1;
            continue;
        }
        match K::Patch::from_object_with(patch, InputMode::Patch, Problems::in_context(ports)) {
            Ok(fields) => {
                changes.push(RecordChange { id, expected: ExpectedVersion::OneOf(vec![version]), fields });
            }
            Err(error) => all.failures.push(failure::<K>(&id, name(&id), reason(&error, changed_since))),
        }
    }
    let mut untried: HashSet<_> = changes.iter().map(|change| change.id).collect();
    let mut errors = Vec::new();
    for outcome in K::update_each(ports, permit, changes).await? {
        untried.remove(&outcome.id);
        match outcome.result {
            Ok(former) => {
                all.done += 1;
                all.former.push(former);
            }
            Err(error) => {
                match error {
                    Error::InvalidStateChange(_) => all.refused.push(outcome.id),
                    Error::ConcurrentUpdate { .. } => all.outdated.push(outcome.id),
                    _ => {}
                }
                all.failures.push(failure::<K>(&outcome.id, name(&outcome.id), reason(&error, changed_since)));
                errors.push(error);
            }
        }
    }
    all.common_error = if all.done == 0 && untried.is_empty() { common(errors) } else { None };
    let not_tried = |id: Uuid| failure::<K>(&id, name(&id), text("bulk-not-tried"));
    all.failures.extend(untried.into_iter().map(not_tried));
    Ok(all)
}

/// The error of the values themselves, if it is the same for every record.
fn common(mut errors: Vec<Error>) -> Option<Error> {
    let first = errors.pop().filter(|error| matches!(error, Error::Malformed(_) | Error::Invalid(_)))?;
    let details = first.details();
    errors.iter().all(|error| error.details() == details).then_some(first)
}

fn reason(error: &Error, changed_since: &str) -> String {
    match error {
        Error::ConcurrentUpdate { .. } => text(changed_since),
        Error::NotFound(_) => text("record-gone"),
        error => error.details().first().map_or_else(|| message_of(error), |one| one.message.clone()),
    }
}

/// Redirects to the list, or shows the failures if there are any.
///
/// # Errors
/// Only those of rendering the page.
async fn finish<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<K::Update>,
    key: &str,
    back: String,
    outcome: BulkOutcome,
) -> PageResult {
    // The records are changed even if their former values cannot be kept.
    let undo = undos::keep(ports, permit, K::KIND, outcome.former).await.unwrap_or_default();
    let partly = (outcome.partly > 0).then(|| text_with("undo-partly", [("count", outcome.partly.into())]));
    let whole = (outcome.done > 0 || partly.is_none()).then(|| text_with(key, [("count", outcome.done.into())]));
    let message = whole.into_iter().chain(partly).collect::<Vec<_>>().join(" ");
    if outcome.failures.is_empty() {
        let notice = Notice::new(message).with_undo_of(undo);
        return Ok(responses::redirect(browser, &back, Some(notice)));
    }
    let undo = undo.map(|id| format!("/undo/{id}"));
    let again = outcome.again.map(|id| format!("/undo/{id}"));
    responses::page(browser, BulkPage { again, ..page_of::<K>(browser, back, message, outcome.failures, undo) })
}

fn page_of<K: Kind>(
    browser: &Browser,
    back: String,
    done: String,
    mut failures: Vec<Failure>,
    undo: Option<String>,
) -> BulkPage {
    let more = failures.len().saturating_sub(SHOWN_FAILURES);
    failures.truncate(SHOWN_FAILURES);
    BulkPage {
        shell: browser.shell(text("bulk-title")),
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        back,
        done,
        failures,
        more: (more > 0).then(|| text_with("bulk-more", [("count", more.into())])),
        undo,
        again: None,
        restorable: String::new(),
    }
}

/// The ids of the records that a notice offers to restore.
fn restorable_ids(form: &Form) -> Vec<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(form.value("_many").unwrap_or_default()).unwrap_or_default();
    let ids = bytes.chunks_exact(16).filter_map(|id| Uuid::from_slice(id).ok());
    ids.take(MAX_TICKED).collect()
}

/// Deletes or restores the ticked records one by one.
async fn delete_or_restore<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    form: &Form,
    is_deletion: bool,
    back: String,
) -> PageResult {
    let mut selected: Vec<_> = ticked(form).into_iter().collect();
    selected.extend(restorable_ids(form).into_iter().map(|id| (id, 0)));
    let (mut done, mut failures) = (Vec::new(), Vec::new());
    for (id, version) in selected {
        let result = if is_deletion {
            delete::<K>(ports, browser, id, version).await
        } else {
            restore::<K>(ports, browser, id).await
        };
        match result {
            Ok(()) => done.push(id),
            Err(Error::Store(error)) => return Err(Error::Store(error).into()),
            Err(error) => {
                failures.push(failure::<K>(&id, name_in(form, &id), reason(&error, "bulk-changed-since")));
            }
        }
    }
    let key = if is_deletion { "bulk-deleted" } else { "bulk-restored" };
    let message = text_with(key, [("count", done.len().into())]);
    let may_restore = is_deletion && !done.is_empty() && browser.may::<RestoreRecords>();
    let restorable = URL_SAFE_NO_PAD.encode(done.into_iter().flat_map(Uuid::into_bytes).collect::<Vec<_>>());
    let restorable = if may_restore { restorable } else { String::new() };
    if failures.is_empty() {
        let mut notice = Notice::new(message);
        if may_restore {
            notice = notice.with_undo_of_many(format!("{}/bulk", K::ROUTES.path), restorable);
        }
        return Ok(responses::redirect(browser, &back, Some(notice)));
    }
    responses::page(browser, BulkPage { restorable, ..page_of::<K>(browser, back, message, failures, None) })
}

async fn delete<K: Kind>(ports: &Ports, browser: &Browser, id: Uuid, version: i64) -> Result<(), Error> {
    let permit = browser.permit::<K::Delete>().ok_or(Error::RoleNeeded)?;
    K::delete(ports, &permit, id.into(), ExpectedVersion::OneOf(vec![version])).await
}

async fn restore<K: Kind>(ports: &Ports, browser: &Browser, id: Uuid) -> Result<(), Error> {
    let permit = browser.permit::<RestoreRecords>().ok_or(Error::RoleNeeded)?;
    restore_any(ports, &permit, None, K::KIND, id).await.map(drop)
}
