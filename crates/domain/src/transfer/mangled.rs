//! Detects keys that a spreadsheet has changed because they look like numbers or dates. Such a key would match no record, or the
//! wrong one.

use std::collections::HashMap;

use uuid::Uuid;

use super::TransferKind;
use super::numbers::is_shortened;
use super::reading::ReadCells;
use super::reference_names::ReferencedIds;
use crate::Error;
use crate::identity::access::{Permit, TransferRecords};
use crate::ports::Tx;
use crate::records::{ImportRow, id_of, text_of};

/// Month names as spreadsheets abbreviate them, in English and German.
const MONTHS: [&str; 16] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Mrz", "Mai", "Okt", "Dez"];
const MIDNIGHT: [&str; 2] = ["00:00", "00:00:00"];
/// Error values that end in neither `!` nor `?`.
const MISSING: [&str; 2] = ["#N/A", "#NV"];

/// A cell that looks as if a spreadsheet had changed it. Its row is refused, unless its record already has this value, so that a row of an
/// export can always be imported again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suspect {
    /// The column of an export with this value.
    pub(super) column: &'static str,
    /// What is wrong with the cell, and how to correct it.
    pub(super) message: String,
}

/// Checks whether an identifying cell looks like a text that a spreadsheet has changed. Removed leading zeros cannot be detected.
pub(super) fn check_key(column: &'static str, cell: &str) -> Option<Suspect> {
    damage_of(cell).map(|message| Suspect { column, message: format!("{column}: {message}") })
}

fn damage_of(cell: &str) -> Option<String> {
    let text = cell.trim();
    let what = if is_shortened(text) {
        "a number that a spreadsheet shortened"
    } else if is_date(text) {
        "a text that a spreadsheet turned into a date"
    } else if is_error(text) {
        "a spreadsheet error"
    } else {
        return None;
    };
    Some(format!("{text} is {what}: format the column as text, and enter the value again"))
}

/// `12-Mar`, `Mar-12`, `12. Mrz` or `2024-03-12 00:00:00`.
fn is_date(text: &str) -> bool {
    if let Some((date, time)) = text.split_once([' ', 'T'])
        && crate::kernel::input::parse_date(date).is_some()
    {
        return MIDNIGHT.contains(&time);
    }
    let Some((one, other)) = text.split_once(". ").or_else(|| text.split_once(['-', ' '])) else { return false };
    let is_short = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_short(one) && MONTHS.contains(&other)) || (MONTHS.contains(&one) && is_short(other))
}

/// `#N/A`, `#REF!` or `#####`.
fn is_error(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('#') else { return false };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'/' || byte == b'0');
    let is_named_error = rest.strip_suffix(['!', '?']).is_some_and(|name| !name.is_empty() && is_name(name));
    is_named_error || MISSING.contains(&text) || (rest.len() >= 2 && rest.bytes().all(|byte| byte == b'#'))
}

/// The cells of a row, or what is wrong with them.
pub(super) type ReadRow = Result<ReadCells, String>;

/// For each row, the reason to refuse it, if any: a cell that looks damaged, unless an export of the row's record has the same value.
pub(super) fn damaged_rows(
    tx: &mut dyn Tx,
    permit: &Permit<TransferRecords>,
    kind: TransferKind,
    rows: &[ReadRow],
) -> Result<Vec<Option<String>>, Error> {
    let suspicious: Vec<_> = rows.iter().flatten().filter(|cells| !cells.suspects.is_empty()).collect();
    let ids: Vec<_> = suspicious.iter().filter_map(|cells| id_of(&cells.row)).collect();
    let mut records = if ids.is_empty() { Vec::new() } else { kind.stored(tx, permit, &ids)? };
    if !records.is_empty() {
        let suspects = suspicious.iter().flat_map(|cells| &cells.suspects);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_by_spreadsheets_is_detected() {
        for (cell, what) in [
            ("1.23457E+11", "shortened"),
            (" 4,93012E+12 ", "shortened"),
            ("Mar-12", "a date"),
            ("12-Mar", "a date"),
            ("1-Dec", "a date"),
            ("12. Mrz", "a date"),
            ("2024-03-12 00:00:00", "a date"),
            ("2024-03-12T00:00", "a date"),
            ("#N/A", "a spreadsheet error"),
            ("#REF!", "a spreadsheet error"),
            ("#DIV/0!", "a spreadsheet error"),
            ("#NAME?", "a spreadsheet error"),
            ("########", "a spreadsheet error"),
        ] {
            let message = damage_of(cell).unwrap_or_default();
            assert!(message.starts_with(cell.trim()) && message.contains(what), "{cell}: {message}");
        }
    }

    #[test]
    fn ordinary_keys_are_accepted() {
        for cell in [
            "4711",
            "007",
            "1001.0",
            "5E10",
            "MAR-12",
            "mar-12",
            "Mar-2024",
            "12-March",
            "2024-03-12",
            "123-Mar",
            "2024-03-12 10:00",
            "#1",
            "#",
            "#a!",
            "#!",
            "C#",
            "A-12",
            "+49 30 1234",
            "3/12/2024",
            "Mar-",
            "-12",
            "",
        ] {
            assert_eq!(damage_of(cell), None, "{cell}");
        }
    }
}
