//! Records by their unique values.

use uuid::Uuid;

use super::records::StoredKind;
use super::state::Records;
use domain::ports::StoreError;
use domain::records::UniqueValue;

/// The live record that has the value.
pub(super) fn record_with(records: &Records, value: &UniqueValue) -> Option<Uuid> {
    records.tables.all().find_map(|table| table.with_value(value))
}

/// Rejects a value that another live record has.
pub(super) fn check_unique<K: StoredKind>(record: &K, records: &Records) -> Result<(), StoreError> {
    for value in record.unique_values() {
        let has = |other: &K| other.id() != record.id() && other.unique_values().contains(&value);
        if records.of::<K>().live().any(has) {
            return Err(StoreError::Duplicate { field: value.member });
        }
    }
    Ok(())
}
