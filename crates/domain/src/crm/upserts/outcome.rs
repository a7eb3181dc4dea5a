//! What happened to the items of an upsert.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::kernel::input::{choices, format_timestamp};
use crate::records::{RowOutcome, message_of};
use crate::{Error, ErrorCode};

choices! {
    /// What happened to an item.
    pub enum ItemOutcome {
        /// Nothing had its keys: a record was created.
        Created = "created",
        /// A record was changed.
        Updated = "updated",
        /// The record has these values already.
        Unchanged = "unchanged",
        /// Nothing happened; `failed` says why.
        Failed = "failed",
    }
}

/// An item that was not applied, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UpsertFailure {
    /// The index of the item, from 0.
    pub index: usize,
    /// The error code that creating or updating this record alone would give; `duplicate_item` if an earlier item has the
    /// same record.
    pub code: &'static str,
    /// What is wrong and what would be right.
    pub message: String,
    /// The record that the message is about, if the caller may read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub existing_id: Option<Uuid>,
}

/// The result of an upsert. Ids are in the order of the items.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Upserted {
    /// The new records; null for each in a dry run, which assigns no ids.
    pub created: Vec<Option<Uuid>>,
    /// The changed records.
    pub updated: Vec<Uuid>,
    /// The records that already have these values.
    pub unchanged: Vec<Uuid>,
    /// The items that were not applied.
    pub failed: Vec<UpsertFailure>,
    /// What happened to each item: the first "created" is the first of `created`, and so on.
    pub outcomes: Vec<ItemOutcome>,
}

/// Why nothing happens to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemError {
    code: &'static str,
    message: String,
    existing_id: Option<Uuid>,
}

impl ItemError {
    /// Turns an error of a create or update into that of the item.
    pub(super) fn of(error: &Error) -> Self {
        Self { code: error.code().as_str(), message: message_of(error), existing_id: error.existing_id() }
    }

    /// An item that exceeds the quota. The message has the time of the reset, because a report may be read long after the request.
    pub(super) fn of_quota(error: &Error, resets_at: OffsetDateTime) -> Self {
        let message = format!("{} (at {})", message_of(error), format_timestamp(resets_at));
        Self { message, ..Self::of(error) }
    }

    /// An item without any key.
    pub(super) fn without_key(names: &[&'static str]) -> Self {
        let message = format!("{} is required to identify the record", names.join(" or "));
        Self { code: ErrorCode::InvalidValue.as_str(), message, existing_id: None }
    }

    /// An item about a record that does not exist.
    pub(super) fn of_unknown(message: String) -> Self {
        Self { code: ErrorCode::NotFound.as_str(), message, existing_id: None }
    }

    /// A row that cannot create a record because a required member is missing. The message says how to fix it.
    pub(super) fn of_incomplete_row(self) -> Self {
        let message = format!(
            "{}: enter it, or remove the row; without it, a row can only update a record that another key identifies, \
             such as external_id",
            self.message
        );
        Self { message, ..self }
    }

    /// An item whose record does not have the expected version.
    pub(super) fn of_version(error: &Error, id: Option<Uuid>) -> Self {
        Self { existing_id: id, ..Self::of(error) }
    }

    /// An item with a key, or a record, of an earlier item.
    pub(super) fn repeats(first: usize, what: &str) -> Self {
        let message = format!("the item at index {first} already has {what}: send it only once");
        Self { code: "duplicate_item", message, existing_id: None }
    }

    /// An item whose keys belong to different records.
    pub(super) fn duplicate(message: String, existing_id: Option<Uuid>) -> Self {
        Self { code: ErrorCode::Duplicate.as_str(), message, existing_id }
    }
}

/// Outcomes by the indexes of the items. They may be set in any order.
#[derive(Debug, Default)]
pub(super) struct Outcomes(BTreeMap<usize, Outcome>);

/// The outcome of an item.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// The id; `None` in a dry run.
    Created(Option<Uuid>),
    Updated(Uuid),
    Unchanged(Uuid),
    /// Only in imports that leave existing records alone.
    Skipped(Uuid),
    Failed(ItemError),
}

impl Outcomes {
    pub(super) fn set(&mut self, index: usize, outcome: Outcome) {
        self.0.insert(index, outcome);
    }

    /// The record that an item has written, or that already had the item's values.
    pub(super) fn written(&self, index: usize) -> Option<Uuid> {
        match self.0.get(&index)? {
            Outcome::Created(id) => *id,
            Outcome::Updated(id) | Outcome::Unchanged(id) => Some(*id),
            Outcome::Skipped(_) | Outcome::Failed(_) => None,
        }
    }

    pub(super) fn fail(&mut self, index: usize, error: ItemError) {
        self.set(index, Outcome::Failed(error));
    }

    /// The outcomes of the rows of an import, in order. Every row must have an outcome.
    pub(super) fn into_rows(self) -> Vec<RowOutcome> {
        let row = |outcome| match outcome {
            Outcome::Created(_) => RowOutcome::Created,
            Outcome::Updated(_) => RowOutcome::Updated,
            Outcome::Unchanged(_) => RowOutcome::Unchanged,
            Outcome::Skipped(_) => RowOutcome::Skipped,
            Outcome::Failed(error) => RowOutcome::Refused(error.message),
        };
        self.0.into_values().map(row).collect()
    }

    /// The result of the upsert. Every item must have an outcome.
    pub(super) fn into_result(self) -> Upserted {
        let mut result = Upserted::default();
        for (index, outcome) in self.0 {
            result.outcomes.push(match outcome {
                Outcome::Created(id) => {
                    result.created.push(id);
                    ItemOutcome::Created
                }
                Outcome::Updated(id) => {
                    result.updated.push(id);
                    ItemOutcome::Updated
                }
                Outcome::Unchanged(id) | Outcome::Skipped(id) => {
                    result.unchanged.push(id);
                    ItemOutcome::Unchanged
                }
                Outcome::Failed(error) => {
                    let ItemError { code, message, existing_id } = error;
                    result.failed.push(UpsertFailure { index, code, message, existing_id });
                    ItemOutcome::Failed
                }
            });
        }
        result
    }
}
