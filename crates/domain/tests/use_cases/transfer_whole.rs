//! Rows are read completely: no cell overwrites another, and no row is lost.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::start;
use super::transfer::{Env, begin, number_rows, outcome_texts, outcomes, owned, records, run_batch, update_batch};
use domain::records::{OnMatch, RowOutcome};
use domain::transfer::{Batch, Columns, Mapping, TransferKind};

/// The custom fields of all deals, sorted by title.
fn fields_of_deals(env: &Env) -> Vec<Json> {
    records(env, TransferKind::Deals, "title").iter().map(|deal| deal["custom_fields"].clone()).collect()
}

/// Imports rows of a comma-separated file in a dry run. Returns the outcomes, with the reasons of refusals.
fn dry_run(env: &Env, kind: TransferKind, table: &[&[&str]], mapping: &Mapping) -> Vec<String> {
    let columns = Columns::of(kind, &owned(table[0]), mapping).unwrap().separated_by(',');
    let rows = number_rows(table[1..].iter().map(|row| owned(row)));
    let batch = Batch { columns, on_match: OnMatch::Update, rows, import: None, dry_run_rows: Arc::default() };
    outcome_texts(run_batch(env, batch).outcomes)
}

#[test]
fn rows_joined_by_stray_quotation_marks_are_refused_even_if_some_have_too_few_cells() {
    let env = &start();
    let table: [&[&str]; 3] = [
        &["name", "notes", "phone"],
        &["Q11", "6 inch,1\nQ12,B\nQ13,5", "3"],
        &["Q14", "Opening hours\nMonday, Tuesday\nnot on Friday", "4"],
    ];
    let results = dry_run(env, TransferKind::Companies, &table, &Mapping::default());
    assert!(results[0].starts_with("this may be 3 rows that stray quotation marks join"), "{results:?}");
    assert_eq!(results[1], "Created");
}

#[test]
fn owners_and_contacts_kept_as_text_do_not_overwrite_custom_fields() {
    let env = &start();
    let header: &[&str] = &[
        "title",
        "external_id",
        "owner_by_email",
        "custom_fields.owner",
        "contact_by_name",
        "custom_fields.contact",
        "custom_fields",
    ];
    let deals: [&[&str]; 4] = [
        header,
        &["a", "1", "Somebody", "Alice, the real owner", "", "", ""],
        &["b", "2", "Somebody", "", "", "", r#"{"owner":"Alice"}"#],
        &["c", "3", "Somebody", "Somebody", "Nobody Known", "Ola Berg", ""],
    ];
    assert_eq!(outcomes(env, TransferKind::Deals, &deals), ["Created"; 3]);
    assert_eq!(
        fields_of_deals(env),
        [
            json!({ "owner": "Alice, the real owner; Somebody" }),
            json!({ "owner": "Alice; Somebody" }),
            json!({ "owner": "Somebody", "contact": "Ola Berg; Nobody Known" }),
        ]
    );
    assert_eq!(outcomes(env, TransferKind::Deals, &deals), ["Unchanged"; 3]);
    // A later row updates the field.
    assert_eq!(outcomes(env, TransferKind::Deals, &[&["external_id", "owner_by_email"], &["1", "Bo"]]), ["Updated"]);
    assert_eq!(fields_of_deals(env)[0], json!({ "owner": "Bo" }));
    let results = outcomes(env, TransferKind::Deals, &[header, &["d", "4", "Somebody", "", "", "", r#"{"owner":7}"#]]);
    assert!(results[0].starts_with("custom_fields: \"owner\" has a value that is not a text"), "{results:?}");
}

#[test]
fn names_that_contradict_the_row_are_kept_as_text() {
    let env @ (test, world) = &start();
    let member = test.block_on(world.new_member());
    let email = test.block_on(world.read(move |tx| tx.members().recipients(&[member])))[0].email.clone();
    let contacts: [&[&str]; 3] = [
        &["email", "first_name", "last_name"],
        &["mia@x.example", "Mia", "Lantern"],
        &["ola@x.example", "Ola", "Berg"],
    ];
    assert_eq!(outcomes(env, TransferKind::Contacts, &contacts), ["Created"; 2]);
    assert_eq!(outcomes(env, TransferKind::Companies, &[&["name", "domain"], &["Lantern", "l.example"]]), ["Created"]);
    let same = format!("Noah <{email}>");
    let header: &[&str] = &[
        "title",
        "assigned_to_email",
        "owner_by_email",
        "contact_email",
        "contact_by_name",
        "company_domain",
        "company_by_name",
    ];
    let deals: [&[&str]; 4] = [
        header,
        &["a", &email, "Somebody", "mia@x.example", "Ola Berg", "l.example", "Other"],
        &["b", &email, &same, "mia@x.example", "Mia Lantern", "l.example", "LANTERN"],
        &["c", &email, "other@x.example", "mia@x.example", "Nobody Known", "", "Other"],
    ];
    assert_eq!(outcomes(env, TransferKind::Deals, &deals), ["Created"; 3]);
    assert_eq!(
        fields_of_deals(env),
        [
            json!({ "owner": "Somebody", "contact": "Ola Berg", "company": "Other" }),
            json!({}),
            json!({ "owner": "other@x.example", "contact": "Nobody Known" }),
        ]
    );
    let deals = records(env, TransferKind::Deals, "title");
    assert!(deals.iter().all(|deal| deal["assigned_to"] == json!(member.0.to_string())), "{deals:?}");
    let tasks: [&[&str]; 2] = [&["title", "assignee_email", "owner_by_email"], &["t", &email, "Somebody"]];
    assert_eq!(outcomes(env, TransferKind::Tasks, &tasks), ["Created"]);
    let task = &records(env, TransferKind::Tasks, "title")[0];
    assert_eq!(task["assignee_id"], json!(member.0.to_string()));
    assert_eq!(task["description"], "Assignee: Somebody");
}

#[test]
fn members_can_be_given_by_address_and_owners_survive_an_export() {
    let env @ (test, world) = &start();
    let member = test.block_on(world.new_member());
    let email = test.block_on(world.read(move |tx| tx.members().recipients(&[member])))[0].email.clone();
    let (shouted, id) = (email.to_uppercase(), member.0.to_string());
    for (kind, key, owner) in [
        (TransferKind::Companies, "name", "assigned_to"),
        (TransferKind::Contacts, "email", "assigned_to"),
        (TransferKind::Deals, "title", "assigned_to"),
        (TransferKind::Projects, "name", "lead_user_id"),
        (TransferKind::Tasks, "title", "assignee_id"),
    ] {
        let table: [&[&str]; 5] = [
            &[key, owner],
            &["a@x.example", &email],
            &["b@x.example", &shouted],
            &["c@x.example", &id],
            &["d@x.example", "nobody@x.example"],
        ];
        let results = outcomes(env, kind, &table);
        assert_eq!(results[..3], ["Created"; 3], "{kind}");
        assert!(results[3].ends_with("_email: no member of the workspace has this e-mail address"), "{}", results[3]);
        let made = records(env, kind, key);
        assert!(made.iter().all(|record| record[owner] == json!(id)), "{made:?}");
    }
    // An address can also be the value for all rows.
    let mapping =
        Mapping { values: vec![("assigned_to".to_owned(), String::new(), email.clone())], ..Mapping::default() };
    let columns = Columns::of(TransferKind::Deals, &owned(&["title"]), &mapping).unwrap();
    let (rows, import) = (number_rows([owned(&["z"])]), Some(begin(env, TransferKind::Deals, 7)));
    let batch = Batch { columns, on_match: OnMatch::Update, rows, import, dry_run_rows: Arc::default() };
    assert_eq!(outcome_texts(run_batch(env, batch).outcomes), ["Created"]);
    assert_eq!(records(env, TransferKind::Deals, "title")[3]["assigned_to"], json!(id));
    // The column for addresses takes precedence, because ids differ between workspaces.
    for (kind, key) in [(TransferKind::Companies, "domain"), (TransferKind::Contacts, "email")] {
        let value = if key == "domain" { "x.example" } else { "e@x.example" };
        let name = if key == "domain" { "name" } else { "first_name" };
        let header: &[&str] = &[key, name, "assigned_to", "assigned_to_email"];
        for assigned_to in ["01ba6ff1-0f6a-7000-8000-000000000009", "nobody@x.example"] {
            let row: &[&str] = &[value, assigned_to, assigned_to, &email];
            let results = outcomes(env, kind, &[header, row]);
            assert!(["Created", "Updated"].contains(&results[0].as_str()), "{results:?}");
        }
        let exported = records(env, kind, key).into_iter().find(|record| record[key] == json!(value)).unwrap();
        assert_eq!((&exported["assigned_to"], &exported["assigned_to_email"]), (&json!(id), &json!(email)));
    }
}

#[test]
fn a_full_name_fills_in_the_missing_name_or_is_kept() {
    let env = &start();
    let table: [&[&str]; 10] = [
        &["email", "Full name", "first_name", "last_name"],
        &["a@x.example", "Ann Maria Lee", "", ""],
        &["b@x.example", "Ann Lee", "Ann", ""],
        &["c@x.example", "ann  maria van Lee", "Ann Maria", ""],
        &["d@x.example", "Ann Maria van Lee", "", "van Lee"],
        &["e@x.example", "Ann Lee", "Ann", "Lee"],
        &["f@x.example", "Ann", "Ann", ""],
        // These names contradict each other.
        &["g@x.example", "Anna Lee", "Ann", ""],
        &["h@x.example", "Lee, Ann", "", "Lee"],
        &["i@x.example", "Ann Maria Lee", "Ann", "Lee"],
    ];
    assert_eq!(outcomes(env, TransferKind::Contacts, &table), ["Created"; 9]);
    let contacts = records(env, TransferKind::Contacts, "email");
    let names: Vec<_> = contacts
        .iter()
        .map(|contact| ["first_name", "last_name"].map(|name| contact[name].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(
        names,
        [
            ["Ann Maria", "Lee"],
            ["Ann", "Lee"],
            ["Ann Maria", "van Lee"],
            ["Ann Maria", "van Lee"],
            ["Ann", "Lee"],
            ["Ann", ""],
            ["Ann", ""],
            ["", "Lee"],
            ["Ann", "Lee"],
        ]
    );
    let kept: Vec<_> = contacts.iter().map(|contact| contact["custom_fields"]["full_name"].as_str()).collect();
    assert_eq!(kept[..6], [None; 6]);
    assert_eq!(kept[6..], [Some("Anna Lee"), Some("Lee, Ann"), Some("Ann Maria Lee")]);
}

#[test]
fn line_and_reason_are_report_columns_only_if_the_rows_match() {
    let env = &start();
    let header: &[&str] = &["title", "line", "reason"];
    let problems = Columns::of(TransferKind::Deals, &owned(header), &Mapping::default()).unwrap_err().details();
    let problems: Vec<_> = problems.iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect();
    assert_eq!(problems, ["line:unknown_column", "reason:unknown_column"]);

    let report = Mapping { is_report: true, ..Mapping::default() };
    let table: [&[&str]; 3] = [header, &["a", "3", "title: why"], &["b", "Red Line", "sold"]];
    let results = dry_run(env, TransferKind::Deals, &table, &report);
    assert_eq!(results[0], "Created");
    assert!(results[1].starts_with("the columns line and reason seem to be those of a report"), "{results:?}");
    // Importing the report confirms that this is one row.
    let joined: [&[&str]; 2] = [
        &["name", "notes", "phone", "line", "reason"],
        &["Q11", "6 inch,1\nQ12,B,2\nQ13,C,3\nQ14,5", "3", "2", "this may be 4 rows"],
    ];
    assert_eq!(dry_run(env, TransferKind::Companies, &joined, &report), ["Created"]);

    let chosen = ["line", "reason"].map(|name| (name.to_owned(), format!("custom_fields.{name}")));
    let columns = Columns::of(TransferKind::Deals, &owned(header), &Mapping { columns: chosen.to_vec(), ..report });
    let columns = columns.unwrap();
    assert!(!columns.is_report());
    let import = begin(env, TransferKind::Deals, 9);
    let results = run_batch(env, update_batch(columns, number_rows([owned(&["c", "3", "sold"])]), import));
    assert_eq!(results.outcomes, [RowOutcome::Created]);
    assert_eq!(fields_of_deals(env), [json!({ "line": "3", "reason": "sold" })]);
}
