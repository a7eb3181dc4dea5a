//! What the records of the CRM, of projects and of the knowledge base have in common.

mod by_id;
mod changes;
mod comments;
mod deleted;
mod earlier_rows;
mod editable;
mod history;
mod imports;
mod kind;
mod kind_of;
mod lists;
mod matched;
mod projection;
mod resource;
mod restore;
mod write;

pub use crate::identity::access::{RecordKind, may_see_deleted};
pub(crate) use by_id::find_with_permit;
pub use by_id::{RecordById, find_by_id};
pub use changes::{ChangeOutcome, FormerValues, RecordChange, UndoSplit, former_values};
pub(crate) use changes::{change_each, one_by_one};
pub use comments::{CommentChange, MAX_COMMENT};
pub(crate) use comments::{Editor, ParentRecord};
pub use deleted::{
    DELETED_RETENTION, DeletableKind, Deletables, Deleted, DeletedRecord, Listed, MAX_REFERRING, Referring,
    ReferringCounts, restorable_since,
};
pub use earlier_rows::{DryRunRows, Mark};
pub(crate) use earlier_rows::{EarlierRows, NumberedRow, repeats_row};
pub(crate) use editable::assignment;
pub use editable::{Editable, WriteKind, Writing};
pub use history::{HasHistory, HistoryEvent, read_any_history, read_history};
pub(crate) use imports::{
    ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportRow, Importable, RowImport, Rows, Transferred, already_exists, id_of,
    import_row, message_of, not_creatable, text_of,
};
pub use imports::{OnMatch, RowOutcome};
pub(crate) use kind::kind;
pub use kind::{Kind, ListedKind, Readable};
pub use kind_of::{KindOf, KindSet};
pub use lists::{RecordFilter, RecordOrder, list, list_or_deleted, totals};
pub(crate) use lists::{list_as, list_or_deleted_as, list_orders, record_filter, totals_as, weight_of};
pub use matched::MatchedComment;
pub(crate) use matched::{MatchedComments, matched_comments};
pub use projection::{Members, Projection};
pub(crate) use resource::resource;
pub use restore::{Deletable, restore};
pub(crate) use restore::{deletable, list_deleted, restore_in};
pub use write::{UniqueValue, create, delete, update, update_each};
pub(crate) use write::{create_and, retry_on_duplicate};

use crate::identity::access::{Actor, Permit};
use crate::kernel::input::{Input, plain_json};
use crate::ports::{Ports, Tx, read_only};
use crate::{Error, Reference, References};

/// Extracts the record that a member of `R` refers to.
pub type ReferenceOf<R> = fn(&R) -> Option<Reference>;

/// A record declared with [`resource!`].
pub trait Resource: Sized + 'static {
    /// The input: what clients may send.
    type Fields: Input + Clone + Send + Sync + 'static;
    /// The members that hold ids of other records, in order.
    const REFERENCES: &'static [(&'static str, ReferenceOf<Self>)];

    /// Writes the sent members to the record, except those with their own rule.
    fn apply(&mut self, fields: Self::Fields);
    /// Completes the members of an update: merged members get their value merged with that of this record, which must be the
    /// stored record, locked.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a merged value exceeds a bound.
    fn merged(&self, fields: Self::Fields) -> Result<Self::Fields, Error>;
    /// Writes the members of an update, like [`Resource::apply`], after merging.
    ///
    /// # Errors
    /// Those of [`Resource::merged`].
    fn change(&mut self, fields: Self::Fields) -> Result<(), Error> {
        let fields = self.merged(fields)?;
        self.apply(fields);
        Ok(())
    }
    /// The references that differ from the stored record's.
    fn new_references(&self, stored: Option<&Self>) -> References {
        let mut references = References::default();
        for (member, reference) in Self::REFERENCES {
            references.add(member, reference(self), stored.and_then(reference), |reference| reference);
        }
        references
    }
}

plain_json!(Actor);

/// Reads one record of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read<K: Readable>(ports: &Ports, permit: &Permit<K::Read>, id: K::Id) -> Result<K, Error> {
    let reader = permit.actor();
    let found = read_only(ports, permit, move |tx| {
        tx.records::<K>().get(id)?.filter(|record| record.is_visible_to(reader)).ok_or(Error::NotFound(K::NOUN))
    });
    Ok(found.await?.shown_to(permit.credential()))
}

/// Reads a record for update, locked until the transaction ends.
///
/// # Errors
/// [`Error::NotFound`].
pub(crate) fn lock<K: Kind>(tx: &mut dyn Tx, id: K::Id) -> Result<K, Error> {
    tx.records::<K>().get_for_update(id)?.ok_or(Error::NotFound(K::NOUN))
}
