//! Lists: one statement that reads, in order, only rows that can stand on the page.

use diesel::Selectable;
use diesel::expression::{AsExpression, TypedExpressionType};
use diesel::pg::Pg;
use diesel::query_builder::{QueryFragment, QueryId};
use diesel::sql_types::{Array, SqlType, Text, Timestamptz, Uuid as SqlUuid};
use domain::paging::{PageRequest, Position};
use uuid::Uuid;

use crate::cached_sql::{CachedSql, Fragment, RowOf, columns_of, fragment};

/// Statements are prepared with these limits as literals: a bound limit would be planned as "a tenth of the table".
/// A page is cut to what was asked for.
const LIMITS: [u32; 5] = [2, 11, 21, 51, 101];

/// A condition around one value.
struct Filter {
    before: String,
    value: Fragment,
    after: &'static str,
}

/// Several values of one column.
struct Several {
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
    several: Option<Several>,
    live: bool,
    /// How many filters name one value.
    single: usize,
    planned: bool,
    fenced: bool,
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
            single: 0,
            planned: false,
            fenced: false,
        }
    }

    /// All rows of the workspace, oldest first, of a table without soft deletion.
    pub(crate) fn oldest_first(table: &'static str, workspace: Uuid, page: &PageRequest) -> Self {
        Self { order: Order::OldestFirst, live: false, ..Self::newest_first(table, workspace, page) }
    }

    /// A condition that every such list has.
    pub(crate) fn of<T, V>(mut self, column: &str, value: V) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + 'static,
    {
        self.push::<T, V>(format!("{column} = "), value, "");
        self
    }

    /// A filter by one value, if there is one.
    pub(crate) fn equal<T, V>(mut self, column: &str, value: Option<V>) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + 'static,
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
        V::Expression: QueryFragment<Pg> + Send + 'static,
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
        V::Expression: QueryFragment<Pg> + Send + 'static,
        Array<T>: SqlType + TypedExpressionType,
        Vec<V>: AsExpression<Array<T>>,
        <Vec<V> as AsExpression<Array<T>>>::Expression: QueryFragment<Pg> + Send + 'static,
    {
        values.sort_unstable();
        values.dedup();
        if values.len() <= 1 {
            return self.equal::<T, V>(column, values.pop());
        }
        self.planned |= self.single > 0 || self.several.is_some();
        if self.several.is_none() {
            self.several = Some(Several { column, array, values: fragment::<Array<T>, _>(values) });
        } else {
            self.push::<Array<T>, _>(format!("{column} = ANY("), values, ")");
        }
        self
    }

    /// A filter by the text of a tsquery. All matches are found by the search index before any is sorted: in the order
    /// of the list, a rare word would be looked for in every row.
    pub(crate) fn search(mut self, query: Option<String>) -> Self {
        if let Some(query) = query {
            self.fenced = true;
            self.planned = true;
            self.push::<Text, String>("search @@ ".to_owned(), query, "::tsquery");
        }
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
        V::Expression: QueryFragment<Pg> + Send + 'static,
    {
        self.filters.push(Filter { before, value: fragment::<T, V>(value), after });
    }

    /// The statement for rows of one type.
    pub(crate) fn build<R>(self) -> CachedSql<RowOf<R>>
    where
        R: Selectable<Pg>,
        R::SelectExpression: QueryFragment<Pg> + QueryId + Send + 'static,
    {
        self.build_with(|sql| sql.fragment(columns_of::<R>()))
    }

    /// The statement for rows whose columns `columns` adds.
    pub(crate) fn build_with<ST>(mut self, columns: impl FnOnce(CachedSql<ST>) -> CachedSql<ST>) -> CachedSql<ST> {
        let offset = self.page.offset();
        let wanted = self.page.limit + 1;
        let limit = LIMITS.into_iter().find(|limit| *limit >= wanted).unwrap_or(wanted);
        let (order, table) = (self.order.by(), self.table);
        // Texts with an offset are too many to keep.
        let cacheable = !self.planned && offset == 0;
        // A branch a value pays off where no single value narrows the list already.
        let leading = if self.single == 0 && !self.fenced { self.several.take() } else { None };
        let sql = columns(CachedSql::new("SELECT ")).text(" FROM ");
        let sql = match leading {
            Some(several) => self.branches(several, limit + offset, sql),
            None if self.fenced => self.matching(sql.text("(SELECT * FROM ")).text(" OFFSET 0) AS ").text(table),
            None => self.matching(sql),
        };
        let sql = sql.built(match offset {
            0 => format!("{order} LIMIT {limit}"),
            _ => format!("{order} LIMIT {limit} OFFSET {offset}"),
        });
        if cacheable { sql } else { sql.planned_each_time() }
    }

    /// A branch a value: what its index has first.
    fn branches<ST>(self, several: Several, limit: u32, sql: CachedSql<ST>) -> CachedSql<ST> {
        let (order, table, column, array) = (self.order.by(), self.table, several.column, several.array);
        let sql = sql.text("unnest(").fragment(several.values).text("::").text(array);
        let sql = self.matching(sql.text(") AS chosen (wanted) CROSS JOIN LATERAL (SELECT * FROM "));
        sql.built(format!(" AND {column} = chosen.wanted{order} LIMIT {limit}) AS {table}"))
    }

    /// The table and all conditions.
    fn matching<ST>(self, sql: CachedSql<ST>) -> CachedSql<ST> {
        let mut sql = sql.text(self.table).text(" WHERE workspace_id = ").bind::<SqlUuid, _>(self.workspace);
        if self.live {
            sql = sql.text(" AND deleted_at IS NULL");
        }
        for filter in self.filters {
            sql = sql.text(" AND ").built(filter.before).fragment(filter.value).text(filter.after);
        }
        if let Some(Several { column, values, .. }) = self.several {
            sql = sql.built(format!(" AND {column} = ANY(")).fragment(values).text(")");
        }
        if let Position::After(time, id) = self.page.position {
            sql = sql.text(self.order.behind()).bind::<Timestamptz, _>(time).text(", ");
            sql = sql.bind::<SqlUuid, _>(id).text(")");
        }
        sql
    }
}
