//! What a kind of record declares about the files in which it is imported and exported.

use uuid::Uuid;

use super::{ImportRow, ListedKind, RecordKind, Resource};
use crate::Error;
use crate::kernel::input::{Input, InputMode, Problems, SchemaMember};
use crate::ports::{StoreError, Tx};

/// A kind of record that is imported and exported.
pub(crate) trait Transferred: ListedKind + Resource {
    /// The member with its long text, to which an import can add lines.
    const LONG_TEXT: Option<&'static str> = None;
    /// Whether values are read as leniently as those of an upsert.
    const IS_LENIENT: bool = false;

    /// The members that an import writes, in the order of an export.
    fn file_members(_: RecordKind) -> Vec<SchemaMember> {
        <Self::Fields as Input>::members()
    }
    /// The columns of an export with values that the service sets, in addition to those that all kinds have.
    fn own_columns(_: RecordKind) -> &'static [&'static str] {
        &[]
    }
    /// The unique members by which an import finds a record.
    fn file_keys(kind: RecordKind) -> &'static [&'static str];
    /// Checks the values of a row like those of an update.
    ///
    /// # Errors
    /// What is wrong with them.
    fn check_row(row: ImportRow) -> Result<(), Error> {
        let problems = if Self::IS_LENIENT { Problems::default().leniently() } else { Problems::default() };
        <Self::Fields as Input>::from_object_with(row, InputMode::Patch, problems).map(drop)
    }
    /// The live records among the ids.
    fn get_many(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Self>, StoreError> {
        let found = ids.iter().map(|id| tx.records::<Self>().get((*id).into()));
        found.filter_map(Result::transpose).collect()
    }
}
