//! Taking changes back: what keeps the former values, and what puts them back.

use std::collections::{HashMap, HashSet};

use domain::console::{WantedNames, undos};
use domain::identity::access::Permit;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, SchemaMember};
use domain::ports::Ports;
use domain::records::{FormerValues, RecordKind, former_values};
use domain::{Error, UndoId};
use uuid::Uuid;

use super::{Changed, SHOWN_FAILURES, finish, outcomes_of, reason};
use crate::answers::{self, Notice};
use crate::layout::Browser;
use crate::page::PageResult;
use crate::parts::people;
use crate::records::Kind;
use crate::texts::text_with;

/// The key of what is said of records that were changed again.
const CHANGED_SINCE: &str = "undo-changed-since";

/// A record, the version that it must have, and its former values.
type Former = (Uuid, i64, Map<String, Json>);

/// Puts former values back in the records that nobody changed since.
pub(crate) async fn put_back<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    entries: Vec<FormerValues>,
    back: String,
) -> PageResult {
    let permit = browser.permit::<K::Update>().ok_or(Error::RoleNeeded)?;
    let wanted: Vec<Former> = entries.into_iter().map(|entry| (entry.id, entry.version, entry.patch)).collect();
    let mut changed = outcomes_of::<K>(ports, &permit, wanted.clone(), Uuid::to_string, CHANGED_SINCE).await?;
    if let Some(status) = reopened(K::KIND).filter(|_| !changed.refused.is_empty()) {
        by_reopening::<K>(ports, &permit, &wanted, status, &mut changed).await?;
    }
    let shown = changed.failures.iter().take(SHOWN_FAILURES).filter_map(|one| one.name.parse().ok());
    let records = shown.map(|id: Uuid| (K::KIND, id)).collect::<Vec<_>>();
    if !records.is_empty() {
        let mut names = WantedNames::default();
        names.records.extend(records);
        let names = people::names(ports, browser, names).await?;
        for one in &mut changed.failures {
            let id: Option<Uuid> = one.name.parse().ok();
            if let Some(name) = id.and_then(|id| names.records.get(&(K::KIND, id))) {
                one.name.clone_from(name);
            }
        }
    }
    finish::<K>(ports, browser, &permit, "undo-done", back, changed).await
}

/// The status from which records of a kind move to every other, where not all statuses do.
const fn reopened(kind: RecordKind) -> Option<&'static str> {
    match kind {
        RecordKind::Deal | RecordKind::Ticket => Some("open"),
        RecordKind::Project => Some("active"),
        _ => None,
    }
}

/// Puts records back that have to be reopened first, such as a won deal that was on hold.
///
/// # Errors
/// Those of the store.
async fn by_reopening<K: Kind>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    wanted: &[Former],
    status: &str,
    changed: &mut Changed,
) -> Result<(), Error> {
    let refused: HashSet<_> = changed.refused.drain(..).collect();
    let of_refused = wanted.iter().filter(|(id, _, patch)| refused.contains(id) && patch.contains_key("status"));
    let step = || std::iter::once(("status".to_owned(), Json::from(status))).collect();
    let first: Vec<Former> = of_refused.map(|(id, version, _)| (*id, *version, step())).collect();
    let reopened = outcomes_of::<K>(ports, permit, first, Uuid::to_string, CHANGED_SINCE).await?;
    let mut steps: HashMap<_, _> = reopened.former.into_iter().map(|former| (former.id, former)).collect();
    let again = wanted.iter().filter_map(|(id, _, patch)| Some((*id, steps.get(id)?.version, patch.clone())));
    let done = outcomes_of::<K>(ports, permit, again.collect(), Uuid::to_string, CHANGED_SINCE).await?;
    changed.failures.retain(|one| one.name.parse().map_or(true, |id: Uuid| !steps.contains_key(&id)));
    changed.failures.extend(done.failures);
    changed.done += done.done;
    for mut former in done.former {
        // Taking this back leads past the step between.
        if let Some(step) = steps.remove(&former.id) {
            former.patch.extend(step.patch);
        }
        changed.former.push(former);
    }
    // Of the others, at least the step can be taken back.
    changed.former.extend(steps.into_values());
    Ok(())
}

/// Says what came of taking the change of one record back that is not of a [`Kind`]: the undo of that, or why it failed.
pub(crate) fn told(browser: &Browser, back: &str, outcome: Result<Option<UndoId>, Error>) -> PageResult {
    let notice = match outcome {
        Ok(undo) => Notice::new(text_with("undo-done", [("count", 1_usize.into())])).with_undo_of(undo),
        Err(Error::Store(error)) => return Err(Error::Store(error).into()),
        Err(error) => Notice::new(reason(&error, CHANGED_SINCE)),
    };
    Ok(answers::redirect(browser, back, Some(notice)))
}

/// Keeps what takes the change of one record back: for [`Notice::with_undo_of`]. `None` if nothing was changed, or others
/// changed it at the same time.
pub(crate) async fn keep_change<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    before: &Json,
    after: &Json,
) -> Option<UndoId> {
    let (permit, members) = (browser.permit::<K::Update>()?, K::Patch::members());
    keep_former(ports, &permit, (K::KIND, &members[..]), before, after).await
}

/// Like [`keep_change`], for a record of any kind that is changed by an input with these members.
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
