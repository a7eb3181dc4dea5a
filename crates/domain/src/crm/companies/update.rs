//! Changing a company.

use time::OffsetDateTime;

use super::{Company, CompanyFields};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateCompanies};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{self, ChangeOutcome, RecordChange, Resource, UniqueMembers, name_existing};
use crate::{CompanyId, Error};

/// Changes a company; returns it before and after.
fn change(
    tx: &mut dyn Tx,
    id: CompanyId,
    fields: CompanyFields,
    expected: &ExpectedVersion,
    reporter: &EventBuilder,
    now: OffsetDateTime,
) -> Result<(Company, Company), Error> {
    let stored: Company = records::lock(tx, id)?;
    let mut company = stored.clone();
    company.change(fields)?;
    company.new_references(Some(&stored)).check(tx)?;
    expected.check(stored.version)?;
    let company = records::save_changed(tx, &stored, company, now, |before, after| reporter.updated(before, after))?;
    Ok((stored, company))
}

/// Changes a company. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Invalid`] for a missing member, [`Error::Duplicate`] of `domain`
/// or `external_id`.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateCompanies>,
    id: CompanyId,
    expected: ExpectedVersion,
    fields: CompanyFields,
) -> Result<Company, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact(ports, permit, move |tx| {
        let (stored, company) = change(tx, id, fields.clone(), &expected, &reporter, now)?;
        let assigned = Assignment::between(Some(&stored), &company);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(company)
    });
    name_existing(ports, permit, unique, outcome.await).await
}

/// Changes several companies, each like [`update`], in transactions of a few each. Members are told of all that one of these
/// assigns to them in one text.
///
/// # Errors
/// Those of the store.
pub async fn update_each(
    ports: &Ports,
    permit: &Permit<UpdateCompanies>,
    changes: Vec<RecordChange<CompanyFields>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    records::change_assigned_each(ports, permit, changes, move |tx, one| {
        change(tx, one.id.into(), one.fields.clone(), &one.expected, &reporter, now)
    })
    .await
}
