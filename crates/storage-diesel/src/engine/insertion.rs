//! The INSERT of one record.

use diesel::insertable::InsertValues;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId, ValuesClause};
use diesel::{Insertable, PgConnection, QueryResult, RunQueryDsl, Table};

/// The columns and values of a record, as diesel renders them.
trait Record {
    fn columns(&self, out: AstPass<'_, '_, Pg>) -> QueryResult<()>;
    fn values<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

impl<T, Tab> Record for ValuesClause<T, Tab>
where
    T: InsertValues<Pg, Tab>,
    Tab: Table,
{
    fn columns(&self, out: AstPass<'_, '_, Pg>) -> QueryResult<()> {
        self.values.column_names(out)
    }

    fn values<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.values.walk_ast(out)
    }
}

/// Inserts one record: on its own if executed as a statement, or as part of a larger one.
pub(crate) struct Insertion {
    table: &'static str,
    record: Box<dyn Record>,
    /// Whether the record has unique values: if one is taken, nothing is inserted and no error is raised.
    pub(crate) may_conflict: bool,
}

impl Insertion {
    pub(crate) fn new<T, R, V>(table: &'static str, row: R) -> Self
    where
        T: Table + 'static,
        R: Insertable<T, Values = ValuesClause<V, T>>,
        V: InsertValues<Pg, T> + 'static,
    {
        Self { table, record: Box::new(row.values()), may_conflict: false }
    }

    pub(crate) fn on_conflict_do_nothing(self) -> Self {
        Self { may_conflict: true, ..self }
    }

    /// Renders the values as a SELECT that ends in `from`.
    pub(crate) fn walk_selecting<'b>(&'b self, out: AstPass<'_, 'b, Pg>, from: &'static str) -> QueryResult<()> {
        self.walk(out, ") SELECT ", from)
    }

    fn walk<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>, values: &str, end: &str) -> QueryResult<()> {
        out.push_sql("INSERT INTO ");
        out.push_identifier(self.table)?;
        out.push_sql(" (");
        self.record.columns(out.reborrow())?;
        out.push_sql(values);
        self.record.values(out.reborrow())?;
        out.push_sql(" ");
        out.push_sql(end);
        if self.may_conflict {
            out.push_sql(" ON CONFLICT DO NOTHING");
        }
        Ok(())
    }
}

impl QueryFragment<Pg> for Insertion {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.walk(out, ") VALUES (", ")")
    }
}

// Without a static query id, diesel caches the statement by its text and bind types.
impl QueryId for Insertion {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl RunQueryDsl<PgConnection> for Insertion {}
