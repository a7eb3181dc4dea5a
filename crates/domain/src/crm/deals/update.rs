//! Changing a deal.

use time::OffsetDateTime;

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateDeals};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{self, ChangeOutcome, RecordChange, Resource, UniqueMembers, name_existing};
use crate::{DealId, Error};

/// Changes a deal; returns it before and after.
fn change(
    tx: &mut dyn Tx,
    id: DealId,
    fields: DealFields,
    expected: &ExpectedVersion,
    currency: &str,
    (reporter, now): (&EventBuilder, OffsetDateTime),
) -> Result<(Deal, Deal), Error> {
    let change = StageChange::of(&fields);
    let stored: Deal = records::lock(tx, id)?;
    let mut deal = stored.clone();
    deal.apply_plain(stored.merged(fields)?, currency);
    change.check_rules(stored.status)?;
    deal.new_references(Some(&stored)).check(tx)?;
    expected.check(stored.version)?;
    change.apply(&mut deal, Some(now.date()))?;
    let deal = records::save_changed(tx, &stored, deal, now, |before, after| reporter.updated(before, after))?;
    Ok((stored, deal))
}

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
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        let currency = &acting.workspace().default_currency;
        let (stored, deal) = change(tx, id, fields.clone(), &expected, currency, (&reporter, now))?;
        let assigned = Assignment::between(Some(&stored), &deal);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(deal)
    });
    name_existing(ports, permit, unique, outcome.await).await
}

/// Changes several deals, each like [`update`], in transactions of a few each. Members are told of all deals that one of these
/// assigns to them in one text.
///
/// # Errors
/// Those of the store.
pub async fn update_each(
    ports: &Ports,
    permit: &Permit<UpdateDeals>,
    changes: Vec<RecordChange<DealFields>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    let currency = permit.workspace().default_currency.clone();
    records::change_assigned_each(ports, permit, changes, move |tx, one| {
        change(tx, one.id.into(), one.fields.clone(), &one.expected, &currency, (&reporter, now))
    })
    .await
}
