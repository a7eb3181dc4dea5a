//! Creating or changing many deals.

use uuid::Uuid;

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::crm::upserts::{self, KeyNames, Upsert, Upsertable, Upserted, Writing};
use crate::events::{Event, EventBuilder};
use crate::identity::access::{Permit, UpsertDeals};
use crate::identity::notifications::Assignment;
use crate::kernel::RecordKeys;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{BatchRepo, Ports, StoreError, Tx};
use crate::records::{Kind, RecordKind, Resource, Transferred};
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

    fn creation_events(&self, reporter: &EventBuilder) -> Vec<Event> {
        reporter.deal_created(self)
    }

    fn change_events(&self, after: &Self, reporter: &EventBuilder) -> Vec<Event> {
        reporter.deal_changed(self, after)
    }

    fn assignment(before: Option<&Self>, after: &Self) -> Option<Assignment> {
        Assignment::between(before, after)
    }
}

impl Transferred for Deal {
    const LONG_TEXT: Option<&'static str> = Some("description");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
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
