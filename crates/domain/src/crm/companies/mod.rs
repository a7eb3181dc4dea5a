//! Companies: parents of contacts, deals and projects (interface 8).

mod create;
mod delete;
mod events;
mod list;
mod restore;
mod update;
mod upsert;

pub use create::create;
pub use delete::delete;
pub use list::{CompanyFilter, list, list_or_deleted, totals};
pub use restore::restore;
pub use update::{update, update_each};
pub use upsert::upsert;

use crate::identity::access::{DeleteCompanies, ReadCompanies};
use crate::identity::notifications::{Assignable, AssignedRecord};
use crate::kernel::RecordKeys;
use crate::kernel::input::{HostName, Line, LongText, WebUrl};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::records::{Kind, RecordKind, UniqueMembers, UniqueValue, deletable, kind, resource};
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

deletable!(Company, DeleteCompanies);

impl CompanyFields {
    /// The keys that are sent.
    fn keys(&self) -> RecordKeys {
        RecordKeys {
            external_id: self.external_id.set().map(|id| id.as_str().to_owned()),
            natural: self.domain.set().map(|domain| domain.as_str().to_owned()),
        }
    }
}

impl UniqueMembers for CompanyFields {
    fn unique_values(&self) -> Vec<UniqueValue> {
        let RecordKeys { external_id, natural } = self.keys();
        let natural = natural.map(|domain| Company::unique("domain", domain));
        external_id.map(|id| Company::unique("external_id", id)).into_iter().chain(natural).collect()
    }
}

impl Company {
    pub fn keys(&self) -> RecordKeys {
        RecordKeys { external_id: self.external_id.clone(), natural: self.domain.clone() }
    }

    /// The words that search matches: those of the name, the whole domain, and the domain from each of its labels on.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).text(self.domain.as_deref());
        words.into_vec()
    }
}

impl Assignable for Company {
    fn assignee(&self) -> Option<UserId> {
        self.assigned_to
    }

    fn described(&self) -> AssignedRecord {
        AssignedRecord { kind: RecordKind::Company, id: self.id.0, label: None, title: self.name.clone() }
    }
}
