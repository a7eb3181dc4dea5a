//! Creating a company.

use super::{Company, CompanyFields};
use crate::events::EventBuilder;
use crate::identity::access::{CreateCompanies, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::limits::quota;
use crate::ports::{Ports, transact_idempotent};
use crate::records::{Resource, UniqueMembers, name_existing};
use crate::{CompanyId, Error};

/// Creates a company.
///
/// # Errors
/// [`Error::Invalid`] for a missing member, [`Error::Duplicate`] of `domain` or `external_id`, [`Error::QuotaExceeded`].
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateCompanies>,
    once: Option<IdempotentRequest<Company>>,
    fields: CompanyFields,
) -> Result<IdempotentResult<Company>, Error> {
    let unique = fields.unique_values();
    let mut company = Company::blank(CompanyId(ports.ids.new_id()), permit.actor(), ports.clock.now());
    company.apply(fields);
    let references = company.new_references(None);
    let (allowance, version) = (permit.workspace().allowance(), permit.workspace().version);
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), company.created_at);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        quota::take(tx, allowance, version, company.created_at)?;
        tx.records::<Company>().insert(&company)?;
        tx.emit(&[reporter.happened(&company, "created")])?;
        let assigned = Assignment::between(None, &company);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(company.clone())
    });
    name_existing(ports, permit, unique, outcome.await).await
}
