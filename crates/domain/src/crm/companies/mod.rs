//! Companies: parents of contacts, deals and projects (interface 8).

pub(crate) mod events;
mod list;

pub use list::CompanyFilter;

use uuid::Uuid;

use crate::crm::upserts::Upsertable;
use crate::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies, UpsertCompanies};
use crate::kernel::RecordKeys;
use crate::kernel::input::{HostName, Line, LongText, WebUrl};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::ports::{BatchRepo, StoreError, Tx};
use crate::records::{Editable, RecordKind, Transferred, Writing, deletable, kind, resource};
use crate::{CompanyId, Reference, UserId};

resource! {
    /// The writable fields of a company.
    pub input CompanyFields;

    /// A company.
    pub record Company(CompanyId) {
        /// The company's name.
        name: Line<255> = required,
        /// Its host name, such as example.com; unique in the workspace.
        domain: HostName,
        /// The member responsible for it.
        assigned_to: UserId => Reference::Member,
        /// The industry it works in.
        industry: Line<180>,
        /// The phone number.
        phone: Line<50>,
        /// The URL of its website.
        website: WebUrl,
        /// Notes about the company.
        notes: LongText<10_000>,
        /// Its id in another system, unique among companies.
        external_id: Line<255>,
    }
}

kind! {
    Company, [Company], CompanyId, called name,
    listed by CompanyFilter as ListName::numbered(12).by_change().with_comments(),
    read by ReadCompanies, unique: |company| [
        domain: company.domain.clone(),
        external_id: company.external_id.clone(),
    ]
}

deletable!(Company, DeleteCompanies, {
    fn reference(id: CompanyId) -> Option<Reference> {
        Some(Reference::Company(id))
    }
});

impl Editable for Company {
    type Create = CreateCompanies;
    type Update = UpdateCompanies;
    const COUNTS: bool = true;

    fn new(id: CompanyId, writing: &Writing) -> Self {
        Self::blank(id, writing.actor(), writing.now)
    }

    fn assignee(&self) -> Option<UserId> {
        self.assigned_to
    }
}

impl Upsertable for Company {
    type Upsert = UpsertCompanies;
    const NATURAL_KEY: Option<&'static str> = Some("domain");

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self> {
        tx.companies()
    }

    fn keys_of(fields: &CompanyFields) -> RecordKeys {
        RecordKeys {
            external_id: fields.external_id.set().map(|id| id.as_str().to_owned()),
            natural: fields.domain.set().map(|domain| domain.as_str().to_owned()),
        }
    }
}

impl Transferred for Company {
    const LONG_TEXT: Option<&'static str> = Some("notes");
    const IS_LENIENT: bool = true;

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id", "domain"]
    }

    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        Self::batch(tx).get_many(ids)
    }
}

impl Company {
    pub fn keys(&self) -> RecordKeys {
        RecordKeys { external_id: self.external_id.clone(), natural: self.domain.clone() }
    }

    /// The words that search matches: the words of the name, the domain, and the domain without its leading labels.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(self.domain.as_deref());
        words.into_vec()
    }
}
