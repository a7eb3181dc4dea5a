//! Companies: what a contact, deal or project belongs to. No REST route shows them (contract: resources, company).

mod create;
mod delete;
mod events;
mod list;
mod read;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::{CompanyFilter, list};
pub use read::read;
pub use update::update;

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::CompanyId;
use crate::identity::access::Actor;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{HostName, Line, LongText, WebUrl, fields, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;

fields! {
    /// What a client may send of a company.
    pub struct CompanyFields {
        /// Its name.
        name: Line<255> = required,
        /// Its host name, such as `example.com`; unique in the workspace.
        domain: HostName,
        /// What it does.
        industry: Line<180>,
        /// Its phone number.
        phone: Line<50>,
        /// Its address on the web.
        website: WebUrl,
        /// Anything else.
        notes: LongText<10_000>,
        /// Its id elsewhere, unique in the workspace.
        external_id: Line<255>,
    }
}

/// A company.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members are documented at CompanyFields")]
pub struct Company {
    pub id: CompanyId,
    pub name: String,
    pub domain: Option<String>,
    pub industry: Option<String>,
    pub phone: Option<String>,
    pub website: Option<String>,
    pub notes: Option<String>,
    pub external_id: Option<String>,
    /// Counts its changes, from 1.
    pub version: i64,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl Company {
    /// A company with nothing in it, to put an input into.
    fn blank(id: CompanyId, created_by: Actor, now: OffsetDateTime) -> Self {
        Self {
            id,
            name: String::new(),
            domain: None,
            industry: None,
            phone: None,
            website: None,
            notes: None,
            external_id: None,
            version: 1,
            created_at: now,
            updated_at: now,
            created_by,
        }
    }

    /// Puts what was sent over what is there.
    fn apply(&mut self, fields: CompanyFields) {
        if let Some(name) = fields.name.set() {
            name.as_str().clone_into(&mut self.name);
        }
        fields.domain.store(&mut self.domain);
        fields.industry.store(&mut self.industry);
        fields.phone.store(&mut self.phone);
        fields.website.store(&mut self.website);
        fields.notes.store(&mut self.notes);
        fields.external_id.store(&mut self.external_id);
    }

    /// The words that search looks into: those of the name, and the domain as a whole and from each of its parts on.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(self.domain.as_deref());
        words.into_vec()
    }
}

impl Paginated for Company {
    const LIST: ListName = ListName::Companies;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
