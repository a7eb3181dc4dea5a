//! The meaning of single rows of an import, and dry runs.

use std::sync::Arc;

use serde_json::json;

use super::start;
use super::transfer::{batch, limit_records, number_rows, outcomes, owned, permit, records, run_batch, update_batch};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::records::{DryRunRows, OnMatch, RowOutcome};
use domain::transfer::{Batch, Columns, Export, Mapping, Preset, PresetName, TransferKind, columns_of, export_page};

fn read(columns: &[&str], cells: &[&str], preset: PresetName, kind: TransferKind) -> (Columns, Batch) {
    let mapping = Mapping { preset: Preset::of(preset, kind), ..Mapping::default() };
    let columns = Columns::of(kind, &owned(columns), &mapping).unwrap();
    let rows = number_rows([owned(cells)]);
    (columns.clone(), Batch { columns, on_match: OnMatch::Update, rows, import: None, dry_run_rows: Arc::default() })
}

#[test]
fn rows_with_an_unknown_reference_are_refused() {
    let env = &start();
    let contacts: [&[&str]; 2] = [&["email", "external_id"], &["mia@x.example", "C1"]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &contacts), ["Created"]);
    let companies: [&[&str]; 2] = [&["name", "domain"], &["Lantern", "lantern.example"]];
    assert_eq!(outcomes(env, TransferKind::Companies, &companies), ["Created"]);
    let deals: [&[&str]; 6] = [
        &["title", "company_domain", "contact_email", "contact_external_id", "assigned_to_email"],
        &["A", "lantern.example", "mia@x.example", "", "nobody@x.example"],
        &["B", "lantern.example", "typo@x.example", "", ""],
        &["C", "typo.example", "mia@x.example", "", "nobody@x.example"],
        // If two columns map to one field, the first with a value counts.
        &["D", "", "typo@x.example", "C1", ""],
        &["E", "", "mia@x.example", "C9", ""],
    ];
    let results = outcomes(env, TransferKind::Deals, &deals);
    let (nobody, no_contact) = (
        "assigned_to_email: no member of the workspace has this e-mail address",
        "contact_email: no contact of the workspace has this e-mail address",
    );
    let no_company = "company_domain: no company of the workspace has this domain";
    assert_eq!(results[..3], [nobody, no_contact, &format!("{nobody}; {no_company}")]);
    assert_eq!(results[3..], ["Created", "contact_external_id: no contact of the workspace has this external_id"]);
}

#[test]
fn the_first_address_in_a_cell_is_used_and_the_others_are_kept() {
    let env = &start();
    let table: [&[&str]; 7] = [
        &["email", "phone", "external_id"],
        &["a@x.example; b@x.example, c@x.example", "+49 30 12345, 67890", ""],
        &["d@x.example;D@x.example", "", ""],
        &["e@x.example; nobody", "", ""],
        &["nobody@; f@x.example", "", ""],
        &["", "+49 30 6789", ""],
        &["", "", "unknown"],
    ];
    let import = super::transfer::begin(env, TransferKind::Contacts, 7);
    let results = run_batch(env, batch(TransferKind::Contacts, &table, OnMatch::Update, Some(import)));
    let note = "email: of several in a cell, all but the first are kept in custom_fields.additional_emails (1 row)";
    assert_eq!(results.notes.texts(), [note]);
    let texts = super::transfer::outcome_texts(results.outcomes);
    assert_eq!(texts[..2], ["Created", "Created"]);
    for reason in &texts[2..4] {
        assert!(reason.starts_with("email: must be a valid e-mail address"), "{reason}");
    }
    for reason in &texts[4..] {
        assert!(reason.starts_with("email is required: enter it, or remove the row; "), "{reason}");
    }
    let contacts = records(env, TransferKind::Contacts, "email");
    let stored: Vec<_> = contacts.iter().map(|it| [&it["email"], &it["phone"], &it["custom_fields"]]).collect();
    let additional = json!({ "additional_emails": "b@x.example; c@x.example" });
    assert_eq!(
        stored,
        [
            [&json!("a@x.example"), &json!("+49 30 12345, 67890"), &additional],
            [&json!("d@x.example"), &json!(null), &json!({})],
        ]
    );
}

#[test]
fn a_cell_with_several_addresses_can_be_translated() {
    let env = &start();
    let cell = "a@x.example; b@x.example";
    let values = vec![("email".to_owned(), cell.to_owned(), "b@x.example".to_owned())];
    let mapping = Mapping { values, ..Mapping::default() };
    let columns = Columns::of(TransferKind::Contacts, &owned(&["email"]), &mapping).unwrap();
    let import = super::transfer::begin(env, TransferKind::Contacts, 7);
    let results = run_batch(env, update_batch(columns, number_rows([owned(&[cell])]), import));
    assert_eq!((results.outcomes, results.notes.texts().len()), (vec![RowOutcome::Created], 0));
    let stored = &records(env, TransferKind::Contacts, "email")[0];
    assert_eq!((&stored["email"], &stored["custom_fields"]), (&json!("b@x.example"), &json!({})));
}

#[test]
fn custom_fields_in_separate_columns_leave_the_others_unchanged() {
    let env = &start();
    let stored = || records(env, TransferKind::Contacts, "email")[0]["custom_fields"].clone();
    let whole: [&[&str]; 2] = [&["email", "custom_fields"], &["a@x.example", r#"{"a":"1","b":2,"c":{"d":3}}"#]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &whole), ["Created"]);
    let single: [&[&str]; 2] =
        [&["email", "custom_fields.a", "custom_fields.b", "custom_fields.new"], &["a@x.example", "9", "", "x"]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &single), ["Updated"]);
    assert_eq!(stored(), json!({"a": "9", "b": 2, "c": {"d": 3}, "new": "x"}));
    assert_eq!(outcomes(env, TransferKind::Contacts, &single), ["Unchanged"]);
    // An object may contain some of the fields, and null removes a field.
    let both: [&[&str]; 2] =
        [&["email", "custom_fields", "custom_fields.e"], &["a@x.example", r#"{"z":1,"b":null,"c":{"x":null}}"#, "5"]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &both), ["Updated"]);
    assert_eq!(stored(), json!({"a": "9", "c": {"x": null}, "new": "x", "z": 1, "e": "5"}));
    assert_eq!(outcomes(env, TransferKind::Contacts, &both), ["Unchanged"]);
    let large = "x".repeat(40_000);
    let too_large: [&[&str]; 2] = [&["email", "custom_fields.l"], &["a@x.example", &large]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &too_large), ["Updated"]);
    let results = outcomes(env, TransferKind::Contacts, &[&["email", "custom_fields.m"], &["a@x.example", &large]]);
    assert!(results[0].starts_with("custom_fields: "), "{results:?}");
}

#[test]
fn values_for_all_rows_add_custom_fields() {
    let env = &start();
    let whole: [&[&str]; 2] = [&["email", "custom_fields"], &["a@x.example", r#"{"a":"1"}"#]];
    assert_eq!(outcomes(env, TransferKind::Contacts, &whole), ["Created"]);
    let values = vec![("custom_fields.source".to_owned(), String::new(), "fair".to_owned())];
    let mapping = Mapping { values, ..Mapping::default() };
    let columns = Columns::of(TransferKind::Contacts, &owned(&["email"]), &mapping).unwrap();
    let import = super::transfer::begin(env, TransferKind::Contacts, 7);
    let batch = update_batch(columns, number_rows([owned(&["a@x.example"])]), import);
    assert_eq!(run_batch(env, batch).outcomes, [RowOutcome::Updated]);
    let stored = &records(env, TransferKind::Contacts, "email")[0];
    assert_eq!(stored["custom_fields"], json!({"a": "1", "source": "fair"}));
}

#[test]
fn records_without_keys_are_found_by_the_id_of_an_export() {
    let env = &start();
    let deals_file: [&[&str]; 4] = [&["title", "external_id"], &["One", ""], &["Two", ""], &["Three", "D3"]];
    outcomes(env, TransferKind::Deals, &deals_file);
    let ids: Vec<_> =
        records(env, TransferKind::Deals, "title").iter().map(|deal| deal["id"].as_str().unwrap().to_owned()).collect();
    // In the order of titles: One, Three, Two.
    let (one, three, two) = (&*ids[0], &*ids[1], &*ids[2]);
    let edited: [&[&str]; 7] = [
        &["id", "title", "external_id"],
        &[one, "One more", "D1"],
        &[two, "Two", ""],
        &[three, "Three", "D1"],
        // The id of another workspace creates nothing, because each import of the file would create the record again.
        &["01890a5d-ac96-774b-bcce-b302099a8057", "Four", ""],
        &["4711", "Five", ""],
        &["not an id", "Three", "D3"],
    ];
    let results = outcomes(env, TransferKind::Deals, &edited);
    assert_eq!(results[..2], ["Updated", "Unchanged"]);
    assert!(results[2].starts_with("line 2 is about the same deal"), "{results:?}");
    let unknown = "no record of this workspace has this id: remove id from the columns to create new records";
    assert_eq!(results[3..], [unknown, unknown, "Unchanged"]);
    let deals = records(env, TransferKind::Deals, "title");
    let titles: Vec<_> = deals.iter().map(|deal| &deal["title"]).collect();
    assert_eq!(titles, ["One more", "Three", "Two"]);
    // A contact gets another address this way.
    let contacts: [&[&str]; 3] = [&["email"], &["a@x.example"], &["b@x.example"]];
    outcomes(env, TransferKind::Contacts, &contacts);
    let id = records(env, TransferKind::Contacts, "email")[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(outcomes(env, TransferKind::Contacts, &[&["id", "email"], &[&id, "new@x.example"]]), ["Updated"]);
    let results = outcomes(env, TransferKind::Contacts, &[&["id", "email"], &[&id, "b@x.example"]]);
    assert!(results[0].contains("is not the one with this id"), "{results:?}");
}

/// An export imported elsewhere or after its records were deleted creates nothing; without ids and references, it creates all again.
#[test]
fn rows_with_unknown_ids_or_references_are_refused() {
    let env @ (_, world) = &start();
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    let member = world.member.0.to_string();
    let entry = [&*member, "2030-01-31", "60"];
    for kind in TransferKind::ALL.iter().copied() {
        let required = kind.members().into_iter().filter(|member| member.is_required).map(|member| member.name);
        let value_of = |name: &&str| if *name == "email" { "a@x.example" } else { "One" };
        let required: Vec<_> = required.collect();
        // A time entry needs either a day and a duration, or a start and an end.
        let (names, values): (Vec<_>, Vec<_>) = if kind == TransferKind::TimeEntries {
            (vec!["member_id", "date", "seconds"], entry.to_vec())
        } else {
            let values = required.iter().map(value_of).collect();
            (required, values)
        };
        let (header, row) = ([&["id"][..], &names].concat(), [&[id][..], &values].concat());
        let exported: [&[&str]; 2] = [&header, &row];
        let dry_run = run_batch(env, batch(kind, &exported, OnMatch::Update, None)).outcomes;
        let RowOutcome::Refused(reason) = &dry_run[0] else { panic!("{kind}: {dry_run:?}") };
        assert!(reason.starts_with("no record of this workspace has this id: "), "{kind}: {reason}");
        assert_eq!(outcomes(env, kind, &exported), [&**reason], "{kind}");
        assert_eq!(outcomes(env, kind, &[&names[..], &values[..]]), ["Created"], "{kind}");
    }
    let results = outcomes(env, TransferKind::Tickets, &[&["reference", "title"], &["TKT-0000000000", "Two"]]);
    assert!(results[0].starts_with("no record of this workspace has this reference: "), "{results:?}");
}

#[test]
fn only_new_issues_use_up_numbers() {
    let env = &start();
    for kind in [TransferKind::Tasks, TransferKind::Tickets] {
        let table: [&[&str]; 3] = [&["title"], &["t"], &["u"]];
        let dry_run = run_batch(env, batch(kind, &table, OnMatch::Update, None));
        assert_eq!(dry_run.outcomes, [RowOutcome::Created, RowOutcome::Created], "{kind}");
        assert_eq!(outcomes(env, kind, &table), ["Created", "Created"], "{kind}");
        let stored = records(env, kind, "title");
        assert_eq!((&stored[0]["number"], &stored[1]["number"]), (&json!(1), &json!(2)), "{kind}");
        let id = stored[0]["id"].as_str().unwrap();
        let changed: [&[&str]; 4] =
            [&["id", "title"], &[id, "t"], &["", "v"], &["01890a5d-ac96-774b-bcce-b302099a8057", "w"]];
        let results = outcomes(env, kind, &changed);
        assert_eq!(results[..2], ["Unchanged", "Created"], "{kind}");
        assert!(results[2].starts_with("no record of this workspace has this id"), "{kind}: {results:?}");
        assert_eq!(outcomes(env, kind, &[&["title"], &["w"]]), ["Created"], "{kind}");
        let stored = records(env, kind, "title");
        assert_eq!((&stored[2]["number"], &stored[3]["number"]), (&json!(3), &json!(4)), "{kind}");
    }
}

#[test]
fn dry_runs_count_earlier_batches_against_the_quota() {
    let env = &start();
    limit_records(env, 3);
    let table: [&[&str]; 3] = [&["email"], &["a@x.example"], &["b@x.example"]];
    let count_created = |earlier| {
        let batch = Batch {
            dry_run_rows: Arc::new(DryRunRows::of_created(earlier)),
            ..batch(TransferKind::Contacts, &table, OnMatch::Update, None)
        };
        let results = run_batch(env, batch).outcomes;
        results.iter().filter(|outcome| **outcome == RowOutcome::Created).count()
    };
    assert_eq!([count_created(0), count_created(1), count_created(2), count_created(3)], [2, 2, 1, 0]);
}

#[test]
fn ids_of_other_systems_are_ignored() {
    let env = &start();
    let header = ["Summary", "Assignee Id", "Parent id", "Project id", "ID", "labels"];
    let (columns, batch) =
        read(&header, &["t", "557058:f58131cb", "10001", "10000", "10002", "x"], PresetName::Jira, TransferKind::Tasks);
    assert_eq!(columns.ignored(), ["Assignee Id", "Parent id", "Project id", "ID"]);
    assert_eq!(run_batch(env, batch).outcomes, [RowOutcome::Created]);
}

#[test]
fn deals_of_other_systems_keep_the_day_on_which_they_were_closed() {
    let env = &start();
    let header = ["Record ID", "Deal Name", "Deal Stage", "Close Date"];
    let mut dates = Vec::new();
    for (stage, number) in [("Closed Won", 1), ("Contract Sent", 2)] {
        let id = number.to_string();
        let cells = [&*id, stage, stage, "2020-05-01 10:00"];
        let (_, batch) = read(&header, &cells, PresetName::Hubspot, TransferKind::Deals);
        let import = super::transfer::begin(env, TransferKind::Deals, number);
        assert_eq!(run_batch(env, Batch { import: Some(import), ..batch }).outcomes, [RowOutcome::Created]);
    }
    let header = ["Deal - ID", "Deal - Title", "Deal - Status", "Deal - Deal closed on"];
    let (_, batch) =
        read(&header, &["3", "Won", "Won", "2021-06-02 09:00:00"], PresetName::Pipedrive, TransferKind::Deals);
    let import = super::transfer::begin(env, TransferKind::Deals, 3);
    run_batch(env, Batch { import: Some(import), ..batch });
    for deal in records(env, TransferKind::Deals, "external_id") {
        dates.push((deal["expected_close_date"].clone(), deal["actual_close_date"].clone()));
    }
    assert_eq!(
        dates,
        [(json!(null), json!("2020-05-01")), (json!("2020-05-01"), json!(null)), (json!(null), json!("2021-06-02"))]
    );
}

#[test]
fn columns_without_a_name_must_be_empty() {
    let env = &start();
    let table: [&[&str]; 3] = [&["email", "", ""], &["a@x.example", "", ""], &["b@x.example", "", "lost"]];
    let results = outcomes(env, TransferKind::Contacts, &table);
    assert_eq!(results, ["Created", "\"lost\" is in a column without a name: name the column in the first row"]);
}

#[test]
fn mappings_are_checked_before_any_row_is_read() {
    let messages = |header: &[&str], mapping: &Mapping| -> Vec<String> {
        let problems = Columns::of(TransferKind::Deals, &owned(header), mapping).unwrap_err().details();
        problems.into_iter().map(|problem| problem.message).collect()
    };
    let columns = vec![("Foo".to_owned(), "nosuch".to_owned())];
    let refusals = messages(&["title", "Foo"], &Mapping { columns, ..Mapping::default() });
    assert!(refusals[0].starts_with("\"nosuch\" must be one of title, "), "{refusals:?}");
    let values = vec![("stage".to_owned(), "Weird".to_owned(), "nosuch".to_owned())];
    let refusals = messages(&["title"], &Mapping { values, ..Mapping::default() });
    assert!(refusals[0].starts_with("stage: \"nosuch\" must be one of discovery, "), "{refusals:?}");
    assert!(columns_of(TransferKind::Deals).contains(&"id"));
}

#[test]
fn values_that_look_damaged_are_accepted_in_the_export_of_their_record() {
    let env @ (test, world) = &start();
    let company = Company { external_id: Some("12-Mar".to_owned()), ..world.bare_company() };
    let company = test.block_on(world.add(company));
    let contact = Contact {
        external_id: Some("Mar-12".to_owned()),
        phone: Some("#N/A".to_owned()),
        company_id: Some(company.id),
        ..world.bare_contact()
    };
    let contact = test.block_on(world.add(contact));
    let (columns, exported) = (columns_of(TransferKind::Contacts), Export::from(TransferKind::Contacts));
    let page = test.block_on(export_page(&test.ports, &permit(world), TransferKind::Contacts, None)).unwrap();
    let row = exported.row(&page.records[0]);
    let cells: Vec<_> = row.iter().map(String::as_str).collect();
    assert!(["Mar-12", "#N/A", "12-Mar"].iter().all(|text| cells.contains(text)), "{cells:?}");
    assert_eq!(outcomes(env, TransferKind::Contacts, &[&columns, &cells]), ["Unchanged"]);
    // Other values that look damaged are refused, and so are these values in a row without the id of the record.
    let (id, email) = (contact.id.0.to_string(), contact.email);
    let header: &[&str] = &["id", "email", "external_id", "phone", "company_external_id"];
    for (row, start) in [
        ([&*id, &*email, "Mar-13", "", ""], "external_id: Mar-13 is a text"),
        ([&*id, &*email, "Mar-12", "#REF!", ""], "phone: #REF! is a spreadsheet error"),
        ([&*id, &*email, "", "", "13-Mar"], "company_external_id: 13-Mar is a text"),
        (["", &*email, "Mar-12", "", ""], "external_id: Mar-12 is a text"),
        (["", &*email, "", "#N/A", ""], "phone: #N/A is a spreadsheet error"),
        (["", "new@x.example", "", "", "12-Mar"], "company_external_id: 12-Mar is a text"),
    ] {
        let results = outcomes(env, TransferKind::Contacts, &[header, &row]);
        assert!(results[0].starts_with(start), "{results:?}");
    }
}

#[test]
fn cells_are_read_completely_or_their_row_is_refused() {
    let env = &start();
    let deals: [&[&str]; 7] = [
        &["title", "external_id", "value", "expected_close_date", "tags", "custom_fields", "custom_fields.size"],
        &["a", "1.23457E+11", "", "", "", "", ""],
        &["b", "Mar-12", "", "", "", "", ""],
        &["c", "", "12,5", "", "", "", ""],
        &["d", "", "", "2026-07-01 12:30", "", "", ""],
        &["e", "", "", "", "Bug, UI", "", ""],
        &["f", "", "", "", "", r#"{"size":"L"}"#, "XL"],
    ];
    let results = outcomes(env, TransferKind::Deals, &deals);
    for (reason, start) in results.iter().zip([
        "external_id: 1.23457E+11 is a number that a spreadsheet shortened: format the column as text",
        "external_id: Mar-12 is a text that a spreadsheet turned into a date: ",
        "value: must be a number, such as 1234.5; if this file has decimal commas, ",
        "expected_close_date: must be a date without a time of day",
        "tags: \"Bug, UI\" is ambiguous: ",
        "custom_fields.size: has a different value in custom_fields",
    ]) {
        assert!(reason.starts_with(start), "{reason}");
    }
    let phones: [&[&str]; 3] = [
        &["email", "phone", "company_external_id"],
        &["a@x.example", "4.93012E+12", ""],
        &["b@x.example", "", "1E+15"],
    ];
    let results = outcomes(env, TransferKind::Contacts, &phones);
    assert!(results[0].starts_with("phone: 4.93012E+12 is a number"), "{results:?}");
    assert!(results[1].starts_with("company_external_id: 1E+15 is a number"), "{results:?}");
}
