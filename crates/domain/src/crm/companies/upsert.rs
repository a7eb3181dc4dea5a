//! Creating or changing many companies.

use uuid::Uuid;

use super::{Company, CompanyFields};
use crate::crm::upserts::{self, KeyNames, Upsert, Upsertable, Upserted, Writing};
use crate::identity::access::{Permit, UpsertCompanies};
use crate::identity::notifications::Assignment;
use crate::kernel::RecordKeys;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{BatchRepo, Ports, StoreError, Tx};
use crate::records::{Kind, RecordKind, Resource, Transferred};
use crate::{CompanyId, Error};

impl Upsertable for Company {
    const KEYS: KeyNames = KeyNames { noun: Self::NOUN, natural: Some("domain") };

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.companies()
    }

    fn keys_of(fields: &CompanyFields) -> RecordKeys {
        fields.keys()
    }

    fn made(fields: CompanyFields, id: Uuid, writing: &Writing) -> Result<Self, Error> {
        let mut company = Self::blank(CompanyId(id), writing.actor, writing.now);
        company.change(fields)?;
        Ok(company)
    }

    fn assignment(before: Option<&Self>, after: &Self) -> Option<Assignment> {
        Assignment::between(before, after)
    }
}

impl Transferred for Company {
    const LONG_TEXT: Option<&'static str> = Some("notes");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id", "domain"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
    }
}

/// Creates or changes a company for each item, in one transaction.
///
/// # Errors
/// Those of the store and of idempotency; everything else is decided per item.
pub async fn upsert(
    ports: &Ports,
    permit: &Permit<UpsertCompanies>,
    once: Option<IdempotentRequest<Upserted>>,
    items: Upsert<CompanyFields>,
) -> Result<IdempotentResult<Upserted>, Error> {
    upserts::upsert::<_, Company>(ports, permit, once, items).await
}
