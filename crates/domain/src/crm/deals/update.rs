//! Changing a deal.

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateDeals};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::records::{self, Resource, UniqueMembers, name_existing};
use crate::{DealId, Error};

/// Changes a deal. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Invalid`], [`Error::InvalidStateChange`],
/// [`Error::Duplicate`] of `external_id`.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateDeals>,
    id: DealId,
    expected: ExpectedVersion,
    fields: DealFields,
) -> Result<Deal, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let change = StageChange::of(&fields);
    let currency = permit.workspace().default_currency.clone();
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        let stored: Deal = records::lock(tx, id)?;
        let mut deal = stored.clone();
        deal.apply_plain(stored.merged(fields.clone())?, &currency);
        change.check_rules(stored.status)?;
        deal.new_references(Some(&stored)).check(tx)?;
        expected.check(stored.version)?;
        change.apply(&mut deal, Some(now.date()))?;
        let deal = records::save_changed(tx, &stored, deal, now, |before, after| reporter.deal_changed(before, after))?;
        let assigned = Assignment::between(Some(&stored), &deal);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(deal)
    });
    name_existing(ports, permit, unique, outcome.await).await
}
