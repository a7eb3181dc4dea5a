//! Deals.

use bigdecimal::BigDecimal;
use const_format::formatcp;
use diesel::prelude::*;
use domain::crm::deals::{BOARD_CARDS, BoardPart, Deal, DealFilter, DealGroup, DealStatus};
use domain::kernel::KeySet;
use domain::kernel::input::Number;
use domain::kernel::summary::SummaryRows;
use domain::ports::{DealRepo, RowLock, StoreError};
use domain::records::{Kind, RecordFilter, RecordKind};
use serde_json::{Map, Value};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::console::search::{SearchedKind, search_part};
use crate::crm::batch::{self, BatchTable, KeyColumns, insertion_sql, keys_sql, many_sql, update_sql};
use crate::crm::{board, comments};
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, ON_DEALS, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::summary::{self, Grouping, SummarySql, TOTALS_OF_MONEY};
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, live_list};
use crate::rows::row;
use crate::schema::{array_to_tsvector, deals};
use crate::support::lexemes::Prefix;

row! {
    pub(crate) struct DealRow in deals, into_deal -> Deal, document {
        id: Uuid,
        title: String,
        description: Option<String>,
        contact_id: Option<Uuid>,
        company_id: Option<Uuid>,
        assigned_to: Option<Uuid>,
        status: String,
        stage: String,
        value: Option<BigDecimal>,
        currency: String,
        probability: Option<i32>,
        expected_close_date: Option<Date>,
        actual_close_date: Option<Date>,
        lost_reason: Option<String>,
        source: Option<String>,
        tags: Vec<String>,
        custom_fields: Value,
        external_id: Option<String>,
        price_book_id: Option<Uuid>,
        package_id: Option<Uuid>,
        rep_id: Option<Uuid>,
        developer_id: Option<Uuid>,
        commission_pct: Option<BigDecimal>,
        territory: Option<String>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

impl StoredKind for Deal {
    const KIND_SQL: &'static str = "'deal'";
    const TITLE: &'static str = "title";
    const DELETED: &'static List = &deleted_list!("deals", DealRow);

    in_table!("deals", DealRow, into_deal);
    searched!("deals", DealRow, into_deal);

    erased! {
        "deals", comments("record_comments" by "deal_id"): {
            title = "'erased'", description = "NULL", contact_id = "NULL", company_id = "NULL", assigned_to = "NULL",
            value = "NULL", probability = "NULL", expected_close_date = "NULL", actual_close_date = "NULL",
            lost_reason = "NULL", source = "NULL", tags = "'{}'", custom_fields = "'{}'", external_id = "NULL",
            price_book_id = "NULL", package_id = "NULL", rep_id = "NULL", developer_id = "NULL", commission_pct = "NULL",
            territory = "NULL", search = "''"
        } keeps {
            workspace_id, id, status, stage, currency, version, created_at, updated_at, created_by_type, created_by_id,
            deleted_at, erased_at
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).with_tags(&self.search_words(), &self.tags)
    }

    fn searched_kind(_: RecordKind) -> Option<SearchedKind> {
        let part = search_part!(Deal, "'deal'", "stage");
        Some(SearchedKind { part, words: "$2::text::tsquery", comments: Some((ON_DEALS, "$9::text::tsquery")) })
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let search = deals::search.eq(array_to_tsvector(self.lexemes(tx.workspace)).nullable());
        let row = (DealRow::of(tx.workspace, self), search);
        let insertion = Insertion::new::<deals::table, _, _>(Self::TABLE, row).on_conflict_do_nothing();
        tx.insert_one(insertion, &self.unique_values())
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        batch::save_one(tx, self)
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &DealFilter) -> PageQuery {
        let value = |bound: Option<Number>| bound.map(|bound| convert::to_numeric(bound.0));
        // Only this literal can use the index of open deals in a board column.
        let is_board = filter.status.0 == [DealStatus::Open] && !filter.stage.0.is_empty();
        let statuses = if is_board { &[][..] } else { &filter.status.0 };
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .fixed(is_board, "status = 'open'")
            .equal("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
            .equal("contact_id = $n", filter.contact_id.map(|id| id.0))
            .equal("company_id = $n", filter.company_id.map(|id| id.0))
            .any_id("assigned_to", filter.assignee.0.iter().map(|id| id.0).collect())
            .any_text("status", statuses.iter().map(|status| status.as_str()).collect())
            .any_text("stage", filter.stage.0.iter().map(|stage| stage.as_str()).collect())
            .any_text("currency", filter.currency.0.iter().map(|code| code.as_str().to_owned()).collect())
            .bound("actual_close_date >= $n", filter.closed_since)
            .bound("actual_close_date < $n", filter.closed_before)
            .bound("expected_close_date >= $n", filter.expected_close_since)
            .bound("expected_close_date < $n", filter.expected_close_before)
            // The expression of the index; no value is less than 0.
            .bound("value IS NOT NULL AND coalesce(value, -1) >= $n", value(filter.value_min))
            .bound("value IS NOT NULL AND coalesce(value, -1) <= $n", value(filter.value_max))
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
            .search(Prefix::of(workspace).query_with_tags(filter.search.as_ref(), &filter.tag.0), LIVE)
    }
}

impl ListedTable for Deal {
    const LIST: &'static List = &live_list!("deals", DealRow);
    const TOTALS: &'static str = TOTALS_OF_MONEY;

    fn or_commented(query: PageQuery, workspace: Uuid, filter: &DealFilter) -> PageQuery {
        let words = comments::on_deals(workspace).query_of_comments(filter.search.as_ref());
        query.or_commented(ON_DEALS, words, Prefix::of(workspace).query_with_tags(None, &filter.tag.0))
    }
}

impl DealRepo for PgTx<'_> {
    fn summarize(&mut self, filter: &DealFilter, group_by: &[DealGroup]) -> Result<SummaryRows, StoreError> {
        if filter.matches_nothing() {
            return Ok(SummaryRows::default());
        }
        summary::load(self, summary_query(self.workspace, filter, group_by))
    }

    fn board_totals(&mut self) -> Result<Vec<BoardPart>, StoreError> {
        board::totals(self)
    }

    fn first_of_stages(&mut self) -> Result<Vec<Deal>, StoreError> {
        let sql = first_of_stages_query(self.workspace);
        Deal::read(self, sql, usize::MAX)
    }
}

/// The column for a grouping.
const fn column_of(group: DealGroup) -> &'static str {
    match group {
        DealGroup::Status => "status",
        DealGroup::Stage => "stage",
        DealGroup::Currency => "currency",
        DealGroup::Assignee => "assigned_to",
    }
}

pub(crate) fn summary_query(workspace: Uuid, filter: &DealFilter, group_by: &[DealGroup]) -> Statement<SummarySql> {
    let by = group_by.iter().copied().map(column_of).collect();
    Deal::all_matching(workspace, filter).summary(&Grouping { by, money: Some(("currency", "value")) })
}

impl BatchTable for Deal {
    fn keys_query(workspace: Uuid, keys: &KeySet, lock: RowLock) -> Statement<KeyColumns> {
        let sql = keys_sql!(
            "deals",
            "NULL::text",
            "",
            "octet_length(custom_fields::text) + coalesce(octet_length(description), 0)",
            lock
        );
        batch::bind_external_ids(sql, workspace, keys)
    }

    fn many() -> Statement<Self::Columns> {
        many_sql!("deals", DealRow).returns()
    }

    fn document(&self, workspace: Uuid) -> Map<String, Value> {
        let mut document = DealRow::of(workspace, self).document();
        document.insert("words".to_owned(), self.lexemes(workspace).into());
        document
    }

    fn insertion() -> Statement {
        insertion_sql!("deals", DealRow, "", "")
    }

    fn update() -> Statement {
        update_sql!("deals", DealRow, long["description", "custom_fields"], unique[], "", "")
    }

    fn update_one() -> Statement {
        update_sql!("deals", DealRow, long["description", "custom_fields"], unique["external_id"], "", "")
    }
}

/// The head of a board column, in the words of its index: the stage and, for open deals, the status.
macro_rules! head {
    ($condition:literal) => {
        formatcp!(
            "(SELECT {COLUMNS} FROM deals WHERE workspace_id = $1 AND deleted_at IS NULL AND {condition}
              ORDER BY created_at DESC, id DESC LIMIT {HEAD})",
            condition = $condition
        )
    };
}

const HEAD: u32 = BOARD_CARDS + 1;
const DISCOVERY: &str = head!("stage = 'discovery' AND status = 'open'");
const QUALIFIED: &str = head!("stage = 'qualified' AND status = 'open'");
const PROPOSAL: &str = head!("stage = 'proposal' AND status = 'open'");
const NEGOTIATION: &str = head!("stage = 'negotiation' AND status = 'open'");
const CLOSED_WON: &str = head!("stage = 'closed_won'");
const CLOSED_LOST: &str = head!("stage = 'closed_lost'");

pub(crate) fn first_of_stages_query(workspace: Uuid) -> Statement<RowOf<DealRow>> {
    let sql = sql!(
        "{DISCOVERY} UNION ALL {QUALIFIED} UNION ALL {PROPOSAL} UNION ALL {NEGOTIATION} UNION ALL {CLOSED_WON}
         UNION ALL {CLOSED_LOST}"
    );
    sql.returns().bind(workspace)
}

const COLUMNS: &str = columns!(DealRow);
