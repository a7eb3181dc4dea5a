//! Rows are read whole: no cell overwrites another, and no row disappears.

use std::sync::Arc;

use super::start;
use super::transfer::{imported, numbered, owned};
use domain::records::{OnMatch, RowOutcome};
use domain::transfer::{Batch, Columns, Mapping, TransferKind};
use storage_contract::TestWorkspace;
use storage_memory::TestPorts;

type At<'a> = (&'a TestPorts, &'a TestWorkspace);

/// A dry run of rows from a file with commas; returns the reasons of refusals, and otherwise the outcomes.
fn tried((test, world): At<'_>, kind: TransferKind, table: &[&[&str]], mapping: &Mapping) -> Vec<String> {
    let columns = Columns::of(kind, &owned(table[0]), mapping).unwrap().separated_by(',');
    let rows = numbered(table[1..].iter().map(|row| owned(row)));
    let batch = Batch { columns, on_match: OnMatch::Update, rows, import: None, tried: Arc::default() };
    let outcomes = imported(test, world, batch).outcomes.into_iter().map(|outcome| match outcome {
        RowOutcome::Refused(reason) => reason,
        other => format!("{other:?}"),
    });
    outcomes.collect()
}

#[test]
fn rows_joined_by_stray_quotation_marks_are_refused_even_if_some_have_too_few_cells() {
    let (test, world) = start();
    let at = (&test, &world);
    let table: [&[&str]; 3] = [
        &["name", "notes", "phone"],
        &["Q11", "6 inch,1\nQ12,B\nQ13,5", "3"],
        &["Q14", "Opening hours\nMonday, Tuesday\nnot on Friday", "4"],
    ];
    let done = tried(at, TransferKind::Companies, &table, &Mapping::default());
    assert!(done[0].starts_with("this may be 3 rows that stray quotation marks join"), "{done:?}");
    assert_eq!(done[1], "Created");
}
