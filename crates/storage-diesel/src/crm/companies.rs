//! Companies.

use diesel::prelude::*;
use domain::crm::companies::{Company, CompanyFilter};
use domain::kernel::KeySet;
use domain::ports::{CompanyRepo, NamedRecord, RowLock, StoreError};
use domain::records::{Kind, RecordKind};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::console::search::{SearchedKind, search_part};
use crate::crm::batch::{self, BatchTable, KeyColumns, insertion_sql, keys_sql, many_sql, update_sql};
use crate::crm::{comments, named};
use crate::directory::records_erasure::erased;
use crate::directory::search_reindex::searched;
use crate::engine::insertion::Insertion;
use crate::engine::page_query::{LIVE, List, ON_COMPANIES, PageQuery, UPDATED_SINCE};
use crate::engine::statement::Statement;
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind, deleted_list, in_table, live_list};
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

impl StoredKind for Company {
    const KIND_SQL: &'static str = "'company'";
    const TITLE: &'static str = "name";
    const DELETED: &'static List = &deleted_list!("companies", CompanyRow);

    in_table!("companies", CompanyRow, into_company);
    searched!("companies", CompanyRow, into_company);

    erased! {
        "companies", comments("record_comments" by "company_id"): {
            name = "'erased'", domain = "NULL", assigned_to = "NULL", industry = "NULL", phone = "NULL", website = "NULL", notes = "NULL",
            external_id = "NULL", search = "''"
        } keeps {
            workspace_id, id, version, created_at, updated_at, created_by_type, created_by_id, deleted_at, erased_at
        }
    }

    fn lexemes(&self, workspace: Uuid) -> Vec<String> {
        Prefix::of(workspace).lexemes(&self.search_words())
    }

    fn searched_kind(_: RecordKind) -> Option<SearchedKind> {
        let part = search_part!(Company, "'company'", "domain");
        Some(SearchedKind { part, words: "$2::text::tsquery", comments: Some((ON_COMPANIES, "$8::text::tsquery")) })
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        let search = companies::search.eq(array_to_tsvector(self.lexemes(tx.workspace)));
        let row = (CompanyRow::of(tx.workspace, self), search);
        let insertion = Insertion::new::<companies::table, _, _>(Self::TABLE, row).on_conflict_do_nothing();
        tx.insert_one(insertion, &self.unique_values())
    }

    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError> {
        batch::save_one(tx, self)
    }

    fn filtered(query: PageQuery, workspace: Uuid, filter: &CompanyFilter) -> PageQuery {
        let prefix = Prefix::of(workspace);
        query
            // First, because it is the most selective filter.
            .any_id("id", filter.ids.0.iter().map(|id| id.0).collect())
            .equal("domain = $n", filter.domain.as_ref().map(|domain| domain.as_str().to_owned()))
            .equal("external_id = $n", filter.external_id.as_ref().map(|id| id.as_str().to_owned()))
            .any_id("assigned_to", filter.assignee.0.iter().map(|id| id.0).collect())
            .created(&filter.created())
            .bound(UPDATED_SINCE, filter.updated_since)
            .search(filter.search.as_ref().and_then(|query| prefix.query(query)), LIVE)
    }
}

impl ListedTable for Company {
    const LIST: &'static List = &live_list!("companies", CompanyRow);

    fn or_commented(query: PageQuery, workspace: Uuid, filter: &CompanyFilter) -> PageQuery {
        let words = comments::on_companies(workspace).query_of_comments(filter.search.as_ref());
        query.or_commented(ON_COMPANIES, words, None)
    }
}

impl CompanyRepo for PgTx<'_> {
    fn named(&mut self, names: &[String]) -> Result<Vec<NamedRecord>, StoreError> {
        named::load(self, named::companies_query(self.workspace, names), names)
    }
}

impl BatchTable for Company {
    fn keys_query(workspace: Uuid, keys: &KeySet, lock: RowLock) -> Statement<KeyColumns> {
        let sql = keys_sql!(
            "companies",
            "domain",
            "UNION SELECT id FROM companies WHERE workspace_id = $1 AND deleted_at IS NULL AND domain = ANY ($4)",
            "coalesce(octet_length(notes), 0)",
            lock
        );
        batch::bind_keys(sql, workspace, keys)
    }

    fn many() -> Statement<Self::Columns> {
        many_sql!("companies", CompanyRow).returns()
    }

    fn document(&self, workspace: Uuid) -> Map<String, Value> {
        let mut document = CompanyRow::of(workspace, self).document();
        document.insert("words".to_owned(), self.lexemes(workspace).into());
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
