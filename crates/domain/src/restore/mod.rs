//! Restores a deleted record of any kind, for tools, which handle several kinds (interface 25.3).

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::Error;
use crate::identity::access::{Permit, RestoreRecords};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kinds::with_kind;
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Deletable, DeletableKind, RecordKind, Writing, restore_in};

/// A record that was restored, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Restored {
    #[serde(rename = "type")]
    pub kind: DeletableKind,
    pub id: Uuid,
    /// Its name or title, or a contact's e-mail address.
    pub name: String,
    /// Its version now.
    pub version: i64,
}

/// Restores a deleted record.
///
/// # Errors
/// [`Error::GrantNeeded`] without the permission to delete such records; [`Error::NotFound`], also for a record that was deleted too
/// long ago, or of a kind that is never deleted; [`Error::InvalidStateChange`] for a record that is not deleted, and for a task or cycle
/// whose project is deleted; [`Error::Duplicate`] if another record has taken a unique value since; [`Error::Conflict`] for a cycle that
/// overlaps another.
pub async fn restore_any(
    ports: &Ports,
    permit: &Permit<RestoreRecords>,
    once: Option<IdempotentRequest<Restored>>,
    kind: RecordKind,
    id: Uuid,
) -> Result<IdempotentResult<Restored>, Error> {
    let deletable = DeletableKind::of(kind).ok_or(Error::NotFound(kind.as_str()))?;
    with_kind!(kind, K => restore::<K>(ports, permit, once, deletable, id).await)
}

async fn restore<K: Deletable>(
    ports: &Ports,
    permit: &Permit<RestoreRecords>,
    once: Option<IdempotentRequest<Restored>>,
    kind: DeletableKind,
    id: Uuid,
) -> Result<IdempotentResult<Restored>, Error> {
    let (acting, writing) = (permit.require::<K::Delete>()?, Writing::new(ports, permit));
    transact_idempotent(ports, permit, once, move |tx| {
        let record: K = restore_in(tx, &acting, id, &writing)?;
        Ok(Restored { kind, id, name: record.label().to_owned(), version: record.version() })
    })
    .await
}
