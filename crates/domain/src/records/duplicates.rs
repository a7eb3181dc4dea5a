//! Which record has a unique value already, for whoever may read it (interface 4.16).

use crate::Error;
use crate::identity::access::{Permit, RecordKind};
use crate::ports::{Ports, StoreError, statement};

/// A value that only one live record of its kind may have in a workspace, as it is compared: an e-mail address as an
/// [`EmailKey`](crate::kernel::input::EmailKey).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueValue {
    pub kind: RecordKind,
    /// The member that has it.
    pub member: &'static str,
    pub value: String,
}

/// Adds to a duplicate the id of the record that has the value, if the caller may read such records. It is looked up
/// after the transaction, which the duplicate has ended: so the record may be gone by then, and is not named.
pub(crate) async fn name_existing<P, T>(
    ports: &Ports,
    permit: &Permit<P>,
    values: Vec<UniqueValue>,
    outcome: Result<T, Error>,
) -> Result<T, Error> {
    let Err(Error::Store(StoreError::Duplicate { field })) = outcome else { return outcome };
    let readable = |value: &UniqueValue| value.member == field && permit.may_read(value.kind.reads());
    let existing_id = match values.into_iter().find(readable) {
        // The refusal is right even if this look-up fails.
        Some(value) => statement(ports, permit, move |tx| Ok(tx.record_with(&value)?)).await.ok().flatten(),
        None => None,
    };
    Err(Error::Duplicate { field, existing_id })
}

/// A value that another transaction has taken since it was looked up: the whole transaction runs again, and finds it.
pub(crate) fn again_if_taken(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(StoreError::Duplicate { .. }) => Err(StoreError::Contended),
        other => other,
    }
}
