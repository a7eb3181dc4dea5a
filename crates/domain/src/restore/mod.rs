//! Restoring a deleted record of any kind, for callers that reach several: tools (interface 25.3).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::identity::access::{Permit, RestoreRecords};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Deletable, DeletableKind, restore_in};
use crate::support::kb::Article;
use crate::work::cycles::Cycle;
use crate::work::issues::Issue;
use crate::work::projects::Project;
use crate::{Error, KbArticleId};

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
        DeletableKind::Article => restore_article(ports, permit, once, id).await,
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
    let (acting, now) = (permit.need::<R::Delete>()?, ports.clock.now());
    transact_idempotent(ports, permit, once, move |tx| {
        let (name, version) = shown(restore_in(tx, &acting, id, now)?);
        Ok(Restored { kind, id, name, version })
    })
    .await
}

/// Articles have writers one at a time, and an audit trail.
async fn restore_article(
    ports: &Ports,
    permit: &Permit<RestoreRecords>,
    once: Option<IdempotentRequest<Restored>>,
    id: Uuid,
) -> Result<IdempotentResult<Restored>, Error> {
    let (acting, now) = (permit.need::<<Article as Deletable>::Delete>()?, ports.clock.now());
    let subject = AuditSubject::article(KbArticleId(id));
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::ArticleRestored, subject, json!({}));
    transact_idempotent(ports, permit, once, move |tx| {
        tx.kb_articles().lock()?;
        let article: Article = restore_in(tx, &acting, id, now)?;
        tx.audit().append(&entry.with(article.audited()))?;
        Ok(Restored { kind: DeletableKind::Article, id, name: article.title, version: article.version })
    })
    .await
}
