//! Saved views of lists.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::console::views::{SavedView, ViewCounts, ViewPage};
use domain::ports::{SavedViewRepo, StoreError};
use domain::{SavedViewId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::errors::expect_rows;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::rows::row;
use crate::schema::saved_views;

row! {
    #[derive(AsChangeset)]
    #[diesel(primary_key(workspace_id, id))]
    pub(crate) struct SavedViewRow in saved_views, into_view -> SavedView {
        id: Uuid,
        page: String,
        owner_id: Uuid,
        name: String,
        query: String,
        column_names: Vec<String>,
        shared: bool,
        position: i32,
        version: i64,
        created_at: OffsetDateTime,
        updated_at: OffsetDateTime,
    }
    actors {}
}

const COLUMNS: &str = columns!(SavedViewRow);

impl SavedViewRepo for PgTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        let sql = sql!(
            "SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('saved views ' || $1::uuid::text, 0))) AS locked"
        );
        self.execute(sql.bind(self.workspace)).map(drop)
    }

    fn counts(&mut self, owner: UserId) -> Result<ViewCounts, StoreError> {
        let (private, shared): (i64, i64) = self.value(counts_query(self.workspace, owner))?;
        Ok(ViewCounts { private: private.unsigned_abs(), shared: shared.unsigned_abs() })
    }

    fn insert(&mut self, view: &SavedView) -> Result<(), StoreError> {
        let row = SavedViewRow::of(self.workspace, view);
        self.execute(diesel::insert_into(saved_views::table).values(row)).map(drop)
    }

    fn get_for_update(&mut self, id: SavedViewId) -> Result<Option<SavedView>, StoreError> {
        let query = saved_views::table.find((self.workspace, id.0)).select(SavedViewRow::as_select());
        self.first(query.for_update())?.map(SavedViewRow::into_view).transpose()
    }

    fn save(&mut self, view: &SavedView) -> Result<(), StoreError> {
        let row = SavedViewRow::of(self.workspace, view);
        let target = saved_views::table.find((self.workspace, view.id.0));
        let affected = self.execute(diesel::update(target).set(row))?;
        expect_rows(affected, 1)
    }

    fn delete(&mut self, id: SavedViewId) -> Result<(), StoreError> {
        self.execute(diesel::delete(saved_views::table.find((self.workspace, id.0)))).map(drop)
    }

    fn list(&mut self, page: ViewPage, member: UserId) -> Result<Vec<SavedView>, StoreError> {
        let rows: Vec<SavedViewRow> = self.load(list_query(self.workspace, page, member))?;
        rows.into_iter().map(SavedViewRow::into_view).collect()
    }

    fn arrange(&mut self, order: &[SavedViewId]) -> Result<(), StoreError> {
        self.execute(arrange_query(self.workspace, order)).map(drop)
    }
}

pub(crate) fn counts_query(workspace: Uuid, owner: UserId) -> Statement<(BigInt, BigInt)> {
    let sql = sql!(
        "SELECT (SELECT count(*) FROM saved_views WHERE workspace_id = $1 AND owner_id = $2 AND NOT shared),
             (SELECT count(*) FROM saved_views WHERE workspace_id = $1 AND shared)"
    );
    sql.returns().bind(workspace).bind(owner.0)
}

/// Two branches, each with its own index.
pub(crate) fn list_query(workspace: Uuid, page: ViewPage, member: UserId) -> Statement<RowOf<SavedViewRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM (
             SELECT * FROM saved_views WHERE workspace_id = $1 AND page = $2 AND owner_id = $3 AND NOT shared
             UNION ALL
             SELECT * FROM saved_views WHERE workspace_id = $1 AND page = $2 AND shared
         ) AS saved_views
         ORDER BY shared, position, created_at, id"
    );
    sql.returns().bind(workspace).bind(page.as_str()).bind(member.0)
}

pub(crate) fn arrange_query(workspace: Uuid, order: &[SavedViewId]) -> Statement {
    let sql = sql!(
        "UPDATE saved_views SET position = wanted.position
         FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
         WHERE workspace_id = $1 AND saved_views.id = wanted.id AND saved_views.id = ANY ($2)"
    );
    sql.bind(workspace).bind_each(order, |id| id.0)
}
