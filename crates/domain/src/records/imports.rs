//! What a kind of record declares about the files in which it is imported and exported, and how the rows of an import are written.

use std::marker::PhantomData;

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::earlier_rows::{EarlierRows, NumberedRow, repeats_row};
use super::write::{add, change, filled, sent_unique_values};
use super::{Editable, ListedKind, RecordKind, Resource, UniqueValue, Writing};
use crate::Error;
use crate::kernel::RecordKeys;
use crate::kernel::input::{Input, InputMode, Problem, Problems, SchemaMember, choices, parse_uuid, without_ends};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{StoreError, Tx};

/// The maximum number of problems in the message about a row or item.
const MAX_SHOWN_PROBLEMS: usize = 3;

choices! {
    /// What happens to a row whose record already exists.
    pub enum OnMatch {
        /// The record is changed: members with a value get it, others stay.
        Update = "update",
        /// The row is skipped.
        Skip = "skip",
        /// The row is refused.
        Refuse = "refuse",
    }
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOutcome {
    /// A record was created.
    Created,
    /// A record was changed.
    Updated,
    /// The record has these values already.
    Unchanged,
    /// The record exists, and existing records are skipped.
    Skipped,
    /// Nothing happened, for this reason.
    Refused(String),
}

/// The values of a row by the names of members, in the form that a request has.
pub(crate) type ImportRow = Map<String, Json>;

pub(crate) use crate::kernel::input::CUSTOM_FIELDS;
/// The prefix of columns that hold one custom field each.
pub(crate) const ADDED_CUSTOM_FIELDS: &str = "custom_fields.";

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

/// A kind of record whose rows are written one after the other, within the transaction of their batch. A rule that refuses
/// a row must do so before anything is written.
pub(crate) trait RowImport {
    /// The stored record of a row.
    type Stored;
    const NOUN: &'static str;

    fn id(stored: &Self::Stored) -> Uuid;
    /// The keys, in addition to the id, by which the record of a row is found.
    fn keys(row: &ImportRow) -> RecordKeys;
    /// Finds and locks the record that a row is about.
    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<Self::Stored>, Error>;
    /// Returns the id of the new record.
    fn create(&self, tx: &mut dyn Tx, row: ImportRow) -> Result<Uuid, Error>;
    /// Returns whether the record was changed.
    fn change(&self, tx: &mut dyn Tx, stored: Self::Stored, row: ImportRow) -> Result<bool, Error>;
}

/// A kind whose rows are found by `id`, as an export has it, then by a unique value if it has one.
pub(crate) trait Importable: Editable {
    /// The member with the value.
    const KEY: Option<&'static str> = None;

    /// Prepares a row for the record that it changes, or for a new one. A file may have values that a request must not have, because
    /// they follow from others.
    ///
    /// # Errors
    /// What is wrong with the row.
    fn prepare_row(
        _row: &mut ImportRow,
        _stored: Option<&Self>,
        _tx: &mut dyn Tx,
        _writing: &Writing,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// Imports the rows of an [`Importable`] kind. The caller must have called [`Deletable::lock_all`](super::Deletable::lock_all).
pub(crate) struct Rows<'a, K> {
    writing: &'a Writing,
    kind: PhantomData<fn() -> K>,
}

impl<'a, K: Importable> Rows<'a, K> {
    pub(crate) const fn new(writing: &'a Writing) -> Self {
        Self { writing, kind: PhantomData }
    }

    /// The unique value of a row.
    fn key(row: &ImportRow) -> Option<UniqueValue> {
        let member = K::KEY?;
        text_of(row, member).map(|text| K::unique(member, text.to_owned()))
    }
}

impl<K: Importable> RowImport for Rows<'_, K> {
    type Stored = K;
    const NOUN: &'static str = K::NOUN;

    fn id(stored: &K) -> Uuid {
        stored.uuid()
    }

    fn keys(row: &ImportRow) -> RecordKeys {
        RecordKeys { external_id: None, natural: K::KEY.and_then(|member| text_of(row, member)).map(str::to_owned) }
    }

    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<K>, Error> {
        if let Some(id) = id_of(row)
            && let Some(found) = tx.records::<K>().get_for_update(id.into())?
            && found.is_visible_to(self.writing.actor())
        {
            return Ok(Some(found));
        }
        let Some(value) = Self::key(row) else { return Ok(None) };
        let found = match tx.record_with(&value)? {
            Some(id) => tx.records::<K>().get_for_update(id.into())?,
            None => None,
        };
        Ok(found.filter(|found| found.is_visible_to(self.writing.actor())))
    }

    fn create(&self, tx: &mut dyn Tx, mut row: ImportRow) -> Result<Uuid, Error> {
        K::prepare_row(&mut row, None, tx, self.writing)?;
        let fields = K::Fields::from_object(row, InputMode::Create)?;
        let record: K = filled(self.writing.ports.ids.new_id(), fields.clone(), self.writing)?;
        check_unique(tx, &record.unique_values(), None)?;
        Ok(add(tx, record, &fields, self.writing)?.uuid())
    }

    fn change(&self, tx: &mut dyn Tx, stored: K, mut row: ImportRow) -> Result<bool, Error> {
        K::prepare_row(&mut row, Some(&stored), tx, self.writing)?;
        let fields = K::Fields::from_object(row, InputMode::Patch)?;
        check_unique(tx, &sent_unique_values::<K>(stored.id(), fields.clone(), self.writing), Some(stored.uuid()))?;
        Ok(change(tx, &stored, fields, &ExpectedVersion::Any, self.writing)? != stored)
    }
}

/// Writes a row, or refuses it if an earlier row of the file has written the same record.
///
/// # Errors
/// Store errors; a broken rule is the outcome of the row.
pub(crate) fn import_row<K: RowImport>(
    kind: &K,
    tx: &mut dyn Tx,
    on_match: OnMatch,
    numbered: NumberedRow,
    earlier: &mut EarlierRows<'_>,
) -> Result<RowOutcome, Error> {
    let NumberedRow { line, mut row } = numbered;
    let keys = K::keys(&row);
    let repeated = |line| Ok(RowOutcome::Refused(repeats_row(K::NOUN, line)));
    if let Some(line) = earlier.line_with(id_of(&row), &keys) {
        return repeated(line);
    }
    let result = kind.find(tx, &row).and_then(|stored| {
        let not_creatable = not_creatable(&row);
        row.remove("id");
        let Some(stored) = stored else {
            if let Some(reason) = not_creatable {
                return Ok(RowOutcome::Refused(reason));
            }
            let id = kind.create(tx, row)?;
            earlier.note(id, &keys, line);
            return Ok(RowOutcome::Created);
        };
        let id = K::id(&stored);
        earlier.look_up(tx, [id])?;
        if let Some(line) = earlier.line_of(id) {
            return repeated(line);
        }
        match on_match {
            OnMatch::Skip => Ok(RowOutcome::Skipped),
            OnMatch::Refuse => Ok(RowOutcome::Refused(already_exists(K::NOUN))),
            OnMatch::Update => {
                let is_changed = kind.change(tx, stored, row)?;
                earlier.note(id, &keys, line);
                Ok(if is_changed { RowOutcome::Updated } else { RowOutcome::Unchanged })
            }
        }
    });
    match result {
        Err(Error::Store(error)) => Err(Error::Store(error)),
        Err(error) => Ok(RowOutcome::Refused(message_of(&error))),
        Ok(outcome) => Ok(outcome),
    }
}

/// Why a row is refused if its record already exists.
pub(crate) fn already_exists(noun: &str) -> String {
    format!("this {} already exists: remove the row, or import with --match update or skip", noun.replace('_', " "))
}

/// Why a row without a record does not create one: it has an id or a reference, which only the service assigns. If such rows created
/// records, importing a file again or into another workspace would add its records each time.
pub(crate) fn not_creatable(row: &ImportRow) -> Option<String> {
    let names: Vec<_> = ["id", "reference"].into_iter().filter(|member| text_of(row, member).is_some()).collect();
    let names = names.join(" and ");
    (!names.is_empty()).then(|| {
        format!("no record of this workspace has this {names}: remove {names} from the columns to create new records")
    })
}

/// The id of a row that an export wrote.
pub(crate) fn id_of(row: &ImportRow) -> Option<Uuid> {
    row.get("id").and_then(Json::as_str).and_then(parse_uuid)
}

/// The text of a member of a row.
pub(crate) fn text_of<'a>(row: &'a ImportRow, member: &str) -> Option<&'a str> {
    row.get(member).and_then(Json::as_str).map(without_ends).filter(|text| !text.is_empty())
}

/// Refuses values that another record has. They are looked up before the write, because a failed write would undo the whole batch.
///
/// # Errors
/// [`Error::Duplicate`].
fn check_unique(tx: &mut dyn Tx, values: &[UniqueValue], own: Option<Uuid>) -> Result<(), Error> {
    for value in values {
        let existing_id = tx.record_with(value)?.filter(|found| Some(*found) != own);
        if existing_id.is_some() {
            return Err(Error::Duplicate { field: value.member, existing_id });
        }
    }
    Ok(())
}

/// The message about one row or item: what is wrong, and how to fix it.
pub(crate) fn message_of(error: &Error) -> String {
    match error {
        Error::Malformed(problems) | Error::Invalid(problems) => summary(problems),
        other => other.client_message(),
    }
}

/// Joins the first problems into one text.
fn summary(problems: &[Problem]) -> String {
    let messages = problems.iter().take(MAX_SHOWN_PROBLEMS).map(|Problem { field, message, .. }| {
        // Some messages begin with their field, and problems of the whole item have no field.
        if message.starts_with(&**field) { message.clone() } else { format!("{field}: {message}") }
    });
    let rest = problems.len().saturating_sub(MAX_SHOWN_PROBLEMS);
    let rest = (rest > 0).then(|| format!("and {rest} more"));
    messages.chain(rest).collect::<Vec<_>>().join("; ")
}
