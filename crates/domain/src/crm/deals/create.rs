//! Creates a deal for a contact.

use super::{Deal, DealFields};
use crate::crm::contacts::Contact;
use crate::identity::access::{CreateDeals, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx};
use crate::records::{self, RecordKind};
use crate::{CompanyId, ContactId, Error, Reference};

/// Creates a deal. If the deal has a contact and the request omits `company_id`, the deal gets the contact's company; null keeps it
/// without one. For a caller who may not read contacts the company is not filled in, because it would show to which company the
/// contact belongs.
///
/// # Errors
/// Those of [`records::create`].
pub async fn create_for_contact(
    ports: &Ports,
    permit: &Permit<CreateDeals>,
    once: Option<IdempotentRequest<Deal>>,
    fields: DealFields,
) -> Result<IdempotentResult<Deal>, Error> {
    let follows = fields.company_id.is_absent() && permit.may_read(RecordKind::Contact.reads());
    records::create_and::<Deal>(ports, permit, once, fields, move |tx, deal| {
        if let Some(contact) = deal.contact_id.filter(|_| follows) {
            deal.company_id = company_of(tx, contact)?;
        }
        Ok(())
    })
    .await
}

/// The live company of a contact.
fn company_of(tx: &mut dyn Tx, contact: ContactId) -> Result<Option<CompanyId>, Error> {
    let Some(company) = tx.records::<Contact>().get(contact)?.and_then(|contact| contact.company_id) else {
        return Ok(None);
    };
    let is_live = tx.references_exist(&[Reference::Company(company)])? == [true];
    Ok(Some(company).filter(|_| is_live))
}
