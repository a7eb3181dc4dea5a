//! Companies.

use diesel::prelude::*;
use domain::CompanyId;
use domain::crm::companies::{Company, CompanyFilter};
use domain::kernel::paging::PageRequest;
use domain::ports::{CompanyRepo, StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::errors::expect_rows;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::{array_to_tsvector, companies};
use crate::statement::{RowOf, SameText, Statement};
use crate::support::lexemes::Prefix;
use crate::tx::{PgTx, deletion};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = companies, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct CompanyRow {
    workspace_id: Uuid,
    id: Uuid,
    name: String,
    domain: Option<String>,
    industry: Option<String>,
    phone: Option<String>,
    website: Option<String>,
    notes: Option<String>,
    external_id: Option<String>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl CompanyRow {
    fn of(workspace: Uuid, company: &Company) -> Self {
        let company = company.clone();
        Self {
            workspace_id: workspace,
            id: company.id.0,
            name: company.name,
            domain: company.domain,
            industry: company.industry,
            phone: company.phone,
            website: company.website,
            notes: company.notes,
            external_id: company.external_id,
            version: company.version,
            created_at: company.created_at,
            updated_at: company.updated_at,
            created_by_type: company.created_by.kind.as_str().to_owned(),
            created_by_id: company.created_by.id,
        }
    }

    fn into_company(self) -> Result<Company, StoreError> {
        Ok(Company {
            id: CompanyId(self.id),
            name: self.name,
            domain: self.domain,
            industry: self.industry,
            phone: self.phone,
            website: self.website,
            notes: self.notes,
            external_id: self.external_id,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl CompanyRepo for PgTx<'_> {
    fn insert(&mut self, company: &Company) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&company.search_words());
        let row = (CompanyRow::of(self.workspace, company), companies::search.eq(array_to_tsvector(lexemes)));
        self.execute(diesel::insert_into(companies::table).values(row)).map(drop)
    }

    fn get(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        let query = companies::table.find((self.workspace, id.0)).filter(companies::deleted_at.is_null());
        self.first(query.select(CompanyRow::as_select()))?.map(CompanyRow::into_company).transpose()
    }

    fn get_for_update(&mut self, id: CompanyId) -> Result<Option<Company>, StoreError> {
        let query = companies::table.find((self.workspace, id.0)).filter(companies::deleted_at.is_null());
        let query = query.select(CompanyRow::as_select()).for_no_key_update();
        self.first(query)?.map(CompanyRow::into_company).transpose()
    }

    fn save(&mut self, company: &Company) -> Result<(), StoreError> {
        let lexemes = Prefix::of(self.workspace).lexemes(&company.search_words());
        let row = (CompanyRow::of(self.workspace, company), companies::search.eq(array_to_tsvector(lexemes)));
        let target = companies::table.find((self.workspace, company.id.0)).filter(companies::deleted_at.is_null());
        let affected = self.execute(SameText(diesel::update(target).set(row)))?;
        expect_rows(affected, 1)
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
}

const LIST: List = List {
    select: columns!(CompanyRow),
    from: "companies",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, filter: &CompanyFilter, page: &PageRequest) -> Statement<RowOf<CompanyRow>> {
    let prefix = Prefix::of(workspace);
    PageQuery::new(&LIST, workspace, page).search(filter.search.as_ref().and_then(|query| prefix.query(query))).build()
}
