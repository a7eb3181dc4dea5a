//! Storage of erasures of people's data.

use uuid::Uuid;

use super::StoreError;
use crate::crm::contacts::Contact;
use crate::kernel::paging::PageRequest;
use crate::support::erasure::{FoundText, PersonErasure, Scanned, TextSource};
use crate::{ErasureId, IssueId};

/// Erasures of the workspace, and the data that they erase. Each call does a bounded part of the work, of about the given size.
pub trait ErasureRepo {
    fn insert(&mut self, erasure: &PersonErasure) -> Result<(), StoreError>;
    fn get(&mut self, id: ErasureId) -> Result<Option<PersonErasure>, StoreError>;
    /// Erasures, newest first.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<PersonErasure>, StoreError>;
    /// The unfinished erasure with the oldest `turn_at`, locked until the transaction ends; `None` if there is none or another
    /// transaction has locked it.
    fn next(&mut self) -> Result<Option<PersonErasure>, StoreError>;
    /// Writes an erasure that was added or locked before.
    fn save(&mut self, erasure: &PersonErasure) -> Result<(), StoreError>;
    /// The number of unfinished erasures.
    fn unfinished(&mut self) -> Result<u64, StoreError>;
    /// Contacts, including deleted but not erased ones, with the erasure's `contact_id` or one of its addresses, each with whether
    /// it is live. They are locked.
    fn contacts(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<(Contact, bool)>, StoreError>;
    /// Writes a contact that [`ErasureRepo::contacts`] returned. Marks it as deleted and erased at its `updated_at`, and removes
    /// its search words.
    fn erase_contact(&mut self, contact: &Contact) -> Result<(), StoreError>;
    /// Tickets that are not erased, whose requester has one of the addresses or is one of the erasure's contacts.
    fn tickets(&mut self, erasure: &PersonErasure, most: u32) -> Result<Vec<IssueId>, StoreError>;
    /// Marks the requesters of tickets as erased, which saving an issue does not do, and deletes the links to these tickets and the
    /// sessions of their customers.
    fn erase_requesters(&mut self, tickets: &[IssueId]) -> Result<(), StoreError>;
    /// Notes contacts and tickets whose comments and events must be erased, and reported events whose deliveries must be.
    fn add_records(&mut self, id: ErasureId, records: &[Uuid]) -> Result<(), StoreError>;
    /// The next texts of a source, from where the erasure's phase continues.
    fn texts(
        &mut self,
        erasure: &PersonErasure,
        source: TextSource,
        most: u32,
    ) -> Result<Scanned<Vec<FoundText>>, StoreError>;
    /// Replaces texts that [`ErasureRepo::texts`] returned. For events of customers, the actor's name becomes `erased` too.
    fn save_texts(&mut self, source: TextSource, texts: &[FoundText]) -> Result<(), StoreError>;
    /// Deletes the next e-mails that went to one of the addresses as a customer or are about one of the tickets, and link requests
    /// of these addresses; returns how many e-mails.
    fn drop_emails(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Deletes texts with these ids from e-mails that no worker has claimed yet, and e-mails that have no texts left.
    fn drop_email_parts(&mut self, ids: &[Uuid]) -> Result<(), StoreError>;
    /// Erases the stored responses of the next deliveries that are about the erasure's records or reported events, or whose own
    /// body has one of its texts, and erases these bodies; returns how many deliveries. Later responses to them are stored as
    /// erased.
    fn erase_responses(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Replaces the erasure's texts in the next entries of the audit log; returns how many entries changed.
    fn erase_from_audit_log(&mut self, erasure: &PersonErasure, most: u32) -> Result<Scanned<u64>, StoreError>;
    /// Deletes searches without results whose term mentions the person; returns how many terms.
    fn forget_searches(&mut self, names_person: &dyn Fn(&str) -> bool) -> Result<u64, StoreError>;
    /// Deletes the notes of some contacts and tickets; returns how many.
    fn forget_records(&mut self, id: ErasureId, most: u32) -> Result<u64, StoreError>;
}
