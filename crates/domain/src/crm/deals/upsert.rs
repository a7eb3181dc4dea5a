//! Creating or changing many deals.

use uuid::Uuid;

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::crm::upserts::{self, KeyNames, Upsert, Upsertable, Upserted, Writing};
use crate::identity::access::{Permit, UpsertDeals};
use crate::identity::notifications::Assignment;
use crate::kernel::RecordKeys;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{BatchRepo, Ports, Tx};
use crate::records::{Kind, Resource};
use crate::{DealId, Error};

impl Upsertable for Deal {
    const KEYS: KeyNames = KeyNames { noun: Self::NOUN, natural: None };

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.deals()
    }

    fn company_of(fields: &DealFields) -> Option<Uuid> {
        fields.company_id.set().map(|company| company.0)
    }

    fn keys_of(fields: &DealFields) -> RecordKeys {
        fields.keys()
    }

    fn made(fields: DealFields, id: Uuid, writing: &Writing) -> Result<Self, Error> {
        let (currency, closing_day) = (&writing.default_currency, writing.closing_day());
        let fields = Self::blank(DealId(id), currency, writing.actor, writing.now).merged(fields)?;
        Ok(Self::made(DealId(id), fields, currency, writing.actor, writing.now, closing_day))
    }

    fn changed(&self, fields: DealFields, writing: &Writing) -> (Self, Result<(), Error>) {
        let change = StageChange::of(&fields);
        let mut deal = self.clone();
        let fields = match self.merged(fields) {
            Ok(fields) => fields,
            Err(error) => return (deal, Err(error)),
        };
        deal.apply_plain(fields, &writing.default_currency);
        let allowed = change.check_rules(self.status).and_then(|()| change.apply(&mut deal, writing.closing_day()));
        (deal, allowed)
    }

    fn assignment(before: Option<&Self>, after: &Self) -> Option<Assignment> {
        Assignment::between(before, after)
    }
}

/// Creates or changes a deal for each item, in one transaction.
///
/// # Errors
/// Those of the store and of idempotency; everything else is decided per item.
pub async fn upsert(
    ports: &Ports,
    permit: &Permit<UpsertDeals>,
    once: Option<IdempotentRequest<Upserted>>,
    items: Upsert<DealFields>,
) -> Result<IdempotentResult<Upserted>, Error> {
    upserts::upsert::<_, Deal>(ports, permit, once, items).await
}
