//! Companies: parents of contacts, deals and projects (interface 8).

use time::OffsetDateTime;
use uuid::Uuid;

use crate::crm::comments;
use crate::crm::upserts::Upsertable;
use crate::events::example::{self, ADA, COMPANY, MADE, MEMBER};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{CreateCompanies, DeleteCompanies, ReadCompanies, UpdateCompanies, UpsertCompanies};
use crate::kernel::RecordKeys;
use crate::kernel::input::{HostName, Line, LongText, MAX_IDS, Several, WebUrl};
use crate::kernel::paging::{ListName, NameKey, Sort, SortKey, Sorted};
use crate::kernel::search::{SearchQuery, SearchWords};
use crate::ports::{BatchRepo, StoreError, Tx};
use crate::records::{
    Editable, RecordFilter, RecordKind, RecordOrder, Transferred, Writing, deletable, kind, record_filter, resource,
};
use crate::{CompanyId, Reference, UserId, filter};

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

filter! {
    /// Filters of the company list; what is absent matches all.
    pub struct CompanyFilter {
        /// Word prefixes in name, domain or a comment; all must match.
        search: Option<SearchQuery>,
        /// With this host name; case-insensitive.
        domain: Option<HostName>,
        /// Assigned to any of these members.
        assignee: Several<UserId, 50>,
        /// With this id in another system.
        external_id: Option<Line<255>>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or later.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default) or `updated`: oldest change first, with a nextCursor on every page.
        order: Option<RecordOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<CompanyId, MAX_IDS>,
    }
    together CompanyFilter::check_together;
}

record_filter!(CompanyFilter, words in search, comments: true, changed: updated_since);

impl Sorted for Company {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Name => SortKey::Name(NameKey::of(&self.name)),
            Sort::Value | Sort::Day | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Crm,
    verbs: &[],
    cascade: None,
    data: DataType::of::<Company>(),
    examples: || {
        let life = example::life::<Company>(example, &[|it| it.phone = Some("+46 8 123 456".to_owned())]);
        [life, comments::events::examples(COMPANY)].concat()
    },
};

impl EventSource for Company {
    event_source!(Company);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Company {
    Company {
        name: "Northwind AB".to_owned(),
        domain: Some("northwind.example".to_owned()),
        industry: Some("Logistics".to_owned()),
        website: Some("https://northwind.example/".to_owned()),
        assigned_to: Some(MEMBER),
        version,
        updated_at,
        ..Company::blank(COMPANY, ADA, MADE)
    }
}
