//! Which record has a unique value already, for whoever may read it (interface 4.16).

use crate::Error;
use crate::identity::access::{Permit, ReadRequirement, RecordKind};
use crate::kernel::UniqueValue;
use crate::ports::{Ports, StoreError, statement};

impl UniqueValue {
    pub(super) const fn read_requirement(&self) -> ReadRequirement {
        let kind = match self {
            Self::ContactEmail(_) | Self::ContactExternalId(_) => RecordKind::Contact,
            Self::CompanyDomain(_) | Self::CompanyExternalId(_) => RecordKind::Company,
            Self::DealExternalId(_) => RecordKind::Deal,
            Self::ProjectExternalId(_) => RecordKind::Project,
            Self::ArticleSlug(_) => RecordKind::Article,
        };
        kind.reads()
    }
}

/// Adds to a duplicate the id of the record that has the value, if the caller may read such records. It is looked up
/// after the transaction, which the duplicate has ended: so the record may be gone by then, and is not named.
pub(crate) async fn name_existing<P, T>(
    ports: &Ports,
    permit: &Permit<P>,
    values: Vec<UniqueValue>,
    outcome: Result<T, Error>,
) -> Result<T, Error> {
    let Err(Error::Store(StoreError::Duplicate { field })) = outcome else { return outcome };
    let readable = |value: &UniqueValue| value.member() == field && permit.may_read(value.read_requirement());
    let existing_id = match values.into_iter().find(readable) {
        // The refusal is right even if this look-up fails.
        Some(value) => statement(ports, permit, move |tx| Ok(tx.record_with(&value)?)).await.ok().flatten(),
        None => None,
    };
    Err(Error::Duplicate { field, existing_id })
}

/// A value that another transaction has taken since it was looked up: the whole transaction runs again, and finds it.
pub(crate) fn again_if_taken(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(StoreError::Duplicate { .. }) => Err(StoreError::Contended),
        other => other,
    }
}
