//! Deals.

use bigdecimal::BigDecimal;
use diesel::prelude::*;
use diesel::sql_types::{Numeric, Uuid as SqlUuid};
use domain::crm::deals::{Deal, DealFilter, DealStage, DealStatus};
use domain::kernel::paging::PageRequest;
use domain::ports::{DealRepo, StoreError};
use domain::{CompanyId, ContactId, DealId, UserId};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::columns::columns;
use crate::convert;
use crate::errors::expect_rows;
use crate::page_query::{List, Order, PageQuery};
use crate::schema::deals;
use crate::statement::{RowOf, SameText, Statement};
use crate::tx::{PgTx, deletion};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = deals, primary_key(workspace_id, id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
pub(crate) struct DealRow {
    workspace_id: Uuid,
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
    created_by_type: String,
    created_by_id: Option<Uuid>,
}

impl DealRow {
    fn of(workspace: Uuid, deal: &Deal) -> Self {
        let deal = deal.clone();
        Self {
            workspace_id: workspace,
            id: deal.id.0,
            title: deal.title,
            description: deal.description,
            contact_id: deal.contact_id.map(|id| id.0),
            company_id: deal.company_id.map(|id| id.0),
            assigned_to: deal.assigned_to.map(|id| id.0),
            status: deal.status.as_str().to_owned(),
            stage: deal.stage.as_str().to_owned(),
            value: deal.value.map(convert::to_numeric),
            currency: deal.currency,
            probability: deal.probability,
            expected_close_date: deal.expected_close_date,
            actual_close_date: deal.actual_close_date,
            lost_reason: deal.lost_reason,
            source: deal.source,
            tags: deal.tags,
            custom_fields: Value::Object(deal.custom_fields),
            external_id: deal.external_id,
            price_book_id: deal.price_book_id,
            package_id: deal.package_id,
            rep_id: deal.rep_id.map(|id| id.0),
            developer_id: deal.developer_id,
            commission_pct: deal.commission_pct.map(convert::to_numeric),
            territory: deal.territory,
            version: deal.version,
            created_at: deal.created_at,
            updated_at: deal.updated_at,
            created_by_type: deal.created_by.kind.as_str().to_owned(),
            created_by_id: deal.created_by.id,
        }
    }

    fn into_deal(self) -> Result<Deal, StoreError> {
        Ok(Deal {
            id: DealId(self.id),
            title: self.title,
            description: self.description,
            contact_id: self.contact_id.map(ContactId),
            company_id: self.company_id.map(CompanyId),
            assigned_to: self.assigned_to.map(UserId),
            status: convert::word(&self.status, DealStatus::from_word)?,
            stage: convert::word(&self.stage, DealStage::from_word)?,
            value: self.value.as_ref().map(convert::from_numeric).transpose()?,
            currency: self.currency,
            probability: self.probability,
            expected_close_date: self.expected_close_date,
            actual_close_date: self.actual_close_date,
            lost_reason: self.lost_reason,
            source: self.source,
            tags: self.tags,
            custom_fields: convert::object(self.custom_fields)?,
            external_id: self.external_id,
            price_book_id: self.price_book_id,
            package_id: self.package_id,
            rep_id: self.rep_id.map(UserId),
            developer_id: self.developer_id,
            commission_pct: self.commission_pct.as_ref().map(convert::from_numeric).transpose()?,
            territory: self.territory,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl DealRepo for PgTx<'_> {
    fn insert(&mut self, deal: &Deal) -> Result<(), StoreError> {
        let row = DealRow::of(self.workspace, deal);
        self.execute(diesel::insert_into(deals::table).values(row)).map(drop)
    }

    fn get(&mut self, id: DealId) -> Result<Option<Deal>, StoreError> {
        let query = deals::table.find((self.workspace, id.0)).filter(deals::deleted_at.is_null());
        self.first(query.select(DealRow::as_select()))?.map(DealRow::into_deal).transpose()
    }

    fn get_for_update(&mut self, id: DealId) -> Result<Option<Deal>, StoreError> {
        let query = deals::table.find((self.workspace, id.0)).filter(deals::deleted_at.is_null());
        let query = query.select(DealRow::as_select()).for_no_key_update();
        self.first(query)?.map(DealRow::into_deal).transpose()
    }

    fn save(&mut self, deal: &Deal) -> Result<(), StoreError> {
        let row = DealRow::of(self.workspace, deal);
        let target = deals::table.find((self.workspace, deal.id.0)).filter(deals::deleted_at.is_null());
        let affected = self.execute(SameText(diesel::update(target).set(row)))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: DealId, now: OffsetDateTime) -> Result<bool, StoreError> {
        self.mark_deleted(deletion!("deals"), id.0, now)
    }

    fn list(&mut self, filter: &DealFilter, page: &PageRequest) -> Result<Vec<Deal>, StoreError> {
        let rows: Vec<DealRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(DealRow::into_deal).collect()
    }
}

const LIST: List = List {
    select: columns!(DealRow),
    from: "deals",
    conditions: "workspace_id = $1 AND deleted_at IS NULL",
    order: Order::NewestFirst,
};

pub(crate) fn list_query(workspace: Uuid, filter: &DealFilter, page: &PageRequest) -> Statement<RowOf<DealRow>> {
    PageQuery::new(&LIST, workspace, page)
        .equal::<SqlUuid, _>("contact_id = $n", filter.contact_id.map(|id| id.0))
        .equal::<SqlUuid, _>("company_id = $n", filter.company_id.map(|id| id.0))
        .any_id("assigned_to", filter.assignees.iter().map(|id| id.0).collect())
        .any_text("status", filter.statuses.iter().map(|status| status.as_str()).collect())
        .any_text("stage", filter.stages.iter().map(|stage| stage.as_str()).collect())
        .bound::<Numeric, _>("value >= $n", filter.value_min.map(convert::to_numeric))
        .bound::<Numeric, _>("value <= $n", filter.value_max.map(convert::to_numeric))
        .build()
}

/// Adds many at once.
pub(crate) fn insert_many(tx: &mut PgTx<'_>, records: &[Deal]) -> Result<(), StoreError> {
    let rows: Vec<_> = records.iter().map(|deal| DealRow::of(tx.workspace, deal)).collect();
    tx.execute(diesel::insert_into(deals::table).values(rows)).map(drop)
}
