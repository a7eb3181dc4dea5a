//! Companies.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Timestamptz, Uuid as SqlUuid};
use domain::CompanyId;
use domain::crm::companies::{Company, CompanyFilter};
use domain::kernel::KeySet;
use domain::kernel::paging::PageRequest;
use domain::kernel::totals::CountedPart;
use domain::ports::{CompanyRepo, NamedRecord, RowLock, StoreError};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::crm::batch::{self, BatchTable, KeyColumns, insertion_sql, keys_sql, many_sql, update_sql};
use crate::crm::{comments, named};
use crate::deleted::{self, DeletedRow, is_live};
use crate::engine::columns::columns;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, ON_COMPANIES, Order, PageQuery, UPDATED_SINCE};
use crate::engine::statement::{RowOf, Statement};
use crate::engine::summary::{self, TOTALS, TotalsSql};
use crate::engine::tx::{PgTx, deletion};
use crate::kernel::unique;
use crate::rows::row;
use crate::schema::{array_to_tsvector, companies};
use crate::support::lexemes::Prefix;

row! {
    pub(crate) struct CompanyRow in companies, into_company -> Company, document {
        id: Uuid,
        name: String,
        domain: Option<String>,
        assigned_to: Option<Uuid>,
        industry: Option<String>,
        phone: Option<String>,
        website: Option<String>,
        notes: Option<String>,
        external_id: Option<String>,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors { created_by: (created_by_type, created_by_id) }
}

impl CompanyRepo for PgTx<'_> {
    fn insert(&mut self, company: &Company) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&company.search_words());
        let row = (CompanyRow::of(self.workspace, company), companies::search.eq(array_to_tsvector(lexemes)));
        let insertion = Insertion::new::<companies::table, _, _>("companies", row).unless_taken();
        self.insert_one(insertion, &unique::values_of_company(company))
    }

    fn get(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        let query = companies::table.find((self.workspace, id.0)).filter(is_live(companies::deleted_at));
        self.first(query.select(CompanyRow::as_select()))?.map(CompanyRow::into_company).transpose()
    }

    fn get_for_update(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        let query = companies::table.find((self.workspace, id.0)).filter(is_live(companies::deleted_at));
        let query = query.select(CompanyRow::as_select()).for_no_key_update();
        self.first(query)?.map(CompanyRow::into_company).transpose()
    }

    fn save(&mut self, company: &Company) -> Result<(), StoreError> {
        batch::save_one(self, company, &unique::values_of_company(company))
    }

    fn delete(&mut self, id: CompanyId, now: OffsetDateTime) -> Result<bool, StoreError> {
        self.mark_deleted(deletion!("companies"), id.0, now)
    }

    fn list(&mut self, filter: &CompanyFilter, page: &PageRequest) -> Result<Vec<Company>, StoreError> {
        if filter.matches_nothing() {
            return Ok(Vec::new());
        }
        let rows: Vec<CompanyRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(CompanyRow::into_company).collect()
    }

    fn totals(&mut self, filter: &CompanyFilter) -> Result<Vec<CountedPart>, StoreError> {
        summary::load_totals(self, totals_query(self.workspace, filter))
    }

    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        named::load(self, named::companies_query(self.workspace, names))
    }
}

pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Company]) -> Result<(), StoreError> {
    let prefix = Prefix::of(tx.workspace);
    let row = |company: &Company| {
        let lexemes = prefix.lexemes(&company.search_words());
        (CompanyRow::of(tx.workspace, company), companies::search.eq(array_to_tsvector(lexemes)))
    };
    let rows: Vec<_> = records.iter().map(row).collect();
    tx.execute(diesel::insert_into(companies::table).values(rows)).map(drop)
}

impl BatchTable for Company {
    const TABLE: &'static str = "companies";

    fn uuid(&self) -> Uuid {
        self.id.0
    }

    fn keys_query(workspace: Uuid, keys: &KeySet, lock: RowLock) -> Statement<KeyColumns> {
        let sql = match lock {
            RowLock::None => keys_sql!("companies", "domain", "coalesce(octet_length(notes), 0)", ""),
            RowLock::ForUpdate => {
                keys_sql!("companies", "domain", "coalesce(octet_length(notes), 0)", "FOR NO KEY UPDATE")
            }
        };
        batch::bind_keys(sql, workspace, keys)
    }

    fn load_many(tx: &mut PgTx<'_>, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        let sql = many_query(tx.workspace, ids);
        tx.load(sql)?.into_iter().map(CompanyRow::into_company).collect()
    }

    fn document(&self, workspace: Uuid) -> Map<String, Value> {
        let mut document = CompanyRow::of(workspace, self).document();
        document.insert("words".to_owned(), Prefix::of(workspace).lexemes(&self.search_words()).into());
        document
    }

    fn insertion() -> Statement {
        insertion_sql!("companies", CompanyRow, "", "")
    }

    fn update() -> Statement {
        update_sql!("companies", CompanyRow, long["notes"], unique[], "", "")
    }

    fn update_one() -> Statement {
        update_sql!("companies", CompanyRow, long["notes"], unique["domain", "external_id"], "", "")
    }
}

pub(crate) fn many_query(workspace: Uuid, ids: &[Uuid]) -> Statement<RowOf<CompanyRow>> {
    let sql = many_sql!("companies", CompanyRow).returns().bind::<SqlUuid, _>(workspace);
    sql.bind::<Array<SqlUuid>, _>(ids.to_vec())
}

const LIST: List = List {
    select: columns!(CompanyRow),
    from: "companies",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::Newest,
};

pub(crate) fn totals_query(workspace: Uuid, filter: &CompanyFilter) -> Statement<TotalsSql> {
    let query = filtered(PageQuery::new(&LIST, workspace, &PageRequest::first(1)), workspace, filter);
    or_commented(query, workspace, filter).totals(TOTALS)
}

pub(crate) fn list_query(workspace: Uuid, filter: &CompanyFilter, page: &PageRequest) -> Statement<RowOf<CompanyRow>> {
    let query = filtered(PageQuery::new(&LIST, workspace, page).sorted_by(filter.sorted_by()), workspace, filter);
    or_commented(query, workspace, filter).build()
}

/// Live companies are also found by comments.
fn or_commented(query: PageQuery, workspace: Uuid, filter: &CompanyFilter) -> PageQuery {
    let words = comments::on_companies(workspace).query_of_comments(filter.search.as_ref());
    query.or_commented(ON_COMPANIES, words, None)
}

fn filtered(query: PageQuery, workspace: Uuid, filter: &CompanyFilter) -> PageQuery {
    let prefix = Prefix::of(workspace);
    query
        // First: no other filter leaves fewer rows.
        .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
        .equal::<Text, _>("domain = $n", filter.domain.as_ref().map(|domain| domain.as_str().to_owned()))
        .equal::<Text, _>("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
        .any_id("assigned_to", filter.assignee.0.iter().map(|id| id.0).collect())
        .created(&filter.created())
        .bound::<Timestamptz, _>(UPDATED_SINCE, filter.updated_since)
        .search(filter.search.as_ref().and_then(|query| prefix.query(query)), LIVE)
}

/// The deleted ones of [`LIST`].
const DELETED: List = List {
    select: formatcp!("{DELETED_COLUMNS}, deleted_at"),
    conditions: "workspace_id = $1 AND deleted_at > '-infinity' AND erased_at IS NULL",
    ..LIST
};

const DELETED_COLUMNS: &str = columns!(CompanyRow);

pub(crate) fn deleted_query(
    workspace: Uuid,
    filter: &CompanyFilter,
    since: OffsetDateTime,
    page: &PageRequest,
) -> Statement<DeletedRow<CompanyRow>> {
    deleted::list_query(filtered(PageQuery::new(&DELETED, workspace, page), workspace, filter), since)
}
