//! Companies: parents of contacts, deals and projects (interface 8).

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

use time::OffsetDateTime;
use uuid::Uuid;

use crate::CompanyId;
use crate::kernel::input::{HostName, Line, LongText, WebUrl};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::records::{record, resource};

resource! {
    /// The writable fields of a company.
    pub input CompanyFields;

    /// A company.
    pub record Company(CompanyId) {
        /// The name.
        name: Line<255> = required,
        /// Its host name, such as `example.com`; unique in the workspace.
        domain: HostName,
        /// What it does.
        industry: Line<180>,
        /// The phone number.
        phone: Line<50>,
        /// The web address.
        website: WebUrl,
        /// Free-form notes.
        notes: LongText<10_000>,
        /// The id in another system, unique in the workspace.
        external_id: Line<255>,
    }
}

record!(Company, "company", CompanyId, companies);

impl Company {
    /// The words that search matches: those of the name, the whole domain, and the domain from each of its labels on.
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
