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

use serde_json::Map;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::kernel::input::{
    CustomFields, EmailAddress, Items, Line, LongText, OptionalReference, WebUrl, choices, readable_choices,
};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::records::{record, resource};
use crate::{CompanyId, ContactId, Reference};

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

resource! {
    /// What a client may send of a contact.
    pub input ContactFields;

    /// A contact.
    pub record Contact(ContactId) {
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
        company_id: OptionalReference<CompanyId> => Reference::Company,
        /// Their company's name, as a text of its own.
        company_name: Line<255>,
        /// Where they stand; `new` unless given.
        contact_type: ContactType = default(ContactType::New),
        /// Whether they are worked with; `active` unless given.
        status: ContactStatus = default(ContactStatus::Active),
        /// Where they came from.
        lead_source: Line<180>,
        /// Their industry.
        industry: Line<180>,
        /// Anything else.
        notes: LongText<10_000>,
        /// Labels.
        tags: Items<50, 100> = default(Vec::new()),
        /// The workspace's own members.
        custom_fields: CustomFields = default(Map::new()),
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

record!(Contact, "contact", ContactId, contacts);

impl Contact {
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
