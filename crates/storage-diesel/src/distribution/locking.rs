//! Worker statements that lock or change rows of any workspace.

use std::collections::BTreeSet;

use diesel::PgConnection;
use diesel::expression::QueryMetadata;
use diesel::pg::Pg;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Uuid as SqlUuid;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::engine::statement::{SqlValue, Statement};
use crate::engine::tx::PgTx;

/// Makes a [`Locking`]. In the first text, `{one}` is replaced by nothing, or by the condition on one workspace.
macro_rules! locking_sql {
    (
        one = $one:literal;
        $rows:tt $(, $name:ident = $value:expr)*;
        $workspaces:tt $(, $other:ident = $of:expr)* $(,)?
    ) => {
        $crate::distribution::Locking::new(
            $crate::engine::statement::sql!($rows, one = "" $(, $name = $value)*),
            $crate::engine::statement::sql!($workspaces $(, $other = $of)*),
            || $crate::engine::statement::sql!($rows, one = concat!($one, " AND ") $(, $name = $value)*),
        )
    };
}
pub(crate) use locking_sql;

type Binder<ST> = Box<dyn Fn(Statement<ST>) -> Statement<ST>>;

/// Selects and locks rows of all workspaces, or changes rows that it locks. Citus cannot lock rows of several shards: there, the
/// workspaces of the rows are found without locks, and then the rows are locked workspace by workspace.
pub(crate) struct Locking<ST> {
    pub(crate) all: Statement<ST>,
    /// The workspaces of the rows, repeated for each row; the same binds.
    workspaces: Statement<SqlUuid>,
    /// The statement for one workspace, which is the last bind.
    of_one: fn() -> Statement,
    binders: Vec<Binder<ST>>,
}

impl<ST: 'static> Locking<ST> {
    pub(crate) fn new(all: Statement, workspaces: Statement, of_one: fn() -> Statement) -> Self {
        Self { all: all.returns(), workspaces: workspaces.returns(), of_one, binders: Vec::new() }
    }

    pub(crate) fn bind<V: SqlValue + Copy + 'static>(mut self, value: V) -> Self {
        self.binders.push(Box::new(move |sql| sql.bind(value)));
        Self { all: self.all.bind(value), workspaces: self.workspaces.bind(value), ..self }
    }

    /// About `limit` rows; those of the last workspace may exceed it.
    pub(crate) fn load<R>(self, tx: &mut PgTx<'_>, limit: usize) -> Result<Vec<R>, StoreError>
    where
        Pg: QueryMetadata<ST>,
        Statement<ST>: for<'q> LoadQuery<'q, PgConnection, R>,
    {
        if !tx.is_cluster {
            return tx.load(self.all);
        }
        let (of_one, binders) = (self.of_one, self.binders);
        let mut rows = Vec::new();
        for workspace in each(tx, self.workspaces)? {
            if rows.len() >= limit {
                break;
            }
            rows.extend(tx.load::<_, R>(bound(of_one, &binders, workspace))?);
        }
        Ok(rows)
    }

    /// The workspaces of the rows.
    pub(crate) fn workspaces(self, tx: &mut PgTx<'_>) -> Result<BTreeSet<Uuid>, StoreError> {
        each(tx, self.workspaces)
    }

    /// The statement for the rows of one workspace.
    pub(crate) fn of(self, workspace: Uuid) -> Statement<ST> {
        bound(self.of_one, &self.binders, workspace)
    }
}

fn each(tx: &mut PgTx<'_>, workspaces: Statement<SqlUuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    Ok(tx.load::<_, Uuid>(workspaces)?.into_iter().collect())
}

fn bound<ST: 'static>(of_one: fn() -> Statement, binders: &[Binder<ST>], workspace: Uuid) -> Statement<ST> {
    binders.iter().fold(of_one().returns(), |sql, bind| bind(sql)).bind(workspace)
}
