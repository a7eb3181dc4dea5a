//! Restoring a deleted record of any kind.

use domain::Error;
use domain::identity::access::RestoreRecords;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, refuse_unknown, take};
use domain::records::DeletableKind;
use domain::restore::{Restored, restore_any};
use domain::tools::Tool;
use uuid::Uuid;

use crate::outputs::ToolOutput;
use crate::tool::{Entry, ToolRequest, ToolResult, entry, stored_as_is};

impl ToolOutput for Restored {}

/// The record to restore.
#[derive(Debug)]
struct Restore {
    kind: Field<DeletableKind>,
    id: Field<Uuid>,
}

impl Restore {
    const NAMES: [&'static str; 2] = ["type", "id"];
}

impl Input for Restore {
    fn members() -> Vec<SchemaMember> {
        let [kind, id] = Self::NAMES;
        vec![SchemaMember::required(kind, DeletableKind::schema()), SchemaMember::required(id, Uuid::schema())]
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let [kind, id] = Self::NAMES;
        let restore = Self {
            kind: take(&mut object, kind, at, Some(mode), problems),
            id: take(&mut object, id, at, Some(mode), problems),
        };
        refuse_unknown(&object, at, &Self::NAMES, problems);
        restore
    }
}

async fn restore(mut call: ToolRequest<RestoreRecords, Restore>) -> Result<ToolResult<Restored>, Error> {
    let idempotency = call.idempotent_with(stored_as_is);
    let Restore { kind: Field::Set(kind), id: Field::Set(id) } = call.arguments else {
        return Err(Error::malformed("type", "required", "type and id are required"));
    };
    let restored = restore_any(&call.ports, &call.permit, idempotency, kind.kind(), id).await?;
    Ok(ToolResult::of(restored, |restored| restored))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::RestoreRecord,
            "Restore record",
            "Restores a record deleted within 30 days; lists show them with deleted = true.",
        )
        .run(restore),
    ]
}
