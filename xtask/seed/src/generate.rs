//! Generates realistic records, deterministically.

use domain::crm::companies::Company;
use domain::crm::contacts::{Contact, ContactStatus, ContactType};
use domain::crm::deals::{Deal, DealStage, DealStatus};
use domain::identity::access::Actor;
use domain::identity::workspaces::Workspace;
use domain::kernel::IssueKind;
use domain::work::issues::{Conversation, Issue, IssueStatus, Requester, TicketType};
use domain::work::projects::{Priority, Project, ProjectStatus};
use domain::{CompanyId, ContactId, DealId, IssueId, ProjectId, UserId};
use rust_decimal::Decimal;
use time::macros::datetime;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::words::{COMPANY, COMPANY_KIND, COUNTRY, FAMILY, GIVEN, JOB, PLACE, THING, VERB};

/// Creation time of the first record; later ones follow at intervals of seconds.
const FIRST: OffsetDateTime = datetime!(2024-01-01 08:00 UTC);
/// Records refer only to the latest ones, up to this many.
const REMEMBERED: usize = 5_000;
/// One record in this many has an assignee.
const ASSIGNED: usize = 10;
/// One task in this many belongs to the largest project.
const IN_LARGEST: usize = 12;
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Generates records in sequence.
pub(crate) struct Generator {
    /// Keeps e-mail addresses unique across workspaces and runs.
    run: u64,
    state: u64,
    count: u64,
    now: OffsetDateTime,
    pub(crate) currency: String,
    pub(crate) members: Vec<UserId>,
    companies: Vec<CompanyId>,
    contacts: Vec<ContactId>,
    projects: Vec<ProjectId>,
    /// With their projects.
    pub(crate) tasks: Vec<(IssueId, Option<ProjectId>)>,
    numbers: [i64; 2],
}

impl Generator {
    /// Continues after the issue numbers (tasks, tickets) in use.
    pub(crate) fn new(workspace: &Workspace, members: Vec<UserId>, numbers: [i64; 2]) -> Self {
        let run = u64::try_from(numbers[0] + numbers[1]).unwrap_or(0);
        let seed = workspace.id.0.as_u64_pair().1 ^ run;
        Self {
            run,
            state: seed | 1,
            count: 0,
            now: FIRST,
            currency: workspace.default_currency.clone(),
            members,
            companies: Vec::new(),
            contacts: Vec::new(),
            projects: Vec::new(),
            tasks: Vec::new(),
            numbers,
        }
    }

    /// The numbers in use now.
    pub(crate) const fn issue_numbers(&self) -> [i64; 2] {
        self.numbers
    }

    pub(crate) fn companies(&mut self, count: u64) -> Vec<Company> {
        (0..count).map(|_| self.company()).collect()
    }

    pub(crate) fn contacts(&mut self, count: u64) -> Vec<Contact> {
        (0..count).map(|_| self.contact()).collect()
    }

    pub(crate) fn deals(&mut self, count: u64) -> Vec<Deal> {
        (0..count).map(|_| self.deal()).collect()
    }

    pub(crate) fn projects(&mut self, count: u64) -> Vec<Project> {
        (0..count).map(|_| self.project()).collect()
    }

    pub(crate) fn issues(&mut self, count: u64) -> Vec<Issue> {
        (0..count).map(|_| self.issue()).collect()
    }

    /// One xorshift step: fast and portable.
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // A remainder below `bound` fits into `usize`.
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or(0)
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(crate) fn id_and_time(&mut self) -> (Uuid, OffsetDateTime) {
        self.count += 1;
        let later = i64::try_from(self.next() % 3_000).unwrap_or(0);
        self.now += Duration::milliseconds(2_000 + later);
        let millis = u64::try_from(self.now.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        let mut random = [0; 10];
        random[..8].copy_from_slice(&self.next().to_be_bytes());
        random[8..].copy_from_slice(&self.next().to_be_bytes()[..2]);
        (uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid(), self.now)
    }

    fn date(&mut self, days_ahead: usize) -> Date {
        let days = self.below(days_ahead);
        (self.now + Duration::days(i64::try_from(days).unwrap_or(0))).date()
    }

    fn title(&mut self) -> String {
        format!("{} {} {}", self.pick(VERB), self.pick(THING), self.pick(PLACE))
    }

    fn company(&mut self) -> Company {
        let (id, now) = self.id_and_time();
        let name = format!("{} {}", self.pick(COMPANY), self.pick(COMPANY_KIND));
        if self.companies.len() < REMEMBERED {
            self.companies.push(CompanyId(id));
        }
        Company {
            domain: Some(format!("{}-{}-{}.example", name.to_lowercase().replace(' ', "-"), self.run, self.count)),
            name,
            phone: Some(format!("+49 30 {:07}", self.below(10_000_000))),
            ..Company::blank(CompanyId(id), Actor::SYSTEM, now)
        }
    }

    fn any_company(&mut self) -> Option<CompanyId> {
        if self.companies.is_empty() || self.one_in(2) {
            return None;
        }
        let any = self.below(self.companies.len());
        self.companies.get(any).copied()
    }

    fn any_member(&mut self) -> Option<UserId> {
        if self.members.is_empty() || !self.one_in(ASSIGNED) {
            return None;
        }
        let any = self.below(self.members.len());
        self.members.get(any).copied()
    }

    pub(crate) fn any_project(&mut self) -> Option<ProjectId> {
        if self.projects.is_empty() {
            return None;
        }
        let any = if self.one_in(IN_LARGEST) { 0 } else { self.below(self.projects.len()) };
        self.projects.get(any).copied()
    }

    fn contact(&mut self) -> Contact {
        let (id, now) = self.id_and_time();
        let (given, family) = (self.pick(GIVEN), self.pick(FAMILY));
        let company = format!("{} {}", self.pick(COMPANY), self.pick(COMPANY_KIND));
        let (country, city) = self.pick(COUNTRY);
        let plain = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase();
        let domain = company.to_lowercase().replace(' ', "-");
        if self.contacts.len() < REMEMBERED {
            self.contacts.push(ContactId(id));
        }
        Contact {
            email: format!("{}.{}.{}-{}@{domain}.example", plain(given), plain(family), self.run, self.count),
            first_name: Some(given.to_owned()),
            last_name: Some(family.to_owned()),
            phone: Some(format!("+49 30 {:07}", self.below(10_000_000))),
            job_title: Some(self.pick(JOB).to_owned()),
            company_name: Some(company),
            company_id: self.any_company(),
            contact_type: self.pick(ContactType::ALL),
            // Most are active; blocked ones are rare.
            status: if self.one_in(8) { self.pick(ContactStatus::ALL) } else { ContactStatus::Active },
            lead_source: Some(self.pick(&["web", "referral", "fair", "partner"]).to_owned()),
            tags: if self.one_in(3) { vec!["newsletter".to_owned()] } else { Vec::new() },
            country: Some(country.to_owned()),
            city: Some(city.to_owned()),
            ..Contact::blank(ContactId(id), Actor::SYSTEM, now)
        }
    }

    fn deal(&mut self) -> Deal {
        let (id, now) = self.id_and_time();
        let status = if self.one_in(3) { self.pick(DealStatus::ALL) } else { DealStatus::Open };
        let stage = match status {
            DealStatus::ClosedWon => DealStage::ClosedWon,
            DealStatus::ClosedLost => DealStage::ClosedLost,
            DealStatus::Open | DealStatus::OnHold => self.pick(&DealStage::ALL[..4]),
        };
        let closed = matches!(status, DealStatus::ClosedWon | DealStatus::ClosedLost);
        let any = self.below(self.contacts.len());
        let contact_id = self.contacts.get(any).copied();
        Deal {
            title: format!("{} {}: {}", self.pick(COMPANY), self.pick(COMPANY_KIND), self.pick(THING)),
            contact_id,
            company_id: self.any_company(),
            assigned_to: self.any_member(),
            status,
            stage,
            value: Some(Decimal::new(i64::try_from(self.below(50_000_000)).unwrap_or(0), 2)),
            probability: Some(i32::try_from(self.below(11) * 10).unwrap_or(0)),
            expected_close_date: Some(self.date(180)),
            actual_close_date: closed.then(|| now.date()),
            lost_reason: (status == DealStatus::ClosedLost).then(|| "Price".to_owned()),
            source: Some("web".to_owned()),
            ..Deal::blank(DealId(id), &self.currency, Actor::SYSTEM, now)
        }
    }

    fn project(&mut self) -> Project {
        let (id, now) = self.id_and_time();
        if self.projects.len() < REMEMBERED {
            self.projects.push(ProjectId(id));
        }
        Project {
            name: self.title(),
            status: self.pick(ProjectStatus::ALL),
            priority: self.pick(Priority::ALL),
            progress: i32::try_from(self.below(101)).unwrap_or(0),
            start_date: Some(now.date()),
            end_date: Some(self.date(365)),
            ..Project::blank(ProjectId(id), Actor::SYSTEM, now)
        }
    }

    fn issue(&mut self) -> Issue {
        let (id, now) = self.id_and_time();
        let kind = if self.one_in(5) { IssueKind::Ticket } else { IssueKind::Task };
        let statuses: Vec<_> = IssueStatus::ALL.iter().copied().filter(|status| status.kind() == kind).collect();
        let status = self.pick(&statuses);
        let number = &mut self.numbers[usize::from(kind == IssueKind::Ticket)];
        *number += 1;
        let number = *number;
        let reference = (kind == IssueKind::Ticket).then(|| self.reference());
        let issue = Issue {
            number,
            reference,
            requester: (kind == IssueKind::Ticket).then(|| self.requester()),
            title: self.title(),
            description: Some(format!("{}. Asked for by {} {}.", self.title(), self.pick(GIVEN), self.pick(FAMILY))),
            status,
            priority: self.pick(Priority::ALL),
            project_id: self.any_project(),
            assignee_id: self.any_member(),
            due_at: self.one_in(3).then(|| now + Duration::days(14)),
            estimate_hours: self.one_in(2).then(|| Decimal::new(i64::try_from(self.below(4_000)).unwrap_or(0), 2)),
            labels: if self.one_in(4) { vec!["customer".to_owned()] } else { Vec::new() },
            completed_at: (kind == IssueKind::Task && status.is_completed()).then_some(now),
            resolved_at: (kind == IssueKind::Ticket && status.is_completed()).then_some(now),
            conversation: if kind == IssueKind::Ticket { opened(status, now) } else { Conversation::default() },
            ..Issue::blank(IssueId(id), kind, Actor::SYSTEM, now)
        };
        if kind == IssueKind::Task && self.tasks.len() < REMEMBERED {
            self.tasks.push((issue.id, issue.project_id));
        }
        issue
    }

    /// A customer who has also opened other tickets.
    fn requester(&mut self) -> Requester {
        let any = self.below(self.contacts.len());
        Requester {
            name: format!("{} {}", self.pick(GIVEN), self.pick(FAMILY)),
            email: format!("customer{}@customers.example", self.below(REMEMBERED)),
            ticket_type: self.pick(TicketType::ALL),
            contact_id: self.contacts.get(any).copied(),
        }
    }

    fn reference(&mut self) -> String {
        let characters: String = (0..10).map(|_| char::from(CROCKFORD[self.below(32)])).collect();
        format!("TKT-{characters}")
    }
}

/// The conversation of a ticket that its customer has just opened.
fn opened(status: IssueStatus, now: OffsetDateTime) -> Conversation {
    let waiting_since = status.is_open().then_some(now);
    Conversation { customer_wrote_at: Some(now), waiting_since, last_message_at: Some(now), answered_at: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn records_are_the_same_each_time_and_unique() {
        let workspace = domain::testing::workspace_value(1);
        let make = || Generator::new(&workspace, Vec::new(), [0, 0]).contacts(500);
        let contacts = make();
        assert_eq!(contacts, make());
        assert_eq!(contacts.iter().map(Contact::email_key).collect::<HashSet<_>>().len(), 500);
        assert!(contacts.is_sorted_by_key(|contact| (contact.created_at, contact.id)));
        let mut generator = Generator::new(&workspace, Vec::new(), [7, 3]);
        let issues = generator.issues(500);
        assert!(
            issues.iter().all(|issue| issue.status.kind() == issue.kind
                && issue.reference.is_some() == (issue.kind == IssueKind::Ticket))
        );
        assert_eq!(generator.issue_numbers().iter().sum::<i64>(), 510);
    }
}
