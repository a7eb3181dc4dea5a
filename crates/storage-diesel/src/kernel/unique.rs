//! Looks up records by their unique values.

use diesel::sql_types::Uuid as SqlUuid;
use domain::ports::StoreError;
use domain::records::{Kind, UniqueValue};
use uuid::Uuid;

use crate::engine::errors::expect_rows;
use crate::engine::insertion::Insertion;
use crate::engine::statement::Statement;
use crate::engine::tx::{Failure, PgTx};
use crate::kinds::table_of;

/// The condition of an UPDATE that no other live record has the value, which may be NULL. Unlike a violated index, a failed
/// condition is not a Postgres error. The index still catches concurrent transactions.
macro_rules! is_free {
    ($table:literal, $column:literal, $workspace:expr, $id:expr, $value:expr) => {
        diesel::dsl::sql::<diesel::sql_types::Bool>(concat!(
            "NOT EXISTS (SELECT FROM ",
            $table,
            " AS other WHERE other.deleted_at IS NULL AND other.workspace_id = "
        ))
        .bind::<diesel::sql_types::Uuid, _>($workspace)
        .sql(concat!(" AND other.", $column, " = "))
        .bind::<diesel::sql_types::Nullable<diesel::sql_types::Text>, _>($value)
        .sql(" AND other.id <> ")
        .bind::<diesel::sql_types::Uuid, _>($id)
        .sql(")")
    };
}
pub(crate) use is_free;

/// The id of the live record that has the value.
pub(crate) fn record_query(workspace: Uuid, value: &UniqueValue) -> Statement<SqlUuid> {
    let table = table_of(value.kind.as_str()).map_or(value.kind.plural(), |table| table.name);
    // An address is compared by its key.
    let column = if value.member == "email" { "email_key" } else { value.member };
    let text = format!("SELECT id FROM {table} WHERE workspace_id = $1 AND {column} = $2 AND deleted_at IS NULL");
    Statement::new(text).returns().bind(workspace).bind(value.value.clone())
}

impl PgTx<'_> {
    /// Inserts one record, batched with other writes if possible. `values` are its unique values, in the order in which duplicates are
    /// reported.
    pub(crate) fn insert_one(&mut self, insertion: Insertion, values: &[UniqueValue]) -> Result<(), StoreError> {
        if self.pending.as_ref().is_some_and(|pending| pending.is_full_for(&insertion)) {
            self.flush()?;
        }
        let may_conflict = insertion.may_conflict;
        if let Some(pending) = &mut self.pending {
            // Assumes that the values are free.
            self.has_assumed |= may_conflict;
            pending.insert(insertion);
            return Ok(());
        }
        match self.execute(insertion)? {
            0 if may_conflict => Err(self.duplicate(values, None)),
            affected => expect_rows(affected, 1),
        }
    }

    /// Fails unless the update changed one record. If it changed none, another record has one of the unique values.
    pub(crate) fn expect_saved(&mut self, affected: usize, record: &impl Kind) -> Result<(), StoreError> {
        if affected == 0 {
            return Err(self.duplicate(&record.unique_values(), Some(record.uuid())));
        }
        expect_rows(affected, 1)
    }

    /// The error for a write that did nothing because another record has one of the values. That record may be gone by now.
    pub(crate) fn duplicate(&mut self, values: &[UniqueValue], own_id: Option<Uuid>) -> StoreError {
        let conflict = values.iter().find_map(|value| {
            let query = record_query(self.workspace, value);
            match self.first::<_, Uuid>(query) {
                Ok(id_found) => id_found.filter(|id| Some(*id) != own_id).map(|_| Ok(value.member)),
                Err(error) => Some(Err(error)),
            }
        });
        self.failure.get_or_insert(Failure::Other);
        match conflict {
            Some(Ok(field)) => StoreError::Duplicate { field },
            Some(Err(error)) => error,
            None => StoreError::Contended,
        }
    }
}
