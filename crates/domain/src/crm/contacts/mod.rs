//! Contacts (interface 7).

mod list;
mod over_rest;

pub use list::{ContactFilter, MAX_SHARED_LISTED, list_with_shared_address};
pub use over_rest::{NewContactFields, create_over_rest};

use time::OffsetDateTime;
use uuid::Uuid;

use crate::crm::comments;
use crate::crm::upserts::Upsertable;
use crate::events::example::{self, ADA, COMPANY, CONTACT, MADE, MEMBER};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{CreateContacts, DeleteContacts, ReadContacts, UpdateContacts, UpsertContacts};
use crate::kernel::RecordKeys;
use crate::kernel::input::{
    CustomFields, EmailAddress, EmailKey, Items, Line, LongText, OptionalReference, WebUrl, choices, readable_choices,
};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::ports::{BatchRepo, StoreError, Tx};
use crate::records::{Editable, RecordKind, Transferred, Writing, deletable, kind, resource};
use crate::{CompanyId, ContactId, Reference, UserId};

choices! {
    /// The relationship with a contact.
    pub enum ContactType {
        New = "new",
        /// In conversation.
        Engaged = "engaged",
        /// Worth pursuing.
        Qualified = "qualified",
        /// Has bought.
        Customer = "customer",
        /// No longer in touch.
        Inactive = "inactive",
        Lead = "lead",
        Prospect = "prospect",
        Partner = "partner",
        Vendor = "vendor",
    }
}

choices! {
    /// Whether a contact is in use.
    pub enum ContactStatus {
        Active = "active",
        Inactive = "inactive",
        /// Not to be contacted.
        Blocked = "blocked",
        /// Not decided yet.
        Pending = "pending",
    }
}

readable_choices!(ContactType, ContactStatus);

resource! {
    /// The writable fields of a contact.
    pub input ContactFields;

    /// A contact.
    pub record Contact(ContactId) {
        /// The e-mail address, unique in the workspace in any spelling.
        email: EmailAddress = required,
        /// The given name.
        first_name: Line<120>,
        /// The family name.
        last_name: Line<120>,
        /// The phone number.
        phone: Line<50>,
        /// The job title.
        job_title: Line<180>,
        /// Their company's record; an empty string is null.
        company_id: OptionalReference<CompanyId> => Reference::Company,
        /// The name of their company as free text, independent of `company_id`.
        /// Note: Free text; `company_id` links.
        company_name: Line<255>,
        /// The member responsible for them.
        /// Contract: additional.
        assigned_to: UserId => Reference::Member,
        /// The relationship with them.
        /// Default: new.
        contact_type: ContactType = default(ContactType::New),
        /// Whether the contact is in use.
        /// Default: active.
        status: ContactStatus = default(ContactStatus::Active),
        /// Where the contact came from, such as a trade fair.
        lead_source: Line<180>,
        /// The industry they work in.
        industry: Line<180>,
        /// Notes about the contact.
        notes: LongText<10_000>,
        /// All of their tags.
        /// Note: Replaces all.
        /// Default: none.
        tags: Items<50, 100> = default(Vec::new()),
        /// Your own data, by name. An update sets what is sent, removes what is null, and keeps the rest.
        /// Note: Merged; null removes a member.
        /// Default: none.
        custom_fields: CustomFields = merged,
        /// Their id in another system, unique among contacts.
        external_id: Line<255>,
        /// The country they are in.
        country: Line<120>,
        /// The state or region they are in.
        state: Line<120>,
        /// The city they are in.
        city: Line<120>,
        /// The URL of their `LinkedIn` page.
        social_linkedin: WebUrl,
    }
}

kind! {
    Contact, [Contact], ContactId, called email,
    listed by ContactFilter as ListName::numbered(1).by_change().with_comments(),
    read by ReadContacts, unique: |contact| [
        email: Some(contact.email_key()),
        external_id: contact.external_id.clone(),
    ]
}

deletable!(Contact, DeleteContacts, {
    fn reference(id: ContactId) -> Option<Reference> {
        Some(Reference::Contact(id))
    }
});

impl Editable for Contact {
    type Create = CreateContacts;
    type Update = UpdateContacts;
    const COUNTS: bool = true;

    fn new(id: ContactId, writing: &Writing) -> Self {
        Self::blank(id, writing.actor(), writing.now)
    }

    fn assignee(&self) -> Option<UserId> {
        self.assigned_to
    }

    fn assignment_title(&self) -> String {
        self.name_or_email()
    }
}

impl Upsertable for Contact {
    type Upsert = UpsertContacts;
    const NATURAL_KEY: Option<&'static str> = Some("email");

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.contacts()
    }

    fn keys_of(fields: &ContactFields) -> RecordKeys {
        RecordKeys {
            external_id: fields.external_id.set().map(|id| id.as_str().to_owned()),
            natural: fields.email.set().map(|email| email.key().into()),
        }
    }

    fn company_of(fields: &ContactFields) -> Option<Uuid> {
        fields.company_id.set().map(|company| company.0.0)
    }
}

impl Transferred for Contact {
    const LONG_TEXT: Option<&'static str> = Some("notes");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id", "email"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
    }
}

impl Contact {
    /// The canonical form in which addresses are compared.
    pub fn email_key(&self) -> String {
        EmailKey::of(&self.email).into()
    }

    pub fn keys(&self) -> RecordKeys {
        RecordKeys { external_id: self.external_id.clone(), natural: Some(self.email_key()) }
    }

    /// The words that search matches.
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

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Crm,
    verbs: &[],
    cascade: None,
    data: DataType::of::<Contact>(),
    examples: || {
        let life = example::life::<Contact>(example, &[|it| it.job_title = Some("Managing Director".to_owned())]);
        [life, comments::events::examples(CONTACT)].concat()
    },
};

impl EventSource for Contact {
    event_source!(Contact);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Contact {
    Contact {
        email: "mara@northwind.example".to_owned(),
        first_name: Some("Mara".to_owned()),
        last_name: Some("Lindholm".to_owned()),
        job_title: Some("Head of Operations".to_owned()),
        company_id: Some(COMPANY),
        assigned_to: Some(MEMBER),
        tags: vec!["newsletter".to_owned()],
        country: Some("Sweden".to_owned()),
        version,
        updated_at,
        ..Contact::blank(CONTACT, ADA, MADE)
    }
}
