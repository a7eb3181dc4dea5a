//! Creating or changing many contacts.

use uuid::Uuid;

use super::{Contact, ContactFields};
use crate::crm::upserts::{self, KeyNames, Upsert, Upsertable, Upserted, Writing};
use crate::identity::access::{Permit, UpsertContacts};
use crate::identity::notifications::Assignment;
use crate::kernel::RecordKeys;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{BatchRepo, Ports, StoreError, Tx};
use crate::records::{Kind, RecordKind, Resource, Transferred};
use crate::{ContactId, Error};

impl Upsertable for Contact {
    const KEYS: KeyNames = KeyNames { noun: Self::NOUN, natural: Some("email") };

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.contacts()
    }

    fn company_of(fields: &ContactFields) -> Option<Uuid> {
        fields.company_id.set().map(|company| company.0.0)
    }

    fn keys_of(fields: &ContactFields) -> RecordKeys {
        fields.keys()
    }

    fn made(fields: ContactFields, id: Uuid, writing: &Writing) -> Result<Self, Error> {
        let mut contact = Self::blank(ContactId(id), writing.actor, writing.now);
        contact.change(fields)?;
        Ok(contact)
    }

    fn assignment(before: Option<&Self>, after: &Self) -> Option<Assignment> {
        Assignment::between(before, after)
    }
}

impl Transferred for Contact {
    const LONG_TEXT: Option<&'static str> = Some("notes");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id", "email"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
    }
}

/// Creates or changes a contact for each item, in one transaction.
///
/// # Errors
/// Those of the store and of idempotency; everything else is decided per item.
pub async fn upsert(
    ports: &Ports,
    permit: &Permit<UpsertContacts>,
    once: Option<IdempotentRequest<Upserted>>,
    items: Upsert<ContactFields>,
) -> Result<IdempotentResult<Upserted>, Error> {
    upserts::upsert::<_, Contact>(ports, permit, once, items).await
}
