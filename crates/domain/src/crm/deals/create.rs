//! Creating a deal.

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::identity::access::{CreateDeals, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::limits::quota;
use crate::ports::{Ports, transact_idempotent};
use crate::records::Resource;
use crate::webhooks::EventBuilder;
use crate::{DealId, Error};

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
    let now = ports.clock.now();
    let currency = &permit.workspace().default_currency;
    let mut deal = Deal::blank(DealId(ports.ids.new_id()), currency, permit.actor(), now);
    StageChange::of(&fields).start(&mut deal, now.date());
    deal.apply_plain(fields, currency);
    let references = deal.new_references(None);
    let (allowance, version) = (permit.workspace().allowance(), permit.workspace().version);
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        quota::take(tx, allowance, version, now)?;
        tx.deals().insert(&deal)?;
        tx.emit(&[reporter.happened(&deal, "created")]);
        let assigned = Assignment::between(None, &deal);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(deal.clone())
    })
    .await
}
