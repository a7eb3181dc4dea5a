//! Deleted records: kept for a while so that they can be restored, then erased (interface 25.1–25.6); and the records that still
//! refer to one (interface 25.13).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{KindOf, KindSet, RecordKind};
use crate::identity::access::Permit;
use crate::kernel::input::schema::{CONTRACT, TimestampText};
use crate::kernel::paging::{ListName, Paginated};
use crate::records::MatchedComment;

/// How long a deleted record is listed and can be restored. Its content is erased afterwards.
pub const DELETED_RETENTION: Duration = Duration::days(30);

/// Records that were deleted after this time are still listed and can be restored.
pub fn restorable_since(now: OffsetDateTime) -> OffsetDateTime {
    now - DELETED_RETENTION
}

/// The kinds of records that can be deleted and restored. Tickets are closed instead, and comments are removed at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deletables;

impl KindSet for Deletables {
    fn has(kind: RecordKind) -> bool {
        kind.is_deletable()
    }

    fn text(kind: RecordKind) -> &'static str {
        kind.as_str()
    }
}

/// A kind of record that can be deleted and restored.
pub type DeletableKind = KindOf<Deletables>;

/// A deleted record whose content is still there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Deleted<R> {
    /// Its state when it was deleted.
    #[serde(flatten)]
    pub record: R,
    #[serde(with = "TimestampText")]
    pub deleted_at: OffsetDateTime,
}

impl<R: Paginated> Paginated for Deleted<R> {
    const LIST: ListName = R::LIST;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        self.record.cursor_key()
    }
}

/// An item of a list of records: a live record, or a deleted one in a list of deleted records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<R> {
    pub record: R,
    /// `None` for a live record. Its JSON omits the member.
    pub deleted_at: Option<OffsetDateTime>,
    /// The comment by which a search found the record. `None` if the record has the words itself, and without a search: then the JSON
    /// omits the member.
    pub matched_comment: Option<MatchedComment>,
}

impl<R> From<R> for Listed<R> {
    fn from(record: R) -> Self {
        Self { record, deleted_at: None, matched_comment: None }
    }
}

impl<R> Listed<R> {
    pub(crate) fn of_deleted(deleted: Deleted<R>) -> Self {
        Self { deleted_at: Some(deleted.deleted_at), ..Self::from(deleted.record) }
    }
}

/// A live record with the comment by which it was found.
#[derive(Serialize)]
struct FoundByComment<'r, R> {
    #[serde(flatten)]
    record: &'r R,
    matched_comment: &'r MatchedComment,
}

impl<R: Serialize> Serialize for Listed<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = &self.record;
        match (self.deleted_at, &self.matched_comment) {
            (None, None) => record.serialize(serializer),
            (None, Some(matched_comment)) => FoundByComment { record, matched_comment }.serialize(serializer),
            // Searches of deleted records do not include comments.
            (Some(deleted_at), _) => Deleted { record, deleted_at }.serialize(serializer),
        }
    }
}

const ABOUT_DELETED: &str = "`deleted_at` is present in lists of deleted records.";
const ABOUT_DELETED_AND_MATCHED: &str = "`deleted_at` is present in lists of deleted records. `matched_comment` is present \
    in searches, on records found by a comment without having the words themselves. It is additional: not part of the \
    supported contract.";

impl<R: JsonSchema + Paginated> JsonSchema for Listed<R> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Listed{}", R::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let record = generator.subschema_for::<R>();
        let additional = |mut schema: Schema| {
            schema.insert(CONTRACT.to_owned(), "additional".into());
            schema
        };
        let deleted_at = additional(generator.subschema_for::<TimestampText>());
        let (members, about) = if R::LIST.has_comments() {
            let matched_comment = additional(generator.subschema_for::<MatchedComment>());
            (json!({ "deleted_at": deleted_at, "matched_comment": matched_comment }), ABOUT_DELETED_AND_MATCHED)
        } else {
            (json!({ "deleted_at": deleted_at }), ABOUT_DELETED)
        };
        json_schema!({ "allOf": [record, { "type": "object", "properties": members, "description": about }] })
    }
}

impl<R: Paginated> Paginated for Listed<R> {
    const LIST: ListName = R::LIST;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        self.record.cursor_key()
    }
}

/// Referring records are counted up to this number.
pub const MAX_REFERRING: u32 = 1_000;

/// How many live records refer to a record, as the store counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReferringCounts {
    pub deals: u32,
    pub tasks: u32,
    /// Tickets that it requested.
    pub tickets: u32,
    pub contacts: u32,
}

/// How many live records refer to a deleted record, each count up to 1,000; null for kinds that the caller may not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Referring {
    pub deals: Option<u32>,
    pub tasks: Option<u32>,
    /// Tickets that a deleted contact requested.
    pub tickets: Option<u32>,
    pub contacts: Option<u32>,
}

impl Referring {
    pub(super) fn of<P>(counts: ReferringCounts, reader: &Permit<P>) -> Self {
        let readable = |count, kind: RecordKind| reader.may_read_here(kind.reads()).then_some(count);
        Self {
            deals: readable(counts.deals, RecordKind::Deal),
            tasks: readable(counts.tasks, RecordKind::Task),
            tickets: readable(counts.tickets, RecordKind::Ticket),
            contacts: readable(counts.contacts, RecordKind::Contact),
        }
    }
}

/// A record that was deleted, with what still refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeletedRecord {
    pub id: Uuid,
    /// Always true.
    pub deleted: bool,
    /// The live records that still refer to it. Their references stay.
    #[schemars(extend("x-contract" = "additional"))]
    pub referring: Referring,
}
