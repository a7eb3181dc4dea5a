//! Requests an erasure: erases the contact in the same transaction, and starts the rest.

use serde_json::json;
use std::time::Duration;

use super::steps::{self, STEP};
use super::{ErasedCounts, ErasurePhase, ErasureView, ListedErasure, PersonErasure};
use crate::events::EventBuilder;
use crate::identity::access::{EraseContacts, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::Weight;
use crate::kernel::input::{EmailAddress, InputMode, Problems, fields};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, statement, weighed_statement, weighed_transact};
use crate::{ContactId, ErasureId, Error};

/// The maximum number of unfinished erasures of a workspace.
pub const MAX_UNFINISHED: u64 = 100;
/// How long a request continues with the following steps before it responds.
const MAX_INLINE_TIME: Duration = Duration::from_secs(2);

fields! {
    /// The person whose data is erased: one of the two.
    pub struct ErasureFields {
        /// Their contact, even if it is deleted.
        contact_id: ContactId,
        /// Their e-mail address, even of a person who opened tickets but has no contact.
        email: EmailAddress,
    }
    together ErasureFields::check_one;
}

impl ErasureFields {
    fn check_one(&self, _: InputMode, problems: &mut Problems) {
        match (self.contact_id.set(), self.email.set()) {
            (None, None) => problems.rule("contact_id", "one_of", "contact_id or email is required"),
            (Some(_), Some(_)) => {
                problems.rule("email", "one_of", "must not be sent together with contact_id");
            }
            _ => {}
        }
    }
}

/// A new erasure of this person, before anything was looked up.
pub(super) fn new_erasure(ports: &Ports, permit: &Permit<EraseContacts>, fields: &ErasureFields) -> PersonErasure {
    let now = ports.clock.now();
    let mut erasure = PersonErasure {
        id: ErasureId(ports.ids.new_id()),
        contact_id: fields.contact_id.set().copied(),
        phase: ErasurePhase::Contacts,
        behind: None,
        emails: Vec::new(),
        names: Vec::new(),
        erased: ErasedCounts::default(),
        created_by: permit.actor(),
        created_by_name: permit.principal().name.to_string(),
        created_at: now,
        finished_at: None,
        turn_at: now,
    };
    if let Some(email) = fields.email.set() {
        erasure.add_email(email.as_str());
    }
    erasure
}

/// Erases a person's data. When this returns, their contact is erased and the rest is in progress, or already done if there was little.
///
/// # Errors
/// [`Error::NotFound`] if nothing is known about the person, or if everything was erased before; [`Error::Conflict`] while too many
/// other erasures are unfinished.
pub async fn erase(ports: &Ports, permit: &Permit<EraseContacts>, fields: ErasureFields) -> Result<ErasureView, Error> {
    let (now, principal) = (ports.clock.now(), permit.principal());
    let new = new_erasure(ports, permit, &fields);
    let entry =
        AuditEntry::new(ports, &principal, AuditAction::ContactErased, AuditSubject::erasure(new.id), json!({}));
    let reporter = EventBuilder::new(&principal, now);
    let acting = permit.clone();
    let erasure = weighed_transact(ports, permit, Weight::Heavy, move |tx| {
        acting.confirm_alive(tx, now)?;
        if tx.erasures().unfinished()? >= MAX_UNFINISHED {
            let message = format!("{MAX_UNFINISHED} erasures are already running: wait until one is done");
            return Err(Error::Conflict(message));
        }
        let mut erasure = new.clone();
        tx.erasures().insert(&erasure)?;
        let found = steps::erase_contacts(tx, &mut erasure, &reporter, now)?;
        if found.is_empty() && (erasure.emails.is_empty() || tx.erasures().tickets(&erasure, 1)?.is_empty()) {
            return Err(Error::NotFound("contact"));
        }
        erasure.contact_id = erasure.contact_id.or(found.first().copied());
        tx.erasures().save(&erasure)?;
        tx.audit().append(&entry.with(json!({ "contact_id": erasure.contact_id })))?;
        Ok(erasure)
    });
    let erasure = erasure.await?;
    let (workspace, until) = (permit.workspace_id(), ports.clock.elapsed() + MAX_INLINE_TIME);
    // If these steps fail or take too long, a worker continues.
    while ports.clock.elapsed() < until && matches!(steps::step(ports, workspace, STEP).await, Ok(true)) {}
    Ok(read_stored(ports, permit, erasure.id).await?.unwrap_or(erasure).into())
}

/// Reads the progress of an erasure.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<EraseContacts>, id: ErasureId) -> Result<ErasureView, Error> {
    read_stored(ports, permit, id).await?.map(ErasureView::from).ok_or(Error::NotFound("erasure"))
}

/// A page of the erasures of the workspace, newest first.
pub async fn list(
    ports: &Ports,
    permit: &Permit<EraseContacts>,
    page: PageRequest,
) -> Result<Page<ListedErasure>, Error> {
    let weight = Weight::of_page(&page);
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.erasures().list(&page)?)).await?;
    Ok(Page::from_rows(rows, &page).map(ListedErasure::from))
}

async fn read_stored(
    ports: &Ports,
    permit: &Permit<EraseContacts>,
    id: ErasureId,
) -> Result<Option<PersonErasure>, Error> {
    statement(ports, permit, move |tx| Ok(tx.erasures().get(id)?)).await
}
