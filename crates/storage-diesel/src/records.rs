//! Repositories for the kinds of records that have their own tables: find, write, delete, list and restore.

use diesel::ExpressionMethods;
use diesel::sql_types::{Nullable, Timestamptz};
use domain::kernel::paging::PageRequest;
use domain::kernel::totals::CountedPart;
use domain::ports::{RecordList, RecordRepo, StoreError};
use domain::records::{Deleted, Kind, ListedKind, RecordFilter, RecordKind};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::console::search::SearchedKind;
use crate::directory::records_erasure::ContentErasure;
use crate::directory::search_reindex::SearchedTable;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::{List, PageQuery};
use crate::engine::statement::{RowOf, Statement};
use crate::engine::summary::{self, TOTALS, TotalsSql};
use crate::engine::tx::PgTx;
use crate::schema::num_nonnulls;

/// The condition of a live row that is looked up by its key. Unlike `deleted_at IS NULL`, it fits no partial index: without
/// statistics, as on a new table, Postgres may consider such an index cheaper than the primary key, and read the whole workspace.
pub(crate) fn is_live<C>(deleted_at: C) -> diesel::dsl::Eq<num_nonnulls<C>, i32>
where
    C: diesel::expression::AsExpression<Nullable<Timestamptz>>,
    num_nonnulls<C>: diesel::Expression<SqlType = diesel::sql_types::Integer>,
{
    num_nonnulls(deleted_at).eq(0)
}

/// A row and its time of deletion.
pub(crate) type DeletedRow<R> = (RowOf<R>, Timestamptz);

/// The list of a table's live records; `$more` is an additional condition.
macro_rules! live_list {
    ($table:literal, $row:ident $(, $more:literal)?) => {
        $crate::engine::page_query::List {
            select: $crate::engine::columns::columns!($row),
            from: $table,
            conditions: concat!("workspace_id = $1 AND deleted_at IS NULL" $(, " AND ", $more)?),
            order: $crate::engine::page_query::Order::Newest,
        }
    };
}
pub(crate) use live_list;

/// The list of a table's deleted records; `$more` is an additional condition.
macro_rules! deleted_list {
    ($table:literal, $row:ident $(, $more:literal)?) => {{
        const COLUMNS: &str = $crate::engine::columns::columns!($row);
        $crate::engine::page_query::List {
            select: const_format::formatcp!("{COLUMNS}, deleted_at"),
            from: $table,
            conditions: concat!(
                "workspace_id = $1 AND deleted_at > '-infinity' AND erased_at IS NULL"
                $(, " AND ", $more)?
            ),
            order: $crate::engine::page_query::Order::Newest,
        }
    }};
}
pub(crate) use deleted_list;

/// A kind of record with its own table: the parts that differ between kinds. [`in_table!`] implements what follows from the table
/// and the row.
pub(crate) trait StoredKind: Kind {
    /// The SQL types of its row.
    type Columns;
    const TABLE: &'static str;
    /// The kind of a record as an SQL expression: a literal, or a column of a table with several kinds.
    const KIND_SQL: &'static str;
    /// The title of a record, as SQL.
    const TITLE: &'static str;
    /// The SQL condition of records that everybody with read access to the kind sees; only their owners see the others.
    const SEEN_BY_ALL: &'static str = match Self::SHARED_MEMBER {
        Some(column) => column,
        None => "true",
    };
    /// The list of its deleted records, made by [`deleted_list!`].
    const DELETED: &'static List;

    /// How the content of records is erased; implemented by [`erased!`](crate::directory::records_erasure::erased).
    fn erasure() -> ContentErasure;
    /// The content of the column `search`, if the table has one.
    fn lexemes(&self, _: Uuid) -> Vec<String> {
        Vec::new()
    }
    /// The table, if it has that column; implemented by [`searched!`](crate::directory::search_reindex::searched).
    fn searched() -> Option<SearchedTable> {
        None
    }
    /// How the search across all kinds finds records of one of its kinds; `None` if it does not, or does so in its own way.
    fn searched_kind(_: RecordKind) -> Option<SearchedKind> {
        None
    }

    fn insert(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError>;
    fn save(&self, tx: &mut PgTx<'_>) -> Result<(), StoreError>;
    /// Remembers the long texts of a locked record, for [`PgTx::loaded_texts`].
    fn remember_texts(&self, _: &mut PgTx<'_>) {}
    fn delete(tx: &mut PgTx<'_>, id: Uuid, now: OffsetDateTime) -> Result<bool, StoreError> {
        tx.mark_deleted(Self::deletion(), id, now)
    }
    fn restore(tx: &mut PgTx<'_>, deleted: &Deleted<Self>) -> Result<(), StoreError> {
        expect_rows(tx.execute(deleted.record.restoration(tx.workspace))?, 1)
    }
    /// Starts the query of a list, and binds the values of the list's own conditions.
    fn begin(list: &'static List, workspace: Uuid, _: &Self::Filter, page: &PageRequest) -> PageQuery {
        PageQuery::new(list, workspace, page)
    }
    /// Adds the conditions of a filter. Lists call [`StoredKind::matching`] instead.
    fn filtered(query: PageQuery, workspace: Uuid, filter: &Self::Filter) -> PageQuery;
    /// Limits a list to records that match a filter and that its reader may see.
    fn matching(query: PageQuery, workspace: Uuid, filter: &Self::Filter) -> PageQuery {
        let query = Self::filtered(query, workspace, filter);
        if Self::HAS_OWNERS { query.seen_by(Self::reader(filter), Self::SEEN_BY_ALL) } else { query }
    }
    /// The list of records deleted after `since`.
    fn deleted_query(
        workspace: Uuid,
        filter: &Self::Filter,
        since: OffsetDateTime,
        page: &PageRequest,
    ) -> Statement<(Self::Columns, Timestamptz)> {
        let query = Self::matching(Self::begin(Self::DELETED, workspace, filter, page), workspace, filter);
        query.bound("deleted_at > $n", Some(since)).build()
    }
    /// Makes the deleted row of a record live again.
    fn restoration(&self, workspace: Uuid) -> Statement;

    /// Finds a live row: `$1` is the workspace, `$2` the id.
    fn live_row() -> Statement<Self::Columns>;
    /// Finds a live row like `live_row`, and locks it until the transaction ends.
    fn live_row_for_update() -> Statement<Self::Columns>;
    /// Finds a row deleted after `$3`, and locks it until the transaction ends.
    fn deleted_row_for_update() -> Statement<(Self::Columns, Timestamptz)>;
    /// For [`PgTx::mark_deleted`].
    fn deletion() -> Statement;
    /// Deletes at most `$2` rows of the workspace `$1`.
    fn emptied() -> Statement;
    /// The first `most` records of a statement.
    fn read(tx: &mut PgTx<'_>, sql: Statement<Self::Columns>, most: usize) -> Result<Vec<Self>, StoreError>;
    /// The first `most` deleted records of a statement.
    fn read_deleted(
        tx: &mut PgTx<'_>,
        sql: Statement<(Self::Columns, Timestamptz)>,
        most: usize,
    ) -> Result<Vec<Deleted<Self>>, StoreError>;
}

impl<K: StoredKind> RecordRepo<K> for PgTx<'_> {
    fn insert(&mut self, record: &K) -> Result<(), StoreError> {
        record.insert(self)
    }

    fn get(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        let id: Uuid = id.into();
        let sql = K::live_row().bind(self.workspace).bind(id);
        Ok(K::read(self, sql, 1)?.pop())
    }

    fn get_for_update(&mut self, id: K::Id) -> Result<Option<K>, StoreError> {
        let id: Uuid = id.into();
        let sql = K::live_row_for_update().bind(self.workspace).bind(id);
        let record = K::read(self, sql, 1)?.pop();
        if let Some(record) = &record {
            record.remember_texts(self);
        }
        Ok(record)
    }

    fn save(&mut self, record: &K) -> Result<(), StoreError> {
        record.save(self)
    }

    fn delete(&mut self, id: K::Id, now: OffsetDateTime) -> Result<bool, StoreError> {
        K::delete(self, id.into(), now)
    }

    fn get_deleted_for_update(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<Deleted<K>>, StoreError> {
        let sql = K::deleted_row_for_update().bind(self.workspace).bind(id);
        Ok(K::read_deleted(self, sql.bind(since), 1)?.pop())
    }

    fn restore(&mut self, deleted: &Deleted<K>) -> Result<(), StoreError> {
        K::restore(self, deleted)
    }

    fn list_deleted(
        &mut self,
        filter: &K::Filter,
        since: OffsetDateTime,
        page: &PageRequest,
    ) -> Result<Vec<Deleted<K>>, StoreError> {
        let sql = K::deleted_query(self.workspace, filter, since, page);
        K::read_deleted(self, sql, page.limit as usize + 1)
    }
}

/// The part of an `impl` of [`StoredKind`] that follows from the table and the row. With `own restoration`, the kind implements
/// that itself.
macro_rules! in_table {
    ($table:literal, $row:ident, $into_record:ident) => {
        $crate::records::in_table!($table, $row, $into_record, own restoration);

        fn restoration(&self, workspace: uuid::Uuid) -> $crate::engine::statement::Statement {
            let sql = $crate::engine::statement::sql!(
                "UPDATE {table} SET deleted_at = NULL, version = $3, updated_at = $4
                 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL",
                table = $table
            );
            sql.bind(workspace).bind(self.id.0).bind(self.version).bind(self.updated_at)
        }
    };
    ($table:literal, $row:ident, $into_record:ident, own restoration) => {
        type Columns = $crate::engine::statement::RowOf<$row>;
        const TABLE: &'static str = $table;

        fn live_row() -> $crate::engine::statement::Statement<Self::Columns> {
            const COLUMNS: &str = $crate::engine::columns::columns!($row);
            let sql = $crate::engine::statement::sql!(
                "SELECT {columns} FROM {table} WHERE workspace_id = $1 AND id = $2 AND num_nonnulls(deleted_at) = 0",
                columns = COLUMNS,
                table = $table
            );
            sql.returns()
        }

        fn live_row_for_update() -> $crate::engine::statement::Statement<Self::Columns> {
            const COLUMNS: &str = $crate::engine::columns::columns!($row);
            let sql = $crate::engine::statement::sql!(
                "SELECT {columns} FROM {table} WHERE workspace_id = $1 AND id = $2 AND num_nonnulls(deleted_at) = 0
                 FOR NO KEY UPDATE",
                columns = COLUMNS,
                table = $table
            );
            sql.returns()
        }

        fn deleted_row_for_update() -> $crate::engine::statement::Statement<$crate::records::DeletedRow<$row>> {
            const COLUMNS: &str = $crate::engine::columns::columns!($row);
            let sql = $crate::engine::statement::sql!(
                "SELECT {columns}, deleted_at FROM {table}
                 WHERE workspace_id = $1 AND id = $2 AND deleted_at > $3 AND erased_at IS NULL
                 FOR NO KEY UPDATE",
                columns = COLUMNS,
                table = $table
            );
            sql.returns()
        }

        fn deletion() -> $crate::engine::statement::Statement {
            $crate::engine::tx::deletion!($table)
        }

        fn emptied() -> $crate::engine::statement::Statement {
            $crate::directory::erase_sql!($table, "workspace_id, id")
        }

        fn read(
            tx: &mut $crate::engine::tx::PgTx<'_>,
            sql: $crate::engine::statement::Statement<Self::Columns>,
            most: usize,
        ) -> Result<Vec<Self>, domain::ports::StoreError> {
            let rows: Vec<$row> = tx.load(tx.placed(sql))?;
            rows.into_iter().take(most).map($row::$into_record).collect()
        }

        fn read_deleted(
            tx: &mut $crate::engine::tx::PgTx<'_>,
            sql: $crate::engine::statement::Statement<$crate::records::DeletedRow<$row>>,
            most: usize,
        ) -> Result<Vec<domain::records::Deleted<Self>>, domain::ports::StoreError> {
            let rows: Vec<($row, time::OffsetDateTime)> = tx.load(tx.placed(sql))?;
            let deleted = |(row, deleted_at): ($row, _)| {
                Ok(domain::records::Deleted { record: $row::$into_record(row)?, deleted_at })
            };
            rows.into_iter().take(most).map(deleted).collect()
        }
    };
}
pub(crate) use in_table;

/// A kind whose records have a list.
pub(crate) trait ListedTable: StoredKind + ListedKind {
    /// The list of its live records, made by [`live_list!`].
    const LIST: &'static List;
    /// The shape of its totals.
    const TOTALS: &'static str = TOTALS;

    /// Also finds live records by their comments, if the kind has comments.
    fn or_commented(query: PageQuery, _: Uuid, _: &Self::Filter) -> PageQuery {
        query
    }
    /// The records of a list that match a filter, in the filter's order.
    fn listed<R>(query: PageQuery, workspace: Uuid, filter: &Self::Filter) -> Statement<R> {
        let query = Self::matching(query.sorted_by(filter.sorted_by()), workspace, filter);
        Self::or_commented(query, workspace, filter).build()
    }
    /// A page in the order of the filter.
    fn list_query(workspace: Uuid, filter: &Self::Filter, page: &PageRequest) -> Statement<Self::Columns> {
        Self::listed(Self::begin(<Self as ListedTable>::LIST, workspace, filter, page), workspace, filter)
    }
    /// All records that match a filter, to be counted or summed.
    fn all_matching(workspace: Uuid, filter: &Self::Filter) -> PageQuery {
        let query = Self::begin(<Self as ListedTable>::LIST, workspace, filter, &PageRequest::first(1));
        Self::or_commented(Self::matching(query, workspace, filter), workspace, filter)
    }
    fn totals_query(workspace: Uuid, filter: &Self::Filter) -> Statement<TotalsSql> {
        Self::all_matching(workspace, filter).totals(Self::TOTALS)
    }
}

impl<K: ListedTable> RecordList<K> for PgTx<'_> {
    fn list(&mut self, filter: &K::Filter, page: &PageRequest) -> Result<Vec<K>, StoreError> {
        if filter.matches_nothing() {
            return Ok(Vec::new());
        }
        let sql = K::list_query(self.workspace, filter, page);
        K::read(self, sql, page.limit as usize + 1)
    }

    fn totals(&mut self, filter: &K::Filter) -> Result<Vec<CountedPart>, StoreError> {
        summary::load_totals(self, K::totals_query(self.workspace, filter))
    }
}
