//! A record of each kind, as a small company might have it.

use serde_json::Map;
use time::OffsetDateTime;
use time::macros::{date, datetime};
use uuid::Uuid;

use crate::crm::comments::{CrmRecord, RecordComment};
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::identity::access::{Actor, ActorKind, Principal};
use crate::kernel::IssueKind;
use crate::support::kb::Article;
use crate::work::comments::{Comment, Visibility};
use crate::work::cycles::{CycleStatus, CycleView};
use crate::work::issues::{Issue, Requester, TicketType};
use crate::work::projects::{Priority, Project};
use crate::{CommentId, CompanyId, ContactId, CycleId, DealId, IssueId, KbArticleId, ProjectId, UserId};

/// When the records were made.
pub(super) const MADE: OffsetDateTime = datetime!(2030-03-04 09:15:27.418205 UTC);
/// When they were changed.
pub(super) const CHANGED: OffsetDateTime = datetime!(2030-03-06 14:02:51.090367 UTC);

/// A UUID of version 7 of that time.
const fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x01ba_6ff1_0f6a_7000_8000_0000_0000_0000 + number)
}

const MEMBER: UserId = UserId(id(1));
const CONTACT: ContactId = ContactId(id(2));
const COMPANY: CompanyId = CompanyId(id(3));
const DEAL: DealId = DealId(id(4));
const PROJECT: ProjectId = ProjectId(id(5));
const CYCLE: CycleId = CycleId(id(6));
const TASK: IssueId = IssueId(id(7));
const TICKET: IssueId = IssueId(id(8));

const ADA: Actor = Actor { kind: ActorKind::User, id: Some(MEMBER.0) };

/// The member who does it all.
pub(super) fn ada() -> Principal {
    Principal::named(ADA, "Ada Byron", None)
}

/// The events of the project with which its task and cycle are deleted and restored.
pub(super) const PROJECT_DELETION: Uuid = id(20);
pub(super) const PROJECT_RESTORATION: Uuid = id(21);

/// To whom things are given.
pub(super) const GRACE: UserId = UserId(id(9));

pub(super) fn contact() -> Contact {
    Contact {
        email: "mara@northwind.example".to_owned(),
        first_name: Some("Mara".to_owned()),
        last_name: Some("Lindholm".to_owned()),
        job_title: Some("Head of Operations".to_owned()),
        company_id: Some(COMPANY),
        assigned_to: Some(MEMBER),
        tags: vec!["newsletter".to_owned()],
        country: Some("Sweden".to_owned()),
        ..Contact::blank(CONTACT, ADA, MADE)
    }
}

pub(super) fn company() -> Company {
    Company {
        name: "Northwind AB".to_owned(),
        domain: Some("northwind.example".to_owned()),
        industry: Some("Logistics".to_owned()),
        website: Some("https://northwind.example/".to_owned()),
        assigned_to: Some(MEMBER),
        ..Company::blank(COMPANY, ADA, MADE)
    }
}

pub(super) fn deal() -> Deal {
    Deal {
        title: "Northwind: 40 seats".to_owned(),
        contact_id: Some(CONTACT),
        company_id: Some(COMPANY),
        assigned_to: Some(MEMBER),
        value: Some(rust_decimal::Decimal::new(1_250_050, 2)),
        probability: Some(40),
        expected_close_date: Some(date!(2030 - 04 - 30)),
        custom_fields: Map::from_iter([("region".to_owned(), "north".into())]),
        ..Deal::blank(DEAL, "EUR", ADA, MADE)
    }
}

pub(super) fn project() -> Project {
    Project {
        name: "Northwind roll-out".to_owned(),
        priority: Priority::High,
        start_date: Some(date!(2030 - 05 - 01)),
        end_date: Some(date!(2030 - 07 - 31)),
        lead_user_id: Some(MEMBER),
        deal_id: Some(DEAL),
        company_id: Some(COMPANY),
        ..Project::blank(PROJECT, ADA, MADE)
    }
}

pub(super) fn cycle() -> CycleView {
    CycleView {
        id: CYCLE,
        project_id: PROJECT,
        number: 1,
        name: "Cycle 1".to_owned(),
        goal: Some("Everybody can sign in".to_owned()),
        start_date: date!(2030 - 05 - 01),
        end_date: date!(2030 - 05 - 14),
        status: CycleStatus::Upcoming,
        issue_count: 3,
        completed_issue_count: 0,
        version: 1,
        created_at: MADE,
        updated_at: MADE,
        created_by: ADA,
    }
}

pub(super) fn task() -> Issue {
    Issue {
        number: 12,
        title: "Import the address book".to_owned(),
        project_id: Some(PROJECT),
        cycle_id: Some(CYCLE),
        company_id: Some(COMPANY),
        due_at: Some(datetime!(2030-05-09 16:00 UTC)),
        labels: vec!["import".to_owned()],
        ..Issue::blank(TASK, IssueKind::Task, ADA, MADE)
    }
}

pub(super) fn ticket() -> Issue {
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
        ..Issue::blank(TICKET, IssueKind::Ticket, Actor::SYSTEM, MADE)
    }
}

/// A comment on the task.
pub(super) fn task_comment() -> Comment {
    Comment {
        body: "The file is in the shared folder.".to_owned(),
        ..Comment::blank(CommentId(id(10)), TASK, ADA, ADA, MADE)
    }
}

/// A public comment on the ticket.
pub(super) fn ticket_comment() -> Comment {
    Comment {
        body: "We found it, and are working on it.".to_owned(),
        visibility: Visibility::Public,
        ..Comment::blank(CommentId(id(11)), TICKET, ADA, ADA, MADE)
    }
}

/// A comment on the contact, the company and the deal.
pub(super) fn record_comments() -> [RecordComment; 3] {
    [CrmRecord::Contact(CONTACT), CrmRecord::Company(COMPANY), CrmRecord::Deal(DEAL)].map(|record| RecordComment {
        body: "Called: they decide after Easter.".to_owned(),
        ..RecordComment::blank(CommentId(id(12)), record, ADA, ADA, MADE)
    })
}

pub(super) fn article() -> Article {
    Article {
        title: "How do I import contacts?".to_owned(),
        slug: "how-do-i-import-contacts".to_owned(),
        body: Some("Open **Settings**, then *Import*.".to_owned()),
        tags: vec!["import".to_owned()],
        ..Article::blank(KbArticleId(id(13)), ADA, MADE)
    }
}
