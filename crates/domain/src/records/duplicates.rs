//! Names the record that already has a unique value, to callers who may read it (interface 4.16).

use crate::Error;
use crate::identity::access::{Permit, RecordKind};
use crate::ports::{Ports, StoreError, statement};

/// A value that only one live record of its kind may have in a workspace, in the form in which values are compared: for an e-mail
/// address, its [`EmailKey`](crate::kernel::input::EmailKey).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueValue {
    pub kind: RecordKind,
    /// The member that holds the value.
    pub member: &'static str,
    pub value: String,
}

/// Adds the id of the conflicting record to a duplicate error, if the caller may read such records. The duplicate has ended the
/// transaction, so the record is looked up after it. If it is gone by then, the error has no id.
pub(crate) async fn attach_conflicting_id<P, T>(
    ports: &Ports,
    permit: &Permit<P>,
    values: Vec<UniqueValue>,
    outcome: Result<T, Error>,
) -> Result<T, Error> {
    let Err(Error::Store(StoreError::Duplicate { field })) = outcome else { return outcome };
    let readable = |value: &UniqueValue| value.member == field && permit.may_read(value.kind.reads());
    let existing_id = match values.into_iter().find(readable) {
        // The duplicate is reported even if this look-up fails.
        Some(value) => statement(ports, permit, move |tx| Ok(tx.record_with(&value)?)).await.ok().flatten(),
        None => None,
    };
    Err(Error::Duplicate { field, existing_id })
}

/// Makes the whole transaction run again after a duplicate: another transaction has taken the value since it was looked up, and
/// the next look-up finds it.
pub(crate) fn retry_on_duplicate(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(StoreError::Duplicate { .. }) => Err(StoreError::Contended),
        other => other,
    }
}
