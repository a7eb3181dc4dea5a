use std::sync::Arc;

use serde_json::{Value, json};

use super::{create, events_of, list, listen, start};
use domain::Error;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::identity::access::{Permit, TransferRecords};
use domain::records::{OnMatch, RowOutcome};
use domain::testing::operator;
use domain::transfer::{
    self, Batch, BatchResult, Columns, FileRow, Import, ImportDigest, Mapping, Repeat, TransferKind, export_page,
};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

/// Ports with a workspace.
pub(super) type Env = (TestPorts, TestWorkspace);

pub(super) fn permit(world: &TestWorkspace) -> Permit<TransferRecords> {
    operator().permit(world.workspace.clone())
}

pub(super) fn limit_records((test, world): &Env, per_month: u32) {
    test.block_on(world.change_workspace(move |workspace| {
        workspace.limits.crm_quota_per_month = Some(per_month);
        workspace.version += 1;
    }));
}

pub(super) fn owned(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Rows with the line numbers after a header.
pub(super) fn number_rows(rows: impl IntoIterator<Item = Vec<String>>) -> Vec<FileRow> {
    (2..).zip(rows).map(|(line, cells)| FileRow { line, cells }).collect()
}

/// A batch from a table whose first row is the header.
pub(super) fn batch(kind: TransferKind, table: &[&[&str]], on_match: OnMatch, import: Option<Import>) -> Batch {
    let columns = Columns::of(kind, &owned(table[0]), &Mapping::default()).unwrap();
    let rows = number_rows(table[1..].iter().map(|row| owned(row)));
    Batch { columns, on_match, rows, import, dry_run_rows: Arc::default() }
}

pub(super) fn update_batch(columns: Columns, rows: Vec<FileRow>, import: Import) -> Batch {
    Batch { columns, on_match: OnMatch::Update, rows, import: Some(import), dry_run_rows: Arc::default() }
}

pub(super) fn begin((test, world): &Env, kind: TransferKind, file: u8) -> Import {
    let digest = ImportDigest::new([file; 32]);
    test.block_on(transfer::begin(&test.ports, &permit(world), digest, kind, Repeat::Refuse)).unwrap()
}

pub(super) fn run_batch((test, world): &Env, batch: Batch) -> BatchResult {
    test.block_on(transfer::import_batch(&test.ports, &permit(world), batch)).unwrap()
}

/// Imports rows as one file that updates existing records. Returns their outcomes, with the reasons of refusals.
pub(super) fn outcomes(env: &Env, kind: TransferKind, table: &[&[&str]]) -> Vec<String> {
    outcomes_with(env, kind, table, OnMatch::Update)
}

pub(super) fn outcomes_with(env: &Env, kind: TransferKind, table: &[&[&str]], on_match: OnMatch) -> Vec<String> {
    let (test, world) = env;
    let file =
        u8::try_from(table.iter().flat_map(|row| row.iter()).map(|cell| cell.len()).sum::<usize>() % 200).unwrap();
    let digest = ImportDigest::new([file; 32]);
    let import = test.block_on(transfer::begin(&test.ports, &permit(world), digest, kind, Repeat::Again)).unwrap();
    let result = run_batch(env, batch(kind, table, on_match, Some(import)));
    test.block_on(transfer::finish(&test.ports, &permit(world), result.import.unwrap())).unwrap();
    outcome_texts(result.outcomes)
}

/// The outcomes of a batch, with the reasons of refusals.
pub(super) fn outcome_texts(outcomes: Vec<RowOutcome>) -> Vec<String> {
    let texts = outcomes.into_iter().map(|outcome| match outcome {
        RowOutcome::Refused(reason) => reason,
        other => format!("{other:?}"),
    });
    texts.collect()
}

/// The records of a kind as exported, sorted by a field.
pub(super) fn records((test, world): &Env, kind: TransferKind, by: &str) -> Vec<Value> {
    let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
    let mut records: Vec<_> = page.records.into_iter().map(Value::Object).collect();
    records.sort_by_key(|record| record[by].as_str().unwrap_or_default().to_owned());
    records
}

pub(super) fn all((test, world): &Env) -> Vec<Contact> {
    let mut found = list::<Contact>(test, world, ContactFilter::default());
    found.sort_by_key(|contact| contact.email.clone());
    found
}

#[test]
fn rows_behave_like_creates_and_updates_with_the_same_events() {
    let env @ (test, world) = &start();
    let subscription = listen(test, world);
    let header: &[&str] = &["email", "First Name", "tags", "custom_fields.size", "external_id"];
    let table = [header, &["a@x.example", "Ann", "vip; berlin", "XL", "1"], &["b@x.example", "Bob", "", "", ""]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &table), ["Created", "Created"]);
    let stored = all(env);
    assert_eq!(stored[0].tags, ["vip", "berlin"]);
    assert_eq!(Value::Object(stored[0].custom_fields.clone()), json!({ "size": "XL" }));
    let table =
        [header, &["A@x.example", "Anna", "", "", "1"], &["b@x.example", "", "", "", ""], &["nowhere", "", "", "", ""]];
    let results = outcomes(env, TransferKind::Contacts, &table);
    assert_eq!(results[..2], ["Updated", "Unchanged"]);
    assert!(results[2].starts_with("email: "), "{results:?}");
    let changed = all(env);
    let first = (changed[0].first_name.as_deref(), changed[0].tags.len());
    assert_eq!(first, (Some("Anna"), 2), "empty cells change nothing");
    let names: Vec<_> = events_of(test, world, subscription).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["contact.created", "contact.created", "contact.updated"]);
}

#[test]
fn rows_of_existing_records_are_updated_skipped_or_refused() {
    let env = &start();
    let table: [&[&str]; 3] = [&["email", "city"], &["a@x.example", "Bonn"], &["b@x.example", "Rome"]];
    for (on_match, expected) in [
        (OnMatch::Skip, ["Created", "Created"]),
        (OnMatch::Update, ["Unchanged", "Unchanged"]),
        (OnMatch::Skip, ["Skipped", "Skipped"]),
    ] {
        assert_eq!(outcomes_with(env, TransferKind::Contacts, &table, on_match), expected);
    }
    let refused = outcomes_with(env, TransferKind::Contacts, &table, OnMatch::Refuse);
    assert!(refused.iter().all(|reason| reason.contains("this contact already exists")), "{refused:?}");
    assert_eq!(all(env).len(), 2);
}

#[test]
fn rows_without_a_key_create_records_and_links_resolve_by_key() {
    let env @ (test, world) = &start();
    let companies: [&[&str]; 3] = [&["name", "domain"], &["Lantern", "lantern.example"], &["Lantern", ""]];
    assert_eq!(outcomes(env, TransferKind::Companies, &companies), ["Created", "Created"]);
    let deals: [&[&str]; 4] = [
        &["title", "company_domain", "assigned_to_email", "value", "status"],
        &["One", "LANTERN.example", "", "1,000.50", "Closed Won"],
        &["Two", "other.example", "", "", ""],
        &["Three", "", "nobody@x.example", "much", ""],
    ];
    let results = outcomes(env, TransferKind::Deals, &deals);
    assert_eq!(results[0], "Created");
    assert_eq!(results[1], "company_domain: no company of the workspace has this domain");
    assert_eq!(results[2], "value: must be a number, such as 1234.5");
    let page = test.block_on(export_page(&test.ports, &permit(world), TransferKind::Deals, None)).unwrap();
    assert_eq!(page.records[0]["company_domain"], "lantern.example");
    assert_eq!((&page.records[0]["value"], &page.records[0]["stage"]), (&json!(1000.5), &json!("closed_won")));
}

#[test]
fn a_killed_import_is_resumed_by_only_one_process() {
    let env @ (test, world) = &start();
    let header: &[&str] = &["name"];
    let import = begin(env, TransferKind::Companies, 1);
    let result =
        run_batch(env, batch(TransferKind::Companies, &[header, &["a"], &[""]], OnMatch::Update, Some(import.clone())));
    let after = result.import.unwrap();
    assert_eq!((after.progress.created, after.progress.refused), (1, 1));
    assert_eq!(begin(env, TransferKind::Companies, 1), after);
    // Another process that has read the previous progress.
    let late = batch(TransferKind::Companies, &[header, &["a"]], OnMatch::Update, Some(import));
    let refused = test.block_on(transfer::import_batch(&test.ports, &permit(world), late));
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    let digest = after.digest.clone();
    let found = test.block_on(transfer::refusals(&test.ports, &permit(world), digest, 1, 2)).unwrap();
    assert_eq!((found.len(), found[0].row), (1, 2));
    test.block_on(transfer::finish(&test.ports, &permit(world), after.clone())).unwrap();
    let begin_again = |repeat| {
        test.block_on(transfer::begin(
            &test.ports,
            &permit(world),
            after.digest.clone(),
            TransferKind::Companies,
            repeat,
        ))
    };
    assert!(matches!(begin_again(Repeat::Refuse), Err(Error::Conflict(_))));
    assert_eq!(begin_again(Repeat::Again).unwrap().progress.rows(), 0);
}

#[test]
fn dry_runs_write_nothing() {
    let env @ (test, world) = &start();
    let subscription = listen(test, world);
    for (kind, header, row) in [
        (TransferKind::Contacts, "email", "a@x.example"),
        (TransferKind::Projects, "name", "p"),
        (TransferKind::Tasks, "title", "t"),
        (TransferKind::Articles, "title", "t"),
    ] {
        let result = run_batch(env, batch(kind, &[&[header], &[row]], OnMatch::Update, None));
        assert_eq!(result.outcomes, [RowOutcome::Created], "{kind}");
        let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
        assert_eq!(page.records.len(), 0, "{kind}");
    }
    assert_eq!(events_of(test, world, subscription), []);
}

#[test]
fn single_creates_and_imports_find_each_other() {
    let env @ (test, world) = &start();
    let body = json!({ "email": "a@x.example", "external_id": "1" });
    let created = create::<Contact>(test, world, body).unwrap();
    assert_eq!(outcomes(env, TransferKind::Contacts, &[&["external_id", "city"], &["1", "Bonn"]]), ["Updated"]);
    assert_eq!(all(env)[0].id, created.id);
}
