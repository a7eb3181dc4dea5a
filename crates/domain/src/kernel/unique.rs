//! The keys by which other systems identify records.

use uuid::Uuid;

/// The fields by which an upsert finds a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordKeys {
    pub external_id: Option<String>,
    /// The key of a contact's e-mail address, or a company's domain. Deals have none.
    pub natural: Option<String>,
}

/// Keys of many records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySet {
    pub external_ids: Vec<String>,
    pub natural: Vec<String>,
    /// Ids, for callers that have read the record before.
    pub ids: Vec<Uuid>,
}

impl KeySet {
    pub const fn is_empty(&self) -> bool {
        self.external_ids.is_empty() && self.natural.is_empty() && self.ids.is_empty()
    }

    pub fn add(&mut self, keys: &RecordKeys) {
        self.external_ids.extend(keys.external_id.clone());
        self.natural.extend(keys.natural.clone());
    }
}

/// A record found by one of its keys, or by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRecord {
    pub id: Uuid,
    pub keys: RecordKeys,
    /// Approximate size of its free-form fields, in bytes.
    pub bytes: u64,
}
