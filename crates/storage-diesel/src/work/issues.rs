//! Tasks and tickets.

use bigdecimal::BigDecimal;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::kernel::summary::SummaryRows;
use domain::ports::{IssueRepo, StoreError};
use domain::records::RecordKind;
use domain::work::issues::{
    AssigneeChoice, InboxReader, InboxTicket, Issue, IssueFilter, IssueGroup, Relation, WaitingPart,
};
use domain::{CycleId, IssueId, ProjectId, UserId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::console::search::{SearchedKind, search_part};
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, ON_ISSUES, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::summary::{self, Grouping, SummarySql};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, is_live, live_list};
use crate::rows::row;
use crate::schema::{array_to_tsvector, issues};
use crate::support::lexemes::Prefix;
use crate::support::tickets::{ConversationRow, RequesterRow};
use crate::work::{inbox, issue_batch, issue_tree};

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
        deal_id: Option<Uuid>,
        contact_id: Option<Uuid>,
        company_id: Option<Uuid>,
        labels: Vec<String>,
        completed_at: Option<OffsetDateTime>,
        resolved_at: Option<OffsetDateTime>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
        #[diesel(embed)]
        requester: RequesterRow,
        #[diesel(embed)]
        conversation: ConversationRow,
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

impl StoredKind for Issue {
    const KIND_SQL: &'static str = "kind";
    const TITLE: &'static str = "title";
    const DELETED: &'static List = &deleted_list!("issues", IssueRow, "kind = $2");

    in_table!("issues", IssueRow, into_issue, own restoration);
    searched!("issues", IssueRow, into_issue);

    // Parents and epics are kept, because a loop of issues may go through erased ones.
    erased! {
        "issues", comments("comments" by "issue_id"): {
            title = "'erased'", description = "NULL", assignee_id = "NULL", due_at = "NULL", start_date = "NULL",
            cycle_id = "NULL", estimate_hours = "NULL", deal_id = "NULL", contact_id = "NULL", company_id = "NULL",
            labels = "'{}'", requester_name = "NULL", requester_email = "NULL", requester_email_key = "NULL",
            ticket_type = "NULL", requester_contact_id = "NULL", search = "''"
        } keeps {
            workspace_id, id, kind, number, reference, status, priority, project_id, parent_id, epic_id, completed_at,
            resolved_at, customer_wrote_at, answered_at, waiting_since, last_message_at, version, created_at, updated_at,
            created_by_type, created_by_id, deleted_at, erased_at, search_stale
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        prefix_of(workspace, self.kind).with_tags(&self.search_words(), &self.labels)
    }

    fn searched_kind(kind: RecordKind) -> Option<SearchedKind> {
        let (part, words) = if kind == RecordKind::Ticket {
            (search_part!(Issue, "'ticket'", "reference", "kind = 'ticket'"), "$4::text::tsquery")
        } else {
            (search_part!(Issue, "'task'", "status", "kind = 'task'"), "$3::text::tsquery")
        };
        // Words of comments on tasks and tickets have only the workspace prefix, as in `$2`.
        Some(SearchedKind { part, words, comments: Some((ON_ISSUES, "$2::text::tsquery")) })
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let search = issues::search.eq(array_to_tsvector(self.lexemes(tx.workspace)));
        let row = (IssueRow::of(tx.workspace, self), search);
        tx.insert_one(Insertion::new::<issues::table, _, _>(Self::TABLE, row), &[])
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        issue_batch::save_many(tx, std::slice::from_ref(self))
    }

    fn remember_texts(&self, tx: &mut PgTx<'_>) {
        tx.loaded_texts.remember(self.id.0, &issue_batch::texts_of(self));
    }

    /// The lists have issues of one kind, `$2`.
    fn begin(list: &'static List, workspace: Uuid, filter: &IssueFilter, page: &PageRequest) -> PageQuery {
        PageQuery::new(list, workspace, page).bind(filter.kind().as_str())
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &IssueFilter) -> PageQuery {
        let prefix = prefix_of(workspace, filter.kind());
        let assignee = |choice: &AssigneeChoice| match choice {
            AssigneeChoice::Nobody => Uuid::nil(),
            AssigneeChoice::Member(id) => id.0,
        };
        let requester = |by_contact: bool| {
            let key = filter.requester.as_ref().filter(|key| key.by_contact == by_contact)?;
            Some(key.email.as_str().to_owned())
        };
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .equal("reference = $n", filter.reference.as_ref().map(|reference| reference.as_str().to_owned()))
            .either(REQUESTER, requester(true))
            .equal(REQUESTER[0], requester(false))
            .equal("deal_id = $n", filter.deal_id.map(|id| id.0))
            .equal("contact_id = $n", filter.contact_id.map(|id| id.0))
            .equal("company_id = $n", filter.company_id.map(|id| id.0))
            .equal("cycle_id = $n", filter.cycle_id.map(|id| id.0))
            .equal("project_id = $n", filter.project_id.map(|id| id.0))
            .any_id(ASSIGNEE, filter.assignee.0.iter().map(assignee).collect())
            .any_text("status", filter.status.0.iter().map(|status| status.as_str()).collect())
            .any_text("priority", filter.priority.0.iter().map(|priority| priority.as_str()).collect())
            .fixed(filter.waiting == Some(true), "waiting_since IS NOT NULL")
            .fixed(filter.waiting == Some(false), "waiting_since IS NULL")
            .bound("due_at >= $n", filter.due_after)
            .bound("due_at < $n", filter.due_before)
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
            .search(prefix.query_with_tags(filter.search.as_ref(), &filter.label.0), LIVE)
    }

    fn restoration(&self, workspace: Uuid) -> Statement {
        let sql = sql!(
            "UPDATE issues SET deleted_at = NULL, version = $3, updated_at = $4, cycle_id = $5
             WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL"
        );
        sql.bind(workspace).bind(self.id.0).bind(self.version).bind(self.updated_at).bind(self.cycle_id.map(|id| id.0))
    }
}

impl ListedTable for Issue {
    const LIST: &'static List = &live_list!("issues", IssueRow, "kind = $2");

    fn or_commented(query: PageQuery, workspace: Uuid, filter: &IssueFilter) -> PageQuery {
        let words = Prefix::of(workspace).query_of_comments(filter.search.as_ref());
        query.or_commented(ON_ISSUES, words, prefix_of(workspace, filter.kind()).query_with_tags(None, &filter.label.0))
    }
}

impl IssueRepo for PgTx<'_> {
    fn reserve_numbers(&mut self, kind: IssueKind, count: u32) -> Result<i64, StoreError> {
        issue_tree::reserve_numbers(self, kind, count)
    }

    fn lock_many(&mut self, ids: &[IssueId]) -> Result<Vec<(IssueId, u64)>, StoreError> {
        let rows: Vec<(Uuid, i64)> = self.load(lock_many_query(self.workspace, ids))?;
        rows.into_iter().map(|(id, bytes)| Ok((IssueId(id), convert::count(bytes)?))).collect()
    }

    fn get_many_for_update(&mut self, ids: &[IssueId]) -> Result<Vec<Issue>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let query = issues::table
            .filter(issues::workspace_id.eq(self.workspace))
            .filter(issues::id.eq_any(ids))
            .filter(is_live(issues::deleted_at))
            // A fixed lock order prevents deadlocks.
            .order(issues::id)
            .select(IssueRow::as_select())
            .for_no_key_update();
        let issues = self.load(query)?.into_iter().map(IssueRow::into_issue).collect::<Result<Vec<_>, _>>()?;
        for issue in &issues {
            issue.remember_texts(self);
        }
        Ok(issues)
    }

    fn save_many(&mut self, issues: &[Issue]) -> Result<(), StoreError> {
        issue_batch::save_many(self, issues)
    }

    fn lock_in_cycle(&mut self, cycle: CycleId) -> Result<Vec<IssueId>, StoreError> {
        let ids: Vec<Uuid> = self.load(in_cycle_query(self.workspace, cycle))?;
        Ok(ids.into_iter().map(IssueId).collect())
    }

    fn inbox(
        &mut self,
        filter: &IssueFilter,
        page: &PageRequest,
        reading: InboxReader,
    ) -> Result<Vec<InboxTicket>, StoreError> {
        inbox::list(self, filter, page, reading)
    }

    fn open_ticket(&mut self, id: IssueId, reading: InboxReader) -> Result<Option<Issue>, StoreError> {
        let row: Option<IssueRow> = self.first(inbox::open_query(self.workspace, id, reading))?;
        row.map(IssueRow::into_issue).transpose()
    }

    fn summarize(&mut self, filter: &IssueFilter, group_by: &[IssueGroup]) -> Result<SummaryRows, StoreError> {
        if filter.matches_nothing() {
            return Ok(SummaryRows::default());
        }
        summary::load(self, summary_query(self.workspace, filter, group_by))
    }

    fn count_waiting(&mut self, member: UserId) -> Result<Vec<WaitingPart>, StoreError> {
        inbox::count_waiting(self, member)
    }

    fn lock_hierarchy(&mut self) -> Result<(), StoreError> {
        issue_tree::lock_hierarchy(self)
    }

    fn ancestors(&mut self, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError> {
        issue_tree::ancestors(self, id, relation)
    }

    fn with_children(
        &mut self,
        kind: IssueKind,
        id: IssueId,
        limit: u32,
    ) -> Result<Option<(Issue, Vec<Issue>)>, StoreError> {
        let rows: Vec<IssueRow> = self.load(with_children_query(self.workspace, kind, id, limit))?;
        let mut issues = rows.into_iter().map(IssueRow::into_issue);
        // If the issue itself is missing, the first row is one of its descendants.
        let Some(issue) = issues.next().transpose()?.filter(|issue| issue.id == id) else { return Ok(None) };
        Ok(Some((issue, issues.collect::<Result<_, _>>()?)))
    }

    fn project_of_cycle(&mut self, id: CycleId) -> Result<Option<ProjectId>, StoreError> {
        issue_tree::project_of_cycle(self, id)
    }

    fn kind_of(&mut self, id: IssueId) -> Result<Option<IssueKind>, StoreError> {
        issue_tree::kind_of(self, id)
    }
}

/// The column for a grouping.
const fn column_of(group: IssueGroup) -> &'static str {
    match group {
        IssueGroup::Status => "status",
        IssueGroup::Priority => "priority",
        IssueGroup::Assignee => "assignee_id",
        IssueGroup::Project => "project_id",
    }
}

pub(crate) fn summary_query(workspace: Uuid, filter: &IssueFilter, group_by: &[IssueGroup]) -> Statement<SummarySql> {
    let by = group_by.iter().copied().map(column_of).collect();
    Issue::all_matching(workspace, filter).summary(&Grouping { by, money: None })
}

/// The expression of the index by assignee: unassigned issues have the nil id.
const ASSIGNEE: &str = "coalesce(assignee_id, '00000000-0000-0000-0000-000000000000')";

/// Matches the requester's address as sent, or the address that the requester's contact has now.
const REQUESTER: [&str; 2] = [
    "requester_email_key = $n",
    "requester_email_key <> $n AND requester_contact_id =
        (SELECT id FROM contacts WHERE workspace_id = $1 AND email_key = $n AND deleted_at IS NULL)",
];

const COLUMNS: &str = columns!(IssueRow);

/// The limits are inside the subquery, so that only one family is sorted: with an outer limit, Postgres would walk all issues in
/// list order.
pub(crate) fn with_children_query(
    workspace: Uuid,
    kind: IssueKind,
    id: IssueId,
    limit: u32,
) -> Statement<RowOf<IssueRow>> {
    let sql = sql!(
        "WITH family AS MATERIALIZED (
             SELECT {COLUMNS} FROM issues
             WHERE workspace_id = $1 AND kind = $2 AND id = $3 AND deleted_at IS NULL
             UNION ALL
             (SELECT {COLUMNS} FROM issues
              WHERE workspace_id = $1 AND kind = $2 AND parent_id = $3 AND deleted_at IS NULL LIMIT $4)
             UNION ALL
             (SELECT {COLUMNS} FROM issues
              WHERE workspace_id = $1 AND kind = $2 AND epic_id = $3 AND deleted_at IS NULL
                  AND parent_id IS DISTINCT FROM $3 LIMIT $4)
         )
         SELECT * FROM family ORDER BY id <> $3, created_at, id"
    );
    sql.returns().bind(workspace).bind(kind.as_str()).bind(id.0).bind(i64::from(limit))
}

/// Locks in id order, like every other statement. The length of a text is known without reading it.
pub(crate) fn lock_many_query(workspace: Uuid, ids: &[IssueId]) -> Statement<(SqlUuid, BigInt)> {
    let sql = sql!(
        "SELECT id, coalesce(octet_length(description), 0)::bigint FROM issues
         WHERE workspace_id = $1 AND id = ANY ($2) AND num_nonnulls(deleted_at) = 0
         ORDER BY id
         FOR NO KEY UPDATE"
    );
    sql.returns().bind(workspace).bind_each(ids, |id| id.0)
}

/// Locks in id order, like every other statement.
pub(crate) fn in_cycle_query(workspace: Uuid, cycle: CycleId) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT id FROM issues
         WHERE workspace_id = $1 AND cycle_id = $2 AND deleted_at IS NULL
         ORDER BY id
         FOR NO KEY UPDATE"
    );
    sql.returns().bind(workspace).bind(cycle.0)
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Issue]) -> Result<(), StoreError> {
    let row = |issue: &Issue| {
        let search = issues::search.eq(array_to_tsvector(issue.lexemes(tx.workspace)));
        (IssueRow::of(tx.workspace, issue), search)
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(issues::table).values(rows)).map(drop)
}
