//! Tasks and tickets.

use bigdecimal::BigDecimal;
use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::ports::{IssueRepo, StoreError};
use domain::work::issues::{Issue, IssueFilter, IssueStatus, Relation};
use domain::{CycleId, IssueId, ProjectId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::columns::columns;
use crate::page_query::{List, Order, PageQuery};
use crate::rows::row;
use crate::schema::{array_to_tsvector, issues};
use crate::statement::{RowOf, Statement};
use crate::support::lexemes::Prefix;
use crate::support::tickets::RequesterRow;
use crate::tx::{PgTx, deletion};
use crate::work::{issue_batch, issue_tree};

row! {
    pub(crate) struct IssueRow in issues, into_issue -> Issue {
        id: Uuid,
        kind: String,
        number: i64,
        reference: Option<String>,
        title: String,
        description: Option<String>,
        status: String,
        priority: String,
        project_id: Option<Uuid>,
        assignee_id: Option<Uuid>,
        due_at: Option<OffsetDateTime>,
        start_date: Option<Date>,
        parent_id: Option<Uuid>,
        epic_id: Option<Uuid>,
        cycle_id: Option<Uuid>,
        estimate_hours: Option<BigDecimal>,
        labels: Vec<String>,
        completed_at: Option<OffsetDateTime>,
        resolved_at: Option<OffsetDateTime>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
        #[diesel(embed)]
        requester: RequesterRow,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

/// The search prefix of a kind of issue.
pub(crate) fn prefix_of(workspace: Uuid, kind: IssueKind) -> Prefix {
    let prefix = match kind {
        IssueKind::Task => 't',
        IssueKind::Ticket => 'k',
    };
    Prefix::of_kind(workspace, prefix)
}

impl IssueRepo for PgTx<'_> {
    fn reserve_number(&mut self, kind: IssueKind) -> Result<i64, StoreError> {
        issue_tree::reserve_number(self, kind)
    }

    fn insert(&mut self, issue: &Issue) -> Result<(), StoreError> {
        let lexemes = prefix_of(self.workspace, issue.kind).lexemes(&issue.search_words());
        let row = (IssueRow::of(self.workspace, issue), issues::search.eq(array_to_tsvector(lexemes)));
        self.execute(diesel::insert_into(issues::table).values(row)).map(drop)
    }

    fn get(&mut self, id: IssueId) -> Result<Option<Issue>, StoreError> {
        let query = issues::table.find((self.workspace, id.0)).filter(issues::deleted_at.is_null());
        self.first(query.select(IssueRow::as_select()))?.map(IssueRow::into_issue).transpose()
    }

    fn get_many_for_update(&mut self, ids: &[IssueId]) -> Result<Vec<Issue>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let query = issues::table
            .filter(issues::workspace_id.eq(self.workspace))
            .filter(issues::id.eq_any(ids))
            .filter(issues::deleted_at.is_null())
            // A fixed lock order prevents deadlocks.
            .order(issues::id)
            .select(IssueRow::as_select())
            .for_no_key_update();
        let found = self.load(query)?.into_iter().map(IssueRow::into_issue).collect::<Result<Vec<_>, _>>()?;
        for issue in &found {
            self.loaded_texts.remember(issue);
        }
        Ok(found)
    }

    fn save_many(&mut self, issues: &[Issue]) -> Result<(), StoreError> {
        issue_batch::save_many(self, issues)
    }

    fn delete(&mut self, id: IssueId, now: OffsetDateTime) -> Result<bool, StoreError> {
        self.mark_deleted(deletion!("issues"), id.0, now)
    }

    fn list(&mut self, filter: &IssueFilter, page: &PageRequest) -> Result<Vec<Issue>, StoreError> {
        if filter.matches_nothing() {
            return Ok(Vec::new());
        }
        let rows: Vec<IssueRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(IssueRow::into_issue).collect()
    }

    fn lock_hierarchy(&mut self) -> Result<(), StoreError> {
        issue_tree::lock_hierarchy(self)
    }

    fn ancestors(&mut self, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError> {
        issue_tree::ancestors(self, id, relation)
    }

    fn project_of_cycle(&mut self, id: CycleId) -> Result<Option<ProjectId>, StoreError> {
        issue_tree::project_of_cycle(self, id)
    }

    fn kind_of(&mut self, id: IssueId) -> Result<Option<IssueKind>, StoreError> {
        issue_tree::kind_of(self, id)
    }
}

const LIST: List = List {
    select: columns!(IssueRow),
    from: "issues",
    conditions: "workspace_id = $1 AND deleted_at IS NULL AND kind = $2",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, filter: &IssueFilter, page: &PageRequest) -> Statement<RowOf<IssueRow>> {
    let prefix = prefix_of(workspace, filter.kind);
    PageQuery::new(&LIST, workspace, page)
        .bind::<Text, _>(filter.kind.as_str())
        .equal::<Text, _>("status = $n", filter.status.map(IssueStatus::as_str))
        .equal::<SqlUuid, _>("project_id = $n", filter.project_id.map(|id| id.0))
        .search(filter.search.as_ref().and_then(|query| prefix.query(query)))
        .build()
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Issue]) -> Result<(), StoreError> {
    let row = |issue: &Issue| {
        let lexemes = prefix_of(tx.workspace, issue.kind).lexemes(&issue.search_words());
        (IssueRow::of(tx.workspace, issue), issues::search.eq(array_to_tsvector(lexemes)))
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(issues::table).values(rows)).map(drop)
}
