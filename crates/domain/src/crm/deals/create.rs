//! Creating a deal.

use time::{Date, OffsetDateTime};

use super::stages::StageChange;
use super::{Deal, DealFields};
use crate::crm::contacts::Contact;
use crate::events::EventBuilder;
use crate::identity::access::{Actor, CreateDeals, Permit};
use crate::identity::notifications::{Assignment, notify_assigned};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::limits::quota;
use crate::ports::{Ports, Tx, transact_idempotent};
use crate::records::{RecordKind, Resource, UniqueMembers, name_existing};
use crate::{CompanyId, ContactId, DealId, Error, Reference};

impl Deal {
    /// A new deal. `closing_day` is the closing day of a deal that is closed from the start, unless the fields have one.
    pub(super) fn made(
        id: DealId,
        fields: DealFields,
        currency: &str,
        by: Actor,
        now: OffsetDateTime,
        closing_day: Option<Date>,
    ) -> Self {
        let mut deal = Self::blank(id, currency, by, now);
        StageChange::of(&fields).start(&mut deal, closing_day);
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
    create_with(ports, permit, once, fields, CompanySource::Sent).await
}

/// Creates a deal like [`create`]; one with a contact, of which no company is sent, gets the contact's company. Only a
/// company that is null stays none. A caller who may not read contacts gets none either: it must not learn whose they are.
///
/// # Errors
/// Those of [`create`].
pub async fn create_for_contact(
    ports: &Ports,
    permit: &Permit<CreateDeals>,
    once: Option<IdempotentRequest<Deal>>,
    fields: DealFields,
) -> Result<IdempotentResult<Deal>, Error> {
    let reads_contacts = permit.may_read(RecordKind::Contact.reads());
    let follows = fields.company_id.is_absent() && reads_contacts;
    let source = if follows { CompanySource::Contact } else { CompanySource::Sent };
    create_with(ports, permit, once, fields, source).await
}

/// Where the company of a new deal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CompanySource {
    Sent,
    Contact,
}

/// The live company of a contact.
fn company_of(tx: &mut dyn Tx, contact: ContactId) -> Result<Option<CompanyId>, Error> {
    let Some(company) = tx.records::<Contact>().get(contact)?.and_then(|contact| contact.company_id) else {
        return Ok(None);
    };
    let is_live = tx.references_exist(&[Reference::Company(company)])? == [true];
    Ok(Some(company).filter(|_| is_live))
}

async fn create_with(
    ports: &Ports,
    permit: &Permit<CreateDeals>,
    once: Option<IdempotentRequest<Deal>>,
    fields: DealFields,
    source: CompanySource,
) -> Result<IdempotentResult<Deal>, Error> {
    let unique = fields.unique_values();
    let now = ports.clock.now();
    let currency = &permit.workspace().default_currency;
    let deal = Deal::made(DealId(ports.ids.new_id()), fields, currency, permit.actor(), now, Some(now.date()));
    let references = deal.new_references(None);
    let (allowance, version) = (permit.workspace().allowance(), permit.workspace().version);
    let (acting, outside) = (permit.clone(), ports.clone());
    let reporter = EventBuilder::new(&permit.principal(), now);
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        let mut deal = deal.clone();
        if let (CompanySource::Contact, Some(contact)) = (source, deal.contact_id) {
            deal.company_id = company_of(tx, contact)?;
        }
        quota::take(tx, allowance, version, now)?;
        tx.records::<Deal>().insert(&deal)?;
        tx.emit(&reporter.created(&deal))?;
        let assigned = Assignment::between(None, &deal);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(deal)
    });
    name_existing(ports, permit, unique, outcome.await).await
}
