//! Projects, cycles, issues and comments with all fields set, and with as few as possible.

use rust_decimal::Decimal;
use time::Duration;
use time::macros::{date, datetime};
use uuid::Uuid;

use super::TestWorkspace;
use super::records::{LINE, LINES, MADE, list, some};
use domain::identity::access::Actor;
use domain::kernel::IssueKind;
use domain::kernel::input::Masked;
use domain::work::comments::Comment;
use domain::work::cycles::Cycle;
use domain::work::issues::{Conversation, Issue, IssueStatus};
use domain::work::projects::{Priority, Project, ProjectStatus};
use domain::work::time_entries::{EntryStatus, TimeEntry};
use domain::{CommentId, CycleId, IssueId, ProjectId, TimeEntryId};

impl TestWorkspace {
    pub fn bare_project(&self) -> Project {
        let blank = Project::blank(ProjectId(self.id()), Actor::SYSTEM, self.now());
        Project { name: "Project".to_owned(), ..blank }
    }

    /// A project with all fields set, and its referenced records created.
    pub async fn full_project(&self) -> Project {
        Project {
            name: LINE.to_owned(),
            description: some(LINES),
            status: ProjectStatus::OnHold,
            priority: Priority::Urgent,
            progress: 100,
            start_date: Some(date!(2030 - 01 - 01)),
            end_date: Some(date!(9999 - 12 - 31)),
            team_id: Some(Uuid::from_u128(1)),
            lead_user_id: Some(self.member),
            template_id: Some(Uuid::from_u128(2)),
            deal_id: Some(self.add(self.bare_deal()).await.id),
            company_id: Some(self.add(self.bare_company()).await.id),
            github_url: some("https://github.com/a/b"),
            external_id: some("project ' 1"),
            hosted: true,
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.member_actor(),
            ..self.bare_project()
        }
    }

    /// A cycle of ten days; the first of a project starts in January 2030.
    pub fn cycle(&self, project: ProjectId, number: i32) -> Cycle {
        let start_date = date!(2030 - 01 - 01) + Duration::days(10 * i64::from(number - 1));
        Cycle {
            id: CycleId(self.id()),
            project_id: project,
            number,
            name: "Cycle".to_owned(),
            goal: None,
            start_date,
            end_date: start_date + Duration::days(9),
            version: 1,
            created_at: self.now(),
            updated_at: self.now(),
            created_by: Actor::SYSTEM,
        }
    }

    /// An hour of the member, without times.
    pub fn bare_time_entry(&self) -> TimeEntry {
        TimeEntry {
            date: date!(2030 - 01 - 31),
            seconds: Some(3_600),
            ..TimeEntry::blank(TimeEntryId(self.id()), self.member, Actor::SYSTEM, self.now())
        }
    }

    /// With all members that go together.
    pub async fn full_time_entry(&self) -> TimeEntry {
        let (project, company) = (self.add(self.bare_project()).await.id, self.add(self.bare_company()).await.id);
        TimeEntry {
            member_id: self.new_member().await,
            task_id: Some(self.add(self.bare_issue(IssueKind::Task).await).await.id),
            date: date!(2020 - 02 - 29),
            started_at: Some(MADE),
            ended_at: Some(MADE + Duration::HOUR),
            seconds: Some(3_600),
            billable: false,
            note: LINES.to_owned(),
            status: EntryStatus::Submitted,
            in_project_id: Some(project),
            for_company_id: Some(company),
            rate: Masked::new(Some(Decimal::new(12_550, 2))),
            rate_currency: Masked::new(Some("CHF".to_owned())),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.key_actor(),
            ..self.bare_time_entry()
        }
    }

    pub async fn bare_issue(&self, kind: IssueKind) -> Issue {
        let id = self.id();
        let blank = Issue::blank(IssueId(id), kind, Actor::SYSTEM, self.now());
        Issue {
            number: self.next_number(kind).await,
            reference: (kind == IssueKind::Ticket).then(|| reference_of(id)),
            title: "An issue".to_owned(),
            ..blank
        }
    }

    /// An issue with all members that its kind can have, and its referenced records created.
    pub async fn full_issue(&self, kind: IssueKind) -> Issue {
        let project = self.add(self.bare_project()).await.id;
        let status = if kind == IssueKind::Task { IssueStatus::Done } else { IssueStatus::Resolved };
        Issue {
            title: LINE.to_owned(),
            description: some(LINES),
            status,
            priority: Priority::Low,
            project_id: Some(project),
            assignee_id: Some(self.member),
            due_at: Some(datetime!(2031-12-31 23:59:59.999999 UTC)),
            start_date: Some(date!(2030 - 06 - 15)),
            parent_id: Some(self.add(self.bare_issue(kind).await).await.id),
            epic_id: Some(self.add(self.bare_issue(kind).await).await.id),
            cycle_id: Some(self.add(self.cycle(project, 1)).await.id),
            estimate_hours: Some(Decimal::new(25, 2)),
            deal_id: if kind == IssueKind::Task { Some(self.add(self.bare_deal()).await.id) } else { None },
            contact_id: if kind == IssueKind::Task { Some(self.add(self.bare_contact()).await.id) } else { None },
            company_id: if kind == IssueKind::Task { Some(self.add(self.bare_company()).await.id) } else { None },
            labels: list(&["b", "A", LINE]),
            completed_at: (kind == IssueKind::Task).then_some(MADE + Duration::HOUR),
            resolved_at: (kind == IssueKind::Ticket).then_some(MADE + Duration::HOUR),
            conversation: Conversation {
                customer_wrote_at: Some(MADE + Duration::MINUTE),
                answered_at: Some(MADE + 2 * Duration::MINUTE),
                waiting_since: Some(MADE + 3 * Duration::MINUTE),
                last_message_at: Some(MADE + 4 * Duration::MINUTE),
            },
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.key_actor(),
            ..self.bare_issue(kind).await
        }
    }

    pub fn comment(&self, issue: IssueId) -> Comment {
        let blank = Comment::blank(CommentId(self.id()), issue, self.key_actor(), self.key_actor(), self.now());
        Comment { body: "A comment".to_owned(), ..blank }
    }
}

/// A ticket reference, unique like the id.
fn reference_of(id: Uuid) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let digits = (0..10).map(|index| char::from(ALPHABET[(id.as_u128() >> (5 * index)) as usize % 32]));
    "TKT-".chars().chain(digits).collect()
}
