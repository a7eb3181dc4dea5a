//! Contacts (contract: resources, contact).

mod create;
mod delete;
mod events;
mod list;
mod read;
mod update;

pub use create::create;
pub use delete::delete;
pub use list::{ContactFilter, list};
pub use read::read;
pub use update::update;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{
    CustomFields, EmailAddress, Items, Line, LongText, OptionalReference, WebUrl, choices, fields, readable_choices,
    timestamp_json,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::{CompanyId, ContactId, Reference, References};

choices! {
    /// Where a contact stands in the relation.
    pub enum ContactType {
        /// Just come in.
        New = "new",
        /// In conversation.
        Engaged = "engaged",
        /// Worth pursuing.
        Qualified = "qualified",
        /// Has bought.
        Customer = "customer",
        /// No longer in touch.
        Inactive = "inactive",
        /// A lead.
        Lead = "lead",
        /// A prospect.
        Prospect = "prospect",
        /// A partner.
        Partner = "partner",
        /// A vendor.
        Vendor = "vendor",
    }
}

choices! {
    /// Whether a contact is worked with.
    pub enum ContactStatus {
        /// Worked with.
        Active = "active",
        /// Not worked with.
        Inactive = "inactive",
        /// Not to be contacted.
        Blocked = "blocked",
        /// Not yet decided.
        Pending = "pending",
    }
}

readable_choices!(ContactType, ContactStatus);

fields! {
    /// What a client may send of a contact.
    pub struct ContactFields {
        /// The address, unique in the workspace without regard to case.
        email: EmailAddress = required,
        /// Given name.
        first_name: Line<120>,
        /// Family name.
        last_name: Line<120>,
        /// Phone number.
        phone: Line<50>,
        /// What they do.
        job_title: Line<180>,
        /// Their company's record; an empty text means none.
        company_id: OptionalReference,
        /// Their company's name, as a text of its own.
        company_name: Line<255>,
        /// Where they stand; `new` unless given.
        contact_type: ContactType,
        /// Whether they are worked with; `active` unless given.
        status: ContactStatus,
        /// Where they came from.
        lead_source: Line<180>,
        /// Their industry.
        industry: Line<180>,
        /// Anything else.
        notes: LongText<10_000>,
        /// Labels.
        tags: Items<50, 100>,
        /// The workspace's own members.
        custom_fields: CustomFields,
        /// Their id elsewhere, unique in the workspace.
        external_id: Line<255>,
        /// Country.
        country: Line<120>,
        /// State or region.
        state: Line<120>,
        /// City.
        city: Line<120>,
        /// Their page on `LinkedIn`.
        social_linkedin: WebUrl,
    }
}

/// A contact.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members are documented at ContactFields")]
pub struct Contact {
    pub id: ContactId,
    pub email: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
    pub job_title: Option<String>,
    pub company_id: Option<CompanyId>,
    pub company_name: Option<String>,
    pub contact_type: ContactType,
    pub status: ContactStatus,
    pub lead_source: Option<String>,
    pub industry: Option<String>,
    pub notes: Option<String>,
    pub tags: Vec<String>,
    pub custom_fields: Map<String, Value>,
    pub external_id: Option<String>,
    pub country: Option<String>,
    pub state: Option<String>,
    pub city: Option<String>,
    pub social_linkedin: Option<String>,
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

impl Contact {
    /// A contact with defaults alone, to put an input into.
    fn blank(id: ContactId, created_by: Actor, now: OffsetDateTime) -> Self {
        Self {
            id,
            email: String::new(),
            first_name: None,
            last_name: None,
            phone: None,
            job_title: None,
            company_id: None,
            company_name: None,
            contact_type: ContactType::New,
            status: ContactStatus::Active,
            lead_source: None,
            industry: None,
            notes: None,
            tags: Vec::new(),
            custom_fields: Map::new(),
            external_id: None,
            country: None,
            state: None,
            city: None,
            social_linkedin: None,
            version: 1,
            created_at: now,
            updated_at: now,
            created_by,
        }
    }

    /// Puts what was sent over what is there.
    fn apply(&mut self, fields: ContactFields) {
        if let Some(email) = fields.email.set() {
            email.as_str().clone_into(&mut self.email);
        }
        fields.first_name.store(&mut self.first_name);
        fields.last_name.store(&mut self.last_name);
        fields.phone.store(&mut self.phone);
        fields.job_title.store(&mut self.job_title);
        fields.company_id.store(&mut self.company_id);
        fields.company_name.store(&mut self.company_name);
        fields.contact_type.store_or(ContactType::New, &mut self.contact_type);
        fields.status.store_or(ContactStatus::Active, &mut self.status);
        fields.lead_source.store(&mut self.lead_source);
        fields.industry.store(&mut self.industry);
        fields.notes.store(&mut self.notes);
        fields.tags.store_or(Vec::new(), &mut self.tags);
        fields.custom_fields.store_or(Map::new(), &mut self.custom_fields);
        fields.external_id.store(&mut self.external_id);
        fields.country.store(&mut self.country);
        fields.state.store(&mut self.state);
        fields.city.store(&mut self.city);
        fields.social_linkedin.store(&mut self.social_linkedin);
    }

    /// The references that differ from the stored contact's.
    fn new_references(&self, stored: Option<&Self>) -> References {
        let mut references = References::default();
        let company = stored.and_then(|contact| contact.company_id);
        references.add("company_id", self.company_id, company, Reference::Company);
        references
    }

    /// What makes two addresses the same.
    pub fn email_key(&self) -> String {
        self.email.to_lowercase()
    }

    /// The words that search looks into.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words
            .text(self.first_name.as_deref())
            .text(self.last_name.as_deref())
            .email(&self.email)
            .text(self.company_name.as_deref())
            .phone(self.phone.as_deref())
            .text(self.job_title.as_deref());
        words.into_vec()
    }
}

impl Paginated for Contact {
    const LIST: ListName = ListName::Contacts;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
