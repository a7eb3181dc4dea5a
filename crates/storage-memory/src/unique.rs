//! Records by their unique values.

use uuid::Uuid;

use super::records::StoredKind;
use super::state::Records;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::UniqueValue;
use domain::ports::StoreError;
use domain::support::kb::Article;
use domain::work::projects::Project;

/// The live record that has the value.
pub(super) fn record_with(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    match value {
        UniqueValue::ContactEmail(_) | UniqueValue::ContactExternalId(_) => owner_of::<Contact>(records, value),
        UniqueValue::CompanyDomain(_) | UniqueValue::CompanyExternalId(_) => owner_of::<Company>(records, value),
        UniqueValue::DealExternalId(_) => owner_of::<Deal>(records, value),
        UniqueValue::ProjectExternalId(_) => owner_of::<Project>(records, value),
        UniqueValue::ArticleSlug(_) => owner_of::<Article>(records, value),
    }
}

fn owner_of<K: StoredKind>(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    K::table(records).live().find(|record| record.unique_values().contains(value)).map(K::uuid)
}

/// Rejects a value that another live record has.
pub(super) fn check_unique<K: StoredKind>(record: &K, records: &Records) -> Result<(), StoreError> {
    for value in record.unique_values() {
        let has = |other: &K| other.id() != record.id() && other.unique_values().contains(&value);
        if K::table(records).live().any(has) {
            return Err(StoreError::Duplicate { field: value.member() });
        }
    }
    Ok(())
}
