//! Statements of workers that lock or change rows of any workspace.

use std::collections::BTreeSet;

use diesel::PgConnection;
use diesel::expression::QueryMetadata;
use diesel::pg::Pg;
use diesel::query_dsl::methods::LoadQuery;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Uuid as SqlUuid};
use domain::ports::StoreError;
use uuid::Uuid;

use crate::statement::Statement;
use crate::tx::PgTx;

type Binder<ST> = Box<dyn Fn(Statement<ST>) -> Statement<ST>>;

/// Selects and locks rows of all workspaces, or changes rows that it locks. Citus locks no rows of several shards: there, the
/// workspaces of the rows are found without a lock, and then the rows of one after the other are locked.
pub(crate) struct Locking<ST> {
    pub(crate) all: Statement<ST>,
    /// The workspaces of the rows, each once for each row; the same binds.
    workspaces: Statement<SqlUuid>,
    /// With the workspace behind the other binds.
    of_one: fn() -> Statement,
    binders: Vec<Binder<ST>>,
}

impl<ST: 'static> Locking<ST> {
    pub(crate) fn new(all: Statement, workspaces: Statement, of_one: fn() -> Statement) -> Self {
        Self { all: all.returns(), workspaces: workspaces.returns(), of_one, binders: Vec::new() }
    }

    pub(crate) fn bind<T, V>(mut self, value: V) -> Self
    where
        Pg: HasSqlType<T>,
        T: Send + 'static,
        V: ToSql<T, Pg> + Copy + Send + 'static,
    {
        self.binders.push(Box::new(move |sql| sql.bind::<T, _>(value)));
        Self { all: self.all.bind::<T, _>(value), workspaces: self.workspaces.bind::<T, _>(value), ..self }
    }

    /// At most about `limit` rows: those of the last workspace may be more.
    pub(crate) fn load<R>(self, tx: &mut PgTx<'_>, limit: usize) -> Result<Vec<R>, StoreError>
    where
        Pg: QueryMetadata<ST>,
        Statement<ST>: for<'q> LoadQuery<'q, PgConnection, R>,
    {
        if !tx.is_cluster {
            return tx.load(self.all);
        }
        let mut rows = Vec::new();
        for sql in self.of_each(tx)? {
            if rows.len() >= limit {
                break;
            }
            rows.extend(tx.load::<_, R>(sql)?);
        }
        Ok(rows)
    }

    /// The statement for each workspace that has rows.
    fn of_each(self, tx: &mut PgTx<'_>) -> Result<impl Iterator<Item = Statement<ST>> + use<ST>, StoreError> {
        let workspaces: BTreeSet<Uuid> = tx.load(self.workspaces)?.into_iter().collect();
        let (of_one, binders) = (self.of_one, self.binders);
        Ok(workspaces.into_iter().map(move |workspace| {
            binders.iter().fold(of_one().returns(), |sql, bind| bind(sql)).bind::<SqlUuid, _>(workspace)
        }))
    }
}

impl Locking<()> {
    /// How many rows were changed: at most about `limit`, as [`Self::load`] says.
    pub(crate) fn execute(self, tx: &mut PgTx<'_>, limit: usize) -> Result<usize, StoreError> {
        if !tx.is_cluster {
            return tx.execute(self.all);
        }
        let mut rows = 0;
        for sql in self.of_each(tx)? {
            if rows >= limit {
                break;
            }
            rows += tx.execute(sql)?;
        }
        Ok(rows)
    }
}
