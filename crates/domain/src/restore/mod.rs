//! Restoring a deleted record of any kind, for callers that reach several: tools (interface 25.3).

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::Error;
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::identity::access::{Permit, RestoreRecords};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Deletable, DeletableKind, Writing, restore_in};
use crate::support::kb::Article;
use crate::work::cycles::Cycle;
use crate::work::issues::Issue;
use crate::work::projects::Project;

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
/// [`Error::GrantNeeded`] without the permission to delete such records; [`Error::NotFound`], also for one that is out of
/// reach; [`Error::InvalidStateChange`] for one that is not deleted, and for a task or cycle whose project is;
/// [`Error::Duplicate`] if another has a unique value of it by now; [`Error::Conflict`] for a cycle that overlaps another.
pub async fn restore_any(
    ports: &Ports,
    permit: &Permit<RestoreRecords>,
    once: Option<IdempotentRequest<Restored>>,
    kind: DeletableKind,
    id: Uuid,
) -> Result<IdempotentResult<Restored>, Error> {
    match kind {
        DeletableKind::Contact => restore::<Contact>(ports, permit, once, kind, id, |it| (it.email, it.version)).await,
        DeletableKind::Company => restore::<Company>(ports, permit, once, kind, id, |it| (it.name, it.version)).await,
        DeletableKind::Deal => restore::<Deal>(ports, permit, once, kind, id, |it| (it.title, it.version)).await,
        DeletableKind::Project => restore::<Project>(ports, permit, once, kind, id, |it| (it.name, it.version)).await,
        DeletableKind::Cycle => restore::<Cycle>(ports, permit, once, kind, id, |it| (it.name, it.version)).await,
        DeletableKind::Task => restore::<Issue>(ports, permit, once, kind, id, |it| (it.title, it.version)).await,
        DeletableKind::Article => restore::<Article>(ports, permit, once, kind, id, |it| (it.title, it.version)).await,
    }
}

async fn restore<R: Deletable>(
    ports: &Ports,
    permit: &Permit<RestoreRecords>,
    once: Option<IdempotentRequest<Restored>>,
    kind: DeletableKind,
    id: Uuid,
    shown: fn(R) -> (String, i64),
) -> Result<IdempotentResult<Restored>, Error> {
    let (acting, writing) = (permit.need::<R::Delete>()?, Writing::new(ports, permit));
    transact_idempotent(ports, permit, once, move |tx| {
        let (name, version) = shown(restore_in(tx, &acting, id, &writing)?);
        Ok(Restored { kind, id, name, version })
    })
    .await
}
