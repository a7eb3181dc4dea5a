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

use time::OffsetDateTime;
use uuid::Uuid;

use crate::CompanyId;
use crate::kernel::input::{HostName, Line, LongText, WebUrl};
use crate::kernel::paging::{ListName, Paginated};
use crate::kernel::search::SearchWords;
use crate::records::{record, resource};

resource! {
    /// What a client may send of a company.
    pub input CompanyFields;

    /// A company.
    pub record Company(CompanyId) {
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

record!(Company, "company", CompanyId, companies);

impl Company {
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
