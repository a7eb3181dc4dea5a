//! What the records of the CRM, of projects and of the knowledge base have in common.

mod by_id;
mod changes;
mod comments;
mod deleted;
mod duplicates;
mod earlier_rows;
mod history;
mod imports;
mod kind;
mod kind_of;
mod lists;
mod matched;
mod projection;
mod referring;
mod resource;
mod restore;
mod transferred;

pub use crate::identity::access::{RecordKind, may_see_deleted};
pub(crate) use by_id::find_with_permit;
pub use by_id::{RecordById, find_by_id};
pub use changes::{ChangeOutcome, Divided, FormerValues, RecordChange, former_values};
pub(crate) use changes::{change_assigned_each, change_each, one_by_one};
pub use comments::CommentChange;
pub(crate) use comments::{Editor, Known};
pub use deleted::{DeletableKind, Deletables, Deleted, KEPT_DELETED, Listed, erased_payload, reach_of_deleted};
pub use duplicates::UniqueValue;
pub(crate) use duplicates::{UniqueMembers, again_if_taken, name_existing};
pub use earlier_rows::{DryRunRows, Mark};
pub(crate) use earlier_rows::{EarlierRows, NumberedRow, repeats_row};
pub use history::{HasHistory, HistoryEvent, read_any_history, read_history};
pub(crate) use imports::{
    ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportContext, ImportRow, RowImport, already_there, check_free, id_of,
    import_row, keys_in, message_of, not_creatable, text_of,
};
pub use imports::{OnMatch, RowOutcome};
pub(crate) use kind::kind;
pub use kind::{Kind, ListedKind, Readable};
pub use kind_of::{KindOf, KindSet};
pub use lists::RecordOrder;
pub(crate) use lists::{
    RecordFilter, check_adds_up, list, list_or_deleted, note_order_of_deleted, record_filter, totals, totals_of,
    weight_of,
};
pub use matched::MatchedComment;
pub(crate) use matched::{MatchedComments, matched_comments};
pub use projection::{Members, Projection};
pub(crate) use referring::delete_referred;
pub use referring::{DeletedRecord, MAX_REFERRING, Referring, ReferringCounts};
pub(crate) use resource::resource;
pub(crate) use restore::{Deletable, deletable, list_deleted, restore, restore_in};
pub(crate) use transferred::Transferred;

use time::OffsetDateTime;

use crate::events::{Cascade, Event, EventBuilder, EventSource};
use crate::identity::access::{Actor, Permit};
use crate::kernel::input::plain_json;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, read_only, transact};
use crate::{Error, Reference, References};

/// Extracts the record that a member of `R` refers to.
pub(crate) type ReferenceOf<R> = fn(&R) -> Option<Reference>;

/// A record declared with [`resource!`].
pub(crate) trait Resource: Sized + 'static {
    type Input;
    /// The members that hold ids of other records, in order.
    const REFERENCES: &'static [(&'static str, ReferenceOf<Self>)];

    /// Writes the sent members to the record, except those with their own rule.
    fn apply(&mut self, fields: Self::Input);
    /// Completes the members of an update: members that are merged get the value merged with this record, which must be the
    /// stored record, locked.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a merged value exceeds a bound.
    fn merged(&self, fields: Self::Input) -> Result<Self::Input, Error>;
    /// Writes the members of an update, like [`Resource::apply`], after merging.
    ///
    /// # Errors
    /// Those of [`Resource::merged`].
    fn change(&mut self, fields: Self::Input) -> Result<(), Error> {
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
    read_only(ports, permit, move |tx| tx.records::<K>().get(id)?.ok_or(Error::NotFound(K::NOUN))).await
}

/// Reads a record for update, locked until the transaction ends.
///
/// # Errors
/// [`Error::NotFound`].
pub(crate) fn lock<K: Kind>(tx: &mut dyn Tx, id: K::Id) -> Result<K, Error> {
    tx.records::<K>().get_for_update(id)?.ok_or(Error::NotFound(K::NOUN))
}

/// Saves `changed` as the next version of `stored` and emits its `events`. If the two are equal, nothing happens: no
/// save, no new version, no event.
///
/// # Errors
/// Errors of the repository's `save`.
pub(crate) fn save_changed<K: Kind>(
    tx: &mut dyn Tx,
    stored: &K,
    mut changed: K,
    now: OffsetDateTime,
    events: impl FnOnce(&K, &K) -> Vec<Event>,
) -> Result<K, Error> {
    if changed != *stored {
        changed.bump_version(now);
        tx.records::<K>().save(&changed)?;
        tx.emit(&events(stored, &changed))?;
    }
    Ok(changed)
}

/// Deletes a record softly, and emits its `deleted` event.
///
/// # Errors
/// [`Error::NotFound`], also if it was deleted before; [`Error::ConcurrentUpdate`].
pub(crate) async fn delete<P, K: Kind + EventSource>(
    ports: &Ports,
    permit: &Permit<P>,
    id: K::Id,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    delete_and::<_, K, _>(ports, permit, id, expected, |_, _| Ok(((), None))).await
}

/// Like [`delete`]; `then` looks at what is left, in the same transaction, and says what was deleted with the record.
pub(crate) async fn delete_and<P, K: Kind + EventSource, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    id: K::Id,
    expected: ExpectedVersion,
    then: impl Fn(&mut dyn Tx, OffsetDateTime) -> Result<(T, Option<Cascade>), Error> + Send + 'static,
) -> Result<T, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let mut record: K = lock(tx, id)?;
        expected.check(Kind::version(&record))?;
        tx.records::<K>().delete(id, now)?;
        // The version is bumped so that consumers can order the deletion after the last change.
        record.bump_version(now);
        let (left, cascade) = then(tx, now)?;
        tx.emit(&[reporter.happened(&record, "deleted").with_cascade(cascade)])?;
        Ok(left)
    })
    .await
}
