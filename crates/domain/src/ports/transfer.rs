//! The repository of imports.

use time::OffsetDateTime;

use super::StoreError;
use crate::transfer::{Import, ImportDigest, Progress, Refusal, Surplus};
use uuid::Uuid;

/// Imports of the workspace and their refused rows.
pub trait ImportRepo {
    /// Adds an import; [`StoreError::Contended`] if another process has just done so.
    fn insert(&mut self, import: &Import) -> Result<(), StoreError>;
    /// An import, locked until the transaction ends.
    fn get_for_update(&mut self, digest: &ImportDigest) -> Result<Option<Import>, StoreError>;
    /// Writes the progress of an unfinished import, if it is still in the state `before`; returns whether it did.
    fn advance(&mut self, before: &Import, progress: &Progress) -> Result<bool, StoreError>;
    /// Adds refused rows. One statement.
    fn add_refusals(&mut self, digest: &ImportDigest, refused: &[Refusal]) -> Result<(), StoreError>;
    /// The refused rows from `first` to `last`, in order. One statement.
    fn refusals(&mut self, digest: &ImportDigest, first: u64, last: u64) -> Result<Vec<Refusal>, StoreError>;
    /// Stores which records the rows of an import have written, each with its line. One statement.
    fn add_written(&mut self, digest: &ImportDigest, written: &[(Uuid, u64)]) -> Result<(), StoreError>;
    /// Returns the records among `records` that rows of the import have written, each with its line, in any order. One statement.
    fn written(&mut self, digest: &ImportDigest, records: &[Uuid]) -> Result<Vec<(Uuid, u64)>, StoreError>;
    /// Deletes at most `limit` such entries of one finished import; returns how many, and 0 if no finished import has any. One
    /// statement.
    fn forget_written(&mut self, limit: u32) -> Result<u64, StoreError>;
    /// Marks surplus unfinished imports as finished.
    fn end_surplus(&mut self, surplus: &Surplus, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Marks an import as finished, and removes the refused rows of imports that finished earlier; returns whether it existed and
    /// was unfinished.
    fn finish(&mut self, digest: &ImportDigest, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Removes an import with its refused rows and its list of written records.
    fn delete(&mut self, digest: &ImportDigest) -> Result<(), StoreError>;
    /// Removes imports that began before this time, and all but the newest `keep`, with their refused rows and their lists of
    /// written records.
    fn prune(&mut self, before: OffsetDateTime, keep: u32) -> Result<(), StoreError>;
}
