//! The input of a bulk update (interface 11.15 and 11.16).

use std::collections::HashSet;

use serde_json::{Map, Value as Json, json};
use time::Date;

use super::IssueStatus;
use crate::kernel::input::leniency::items_of;
use crate::kernel::input::schema::object_schema;
use crate::kernel::input::{
    DueTime, Field, Input, InputMode, Items, Problems, Read, SchemaMember, Value, fields, fold_label, path,
    refuse_unknown, take,
};
use crate::work::projects::Priority;
use crate::{CycleId, IssueId, UserId};

/// Maximum number of ids per request, including repeated ids.
pub const MAX_BULK_IDS: usize = 500;
/// Maximum number of labels per issue.
pub(super) const MAX_LABELS: usize = 50;

fields! {
    /// The changes of a bulk update. Labels and epics can be changed here only.
    pub struct BulkPatch {
        /// The status; must be valid for the kind of each issue.
        /// Default: todo for tasks, open for tickets.
        status: IssueStatus,
        /// The member responsible for them.
        assignee_id: UserId,
        /// The cycle of their project for which they are planned.
        cycle_id: CycleId,
        /// How urgent they are.
        /// Default: medium.
        priority: Priority,
        /// When they are due.
        /// Note: A date means its end in UTC.
        due_at: DueTime,
        /// The day on which work on them starts.
        start_date: Date,
        /// The issue of the same kind that they belong to as an epic.
        epic_id: IssueId,
        /// Labels to add; case-insensitive.
        /// Default: adds none.
        add_labels: Items<MAX_LABELS, 100>,
        /// Labels to remove; case-insensitive.
        /// Default: removes none.
        remove_labels: Items<MAX_LABELS, 100>,
    }
}

/// The body of a bulk update.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BulkUpdate {
    /// The issues without duplicates, in the order sent.
    pub ids: Vec<IssueId>,
    pub patch: BulkPatch,
}

/// The ids of a bulk update without duplicates.
#[derive(Debug, Clone)]
struct IssueIds(Vec<IssueId>);

impl Value for IssueIds {
    fn schema() -> Json {
        json!({ "type": "array", "items": IssueId::schema(), "minItems": 1, "maxItems": MAX_BULK_IDS })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Some(items) = items_of(json, at, "must be an array of UUIDs", problems) else { return Read::Invalid };
        if items.is_empty() || items.len() > MAX_BULK_IDS {
            problems.rule(at, "out_of_range", format!("must have 1 to {MAX_BULK_IDS} ids, counting repeated ones"));
        }
        let mut seen = HashSet::new();
        let mut ids = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            if let Read::Value(id) = IssueId::read(item, &format!("{at}[{index}]"), problems)
                && seen.insert(id)
            {
                ids.push(id);
            }
        }
        Read::Value(Self(ids))
    }
}

/// The patch of a bulk update.
#[derive(Debug, Clone)]
struct PatchObject(BulkPatch);

impl Value for PatchObject {
    fn schema() -> Json {
        object_schema(&BulkPatch::members(), InputMode::Patch)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            problems.shape(at, "invalid_type", "must be a JSON object");
            return Read::Invalid;
        };
        let patch = BulkPatch::read(object, at, InputMode::Patch, problems);
        patch.note_contradiction(at, problems);
        Read::Value(Self(patch))
    }
}

/// Labels in the form for comparison.
pub(super) fn folded_labels(labels: &Field<Items<MAX_LABELS, 100>>) -> HashSet<String> {
    labels.set().map(Items::as_slice).unwrap_or_default().iter().map(|label| fold_label(label)).collect()
}

impl BulkPatch {
    /// Reports labels that are both added and removed.
    pub(super) fn note_contradiction(&self, at: &str, problems: &mut Problems) {
        if !folded_labels(&self.add_labels).is_disjoint(&folded_labels(&self.remove_labels)) {
            problems.rule(
                path(at, "remove_labels"),
                "contradicts_add_labels",
                "must not contain a label that is also in add_labels",
            );
        }
    }
}

impl Input for BulkUpdate {
    fn members() -> Vec<SchemaMember> {
        vec![
            SchemaMember::required("issueIds", IssueIds::schema()),
            SchemaMember::required("patch", PatchObject::schema()),
        ]
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let ids: Field<IssueIds> = take(&mut object, "issueIds", at, Some(InputMode::Create), problems);
        let patch: Field<PatchObject> = take(&mut object, "patch", at, Some(InputMode::Create), problems);
        refuse_unknown(&object, at, &["issueIds", "patch"], problems);
        Self {
            ids: ids.set().map(|ids| ids.0.clone()).unwrap_or_default(),
            patch: patch.set().map(|patch| patch.0.clone()).unwrap_or_default(),
        }
    }
}
