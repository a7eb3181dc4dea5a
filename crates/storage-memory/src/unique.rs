//! Records by their unique values.

use uuid::Uuid;

use super::records::StoredKind;
use super::state::Records;
use domain::ports::StoreError;
use domain::records::UniqueValue;
use domain::with_kind;

/// The live record that has the value.
pub(super) fn record_with(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    with_kind!(value.kind, K => owner_of::<K>(records, value))
}

fn owner_of<K: StoredKind>(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    K::table(records).live().find(|record| record.unique_values().contains(value)).map(K::uuid)
}

/// Rejects a value that another live record has.
pub(super) fn check_unique<K: StoredKind>(record: &K, records: &Records) -> Result<(), StoreError> {
    for value in record.unique_values() {
        let has = |other: &K| other.id() != record.id() && other.unique_values().contains(&value);
        if K::table(records).live().any(has) {
            return Err(StoreError::Duplicate { field: value.member });
        }
    }
    Ok(())
}
