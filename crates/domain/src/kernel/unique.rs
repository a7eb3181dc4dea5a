//! Values that only one live record of a workspace may have (interface 4.16).

use uuid::Uuid;

/// A value that only one live record of the workspace may have, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UniqueValue {
    /// A contact's e-mail address, as an [`EmailKey`](crate::kernel::input::EmailKey).
    ContactEmail(String),
    ContactExternalId(String),
    CompanyDomain(String),
    CompanyExternalId(String),
    DealExternalId(String),
    ProjectExternalId(String),
    ArticleSlug(String),
}

impl UniqueValue {
    /// The member that has the value.
    pub const fn member(&self) -> &'static str {
        match self {
            Self::ContactEmail(_) => "email",
            Self::CompanyDomain(_) => "domain",
            Self::ContactExternalId(_)
            | Self::CompanyExternalId(_)
            | Self::DealExternalId(_)
            | Self::ProjectExternalId(_) => "external_id",
            Self::ArticleSlug(_) => "slug",
        }
    }
}

/// What identifies a record to another system: the members by which an upsert finds it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordKeys {
    pub external_id: Option<String>,
    /// The key of a contact's e-mail address, a company's domain; deals have none.
    pub natural: Option<String>,
}

/// Keys of many records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySet {
    pub external_ids: Vec<String>,
    pub natural: Vec<String>,
    /// Ids, for who has read the record before.
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
    /// About how many bytes its free-form members have.
    pub bytes: u64,
}
