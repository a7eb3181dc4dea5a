//! SQL text with typed binds that goes through diesel's cache of prepared statements, unlike `diesel::sql_query`.

use std::marker::PhantomData;
use std::sync::Arc;

use diesel::expression::{AsExpression, Expression, TypedExpressionType};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::SqlType;
use diesel::{PgConnection, QueryResult, RunQueryDsl};

/// A part of a statement that knows its own SQL.
pub(crate) type Fragment = Arc<dyn QueryFragment<Pg> + Send + Sync>;

enum Part {
    Text(&'static str),
    Built(String),
    Fragment(Fragment),
}

/// A statement whose rows are of the SQL type `ST`. Its text must come from a small set: every text that may be cached
/// stays prepared as long as its connection lives.
pub(crate) struct CachedSql<ST> {
    parts: Vec<Part>,
    cacheable: bool,
    row: PhantomData<fn() -> ST>,
}

impl<ST> CachedSql<ST> {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { parts: vec![Part::Text(text)], cacheable: true, row: PhantomData }
    }

    /// Adds text.
    pub(crate) fn text(mut self, text: &'static str) -> Self {
        self.parts.push(Part::Text(text));
        self
    }

    /// Adds text made from numbers or names of our own, never from a client's.
    pub(crate) fn built(mut self, text: String) -> Self {
        self.parts.push(Part::Built(text));
        self
    }

    /// Adds a value as a bind.
    pub(crate) fn bind<T, V>(self, value: V) -> Self
    where
        T: SqlType + TypedExpressionType,
        V: AsExpression<T>,
        V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
    {
        self.fragment(fragment::<T, V>(value))
    }

    /// Adds a part of diesel's own, such as the columns of a row.
    pub(crate) fn fragment(mut self, fragment: Fragment) -> Self {
        self.parts.push(Part::Fragment(fragment));
        self
    }

    /// Has the statement planned for its values each time.
    pub(crate) fn planned_each_time(mut self) -> Self {
        self.cacheable = false;
        self
    }
}

impl<ST> QueryFragment<Pg> for CachedSql<ST> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if !self.cacheable {
            out.unsafe_to_cache_prepared();
        }
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_sql(text),
                Part::Built(text) => out.push_sql(text),
                Part::Fragment(fragment) => fragment.walk_ast(out.reborrow())?,
            }
        }
        Ok(())
    }
}

// Without an id of its type, a statement is found in the cache by its text and the types of its binds.
impl<ST> QueryId for CachedSql<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST> Query for CachedSql<ST> {
    type SqlType = ST;
}

impl<ST> RunQueryDsl<PgConnection> for CachedSql<ST> {}

/// A statement of diesel's DSL that diesel would not cache, though its text never varies: an UPDATE of a whole row.
pub(crate) struct SameText<Q>(pub(crate) Q);

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for SameText<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q> QueryId for SameText<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> RunQueryDsl<PgConnection> for SameText<Q> {}

/// The SQL type of a row that is selected whole.
pub(crate) type RowOf<R> = <diesel::dsl::AsSelect<R, Pg> as Expression>::SqlType;

/// The columns of a row, for [`CachedSql::fragment`].
pub(crate) fn columns_of<R>() -> Fragment
where
    R: diesel::Selectable<Pg>,
    R::SelectExpression: QueryFragment<Pg> + QueryId + Send + Sync + 'static,
{
    Arc::new(R::construct_selection())
}

/// A value as a bind.
pub(crate) fn fragment<T, V>(value: V) -> Fragment
where
    T: SqlType + TypedExpressionType,
    V: AsExpression<T>,
    V::Expression: QueryFragment<Pg> + Send + Sync + 'static,
{
    Arc::new(value.as_expression())
}
