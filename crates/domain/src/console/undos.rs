//! Taking changes made in the console back: the former values of records, kept for a day for whoever changed them.

use time::{Duration, OffsetDateTime};

use crate::identity::access::Permit;
use crate::ports::{Ports, transact};
use crate::records::{FormerValues, RecordKind};
use crate::{Error, UndoId, UserId};

/// The most undos of a member; the oldest go.
pub const MAX_UNDOS: u32 = 10;
/// The most records of one.
pub const MAX_UNDO_RECORDS: usize = 2_000;
/// How long a change can be taken back.
pub const UNDO_TTL: Duration = Duration::hours(24);

/// What takes a change of records of one kind back.
#[derive(Debug, Clone, PartialEq)]
pub struct Undo {
    pub id: UndoId,
    pub kind: RecordKind,
    pub made_at: OffsetDateTime,
    pub expires_at: OffsetDateTime,
    /// Empty once it was used.
    pub entries: Vec<FormerValues>,
}

/// The member who changes records.
fn member<P>(permit: &Permit<P>) -> Result<UserId, Error> {
    permit.session().map(|(_, user)| user).ok_or(Error::SessionNeeded)
}

/// Keeps what takes a change back that the caller has just made; `None` if nothing was changed.
///
/// # Errors
/// [`Error::SessionNeeded`] for a key.
pub async fn keep<P>(
    ports: &Ports,
    permit: &Permit<P>,
    kind: RecordKind,
    mut entries: Vec<FormerValues>,
) -> Result<Option<UndoId>, Error> {
    let (member, made_at) = (member(permit)?, ports.clock.now());
    entries.retain(|entry| !entry.patch.is_empty());
    if entries.is_empty() || entries.len() > MAX_UNDO_RECORDS {
        return Ok(None);
    }
    let undo = Undo { id: UndoId(ports.ids.new_id()), kind, made_at, expires_at: made_at + UNDO_TTL, entries };
    let id = undo.id;
    transact(ports, permit, move |tx| Ok(tx.undos().keep(member, &undo)?)).await?;
    Ok(Some(id))
}

/// Takes an undo of the caller, which works once: without entries if it was used before, or has expired.
///
/// # Errors
/// [`Error::NotFound`], also for that of another member; [`Error::SessionNeeded`] for a key.
pub async fn take<P>(ports: &Ports, permit: &Permit<P>, id: UndoId) -> Result<Undo, Error> {
    let (member, now) = (member(permit)?, ports.clock.now());
    transact(ports, permit, move |tx| {
        let undo = tx.undos().get_for_update(member, id)?.ok_or(Error::NotFound("undo"))?;
        if undo.expires_at <= now {
            return Ok(Undo { entries: Vec::new(), ..undo });
        }
        tx.undos().use_up(id)?;
        Ok(undo)
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
    use crate::records::former_values;
    use crate::work::issues::IssueChange;

    #[test]
    fn former_values_are_those_of_changed_members_alone() {
        let before = json!({"title": "a", "assigned_to": null, "custom_fields": {"size": "M"}, "version": 1});
        let after = json!({"title": "a", "assigned_to": "x", "custom_fields": {"size": "L", "new": 1}, "version": 2});
        let former = former_values(Uuid::nil(), &DealFields::members(), &before, &after);
        let expected = json!({"assigned_to": null, "custom_fields": {"size": "M", "new": null}});
        assert_eq!((Json::Object(former.patch), former.version), (expected, 2));
        assert!(former_values(Uuid::nil(), &DealFields::members(), &before, &before).patch.is_empty());
    }

    #[test]
    fn labels_are_put_back_one_by_one() {
        let (before, after) = (json!({"labels": ["a", "b"]}), json!({"labels": ["b", "c"]}));
        let former = former_values(Uuid::nil(), &IssueChange::members(), &before, &after);
        assert_eq!(Json::Object(former.patch), json!({"add_labels": ["a"], "remove_labels": ["c"]}));
    }
}
