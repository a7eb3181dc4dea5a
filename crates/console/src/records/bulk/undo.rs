//! Undo: keeping former values, and restoring them.

use std::collections::{HashMap, HashSet};

use domain::UndoId;
use domain::console::undos::Undo;
use domain::console::{WantedNames, undos};
use domain::identity::access::Permit;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, SchemaMember};
use domain::records::{FormerValues, RecordKind, UndoSplit, former_values};
use uuid::Uuid;

use super::selection::read_by_ids;
use super::{BulkOutcome, Failure, SHOWN_FAILURES, finish, outcomes_of, reason};
use crate::parts::people;
use crate::prelude::*;
use crate::records::{Kind, path_of};

/// The key of the message about records that were changed again.
const CHANGED_SINCE: &str = "undo-changed-since";

/// A record, the version that it must have, and its former values.
type Former = (Uuid, i64, Map<String, Json>);
/// Former values that cannot be restored, because someone changed them again.
type Unrestored = HashMap<Uuid, Map<String, Json>>;

/// Restores the former values that have not been changed since, and keeps the others.
pub(crate) async fn restore_values<K: Kind>(ports: &Ports, browser: &Browser, undo: Undo, back: String) -> PageResult {
    let permit = browser.permit::<K::Update>().ok_or(Error::RoleNeeded)?;
    let mut patches: Vec<Former> = undo.entries.iter().map(|one| (one.id, one.version, one.patch.clone())).collect();
    let mut outcome = outcomes_of::<K>(ports, &permit, patches.clone(), Uuid::to_string, CHANGED_SINCE).await?;
    let mut unrestored = Unrestored::new();
    if !outcome.outdated.is_empty() {
        let (again, since) = split_changed::<K>(ports, browser, &undo.entries, &mut outcome).await?;
        let ids: HashSet<_> = again.iter().map(|(id, ..)| *id).collect();
        outcome.failures.retain(|one| !ids.contains(&one.id));
        outcome.add(outcomes_of::<K>(ports, &permit, again.clone(), Uuid::to_string, CHANGED_SINCE).await?);
        patches.retain(|(id, ..)| !ids.contains(id));
        patches.extend(again);
        unrestored = since;
    }
    if let Some(status) = K::VIEW.reopened.filter(|_| !outcome.refused.is_empty()) {
        restore_by_reopening::<K>(ports, &permit, &patches, status, &mut outcome).await?;
    }
    spend(ports, &permit, undo, unrestored, &mut outcome).await;
    name_failures::<K>(ports, browser, &mut outcome).await?;
    finish::<K>(ports, browser, &permit, "undo-done", back, outcome).await
}

/// Splits the former values of records that were changed again: those that can still be restored, and the rest.
async fn split_changed<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    entries: &[FormerValues],
    outcome: &mut BulkOutcome,
) -> Result<(Vec<Former>, Unrestored), Error> {
    let outdated: HashSet<_> = outcome.outdated.drain(..).collect();
    let outdated: HashMap<_, _> =
        entries.iter().map(|one| (one.id, one)).filter(|(id, _)| outdated.contains(id)).collect();
    let ids: Vec<Uuid> = outdated.keys().copied().collect();
    let now = read_by_ids::<K, _>(ports, browser, &ids, |record| {
        let id: Uuid = record["id"].as_str()?.parse().ok()?;
        Some((id, record["version"].as_i64()?, divide(outdated.get(&id)?, record)))
    });
    let (mut again, mut unrestored) = (Vec::new(), Unrestored::new());
    for (id, version, divided) in now.await? {
        match divided {
            Ok(Some(UndoSplit { to_put_back, changed_since })) => {
                again.push((id, version, to_put_back));
                unrestored.extend((!changed_since.is_empty()).then_some((id, changed_since)));
            }
            Ok(None) => {
                outcome.failures.retain(|one| one.id != id);
                outcome.done += 1;
            }
            // It is already listed as a failure.
            Err(_) => {}
        }
    }
    Ok((again, unrestored))
}

/// Splits the former values of a record by its current values; `None` if it already has all of them.
///
/// # Errors
/// [`Error::ConcurrentUpdate`] if someone changed all of them since.
pub(crate) fn divide(former: &FormerValues, now: &Json) -> Result<Option<UndoSplit>, Error> {
    let split = former.split(now);
    match (split.to_put_back.is_empty(), split.changed_since.is_empty()) {
        (true, true) => Ok(None),
        (true, false) => Err(Error::ConcurrentUpdate { current: now["version"].as_i64().unwrap_or_default() }),
        (false, _) => Ok(Some(split)),
    }
}

/// Removes what was restored from the undo, and adds failures for the rest.
async fn spend<P>(ports: &Ports, permit: &Permit<P>, undo: Undo, mut since: Unrestored, outcome: &mut BulkOutcome) {
    let failed: HashSet<_> = outcome.failures.iter().map(|one| one.id).collect();
    let mut remaining = Vec::new();
    for entry in undo.entries {
        if failed.contains(&entry.id) {
            remaining.push(entry);
        } else if let Some(patch) = since.remove(&entry.id) {
            let (href, name) = (String::new(), String::new());
            outcome.failures.push(Failure { id: entry.id, href, name, error: all_but(&patch) });
            outcome.partly += 1;
            remaining.push(FormerValues { patch, ..entry });
        }
    }
    outcome.again = (!remaining.is_empty()).then_some(undo.id);
    if outcome.done > 0 {
        // The values are restored even if the undo cannot be updated.
        undos::spend(ports, permit, undo.id, remaining).await.unwrap_or_default();
    }
    outcome.done = outcome.done.saturating_sub(outcome.partly);
}

/// Says which members were not restored.
fn all_but(patch: &Map<String, Json>) -> String {
    let names: Vec<_> = patch.keys().map(|name| label("member", name)).collect();
    text_with("undo-all-but", [("members", names.join(", ").into())])
}

/// Sets the current names of the failed records.
async fn name_failures<K: Kind>(ports: &Ports, browser: &Browser, outcome: &mut BulkOutcome) -> Result<(), Error> {
    let mut wanted = WantedNames::default();
    wanted.records.extend(outcome.failures.iter().take(SHOWN_FAILURES).map(|one| (K::KIND, one.id)));
    if wanted.records.is_empty() {
        return Ok(());
    }
    let names = people::names(ports, browser, wanted).await?;
    for one in &mut outcome.failures {
        one.href = path_of::<K>(one.id);
        one.name = names.records.get(&(K::KIND, one.id)).map_or_else(|| one.id.to_string(), String::clone);
    }
    Ok(())
}

/// Restores records that must be reopened first, such as a won deal that was on hold.
async fn restore_by_reopening<K: Kind>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    patches: &[Former],
    status: &str,
    outcome: &mut BulkOutcome,
) -> Result<(), Error> {
    let refused: HashSet<_> = outcome.refused.drain(..).collect();
    let to_reopen = patches.iter().filter(|(id, _, patch)| refused.contains(id) && patch.contains_key("status"));
    let step = || std::iter::once(("status".to_owned(), Json::from(status))).collect();
    let first: Vec<Former> = to_reopen.map(|(id, version, _)| (*id, *version, step())).collect();
    let reopened = outcomes_of::<K>(ports, permit, first, Uuid::to_string, CHANGED_SINCE).await?;
    let mut steps: HashMap<_, _> = reopened.former.into_iter().map(|former| (former.id, former)).collect();
    let again = patches.iter().filter_map(|(id, _, patch)| Some((*id, steps.get(id)?.version, patch.clone())));
    let done = outcomes_of::<K>(ports, permit, again.collect(), Uuid::to_string, CHANGED_SINCE).await?;
    outcome.failures.retain(|one| !steps.contains_key(&one.id));
    outcome.failures.extend(done.failures);
    outcome.done += done.done;
    for mut former in done.former {
        // Undoing this skips the intermediate status.
        if let Some(step) = steps.remove(&former.id) {
            former.patch.extend(step.patch);
        }
        outcome.former.push(former);
    }
    // For the others, at least the reopening can be undone.
    outcome.former.extend(steps.into_values());
    Ok(())
}

/// Reports the outcome of undoing a change to one record that is not a [`Kind`]: a notice with the next undo and the
/// members that were not restored, or the reason why it failed.
pub(crate) async fn report_undo<P>(
    ports: &Ports,
    permit: &Permit<P>,
    browser: &Browser,
    (undo, entry, back): (UndoId, FormerValues, &str),
    outcome: Result<(Option<UndoId>, Map<String, Json>), Error>,
) -> PageResult {
    let notice = match outcome {
        Ok((made, left)) => {
            let done = text_with("undo-done", [("count", 1_usize.into())]);
            let message = if left.is_empty() { done } else { all_but(&left) };
            let remaining = (!left.is_empty()).then_some(FormerValues { patch: left, ..entry });
            undos::spend(ports, permit, undo, remaining.into_iter().collect()).await.unwrap_or_default();
            Notice::new(message).with_undo_of(made)
        }
        Err(Error::Store(error)) => return Err(Error::Store(error).into()),
        // The undo can be tried again.
        Err(error) => Notice::new(reason(&error, CHANGED_SINCE)).with_undo_of(Some(undo)),
    };
    Ok(responses::redirect(browser, back, Some(notice)))
}

/// Keeps the former values of one changed record, for [`Notice::with_undo_of`]. `None` if nothing was changed, or if
/// others changed the record at the same time.
pub(crate) async fn keep_change<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    before: &Json,
    after: &Json,
) -> Option<UndoId> {
    let (permit, members) = (browser.permit::<K::Update>()?, K::Patch::members());
    keep_former(ports, &permit, (K::KIND, &members[..]), before, after).await
}

/// Like [`keep_change`], for any record that is changed by an input with these members.
pub(crate) async fn keep_former<P>(
    ports: &Ports,
    permit: &Permit<P>,
    (kind, members): (RecordKind, &[SchemaMember]),
    before: &Json,
    after: &Json,
) -> Option<UndoId> {
    let id = after["id"].as_str()?.parse().ok()?;
    let next = before["version"].as_i64()?.checked_add(1);
    if next != after["version"].as_i64() {
        return None;
    }
    let former = former_values(id, members, before, after);
    undos::keep(ports, permit, kind, vec![former]).await.unwrap_or_default()
}
