//! Issues: tasks and tickets (interface 11).

mod bulk;
mod bulk_fields;
mod conversation;
mod create;
mod delete;
mod each;
mod emails;
pub(crate) mod events;
mod import;
mod inbox;
mod list;
mod read;
mod reference;
mod requester;
mod status;
mod summary;
mod tracking_link;
mod update;

pub(crate) use bulk::change_many;
pub use bulk::{BulkFailure, BulkUpdated, bulk_update};
pub use bulk_fields::{BulkPatch, BulkUpdate, MAX_BULK_IDS};
pub use conversation::{Conversation, MessageTimes, UNREAD_FOR};
pub use create::{NewIssue, create, create_ticket};
pub use delete::{delete, restore};
pub use each::{IssueChange, update_each};
pub(crate) use emails::{queue_answer_email, queue_resolution_emails};
pub use import::ImportedFields;
pub(crate) use import::IssueImport;
pub use inbox::{
    AssigneeGroup, InboxCounts, InboxReader, InboxTicket, MAX_COUNTED, MAX_READS, NextInInbox, TicketCount, UNFINISHED,
    WaitingPart, count_waiting, inbox, inbox_cursor, is_inbox_cursor, next_in_inbox, open_ticket, previous_in_inbox,
};
pub use list::{AssigneeChoice, IssueFilter, IssueOrder, RequesterKey, list, list_of_project, list_or_deleted, totals};
pub use read::{ChildIssues, MAX_CHILDREN, id_by_reference, read, read_by_reference, read_with_children};
pub use reference::TicketReference;
pub(crate) use reference::new_reference;
pub use requester::{ERASED, NewRequester, Requester, RequesterFields, TicketType};
pub use status::IssueStatus;
pub use summary::{IssueGroup, summarize};
pub use tracking_link::{TRACKING_LINK_TTL, TrackingLink};
pub(crate) use tracking_link::{new_link, new_link_url, url_of};
pub use update::update;

use time::{Date, OffsetDateTime};

use crate::identity::access::ReadIssues;
use crate::kernel::IssueKind;
use crate::kernel::input::{DueTime, Line, LongText, Problems, TwoDecimals};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::records::{HasHistory, Kind, RecordKind, kind, resource};
use crate::work::projects::Priority;
use crate::{CompanyId, ContactId, CycleId, DealId, IssueId, ProjectId, Reference, UserId};

/// Up to 10,000 hours.
pub type Hours = TwoDecimals<1_000_000>;

/// A relation in which one issue is above another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// By `parent_id`.
    Parent,
    /// By `epic_id`.
    Epic,
}

resource! {
    /// The writable fields of an issue, except its kind.
    pub input IssueFields together IssueFields::check_cycle;

    /// A task or a ticket.
    pub record Issue(IssueId, kind: IssueKind) {
        [read_only kind: IssueKind = kind],
        // Increasing per workspace and kind, with gaps; 0 until the issue is inserted.
        [read_only number: i64 = 0],
        // The public reference of a ticket; `None` for tasks.
        [read_only reference: Option<String> = None],
        // The customer of a ticket; `None` for tasks, and for tickets that the workspace opened without a customer.
        [read_only requester: Option<Requester> = None],
        /// What to do or what was asked, in one line.
        title: Line<500> = required,
        /// The details.
        description: LongText<50_000>,
        /// The status; tasks and tickets have different values.
        /// Default: todo for tasks, open for tickets.
        status: IssueStatus = own_rule(IssueStatus::default_of(kind)),
        /// How urgent it is.
        /// Default: medium.
        priority: Priority = default(Priority::Medium),
        /// The project it belongs to.
        project_id: ProjectId => Reference::Project,
        /// The member responsible for it.
        assignee_id: UserId => Reference::Member,
        /// When it is due.
        /// Note: A date means its end in UTC.
        due_at: DueTime,
        // When work on it starts; `BulkPatch` changes it.
        [read_only start_date: Option<Date> = None],
        /// The issue of the same kind that it is a part of.
        /// Note: Its whole, of the same kind.
        parent_id: IssueId,
        // The issue of the same kind that it belongs to; `BulkPatch` changes it.
        [read_only epic_id: Option<IssueId> = None],
        /// The cycle of its project for which it is planned; requires `project_id`.
        cycle_id: CycleId,
        /// The expected effort in hours.
        estimate_hours: Hours,
        /// The deal that a task is about; tickets have none.
        /// Contract: additional.
        deal_id: DealId => Reference::Deal,
        /// The contact that a task is about; tickets have a requester instead.
        /// Contract: additional.
        contact_id: ContactId => Reference::Contact,
        /// The company that a task is about; tickets have none.
        /// Contract: additional.
        company_id: CompanyId => Reference::Company,
        // `BulkPatch` changes them.
        [read_only labels: Vec<String> = Vec::new()],
        // When a task reached `done`; `None` in any other status, and for tickets.
        [read_only completed_at: Option<OffsetDateTime> = None],
        // When a ticket became `resolved` or `closed`; `None` in any other status, and for tasks.
        [read_only resolved_at: Option<OffsetDateTime> = None],
        // Messages change it without changing the version, so it is not part of the record that clients see.
        [hidden conversation: Conversation = Conversation::default()],
    }
}

kind! {
    Issue, [Task, Ticket], IssueId, called title,
    listed by IssueFilter as ListName::numbered(5).by_change().with_comments()
}

impl HasHistory for IssueId {
    type Read = ReadIssues;
    const KINDS: &'static [RecordKind] = Issue::KINDS;
}

/// The fields that link a task to a CRM record.
pub const CRM_LINKS: [&str; 3] = ["deal_id", "contact_id", "company_id"];

impl IssueFields {
    /// Reports links of a ticket to CRM records. It has a requester instead.
    fn note_crm_links(&self, kind: IssueKind, problems: &mut Problems) {
        let tied = [self.deal_id.set().is_some(), self.contact_id.set().is_some(), self.company_id.set().is_some()];
        for (member, _) in CRM_LINKS.into_iter().zip(tied).filter(|(_, tied)| kind == IssueKind::Ticket && *tied) {
            problems.rule(member, "tasks_only", "only tasks can be linked to a deal, contact or company: omit it");
        }
    }
}

impl Issue {
    /// The words that search matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title)).text(self.description.as_deref());
        words.into_vec()
    }
}
