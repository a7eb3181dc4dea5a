use std::sync::Arc;

use serde_json::{Value, json};

use super::{events_of, fresh, listen, new, start};
use domain::Error;
use domain::crm::contacts::{self, Contact, ContactFilter};
use domain::identity::access::{CreateContacts, Permit, ReadContacts, TransferRecords};
use domain::kernel::paging::PageRequest;
use domain::records::{OnMatch, RowOutcome};
use domain::testing::operator;
use domain::transfer::{
    self, Batch, BatchResult, Columns, Export, FileRow, Import, ImportDigest, MAX_EXPORT_PAGE_BYTES, Mapping, Repeat,
    TransferKind, columns_of, export_page,
};
use storage_contract::TestWorkspace;
use storage_memory::TestPorts;

pub(super) fn permit(world: &TestWorkspace) -> Permit<TransferRecords> {
    operator().permit(world.workspace.clone())
}

pub(super) fn owned(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Rows behind a header, each in a line.
pub(super) fn numbered(rows: impl IntoIterator<Item = Vec<String>>) -> Vec<FileRow> {
    (2..).zip(rows).map(|(line, cells)| FileRow { line, cells }).collect()
}

/// A batch of rows; the first is the header.
pub(super) fn batch(kind: TransferKind, table: &[&[&str]], on_match: OnMatch, import: Option<Import>) -> Batch {
    let columns = Columns::of(kind, &owned(table[0]), &Mapping::default()).unwrap();
    let rows = numbered(table[1..].iter().map(|row| owned(row)));
    Batch { columns, on_match, rows, import, tried: Arc::default() }
}

/// A batch that updates what is there.
pub(super) fn all_of(columns: Columns, rows: Vec<FileRow>, import: Import) -> Batch {
    Batch { columns, on_match: OnMatch::Update, rows, import: Some(import), tried: Arc::default() }
}

pub(super) fn begun(test: &TestPorts, world: &TestWorkspace, kind: TransferKind, file: u8) -> Import {
    let digest = ImportDigest::new([file; 32]);
    test.block_on(transfer::begin(&test.ports, &permit(world), digest, kind, Repeat::Refuse)).unwrap()
}

pub(super) fn imported(test: &TestPorts, world: &TestWorkspace, batch: Batch) -> BatchResult {
    test.block_on(transfer::import_batch(&test.ports, &permit(world), batch)).unwrap()
}

/// What became of rows that are imported on their own; refusals by their reason.
pub(super) fn outcomes(
    (test, world): (&TestPorts, &TestWorkspace),
    kind: TransferKind,
    table: &[&[&str]],
    on_match: OnMatch,
) -> Vec<String> {
    let file =
        u8::try_from(table.iter().flat_map(|row| row.iter()).map(|cell| cell.len()).sum::<usize>() % 200).unwrap();
    let digest = ImportDigest::new([file; 32]);
    let import = test.block_on(transfer::begin(&test.ports, &permit(world), digest, kind, Repeat::Again)).unwrap();
    let done = imported(test, world, batch(kind, table, on_match, Some(import)));
    test.block_on(transfer::finish(&test.ports, &permit(world), done.import.unwrap())).unwrap();
    let shown = done.outcomes.into_iter().map(|outcome| match outcome {
        RowOutcome::Refused(reason) => reason,
        other => format!("{other:?}"),
    });
    shown.collect()
}

fn all(test: &TestPorts, world: &TestWorkspace) -> Vec<Contact> {
    let permit = world.permit::<ReadContacts>();
    let page = contacts::list(&test.ports, &permit, ContactFilter::default(), PageRequest::first(100));
    let mut found = test.block_on(page).unwrap().items;
    found.sort_by_key(|contact| contact.email.clone());
    found
}

#[test]
fn rows_do_what_creates_and_updates_do_with_the_same_events() {
    let (test, world) = start();
    let heard = listen(&test, &world);
    let header: &[&str] = &["email", "First Name", "tags", "custom_fields.size", "external_id"];
    let table = [header, &["a@x.example", "Ann", "vip; berlin", "XL", "1"], &["b@x.example", "Bob", "", "", ""]];
    assert_eq!(outcomes((&test, &world), TransferKind::Contacts, &table, OnMatch::Update), ["Created", "Created"]);
    let stored = all(&test, &world);
    assert_eq!(stored[0].tags, ["vip", "berlin"]);
    assert_eq!(Value::Object(stored[0].custom_fields.clone()), json!({ "size": "XL" }));
    let table =
        [header, &["A@x.example", "Anna", "", "", "1"], &["b@x.example", "", "", "", ""], &["nowhere", "", "", "", ""]];
    let done = outcomes((&test, &world), TransferKind::Contacts, &table, OnMatch::Update);
    assert_eq!(done[..2], ["Updated", "Unchanged"]);
    assert!(done[2].starts_with("email: "), "{done:?}");
    let changed = all(&test, &world);
    assert_eq!(
        (changed[0].first_name.as_deref(), changed[0].tags.len()),
        (Some("Anna"), 2),
        "empty cells change nothing"
    );
    let names: Vec<_> = events_of(&test, &world, heard).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["contact.created", "contact.created", "contact.updated"]);
}

#[test]
fn rows_whose_record_is_there_are_updated_skipped_or_refused() {
    let (test, world) = start();
    let table: [&[&str]; 3] = [&["email", "city"], &["a@x.example", "Bonn"], &["b@x.example", "Rome"]];
    for (on_match, expected) in [
        (OnMatch::Skip, ["Created", "Created"]),
        (OnMatch::Update, ["Unchanged", "Unchanged"]),
        (OnMatch::Skip, ["Skipped", "Skipped"]),
    ] {
        assert_eq!(outcomes((&test, &world), TransferKind::Contacts, &table, on_match), expected);
    }
    let refused = outcomes((&test, &world), TransferKind::Contacts, &table, OnMatch::Refuse);
    assert!(refused.iter().all(|reason| reason.contains("this contact already exists")), "{refused:?}");
    assert_eq!(all(&test, &world).len(), 2);
}

#[test]
fn rows_without_a_key_create_records_and_links_are_found_by_keys_of_others() {
    let (test, world) = start();
    let at = (&test, &world);
    let companies: [&[&str]; 3] = [&["name", "domain"], &["Lantern", "lantern.example"], &["Lantern", ""]];
    assert_eq!(outcomes(at, TransferKind::Companies, &companies, OnMatch::Update), ["Created", "Created"]);
    let deals: [&[&str]; 4] = [
        &["title", "company_domain", "assigned_to_email", "value", "status"],
        &["One", "LANTERN.example", "", "1,000.50", "Closed Won"],
        &["Two", "other.example", "", "", ""],
        &["Three", "", "nobody@x.example", "much", ""],
    ];
    let done = outcomes(at, TransferKind::Deals, &deals, OnMatch::Update);
    assert_eq!(done[0], "Created");
    assert_eq!(done[1], "company_domain: no company of the workspace has this domain");
    assert_eq!(done[2], "value: must be a number, such as 1234.5");
    let page = test.block_on(export_page(&test.ports, &permit(&world), TransferKind::Deals, None)).unwrap();
    assert_eq!(page.records[0]["company_domain"], "lantern.example");
    assert_eq!((&page.records[0]["value"], &page.records[0]["stage"]), (&json!(1000.5), &json!("closed_won")));
}

#[test]
fn an_import_goes_on_where_it_was_killed_and_only_one_process_does_it() {
    let (test, world) = start();
    let header: &[&str] = &["name"];
    let import = begun(&test, &world, TransferKind::Companies, 1);
    let done = imported(
        &test,
        &world,
        batch(TransferKind::Companies, &[header, &["a"], &[""]], OnMatch::Update, Some(import.clone())),
    );
    let after = done.import.unwrap();
    assert_eq!((after.progress.created, after.progress.refused), (1, 1));
    assert_eq!(begun(&test, &world, TransferKind::Companies, 1), after);
    // Another process that read the progress before.
    let late = batch(TransferKind::Companies, &[header, &["a"]], OnMatch::Update, Some(import));
    let refused = test.block_on(transfer::import_batch(&test.ports, &permit(&world), late));
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    let digest = after.digest.clone();
    let found = test.block_on(transfer::refusals(&test.ports, &permit(&world), digest, 1, 2)).unwrap();
    assert_eq!((found.len(), found[0].row), (1, 2));
    test.block_on(transfer::finish(&test.ports, &permit(&world), after.clone())).unwrap();
    let again = |again| {
        test.block_on(transfer::begin(
            &test.ports,
            &permit(&world),
            after.digest.clone(),
            TransferKind::Companies,
            again,
        ))
    };
    assert!(matches!(again(Repeat::Refuse), Err(Error::Conflict(_))));
    assert_eq!(again(Repeat::Again).unwrap().progress.rows(), 0);
}

#[test]
fn a_try_writes_nothing() {
    let (test, world) = start();
    let heard = listen(&test, &world);
    for (kind, header, row) in [
        (TransferKind::Contacts, "email", "a@x.example"),
        (TransferKind::Projects, "name", "p"),
        (TransferKind::Tasks, "title", "t"),
        (TransferKind::Articles, "title", "t"),
    ] {
        let done = imported(&test, &world, batch(kind, &[&[header], &[row]], OnMatch::Update, None));
        assert_eq!(done.outcomes, [RowOutcome::Created], "{kind}");
        let page = test.block_on(export_page(&test.ports, &permit(&world), kind, None)).unwrap();
        assert_eq!(page.records.len(), 0, "{kind}");
    }
    assert_eq!(events_of(&test, &world, heard), []);
}

/// Exports a kind as the cells of a file.
fn exported(test: &TestPorts, world: &TestWorkspace, kind: TransferKind) -> Vec<Vec<String>> {
    let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
    let mut rows: Vec<_> = page.records.iter().map(|record| Export::from(kind).row(record)).collect();
    rows.sort();
    rows
}

#[test]
fn an_export_is_imported_into_another_workspace_as_it_was() {
    let ((test, world), (other, elsewhere)) = (start(), start());
    let tables: [(TransferKind, &[&[&str]]); 7] = [
        (TransferKind::Companies, &[&["name", "domain", "notes"], &["=1+1", "l.example", "a \"b\",\nc"]]),
        (
            TransferKind::Contacts,
            &[&["email", "company_domain", "tags"], &["a@x.example", "l.example", "[\"a;b\",\"c\"]"]],
        ),
        (
            TransferKind::Deals,
            &[&["title", "external_id", "contact_email", "value"], &["d", "1", "a@x.example", "0.1"]],
        ),
        (TransferKind::Projects, &[&["name", "external_id", "deal_external_id", "hosted"], &["p", "2", "1", "yes"]]),
        (
            TransferKind::Tasks,
            &[
                &["title", "project_external_id", "labels", "status", "completed_at"],
                &["t", "2", "x; y", "Done", "2029-01-02T03:04:05Z"],
            ],
        ),
        (
            TransferKind::Tickets,
            &[
                &["title", "requester_email", "status", "resolved_at"],
                &["t", "a@x.example", "resolved", "2029-01-02T03:04:05Z"],
            ],
        ),
        (TransferKind::Articles, &[&["title", "body", "status"], &["Why?", "# Because\n- it is", "published"]]),
    ];
    for (kind, table) in tables {
        assert_eq!(outcomes((&test, &world), kind, table, OnMatch::Update), ["Created"], "{kind}");
        let columns = columns_of(kind);
        let rows = exported(&test, &world, kind);
        // Ids of the other workspace mean nothing here: the columns beside them name the records.
        let is_id =
            |column: &str| ["id", "reference", "company_id", "contact_id", "deal_id", "project_id"].contains(&column);
        let mapping = Mapping {
            columns: columns
                .iter()
                .filter(|name| is_id(name))
                .map(|name| ((*name).to_owned(), String::new()))
                .collect(),
            ..Mapping::default()
        };
        let meant = Columns::of(kind, &owned(&columns), &mapping).unwrap();
        let import = begun(&other, &elsewhere, kind, u8::try_from(rows.len()).unwrap() + kind as u8);
        let batch = all_of(meant, numbered(rows.clone()), import);
        assert_eq!(imported(&other, &elsewhere, batch).outcomes, [RowOutcome::Created], "{kind}");
        let own = |column: &str| {
            let of_service = ["id", "reference", "created_at", "updated_at", "published_at"];
            is_id(column) || of_service.contains(&column)
        };
        let compared = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
            let kept = |row: Vec<String>| {
                row.into_iter().zip(&columns).filter(|(_, name)| !own(name)).map(|(cell, _)| cell).collect()
            };
            rows.into_iter().map(kept).collect()
        };
        assert_eq!(compared(exported(&other, &elsewhere, kind)), compared(rows.clone()), "{kind}");
        let meant = Columns::of(kind, &owned(&columns), &Mapping::default()).unwrap();
        let import = begun(&test, &world, kind, 100 + kind as u8);
        let batch = all_of(meant, numbered(rows), import);
        assert_eq!(imported(&test, &world, batch).outcomes, [RowOutcome::Unchanged], "{kind}");
    }
    assert_eq!((test.emails().len(), other.emails().len()), (0, 0));
}

#[test]
fn what_columns_mean_is_said_by_the_operator_the_preset_or_their_names() {
    let refused = |header: &[&str], mapping: &Mapping| {
        let problems = Columns::of(TransferKind::Contacts, &owned(header), mapping).unwrap_err().details();
        problems.into_iter().map(|problem| problem.code).collect::<Vec<_>>()
    };
    let mapped = |pairs: &[(&str, &str)]| Mapping {
        columns: pairs.iter().map(|(column, member)| ((*column).to_owned(), (*member).to_owned())).collect(),
        ..Mapping::default()
    };
    assert_eq!(refused(&["email", "Shoe size"], &Mapping::default()), ["unknown_column"]);
    assert_eq!(refused(&["email", "Mail"], &mapped(&[("Mail", "email")])), ["repeated_column"]);
    // To ignore columns of one name would ignore all of them.
    let repeated = Columns::of(TransferKind::Contacts, &owned(&["email", "email"]), &Mapping::default()).unwrap_err();
    assert!(repeated.details()[0].message.contains("several columns have this name"), "{repeated:?}");
    assert_eq!(refused(&["email"], &mapped(&[("Mail", "email")])), ["unknown_column"]);
    assert_eq!(refused(&["id"], &Mapping::default()), ["no_columns"]);
    let columns = Columns::of(
        TransferKind::Contacts,
        &owned(&["Mail", "Shoe size", "Created", "tags", "Labels", "line", "reason"]),
        &mapped(&[("Mail", "email"), ("Shoe size", "custom_fields.shoe"), ("Created", ""), ("Labels", "tags")]),
    );
    assert!(columns.is_ok(), "{columns:?}");
}

#[test]
fn single_creates_and_imports_find_each_other() {
    let (test, world) = start();
    let body = json!({ "email": "a@x.example", "external_id": "1" });
    let made = fresh(test.block_on(contacts::create(&test.ports, &world.permit::<CreateContacts>(), None, new(body))));
    let table: [&[&str]; 2] = [&["external_id", "city"], &["1", "Bonn"]];
    assert_eq!(outcomes((&test, &world), TransferKind::Contacts, &table, OnMatch::Update), ["Updated"]);
    assert_eq!(all(&test, &world)[0].id, made.id);
}

/// What values say of rows whose cell is empty, or that have none.
fn valued(values: &[(&str, &str)]) -> Mapping {
    let values = values.iter().map(|(member, value)| ((*member).to_owned(), String::new(), (*value).to_owned()));
    Mapping { values: values.collect(), ..Mapping::default() }
}

#[test]
fn rows_that_say_nothing_of_a_member_get_the_value_that_is_for_all() {
    let (test, world) = start();
    let companies: [&[&str]; 2] = [&["name", "domain"], &["Lantern", "l.example"]];
    assert_eq!(outcomes((&test, &world), TransferKind::Companies, &companies, OnMatch::Update), ["Created"]);
    let header = ["email", "city", "tags", "Labels", "custom_fields.size", "company_external_id"];
    let values = [
        ("city", "Bonn"),
        ("tags", "fair; 2026"),
        ("custom_fields.size", "L"),
        ("custom_fields.from", "the fair"),
        ("company_domain", "L.example"),
    ];
    let mapping = Mapping { columns: vec![("Labels".to_owned(), "tags".to_owned())], ..valued(&values) };
    let columns = Columns::of(TransferKind::Contacts, &owned(&header), &mapping).unwrap();
    let rows = [
        ["a@x.example", "", "", "", "", ""],
        ["b@x.example", "Rome", "", "vip", "XL", ""],
        ["c@x.example", "", "", "", "", "none"],
        ["", "", "", "", "", ""],
    ];
    let import = begun(&test, &world, TransferKind::Contacts, 7);
    let rows = numbered(rows.iter().map(|row| owned(row)));
    let done = imported(&test, &world, all_of(columns, rows, import)).outcomes;
    assert_eq!(done[..2], [RowOutcome::Created, RowOutcome::Created]);
    let reason = |outcome: &RowOutcome| match outcome {
        RowOutcome::Refused(reason) => reason.clone(),
        other => format!("{other:?}"),
    };
    assert!(reason(&done[2]).starts_with("company_external_id: no company"), "the row says it: {done:?}");
    assert!(reason(&done[3]).starts_with("the row is empty"), "{done:?}");
    let stored = all(&test, &world);
    assert_eq!((stored[0].city.as_deref(), stored[1].city.as_deref()), (Some("Bonn"), Some("Rome")));
    assert_eq!((&stored[0].tags[..], &stored[1].tags[..]), (&owned(&["fair", "2026"])[..], &owned(&["vip"])[..]));
    assert_eq!(Value::Object(stored[0].custom_fields.clone()), json!({ "size": "L", "from": "the fair" }));
    assert_eq!(Value::Object(stored[1].custom_fields.clone()), json!({ "size": "XL", "from": "the fair" }));
    assert!(stored.iter().all(|contact| contact.company_id.is_some()));
}

#[test]
fn a_value_for_all_rows_that_its_member_refuses_is_told_before_any_row_is_read() {
    use TransferKind::{Articles, Companies, Contacts, Deals, Projects, Tasks, Tickets};
    for (kind, column, member, value, message) in [
        (Companies, "name", "domain", "l.example", "domain: identifies records"),
        (Contacts, "email", "shoe_size", "44", "must be one of"),
        (Contacts, "email", "version", "1", "must be one of"),
        (Contacts, "email", "status", "no such status", "status: must be one of"),
        (Deals, "title", "value", "much", "value: must be a number"),
        (Deals, "title", "probability", "101", "probability: "),
        (Deals, "title", "company_id", "Lantern", "company_id: "),
        (Projects, "name", "hosted", "perhaps", "hosted: must be true or false"),
        (Tasks, "title", "id", "1", "must be one of"),
        (Tasks, "title", "priority", "much", "priority: must be one of"),
        (Tasks, "title", "start_date", "soon", "start_date: "),
        (Tickets, "title", "requester_email", "nobody", "requester_email: "),
        (Articles, "title", "slug", "same", "slug: identifies records"),
    ] {
        let refused = Columns::of(kind, &owned(&[column]), &valued(&[(member, value)])).unwrap_err().details();
        assert_eq!(refused.len(), 1, "{kind} {member}: {refused:?}");
        assert!(refused[0].message.contains(message), "{kind} {member}: {refused:?}");
    }
    for (kind, column, member, value) in [
        (Contacts, "email", "company_domain", "l.example"),
        (Deals, "title", "stage", "Closed Lost"),
        (Deals, "title", "lost_reason", "price"),
        (Projects, "name", "hosted", "yes"),
        (Tasks, "title", "cycle_id", "0190163d-8694-739b-aea5-966c26f8ad90"),
        (Tickets, "title", "requester_name", "Mia"),
        (Tickets, "title", "labels", "x; y"),
        (Articles, "title", "status", "published"),
    ] {
        let columns = Columns::of(kind, &owned(&[column]), &valued(&[(member, value)]));
        assert!(columns.is_ok(), "{kind} {member}: {columns:?}");
    }
}

#[test]
fn pages_of_an_export_are_bounded_in_bytes_and_hold_every_record_once() {
    let (test, world) = start();
    let long = "\u{20000}".repeat(50_000);
    let header: &[&str] = &["title", "description"];
    for part in 0..5 {
        let titles: Vec<_> = (0..20).map(|number| format!("Task {part}/{number}")).collect();
        // The newest ones are small, so that many of the large ones are read at a time.
        let description = if part > 2 { "short" } else { &*long };
        let rows: Vec<[&str; 2]> = titles.iter().map(|title| [&**title, description]).collect();
        let lines: Vec<&[&str]> = std::iter::once(header).chain(rows.iter().map(|row| &row[..])).collect();
        let done = outcomes((&test, &world), TransferKind::Tasks, &lines, OnMatch::Update);
        assert!(done.iter().all(|outcome| outcome == "Created"), "{done:?}");
    }
    let export = Export::from(TransferKind::Tasks);
    let (mut seen, mut place, mut pages) = (std::collections::BTreeSet::new(), None, 0);
    loop {
        let page = test.block_on(export_page(&test.ports, &permit(&world), export.clone(), place)).unwrap();
        let cells = page.records.iter().flat_map(|record| export.row(record));
        let bytes: usize = cells.map(|cell| cell.len()).sum();
        assert!(bytes <= MAX_EXPORT_PAGE_BYTES + 210_000, "{bytes}");
        assert!(!page.records.is_empty() && page.records.len() <= 100);
        for record in &page.records {
            assert!(seen.insert(record["title"].to_string()), "twice");
        }
        pages += 1;
        match page.next {
            Some(next) => place = Some(next),
            None => break,
        }
    }
    assert_eq!(seen.len(), 100);
    assert!(pages <= 7, "{pages}");
}
