//! Storage of the erasures of people's data, and of what deleted records contain.

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::crm::contacts::Contact;
use crate::kernel::paging::PageRequest;
use crate::records::RecordKind;
use crate::support::erasure::{FoundText, PersonErasure, Scanned, TextSource};
use crate::{ErasureId, IssueId};

/// Erasures of the workspace, and what they find. Each call does a bounded part: about as much as it is told.
pub trait ErasureRepo {
    fn insert(&mut self, erasure: &PersonErasure) -> Result<(), StoreError>;
    fn get(&mut self, id: ErasureId) -> Result<Option<PersonErasure>, StoreError>;
    /// Newest first.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<PersonErasure>, StoreError>;
    /// The unfinished erasure with the oldest `turn_at`, locked until the transaction ends; `None` also while another transaction has it.
    fn next(&mut self) -> Result<Option<PersonErasure>, StoreError>;
    /// Writes an erasure that was added or locked before.
    fn save(&mut self, erasure: &PersonErasure) -> Result<(), StoreError>;
    /// How many are unfinished.
    fn unfinished(&mut self) -> Result<u64, StoreError>;
    /// Contacts that are not erased, with the erasure's `contact_id` or one of its addresses, deleted ones too, locked; and
    /// whether each is live.
    fn contacts(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<(Contact, bool)>, StoreError>;
    /// Writes a contact that [`ErasureRepo::contacts`] returned, as deleted and erased when it was updated, with no words for
    /// search to find.
    fn erase_contact(&mut self, contact: &Contact) -> Result<(), StoreError>;
    /// Tickets that are not erased, whose requester has one of the addresses or is one of the erasure's contacts.
    fn tickets(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<IssueId>, StoreError>;
    /// Writes the requesters of tickets as erased, which no save of an issue does, and deletes the links to these tickets and
    /// the sessions of their customers.
    fn erase_requesters(&mut self, tickets: &[IssueId]) -> Result<(), StoreError>;
    /// Notes contacts and tickets whose comments and events are to be erased, and reports whose deliveries are.
    fn add_records(&mut self, id: ErasureId, records: &[Uuid]) -> Result<(), StoreError>;
    /// The next texts of a source, from where the erasure's phase goes on.
    fn texts(
        &mut self,
        erasure: &PersonErasure,
        source: TextSource,
        most: u32,
    ) -> Result<Scanned<Vec<FoundText>>, StoreError>;
    /// Replaces texts that [`ErasureRepo::texts`] returned. For events of customers, the actor's name says `erased` too.
    fn save_texts(&mut self, source: TextSource, texts: &[FoundText]) -> Result<(), StoreError>;
    /// Deletes the next e-mails to one of the addresses as a customer's, or about one of the tickets, and link requests of these addresses;
    /// returns how many e-mails.
    fn drop_emails(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Deletes texts with these ids from e-mails that nobody has claimed yet, and those e-mails that have none left.
    fn drop_email_parts(&mut self, ids: &[Uuid]) -> Result<(), StoreError>;
    /// Erases what receivers answered to the next deliveries of events of the erasure's records, of reports among them, or
    /// with one of its texts in a body of their own, and these bodies; returns of how many. What they answer later is stored as
    /// erased.
    fn erase_responses(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Replaces the erasure's texts in the next entries of the audit log; returns in how many.
    fn erase_from_audit_log(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Forgets the searches without results whose term names the person; returns how many terms.
    fn forget_searches(&mut self, names_person: &dyn Fn(&str) -> bool) -> Result<u64, StoreError>;
    /// Forgets some of the noted contacts and tickets; returns how many.
    fn forget_records(&mut self, id: ErasureId, most: u32) -> Result<u64, StoreError>;
}

/// Erasure of what records contain.
pub trait RecordErasureRepo {
    /// Erases records, deleted or not, and all that is only about them: comments on them go, their events in the log keep
    /// no content, and their own members become neutral. The rows stay, deleted and marked as erased, so that ids that
    /// refer to them keep their meaning. Changes at most `most` rows, the records themselves last, and returns how many:
    /// fewer than `most` means that all is done.
    fn erase(&mut self, kind: RecordKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError>;
}
