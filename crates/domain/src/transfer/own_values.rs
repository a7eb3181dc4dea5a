//! Accepts cells that look damaged in rows of an export, if their records have these values.

use std::collections::HashMap;

use serde::Serialize;
use uuid::Uuid;

use super::TransferKind;
use super::export::record_of;
use super::mangled::Suspect;
use super::reading::ReadCells;
use super::referred::ReferencedIds;
use crate::Error;
use crate::crm::companies::Company;
use crate::crm::contacts::Contact;
use crate::crm::deals::Deal;
use crate::identity::access::{Permit, TransferRecords};
use crate::ports::{BatchRepo, Tx};
use crate::records::{ImportRow, Kind, id_of, text_of};
use crate::support::kb::Article;
use crate::work::issues::Issue;
use crate::work::projects::Project;

/// What a row says, or what is wrong with it.
pub(super) type ReadRow = Result<ReadCells, String>;

/// For each row, the reason to refuse it: a cell that looks damaged, unless an export of the record with the id of the row has this
/// value.
///
/// # Errors
/// Those of the store.
pub(super) fn refusals(
    tx: &mut dyn Tx,
    permit: &Permit<TransferRecords>,
    kind: TransferKind,
    rows: &[ReadRow],
) -> Result<Vec<Option<String>>, Error> {
    let doubtful: Vec<_> = rows.iter().flatten().filter(|cells| !cells.suspects.is_empty()).collect();
    let ids: Vec<_> = doubtful.iter().filter_map(|cells| id_of(&cells.row)).collect();
    let mut records = stored(tx, kind, &ids)?;
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

/// The live records with these ids. Companies, contacts and deals are read by one statement, the others one by one.
fn stored(tx: &mut dyn Tx, kind: TransferKind, ids: &[Uuid]) -> Result<Vec<ImportRow>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    match kind {
        TransferKind::Companies => BatchRepo::<Company>::get_many(tx.companies(), ids)?.iter().map(record_of).collect(),
        TransferKind::Contacts => BatchRepo::<Contact>::get_many(tx.contacts(), ids)?.iter().map(record_of).collect(),
        TransferKind::Deals => BatchRepo::<Deal>::get_many(tx.deals(), ids)?.iter().map(record_of).collect(),
        TransferKind::Projects => one_by_one::<Project>(tx, ids),
        TransferKind::Tasks | TransferKind::Tickets => one_by_one::<Issue>(tx, ids),
        TransferKind::Articles => one_by_one::<Article>(tx, ids),
    }
}

fn one_by_one<K: Kind + Serialize>(tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<ImportRow>, Error> {
    let mut found = Vec::new();
    for id in ids {
        if let Some(record) = tx.records::<K>().get((*id).into())? {
            found.push(record_of(&record)?);
        }
    }
    Ok(found)
}
