//! Undo for changes made in the console: the former values of records are kept for a day for the member who changed them.

use time::{Duration, OffsetDateTime};

use crate::identity::access::Permit;
use crate::ports::{Ports, transact};
use crate::records::{FormerValues, RecordKind};
use crate::{Error, UndoId};

/// The maximum number of undos per member. Beyond that, the oldest are removed.
pub const MAX_UNDOS: u32 = 10;
/// The maximum number of records per undo.
pub const MAX_UNDO_RECORDS: usize = 2_000;
/// How long a change can be undone.
pub const UNDO_TTL: Duration = Duration::hours(24);

/// What it takes to undo a change of records of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Undo {
    pub id: UndoId,
    pub kind: RecordKind,
    pub made_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
    /// The records that were not put back yet.
    pub entries: Vec<FormerValues>,
}

/// Stores the undo of a change that the caller has just made. `None` if nothing was changed, or if there are too many records.
///
/// # Errors
/// [`Error::SessionNeeded`] for a key.
pub async fn keep<P>(
    ports: &Ports,
    permit: &Permit<P>,
    kind: RecordKind,
    mut entries: Vec<FormerValues>,
) -> Result<Option<UndoId>, Error> {
    let (member, made_at) = (permit.session_user()?, ports.clock.now());
    entries.retain(|entry| !entry.patch.is_empty());
    if entries.is_empty() || entries.len() > MAX_UNDO_RECORDS {
        return Ok(None);
    }
    let undo = Undo { id: UndoId(ports.ids.new_id()), kind, made_at, expires_at: made_at + UNDO_TTL, entries };
    let id = undo.id;
    transact(ports, permit, move |tx| Ok(tx.undos().keep(member, &undo)?)).await?;
    Ok(Some(id))
}

/// Reads an undo of the caller. It has no entries if all were put back before, or if it has expired.
///
/// # Errors
/// [`Error::NotFound`], also for the undo of another member; [`Error::SessionNeeded`] for a key.
pub async fn read<P>(ports: &Ports, permit: &Permit<P>, id: UndoId) -> Result<Undo, Error> {
    let (member, now) = (permit.session_user()?, ports.clock.now());
    let undo = transact(ports, permit, move |tx| Ok(tx.undos().get_for_update(member, id)?)).await?;
    let undo = undo.ok_or(Error::NotFound("undo"))?;
    Ok(if undo.expires_at <= now { Undo { entries: Vec::new(), ..undo } } else { undo })
}

/// Removes the entries of an undo that were put back. Those in `rest` could not be, and can be tried again.
///
/// # Errors
/// [`Error::SessionNeeded`] for a key.
pub async fn spend<P>(ports: &Ports, permit: &Permit<P>, id: UndoId, rest: Vec<FormerValues>) -> Result<(), Error> {
    let member = permit.session_user()?;
    transact(ports, permit, move |tx| {
        if let Some(undo) = tx.undos().get_for_update(member, id)? {
            // Another request may have put some of them back at the same time.
            let is_stored = |values: &&FormerValues| undo.entries.iter().any(|entry| entry.id == values.id);
            let rest: Vec<_> = rest.iter().filter(is_stored).cloned().collect();
            tx.undos().keep_entries(id, &rest)?;
        }
        Ok(())
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use crate::crm::deals::DealFields;
    use crate::kernel::input::Input;
    use crate::kernel::input::json::Json;
    use crate::records::{FormerValues, former_values};
    use crate::work::issues::IssueChange;
    use crate::work::time_entries::TimeEntryFields;

    #[test]
    fn only_changed_members_have_former_values() {
        let before = json!({"title": "a", "assigned_to": null, "custom_fields": {"size": "M"}, "version": 1});
        let after = json!({"title": "a", "assigned_to": "x", "custom_fields": {"size": "L", "new": 1}, "version": 2});
        let former = former_values(Uuid::nil(), &DealFields::members(), &before, &after);
        let expected = json!({"assigned_to": null, "custom_fields": {"size": "M", "new": null}});
        assert_eq!((Json::Object(former.patch), former.version), (expected, 2));
        assert!(former_values(Uuid::nil(), &DealFields::members(), &before, &before).patch.is_empty());
    }

    #[test]
    fn members_that_changed_again_are_not_put_back() {
        let deal = |title: &str, size: &str, hue: &str, version: u32| json!({"title": title, "value": version.min(2), "custom_fields": {"size": size, "hue": hue}, "version": version});
        let former =
            former_values(Uuid::nil(), &DealFields::members(), &deal("a", "M", "red", 1), &deal("b", "L", "tan", 2));
        let whole = json!({"title": "a", "value": 1, "custom_fields": {"size": "M", "hue": "red"}});
        for (now, to_put_back, changed_since) in [
            (deal("b", "L", "tan", 3), whole, json!({})),
            (
                deal("c", "S", "tan", 3),
                json!({"value": 1, "custom_fields": {"hue": "red"}}),
                json!({"title": "a", "custom_fields": {"size": "M"}}),
            ),
            // Members that have their former value again are in neither part.
            (deal("a", "M", "red", 3), json!({"value": 1}), json!({})),
        ] {
            let split = former.split(&now);
            let parts = (Json::Object(split.to_put_back), Json::Object(split.changed_since));
            assert_eq!(parts, (to_put_back, changed_since), "{now}");
        }
        // Members that depend on each other are put back together or not at all.
        let deal = |status: &str, stage: &str, title: &str, version: u32| json!({"status": status, "stage": stage, "title": title, "version": version});
        let members = DealFields::members();
        let former = former_values(Uuid::nil(), &members, &deal("lost", "lost", "a", 1), &deal("open", "new", "b", 2));
        let split = former.split(&deal("open", "won", "b", 3));
        assert_eq!(Json::Object(split.to_put_back), json!({"title": "a"}));
        assert_eq!(Json::Object(split.changed_since), json!({"status": "lost", "stage": "lost"}));
        // Entries of an earlier release have no fingerprints.
        let title = json!({"title": "a"});
        let stored: FormerValues =
            serde_json::from_value(json!({"id": Uuid::nil(), "version": 2, "patch": title})).unwrap();
        let split = |version: u32| stored.split(&json!({"title": "b", "version": version}));
        assert_eq!(Json::Object(split(3).changed_since), title);
        assert_eq!(Json::Object(split(2).to_put_back), title);
    }

    #[test]
    fn span_and_target_of_a_time_entry_are_put_back_as_a_whole() {
        let entry = |changed: Json, version: u32| {
            let mut entry = json!({
                "task_id": null, "ticket_id": null, "project_id": null, "deal_id": null, "started_at": "8:00",
                "ended_at": "9:00", "date": "2026-01-05", "seconds": 3_600, "note": "a", "version": version,
            });
            entry.as_object_mut().unwrap().extend(changed.as_object().unwrap().clone());
            entry
        };
        let longer = json!({"ended_at": "10:00", "seconds": 7_200});
        let former_span = json!({"ended_at": "9:00", "seconds": 3_600});
        let task = json!({"task_id": "t"});
        let project = json!({"project_id": "p", "note": "b"});
        for (before, after, now, to_put_back, changed_since) in [
            (
                json!({}),
                &longer,
                json!({"started_at": null, "ended_at": null, "seconds": 7_200}),
                json!({}),
                former_span,
            ),
            (
                task.clone(),
                &project,
                json!({"project_id": "p", "note": "c"}),
                json!({"task_id": "t", "project_id": null}),
                json!({"note": "a"}),
            ),
            (
                task.clone(),
                &project,
                json!({"project_id": "q", "note": "b"}),
                json!({"note": "a"}),
                json!({"task_id": "t", "project_id": null}),
            ),
            (task.clone(), &project, json!({"deal_id": "d", "note": "b"}), json!({"note": "a"}), task.clone()),
            (task.clone(), &json!({}), json!({"deal_id": "d"}), json!({}), task),
        ] {
            let former =
                former_values(Uuid::nil(), &TimeEntryFields::members(), &entry(before, 1), &entry(after.clone(), 2));
            let split = former.split(&entry(now.clone(), 3));
            let parts = (Json::Object(split.to_put_back), Json::Object(split.changed_since));
            assert_eq!(parts, (to_put_back, changed_since), "{now}");
        }
    }

    #[test]
    fn long_values_that_a_change_set_are_stored_as_fingerprints() {
        let (before, after) = (json!({"description": null}), json!({"description": "x".repeat(100_000)}));
        let former = former_values(Uuid::nil(), &IssueChange::members(), &before, &after);
        assert!(former.patch.contains_key("description"));
        assert!(serde_json::to_string(&former).unwrap().len() < 200, "{former:?}");
    }

    #[test]
    fn labels_are_put_back_one_by_one() {
        let (before, after) = (json!({"labels": ["a", "b"]}), json!({"labels": ["b", "c"]}));
        let former = former_values(Uuid::nil(), &IssueChange::members(), &before, &after);
        let expected = json!({"add_labels": ["a"], "remove_labels": ["c"]});
        assert_eq!(Json::Object(former.split(&json!({"labels": [], "version": 9})).to_put_back), expected);
        assert_eq!(Json::Object(former.patch), expected);
    }
}
