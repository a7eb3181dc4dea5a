//! Lists: one statement that reads, in order, only rows that can stand on the page.

use diesel::Selectable;
use diesel::expression::{AsExpression, TypedExpressionType};
use diesel::pg::Pg;
use diesel::query_builder::{QueryFragment, QueryId};
use diesel::sql_types::{Array, SqlType, Text, Timestamptz, Uuid as SqlUuid};
use domain::kernel::paging::{PageRequest, Position};
use uuid::Uuid;

use crate::cached_sql::{CachedSql, Fragment, RowOf, columns_of, fragment};

/// Statements are prepared with these limits as literals: a bound limit would be planned as "a tenth of the table".
/// A page is cut to what was asked for.
const LIMITS: [u32; 5] = [2, 11, 21, 51, 101];

/// How many rows of the head of a list are looked through for the words of a search.
const HEAD: u32 = 500;

/// A condition around one value.
struct Filter {
    before: String,
    value: Fragment,
    after: &'static str,
}

/// Several values of one column.
struct AnyOf {
    column: &'static str,
    array: &'static str,
    values: Fragment,
}

/// Which way a list goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    NewestFirst,
    OldestFirst,
}

impl Order {
    const fn by(self) -> &'static str {
        match self {
            Self::NewestFirst => " ORDER BY created_at DESC, id DESC",
            Self::OldestFirst => " ORDER BY created_at, id",
        }
    }

    const fn behind(self) -> &'static str {
        match self {
            Self::NewestFirst => " AND (created_at, id) < (",
            Self::OldestFirst => " AND (created_at, id) > (",
        }
    }
}

/// Builds the statement of a list.
pub(crate) struct PageQuery {
    table: &'static str,
    workspace: Uuid,
    page: PageRequest,
    order: Order,
    filters: Vec<Filter>,
    several: Option<AnyOf>,
    live: bool,
    with: Option<&'static str>,
    /// How many filters name one value.
    single: usize,
    planned: bool,
    search: Option<Fragment>,
}

impl PageQuery {
    /// Live rows of the workspace, newest first.
    pub(crate) fn newest_first(table: &'static str, workspace: Uuid, page: &PageRequest) -> Self {
        Self {
            table,
            workspace,
            page: *page,
            order: Order::NewestFirst,
            filters: Vec::new(),
            several: None,
            live: true,
            with: None,
            single: 0,
            planned: false,
            search: None,
        }
    }

    /// All rows of the workspace, oldest first, of a table without soft deletion.
    pub(crate) fn oldest_first(table: &'static str, workspace: Uuid, page: &PageRequest) -> Self {
        Self { order: Order::OldestFirst, live: false, ..Self::newest_first(table, workspace, page) }
    }

    /// Only rows that have a value in the column: what partial indexes are made of.
    pub(crate) fn with(mut self, column: &'static str) -> Self {
        self.with = Some(column);
        self
    }

    /// All rows of a table without soft deletion.
    pub(crate) fn in_every_state(self) -> Self {
        Self { live: false, ..self }
    }

    /// A condition that every such list has.
    pub(crate) fn of<T, V>(mut self, column: &str, value: V) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        self.push::<T, V>(format!("{column} = "), value, "");
        self
    }

    /// A filter by one value, if there is one.
    pub(crate) fn equal<T, V>(mut self, column: &str, value: Option<V>) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        if let Some(value) = value {
            self.planned |= self.single > 0 || self.several.is_some();
            self.single += 1;
            self.push::<T, V>(format!("{column} = "), value, "");
        }
        self
    }

    /// A bound of a range, if there is one: the operator is `>=` or `<=`. How many rows lie within decides on the plan.
    pub(crate) fn bound<T, V>(mut self, column: &str, operator: &'static str, value: Option<V>) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        if let Some(value) = value {
            self.planned = true;
            self.push::<T, V>(format!("{column} {operator} "), value, "");
        }
        self
    }

    /// A filter by any of several texts; none means all.
    pub(crate) fn any_text(self, column: &'static str, values: Vec<&'static str>) -> Self {
        self.any::<Text, &'static str>(column, "text[]", values)
    }

    /// A filter by any of several ids; none means all.
    pub(crate) fn any_id(self, column: &'static str, values: Vec<Uuid>) -> Self {
        self.any::<SqlUuid, Uuid>(column, "uuid[]", values)
    }

    fn any<T, V>(mut self, column: &'static str, array: &'static str, mut values: Vec<V>) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T> + Ord,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
        Array<T>: SqlType + TypedExpressionType,
        Vec<V>: AsExpression<Array<T>>,
        <Vec<V> as AsExpression<Array<T>>>::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        values.sort_unstable();
        values.dedup();
        if values.len() <= 1 {
            return self.equal::<T, V>(column, values.pop());
        }
        self.planned |= self.single > 0 || self.several.is_some();
        if self.several.is_none() {
            self.several = Some(AnyOf { column, array, values: fragment::<Array<T>, _>(values) });
        } else {
            self.push::<Array<T>, _>(format!("{column} = ANY("), values, ")");
        }
        self
    }

    /// A filter by the text of a tsquery.
    pub(crate) fn search(mut self, query: Option<String>) -> Self {
        self.planned |= query.is_some();
        self.search = query.map(fragment::<Text, _>);
        self
    }

    /// Only while the issue that the rows belong to is live.
    pub(crate) fn only_of_live_issue(mut self, issue: Uuid) -> Self {
        let workspace = self.workspace;
        // Two conditions of the outer list by their form, with AND between them, and one EXISTS together.
        let open = "EXISTS (SELECT FROM issues WHERE deleted_at IS NULL AND workspace_id = ";
        self.push::<SqlUuid, _>(open.to_owned(), workspace, "");
        self.push::<SqlUuid, _>("id = ".to_owned(), issue, ")");
        self
    }

    fn push<T, V>(&mut self, before: String, value: V, after: &'static str)
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        self.filters.push(Filter { before, value: fragment::<T, V>(value), after });
    }

    /// The statement for rows of one type.
    pub(crate) fn build<R>(self) -> CachedSql<RowOf<R>>
    where
        R: Selectable<Pg>,
        R::SelectExpression: QueryFragment<Pg> + QueryId + Send + Sync + 'static,
    {
        self.build_with(|sql| sql.fragment(columns_of::<R>()))
    }

    /// The statement for rows whose columns `columns` adds.
    pub(crate) fn build_with<ST>(mut self, columns: impl FnOnce(CachedSql<ST>) -> CachedSql<ST>) -> CachedSql<ST> {
        let offset = self.page.offset();
        let wanted = self.page.limit + 1;
        let limit = LIMITS.into_iter().find(|limit| *limit >= wanted).unwrap_or(wanted);
        let order = self.order.by();
        let select = |sql| columns(sql).text(" FROM ");
        // Texts with an offset are too many to keep.
        let cacheable = !self.planned && offset == 0;
        // A branch a value pays off where no single value narrows the list already.
        let leading = if self.single == 0 && self.search.is_none() { self.several.take() } else { None };
        let sql = match (leading, self.search.take()) {
            (Some(several), _) => self.branches(&several, limit + offset, select(CachedSql::new("SELECT "))),
            (None, Some(search)) if offset == 0 => self.searched(&search, limit, select),
            (None, Some(search)) => self.all_found(&search, select(CachedSql::new("SELECT "))),
            (None, None) => self.matching(select(CachedSql::new("SELECT "))),
        };
        let sql = sql.built(match offset {
            0 => format!("{order} LIMIT {limit}"),
            _ => format!("{order} LIMIT {limit} OFFSET {offset}"),
        });
        if cacheable { sql } else { sql.planned_each_time() }
    }

    /// A branch a value: what its index has first.
    fn branches<ST>(&self, several: &AnyOf, limit: u32, sql: CachedSql<ST>) -> CachedSql<ST> {
        let (order, table, column) = (self.order.by(), self.table, several.column);
        let sql = sql.text("unnest(").fragment(several.values.clone()).text("::").text(several.array);
        let sql = self.matching(sql.text(") AS chosen (wanted) CROSS JOIN LATERAL (SELECT * FROM "));
        sql.built(format!(" AND {column} = chosen.wanted{order} LIMIT {limit}) AS {table}"))
    }

    /// All matches, found by the search index before any is sorted: the OFFSET keeps Postgres from looking for a rare
    /// word in every row in the order of the list.
    fn all_found<ST>(&self, search: &Fragment, sql: CachedSql<ST>) -> CachedSql<ST> {
        let sql = self.matching(sql.text("(SELECT * FROM ")).text(" AND search @@ ").fragment(search.clone());
        sql.text("::tsquery OFFSET 0) AS ").text(self.table)
    }

    /// First a look through the head of the list: it has a page of a common word, whose matches are too many to sort.
    /// Only where it has not, the search index is asked for what comes behind.
    fn searched<ST>(
        &self,
        search: &Fragment,
        limit: u32,
        select: impl FnOnce(CachedSql<ST>) -> CachedSql<ST>,
    ) -> CachedSql<ST> {
        let (order, behind) = (self.order.by(), self.order.behind());
        let sql = self.matching(CachedSql::new("WITH head AS MATERIALIZED (SELECT * FROM "));
        let sql = sql.built(format!("{order} LIMIT {HEAD}), hit AS MATERIALIZED (SELECT * FROM head WHERE search @@ "));
        let sql = sql.fragment(search.clone()).built(format!("::tsquery{order} LIMIT {limit}) SELECT "));
        let sql = self.matching(select(sql).text("(SELECT * FROM hit UNION ALL (SELECT * FROM "));
        let sql = sql.text(" AND search @@ ").fragment(search.clone()).built(format!(
            "::tsquery{behind}SELECT created_at, id FROM head ORDER BY created_at, id LIMIT 1) \
             AND (SELECT count(*) FROM head) = {HEAD} AND (SELECT count(*) FROM hit) < {limit} OFFSET 0)) AS "
        ));
        sql.text(self.table)
    }

    /// The table and all conditions.
    fn matching<ST>(&self, sql: CachedSql<ST>) -> CachedSql<ST> {
        let mut sql = sql.text(self.table).text(" WHERE workspace_id = ").bind::<SqlUuid, _>(self.workspace);
        if self.live {
            sql = sql.text(" AND deleted_at IS NULL");
        }
        if let Some(column) = self.with {
            sql = sql.text(" AND ").text(column).text(" IS NOT NULL");
        }
        for filter in &self.filters {
            sql = sql.text(" AND ").built(filter.before.clone()).fragment(filter.value.clone()).text(filter.after);
        }
        if let Some(AnyOf { column, values, .. }) = &self.several {
            sql = sql.built(format!(" AND {column} = ANY(")).fragment(values.clone()).text(")");
        }
        if let Position::After(time, id) = self.page.position {
            sql = sql.text(self.order.behind()).bind::<Timestamptz, _>(time).text(", ");
            sql = sql.bind::<SqlUuid, _>(id).text(")");
        }
        sql
    }
}
