//! Tasks and tickets as event sources.

use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;

use super::{Issue, IssueStatus, Requester, TicketType};
use crate::IssueId;
use crate::events::example::{self, ADA, CHANGED, COMPANY, CONTACT, CYCLE, GRACE, MADE, PROJECT};
use crate::events::{CascadeRole, DataType, Event, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{Actor, RecordKind};
use crate::kernel::IssueKind;
use crate::work::comments;

pub(crate) static TASK_EVENTS: KindEvents = KindEvents {
    module: Module::Projects,
    verbs: &[
        ("updated", "Fields of a task other than status and assignee changed."),
        ("status_changed", "The status of a task changed, and completed_at with it."),
        ("assigned", "A task was assigned to a member, or unassigned."),
        ("deleted", "A task was deleted, alone or with its project (cause)."),
        ("restored", "A deleted task was restored, alone or with its project (cause)."),
    ],
    cascade: Some(CascadeRole::Follower),
    data: DataType::of::<Issue>(),
    examples: || {
        examples(example_task, |it| {
            it.status = IssueStatus::Done;
            it.completed_at = Some(CHANGED);
        })
    },
};

pub(crate) static TICKET_EVENTS: KindEvents = KindEvents {
    module: Module::Support,
    verbs: &[
        ("created", "A ticket was opened by a customer or by the workspace."),
        ("updated", "Fields of a ticket other than status and assignee changed."),
        ("status_changed", "The status of a ticket changed, and resolved_at with it."),
        ("assigned", "A ticket was assigned to a member, or unassigned."),
        (
            "comment_added",
            "The workspace or the customer added a comment to a ticket. Webhooks receive public comments only.",
        ),
        ("comment_updated", "The text of a comment on a ticket changed. Webhooks receive public comments only."),
        ("comment_deleted", "A comment on a ticket was deleted. Webhooks receive public comments only."),
    ],
    cascade: None,
    data: DataType::of::<Issue>(),
    examples: || {
        examples(example_ticket, |it| {
            it.status = IssueStatus::Resolved;
            it.resolved_at = Some(CHANGED);
        })
    },
};

impl EventSource for Issue {
    event_source!();

    fn kind(&self) -> RecordKind {
        self.kind.into()
    }

    fn scope(&self) -> Option<Uuid> {
        match self.kind {
            IssueKind::Task => self.project_id.map(|id| id.0),
            IssueKind::Ticket => None,
        }
    }

    fn verb_of(&self, _: &Self, member: &str) -> Option<&'static str> {
        match member {
            "status" | "completed_at" | "resolved_at" => Some("status_changed"),
            "assignee_id" => Some("assigned"),
            _ => None,
        }
    }
}

fn examples(issue: fn(i64, OffsetDateTime) -> Issue, finish: fn(&mut Issue)) -> Vec<Event> {
    let changes: [fn(&mut Issue); 3] =
        [|it| it.due_at = Some(datetime!(2030-05-16 16:00 UTC)), |it| it.assignee_id = Some(GRACE), finish];
    [example::life(issue, &changes), comments::events::examples(&issue(1, MADE))].concat()
}

fn example_task(version: i64, updated_at: OffsetDateTime) -> Issue {
    Issue {
        number: 12,
        title: "Import the address book".to_owned(),
        project_id: Some(PROJECT),
        cycle_id: Some(CYCLE),
        company_id: Some(COMPANY),
        due_at: Some(datetime!(2030-05-09 16:00 UTC)),
        labels: vec!["import".to_owned()],
        version,
        updated_at,
        ..Issue::blank(IssueId(example::id(7)), IssueKind::Task, ADA, MADE)
    }
}

fn example_ticket(version: i64, updated_at: OffsetDateTime) -> Issue {
    Issue {
        number: 318,
        reference: Some("TKT-7Q2M9KXA".to_owned()),
        requester: Some(Requester {
            name: "Mara Lindholm".to_owned(),
            email: "mara@northwind.example".to_owned(),
            ticket_type: TicketType::Problem,
            contact_id: Some(CONTACT),
        }),
        title: "The import stops at row 500".to_owned(),
        description: Some("It worked last week, with the same file.".to_owned()),
        version,
        updated_at,
        ..Issue::blank(IssueId(example::id(8)), IssueKind::Ticket, Actor::SYSTEM, MADE)
    }
}
