//! Deleted records: found, listed, restored and erased.

use time::OffsetDateTime;
use uuid::Uuid;

use super::crm::{check_company, check_contact, check_deal, matches_company, matches_contact, matches_deal};
use super::issues::matches_issue;
use super::kb::{check_article, matches_article};
use super::projects::{check_project, matches_project};
use super::state::{MemoryTx, Records, State};
use super::table::{Order, page};
use domain::crm::comments::CrmRecord;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::ports::{DeletedRepo, RecordErasureRepo, StoreError};
use domain::records::{DeletableKind, Deleted, erased_payload};
use domain::support::kb::{Article, ArticleFilter};
use domain::work::cycles::Cycle;
use domain::work::issues::{ERASED, Issue, IssueFilter};
use domain::work::projects::{Project, ProjectFilter};
use domain::{CommentId, CompanyId, ContactId, CycleId, DealId, IssueId, KbArticleId, ProjectId};

macro_rules! deleted_records {
    ($( $record:ident by $filter:ty: $table:ident, $matches:expr, $check:expr, $with:expr; )*) => { $(
        impl DeletedRepo<$record, $filter> for MemoryTx<'_> {
            fn get_deleted_for_update(
                &mut self,
                id: Uuid,
                since: OffsetDateTime,
            ) -> Result<Option<Deleted<$record>>, StoreError> {
                let found = self.records.$table.deleted(since).find(|(record, _)| record.id.0 == id);
                Ok(found.map(|(record, deleted_at)| Deleted { record: record.clone(), deleted_at }))
            }

            fn restore(&mut self, deleted: &Deleted<$record>) -> Result<(), StoreError> {
                let check: fn(&Records, &$record) -> Result<(), StoreError> = $check;
                check(self.records, &deleted.record)?;
                self.records.$table.restore(deleted.record.id, &deleted.record)?;
                let with: fn(&mut Records, &Deleted<$record>) = $with;
                with(self.records, deleted);
                Ok(())
            }

            fn list_deleted(
                &mut self,
                filter: &$filter,
                since: OffsetDateTime,
                request: &PageRequest,
            ) -> Result<Vec<Deleted<$record>>, StoreError> {
                let matches: fn(&Records, &$filter, &$record) -> bool = $matches;
                let records = &*self.records;
                let chosen = records.$table.deleted(since).filter(|(record, _)| matches(records, filter, record));
                let chosen: Vec<_> =
                    chosen.map(|(record, deleted_at)| Deleted { record: record.clone(), deleted_at }).collect();
                let place = |deleted: &Deleted<$record>| (deleted.record.created_at, deleted.record.id.0);
                Ok(page(chosen.iter(), place, Order::NewestFirst, request))
            }
        }
    )* };
}

deleted_records! {
    Company by CompanyFilter: companies,
        |_, filter, company| matches_company(filter, company),
        |records, company| check_company(&records.companies, company),
        |_, _| ();
    Contact by ContactFilter: contacts,
        |_, filter, contact| matches_contact(filter, contact),
        |records, contact| check_contact(&records.contacts, contact),
        |_, _| ();
    Deal by DealFilter: deals,
        |_, filter, deal| matches_deal(filter, deal),
        |records, deal| check_deal(&records.deals, deal),
        |_, _| ();
    Project by ProjectFilter: projects,
        |_, filter, project| matches_project(filter, project),
        |records, project| check_project(&records.projects, project),
        restore_within;
    Cycle by ProjectId: cycles, |_, project, cycle| cycle.project_id == *project, |_, _| Ok(()), |_, _| ();
    Issue by IssueFilter: issues,
        |records, filter, issue| matches_issue(filter, issue, &records.contacts),
        |_, _| Ok(()),
        restore_in_cycle;
    Article by ArticleFilter: kb_articles,
        |_, filter, article| matches_article(filter, article),
        |records, article| check_article(&records.kb_articles, article),
        |_, _| ();
}

/// What was deleted with a project comes back with it.
fn restore_within(records: &mut Records, deleted: &Deleted<Project>) {
    let project = deleted.record.id;
    records.cycles.restore_where(deleted.deleted_at, |cycle| cycle.project_id == project);
    records.issues.restore_where(deleted.deleted_at, |issue| issue.project_id == Some(project));
    let is_theirs = |issue: &&Issue| issue.project_id == Some(project) && issue.kind == IssueKind::Task;
    for task in records.issues.live().filter(is_theirs).cloned().collect::<Vec<_>>() {
        records.note_in_cycle(None, &task, deleted.deleted_at, true);
    }
}

/// It is in its cycle again.
fn restore_in_cycle(records: &mut Records, deleted: &Deleted<Issue>) {
    records.note_in_cycle(None, &deleted.record, deleted.record.updated_at.max(deleted.deleted_at), true);
}

impl RecordErasureRepo for MemoryTx<'_> {
    fn erase(&mut self, kind: DeletableKind, ids: &[Uuid], at: OffsetDateTime, most: u32) -> Result<u64, StoreError> {
        Ok(ids.iter().map(|id| self.records.erase(kind, *id, at, u64::from(most))).sum())
    }
}

/// Erases records of any workspace that were deleted at or before `before`.
pub(super) fn erase_due(state: &mut State, before: OffsetDateTime, at: OffsetDateTime, limit: u32) -> u64 {
    let mut rows = 0;
    for records in state.records.values_mut() {
        for kind in DeletableKind::ALL.iter().copied() {
            for id in records.due(kind, before) {
                let left = u64::from(limit).saturating_sub(rows);
                if left == 0 {
                    return rows;
                }
                rows += records.erase(kind, id, at, left);
            }
        }
    }
    rows
}

impl Records {
    fn due(&self, kind: DeletableKind, before: OffsetDateTime) -> Vec<Uuid> {
        match kind {
            DeletableKind::Contact => self.contacts.due(before, |id| id.0),
            DeletableKind::Company => self.companies.due(before, |id| id.0),
            DeletableKind::Deal => self.deals.due(before, |id| id.0),
            DeletableKind::Project => self.projects.due(before, |id| id.0),
            DeletableKind::Cycle => self.cycles.due(before, |id| id.0),
            DeletableKind::Task => self.issues.due(before, |id| id.0),
            DeletableKind::Article => self.kb_articles.due(before, |id| id.0),
        }
    }

    /// Erases a record and what is about it, at most `most` rows; returns how many.
    fn erase(&mut self, kind: DeletableKind, id: Uuid, at: OffsetDateTime, most: u64) -> u64 {
        let mut rows = self.remove_comments(kind, id, most);
        let drafts = self.drafts.len();
        self.drafts.retain(|(_, record, _), _| *record != id);
        rows += (drafts - self.drafts.len()) as u64;
        let events = self.events.values_mut().filter(|event| event.record.is_some_and(|record| record.id == id));
        for event in events.filter(|event| !event.payload.ends_with(r#","erased":true}"#)) {
            if rows < most {
                event.payload = erased_payload(&event.payload);
                rows += 1;
            }
        }
        if rows < most && self.erase_members(kind, id, at) {
            rows += 1;
        }
        rows
    }

    fn remove_comments(&mut self, kind: DeletableKind, id: Uuid, most: u64) -> u64 {
        let on_record = |record: CrmRecord| {
            let on = self.record_comments.live().filter(|comment| comment.record == record);
            on.map(|comment| comment.id).collect::<Vec<CommentId>>()
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut rows = 0;
        let chosen = match kind {
            DeletableKind::Contact => on_record(CrmRecord::Contact(ContactId(id))),
            DeletableKind::Company => on_record(CrmRecord::Company(CompanyId(id))),
            DeletableKind::Deal => on_record(CrmRecord::Deal(DealId(id))),
            DeletableKind::Task => {
                let on = self.comments.live().filter(|comment| comment.issue_id.0 == id);
                let chosen: Vec<_> = on.map(|comment| comment.id).take(most).collect();
                rows += chosen.into_iter().filter(|id| self.comments.remove(*id)).count();
                Vec::new()
            }
            DeletableKind::Project | DeletableKind::Cycle | DeletableKind::Article => Vec::new(),
        };
        rows += chosen.into_iter().take(most).filter(|id| self.record_comments.remove(*id)).count();
        rows as u64
    }

    fn erase_members(&mut self, kind: DeletableKind, id: Uuid, at: OffsetDateTime) -> bool {
        match kind {
            DeletableKind::Contact => self.contacts.erase(ContactId(id), at, erased_contact),
            DeletableKind::Company => self.companies.erase(CompanyId(id), at, erased_company),
            DeletableKind::Deal => self.deals.erase(DealId(id), at, erased_deal),
            DeletableKind::Project => self.projects.erase(ProjectId(id), at, erased_project),
            DeletableKind::Cycle => self.cycles.erase(CycleId(id), at, erased_cycle),
            DeletableKind::Task => self.issues.erase(IssueId(id), at, erased_issue),
            DeletableKind::Article => self.kb_articles.erase(KbArticleId(id), at, erased_article),
        }
    }
}

fn erased_contact(contact: &Contact) -> Contact {
    let Contact { id, created_by, created_at, version, updated_at, .. } = *contact;
    Contact { email: ERASED.to_owned(), version, updated_at, ..Contact::blank(id, created_by, created_at) }
}

fn erased_company(company: &Company) -> Company {
    let Company { id, created_by, created_at, version, updated_at, .. } = *company;
    Company { name: ERASED.to_owned(), version, updated_at, ..Company::blank(id, created_by, created_at) }
}

fn erased_deal(deal: &Deal) -> Deal {
    let Deal { id, created_by, created_at, version, updated_at, status, stage, .. } = *deal;
    let blank = Deal::blank(id, &deal.currency, created_by, created_at);
    Deal { title: ERASED.to_owned(), status, stage, version, updated_at, ..blank }
}

fn erased_project(project: &Project) -> Project {
    let Project { id, created_by, created_at, version, updated_at, status, .. } = *project;
    Project { name: ERASED.to_owned(), status, version, updated_at, ..Project::blank(id, created_by, created_at) }
}

fn erased_cycle(cycle: &Cycle) -> Cycle {
    Cycle { name: ERASED.to_owned(), goal: None, ..cycle.clone() }
}

fn erased_issue(issue: &Issue) -> Issue {
    let Issue { id, kind, created_by, created_at, version, updated_at, number, status, .. } = *issue;
    let Issue { project_id, parent_id, epic_id, .. } = *issue;
    let blank = Issue::blank(id, kind, created_by, created_at);
    let (title, reference) = (ERASED.to_owned(), issue.reference.clone());
    Issue { title, reference, number, status, project_id, parent_id, epic_id, version, updated_at, ..blank }
}

fn erased_article(article: &Article) -> Article {
    let Article { id, created_by, created_at, version, updated_at, status, .. } = *article;
    let (title, slug) = (ERASED.to_owned(), ERASED.to_owned());
    Article { title, slug, status, version, updated_at, ..Article::blank(id, created_by, created_at) }
}
