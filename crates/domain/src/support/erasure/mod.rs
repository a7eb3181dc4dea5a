//! Erases a person's data at their request (interface 25.7–25.12).
//!
//! The request erases the contact in its transaction, and stores what to search for. A worker then erases the rest in steps, each in its
//! own transaction. A step continues where the last one ended, so a process that is killed loses nothing.

mod preview;
mod redact;
mod request;
mod steps;
#[cfg(test)]
mod tests;

pub use preview::{ErasurePreview, PreviewedContact, preview};
pub use redact::erase_mentions;
pub use request::{ErasureFields, MAX_UNFINISHED, erase, list, read};
pub use steps::{STEP, continue_erasures};

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::input::{EmailAddress, EmailKey, choices, in_own_script, readable_choices};
use crate::kernel::paging::paginated;
use crate::{ContactId, ErasureId};

choices! {
    /// What the next step of an erasure erases. The phases run in this order.
    pub enum ErasurePhase {
        /// Contacts with one of the addresses, deleted ones too.
        Contacts = "contacts",
        /// Tickets that the person opened or that were opened for them.
        Tickets = "tickets",
        /// Comments on these contacts and tickets.
        Comments = "comments",
        /// E-mails to the person.
        Emails = "emails",
        /// Stored responses of idempotency keys.
        Answers = "answers",
        /// Events of these contacts and tickets.
        Events = "events",
        /// Events that other systems reported.
        Reports = "reports",
        /// The responses of webhook receivers. The events that are still to be sent were erased in an earlier phase.
        Deliveries = "deliveries",
        AuditLog = "audit_log",
        /// The list of these contacts, tickets and reports.
        Records = "records",
        Done = "done",
    }
}

readable_choices!(ErasurePhase);

impl ErasurePhase {
    fn next(self) -> Self {
        Self::ALL.iter().copied().skip_while(|phase| *phase != self).nth(1).unwrap_or(Self::Done)
    }
}

/// How much was erased so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct ErasedCounts {
    pub contacts: u64,
    /// Tickets that the person opened or that were opened for them.
    pub tickets: u64,
    /// Comments that the person wrote, that name them, or that are on their contact.
    pub comments: u64,
    /// Events of the log.
    pub events: u64,
    /// Webhook deliveries whose responses or bodies were erased.
    pub deliveries: u64,
    /// E-mails to the person, queued and sent.
    pub emails: u64,
    /// Stored responses of idempotency keys.
    pub answers: u64,
    /// Entries of the audit log.
    pub audit_entries: u64,
}

/// An erasure. Once it is done, it keeps nothing about the person but the id of their contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonErasure {
    pub id: ErasureId,
    /// The contact; `None` if there was none with the address.
    pub contact_id: Option<ContactId>,
    pub phase: ErasurePhase,
    /// Where the phase continues, in a form that only the store understands; `None` at its beginning.
    pub behind: Option<String>,
    /// The person's addresses as they are stored.
    pub emails: Vec<String>,
    /// The person's full names; see [`is_full_name`].
    pub names: Vec<String>,
    pub erased: ErasedCounts,
    pub created_by: Actor,
    pub created_by_name: String,
    pub created_at: OffsetDateTime,
    pub finished_at: Option<OffsetDateTime>,
    /// When it was requested, or when a step of it last failed. The erasure with the earliest time is next.
    pub turn_at: OffsetDateTime,
}

/// Whether to search for a name. A single word or initials may belong to many people, or not be a name at all.
fn is_full_name(name: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|character| character.is_alphabetic()).count();
    name.split_whitespace().count() > 1 && name.split_whitespace().any(|word| letters(word) >= 3)
}

/// The maximum number of contacts and of tickets that a preview counts.
pub const MAX_PREVIEWED: usize = 100;
/// The maximum number of addresses and of names that an erasure searches for.
const MAX_VALUES: usize = 50;

impl PersonErasure {
    /// Adds an address to search for: as given, with its domain in ASCII, and with its domain in its own script, because texts may have
    /// any of these forms.
    fn add_email(&mut self, email: &str) {
        let mut spellings = vec![email.to_owned()];
        if !email.is_ascii() || email.contains("xn--") {
            spellings.extend(EmailAddress::stored(email).map(|address| address.to_ascii()));
            spellings.extend([EmailKey::of(email).into(), in_own_script(email)]);
        }
        for spelling in spellings.into_iter().filter(|spelling| spelling.contains('@')) {
            if self.emails.len() < MAX_VALUES && !self.emails.contains(&spelling) {
                self.emails.push(spelling);
            }
        }
    }

    /// Adds a name to search for, if it is a full name.
    fn add_name(&mut self, name: &str) {
        if self.names.len() < MAX_VALUES && is_full_name(name) && !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// The keys of the addresses, including the keys that an earlier release used.
    pub fn email_keys(&self) -> Vec<String> {
        let keys = self.emails.iter().flat_map(|email| [EmailKey::of(email).into(), email.to_lowercase()]);
        keys.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// All texts to search for.
    pub fn texts(&self) -> Vec<String> {
        self.emails.iter().chain(&self.names).cloned().collect()
    }
}

/// How far an erasure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErasureState {
    /// The contact is erased; the rest follows, whatever happens to the request.
    Running,
    /// All of it is erased.
    Done,
}

/// An erasure as shown in the API. It contains nothing about the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Erasure")]
pub struct ErasureView {
    pub id: ErasureId,
    /// The erased contact; null if there was none with the address.
    pub contact_id: Option<ContactId>,
    pub state: ErasureState,
    /// How much was erased so far.
    pub erased: ErasedCounts,
    pub created_by: Actor,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// When everything was erased.
    #[serde(with = "OptionalTimestampText")]
    pub finished_at: Option<OffsetDateTime>,
}

impl From<PersonErasure> for ErasureView {
    fn from(erasure: PersonErasure) -> Self {
        let state = if erasure.phase == ErasurePhase::Done { ErasureState::Done } else { ErasureState::Running };
        let PersonErasure { id, contact_id, erased, created_by, created_at, finished_at, .. } = erasure;
        Self { id, contact_id, state, erased, created_by, created_at, finished_at }
    }
}

/// An erasure in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedErasure {
    pub erasure: ErasureView,
    /// The name that the requesting user had at the time.
    pub created_by_name: String,
}

impl From<PersonErasure> for ListedErasure {
    fn from(mut erasure: PersonErasure) -> Self {
        let created_by_name = std::mem::take(&mut erasure.created_by_name);
        Self { erasure: erasure.into(), created_by_name }
    }
}

paginated!(PersonErasure: ERASURES);

/// Where to find texts about a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextSource {
    /// Comments on erased contacts and tickets.
    Comments,
    /// Stored responses that may be about the person. They may contain one of the texts, or the id of an erased contact or ticket as a
    /// member, or its reference, or they were sent to the customer of a ticket.
    Answers,
    /// Events of erased contacts and tickets.
    Events,
    /// Events without a record that may contain one of the texts.
    Reports,
}

/// How a text relates to the person, which decides what of it is erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Entirely about the person, or written by them.
    Theirs,
    /// Written by another person. It may name the person.
    Mentioning,
    /// The payload of an event of their contact.
    ContactEvent,
    /// The payload of an event of their ticket. `is_theirs` if they caused it.
    TicketEvent { is_theirs: bool },
    /// The payload that another system reported.
    Report,
    /// A stored response. `is_theirs` if it contains one of the person's records.
    Answer { is_theirs: bool },
}

/// A text to erase, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// Identifies the text, in a form that only the store understands.
    pub place: String,
    pub kind: TextKind,
    pub text: String,
    /// The comment or the event; nil for others.
    pub id: Uuid,
}

/// The results of one scan step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scanned<T> {
    pub found: T,
    /// Where the next step begins; `None` at the end.
    pub next: Option<String>,
}
