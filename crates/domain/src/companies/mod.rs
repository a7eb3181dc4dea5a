//! Companies: what a contact, deal or project belongs to. No REST route shows them (contract: resources, company).

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::CompanyId;
use crate::access::Actor;
use crate::input::schema::TimestampText;
use crate::input::timestamp_json;

/// A company.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Company {
    /// Its id.
    pub id: CompanyId,
    /// Its name.
    pub name: String,
    /// Its domain, unique among live companies.
    pub domain: Option<String>,
    /// What it does.
    pub industry: Option<String>,
    /// Its phone number.
    pub phone: Option<String>,
    /// Its address on the web.
    pub website: Option<String>,
    /// Anything else.
    pub notes: Option<String>,
    /// Its id elsewhere, unique among live companies.
    pub external_id: Option<String>,
    /// Counts its changes.
    pub version: i64,
    /// When it was made.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// When it was last changed.
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    /// Who made it.
    pub created_by: Actor,
}
