//! Creating a deal.

use time::OffsetDateTime;

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::identity::access::{Actor, CreateDeals, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::limits::quota;
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Resource, UniqueMembers, name_existing};
use crate::webhooks::EventBuilder;
use crate::{DealId, Error};

impl Deal {
    /// A new deal.
    pub(super) fn made(id: DealId, fields: DealFields, currency: &str, by: Actor, now: OffsetDateTime) -> Self {
        let mut deal = Self::blank(id, currency, by, now);
        StageChange::of(&fields).start(&mut deal, now.date());
        deal.apply_plain(fields, currency);
        deal
    }
}

/// Creates a deal.
///
/// # Errors
/// [`Error::Invalid`] for contradictions and missing references, [`Error::Duplicate`] of `external_id`,
/// [`Error::QuotaExceeded`].
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateDeals>,
    once: Option<IdempotentRequest<Deal>>,
    fields: DealFields,
) -> Result<IdempotentResult<Deal>, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let currency = &permit.workspace().default_currency;
    let deal = Deal::made(DealId(ports.ids.new_id()), fields, currency, permit.actor(), now);
    let references = deal.new_references(None);
    let (allowance, version) = (permit.workspace().allowance(), permit.workspace().version);
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        quota::take(tx, allowance, version, now)?;
        tx.deals().insert(&deal)?;
        tx.emit(&[reporter.happened(&deal, "created")]);
        Ok(deal.clone())
    });
    name_existing(ports, permit, unique, outcome.await).await
}
