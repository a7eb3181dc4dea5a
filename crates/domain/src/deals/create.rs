//! Making a deal.

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::access::{CreateDeals, Permit};
use crate::idempotency::{Once, Outcome};
use crate::ports::{Ports, transact_once};
use crate::webhooks::Reporter;
use crate::{DealId, Error, quota};

/// Makes a deal.
///
/// # Errors
/// [`Error::Invalid`] for contradictions and missing references, a duplicate of `external_id`,
/// [`Error::QuotaExceeded`].
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateDeals>,
    once: Option<Once<Deal>>,
    fields: DealFields,
) -> Result<Outcome<Deal>, Error> {
    let now = ports.clock.now();
    let currency = &permit.workspace().default_currency;
    let mut deal = Deal::blank(DealId(ports.ids.new_id()), currency, permit.actor(), now);
    StageChange::of(&fields).start(&mut deal, now.date());
    deal.apply_plain(fields, currency);
    let references = deal.new_references(None);
    let workspace = permit.workspace().clone();
    let reporter = Reporter::new(&permit.who(), now);
    transact_once(ports, permit, once, move |tx| {
        references.check(tx)?;
        quota::take(tx, &workspace, now)?;
        tx.deals().insert(&deal)?;
        tx.emit(&[reporter.happened(&deal, "created")]);
        Ok(deal.clone())
    })
    .await
}
