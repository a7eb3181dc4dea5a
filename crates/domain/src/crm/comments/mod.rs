//! Comments on contacts, companies and deals (interface 8.8–8.10).
//!
//! Such a comment is part of its record: everyone who may read the record may read its comments.

pub(super) mod events;
mod list;
mod write;

pub use crate::records::CommentChange;
pub use list::list;
pub(crate) use list::list_of_parent;
pub use write::{create, delete, update};
pub(crate) use write::{create_as, delete_in, update_in};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::{
    Actor, DeleteCompanies, DeleteContacts, DeleteDeals, Permit, ReadCompanies, ReadContacts, ReadDeals, ToolPermit,
    UpdateCompanies, UpdateContacts, UpdateDeals,
};
use crate::kernel::input::{LongText, plain_json};
use crate::kernel::paging::paginated;
use crate::kernel::search::SearchWords;
use crate::ports::{StoreError, Tx};
use crate::records::{MAX_COMMENT, RecordKind, resource};
use crate::{CommentId, CompanyId, ContactId, DealId, Error, Reference};

/// A record of the CRM that comments can be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "type", content = "id", rename_all = "snake_case")]
pub enum CrmRecord {
    /// A contact.
    Contact(ContactId),
    /// A company.
    Company(CompanyId),
    /// A deal.
    Deal(DealId),
}

plain_json!(CrmRecord);

impl CrmRecord {
    pub const fn noun(self) -> &'static str {
        self.kind().as_str()
    }

    pub(crate) fn is_live(self, tx: &mut dyn Tx) -> Result<bool, StoreError> {
        // Every reader may see all live records of these kinds, so the answer does not depend on the caller.
        tx.has_live(&[self.kind()], self.id(), Actor::SYSTEM)
    }

    /// # Errors
    /// [`Error::NotFound`] for a record that is missing or deleted.
    fn check_live(self, tx: &mut dyn Tx) -> Result<(), Error> {
        if self.is_live(tx)? { Ok(()) } else { Err(Error::NotFound(self.noun())) }
    }
}

/// The id of a kind of record that can have comments. The permissions on the comments are those on the record.
pub trait CommentedId: Copy + Into<CrmRecord> + Send + 'static {
    /// The permission to read comments.
    type Read: ToolPermit;
    /// The permission to add and change comments.
    type Write: ToolPermit;
    /// The permission to delete comments.
    type Delete: ToolPermit;
}

macro_rules! commented {
    ($($id:ident: $kind:ident, $read:ident, $write:ident, $delete:ident;)+) => {
        impl CrmRecord {
            pub const fn kind(self) -> RecordKind {
                match self { $(Self::$kind(_) => RecordKind::$kind,)+ }
            }

            pub const fn id(self) -> Uuid {
                match self { $(Self::$kind(id) => id.0,)+ }
            }

            const fn reference(self) -> Reference {
                match self { $(Self::$kind(id) => Reference::$kind(id),)+ }
            }

            /// Whether the caller of a permit may read comments on it; see [`CommentedId::Read`].
            pub(crate) fn may_be_read<P>(self, permit: &Permit<P>) -> bool {
                match self { $(Self::$kind(_) => permit.covers::<$read>(),)+ }
            }

            /// Whether the caller of a permit may change comments on it; see [`CommentedId::Write`].
            pub(crate) fn may_be_written<P>(self, permit: &Permit<P>) -> bool {
                match self { $(Self::$kind(_) => permit.covers::<$write>(),)+ }
            }

            /// Whether the caller of a permit may delete comments on it; see [`CommentedId::Delete`].
            pub(crate) fn may_be_deleted_from<P>(self, permit: &Permit<P>) -> bool {
                match self { $(Self::$kind(_) => permit.covers::<$delete>(),)+ }
            }
        }

        $(
            impl From<$id> for CrmRecord {
                fn from(id: $id) -> Self {
                    Self::$kind(id)
                }
            }

            impl CommentedId for $id {
                type Read = $read;
                type Write = $write;
                type Delete = $delete;
            }
        )+
    };
}

commented! {
    ContactId: Contact, ReadContacts, UpdateContacts, DeleteContacts;
    CompanyId: Company, ReadCompanies, UpdateCompanies, DeleteCompanies;
    DealId: Deal, ReadDeals, UpdateDeals, DeleteDeals;
}

resource! {
    /// The writable fields of a comment on a contact, company or deal.
    pub input RecordCommentFields;

    /// A comment on a contact, company or deal.
    pub record RecordComment(CommentId, record: CrmRecord, author: Actor) {
        [read_only record: CrmRecord = record],
        /// The text.
        body: LongText<MAX_COMMENT> = required,
        [read_only author: Actor = author],
        // When the text was last changed; `None` if it never was.
        [
            /// Contract: additional.
            read_only edited_at: Option<OffsetDateTime> = None
        ],
    }
}

impl RecordComment {
    /// The words by which a search finds the record that the comment is on.
    pub fn search_words(&self) -> Vec<String> {
        SearchWords::in_text(&self.body)
    }
}

paginated!(RecordComment: COMMENTS);
