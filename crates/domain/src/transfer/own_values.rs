//! Accepts cells that look damaged in rows of an export, if their records have these values.

use std::collections::HashMap;

use uuid::Uuid;

use super::TransferKind;
use super::mangled::Suspect;
use super::reading::ReadCells;
use super::referred::ReferencedIds;
use crate::Error;
use crate::identity::access::{Permit, TransferRecords};
use crate::ports::Tx;
use crate::records::{ImportRow, id_of, text_of};

/// The cells of a row, or what is wrong with them.
pub(super) type ReadRow = Result<ReadCells, String>;

/// For each row, the reason to refuse it, if any: a cell that looks damaged, unless an export of the row's record has the same value.
pub(super) fn refusals(
    tx: &mut dyn Tx,
    permit: &Permit<TransferRecords>,
    kind: TransferKind,
    rows: &[ReadRow],
) -> Result<Vec<Option<String>>, Error> {
    let doubtful: Vec<_> = rows.iter().flatten().filter(|cells| !cells.suspects.is_empty()).collect();
    let ids: Vec<_> = doubtful.iter().filter_map(|cells| id_of(&cells.row)).collect();
    let mut records = if ids.is_empty() { Vec::new() } else { kind.stored(tx, permit, &ids)? };
    if !records.is_empty() {
        let suspects = doubtful.iter().flat_map(|cells| &cells.suspects);
        let columns: Vec<_> = suspects.map(|suspect| suspect.column).collect();
        ReferencedIds::of(permit, kind, &columns, &records).find(tx, kind)?.add_to(kind, &mut records);
    }
    let records: HashMap<Uuid, ImportRow> =
        records.into_iter().filter_map(|record| Some((id_of(&record)?, record))).collect();
    let reason = |read: &ReadRow| {
        let ReadCells { row, suspects, .. } = read.as_ref().ok()?;
        let record = id_of(row).and_then(|id| records.get(&id));
        let is_own = |suspect: &Suspect| {
            let own = record.and_then(|record| text_of(record, suspect.column));
            own.is_some() && own == text_of(row, suspect.column)
        };
        suspects.iter().find(|suspect| !is_own(suspect)).map(|suspect| suspect.message.clone())
    };
    Ok(rows.iter().map(reason).collect())
}
