//! The targets of columns, and values for all rows.

use serde_json::{Value, json};

use super::start;
use super::transfer::{all, begin, number_rows, outcomes, owned, run_batch, update_batch};
use domain::records::RowOutcome;
use domain::transfer::{Columns, Mapping, TransferKind};

#[test]
fn column_targets_come_from_the_operator_the_preset_or_the_names() {
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
    // Ignoring a column by name would ignore all columns with this name.
    let repeated = Columns::of(TransferKind::Contacts, &owned(&["email", "email"]), &Mapping::default()).unwrap_err();
    assert!(repeated.details()[0].message.contains("several columns have this name"), "{repeated:?}");
    assert_eq!(refused(&["email"], &mapped(&[("Mail", "email")])), ["unknown_column"]);
    assert_eq!(refused(&["id"], &Mapping::default()), ["no_columns"]);
    let columns = Columns::of(
        TransferKind::Contacts,
        &owned(&["Mail", "Shoe size", "Created", "tags", "Labels", "line", "reason"]),
        &Mapping {
            is_report: true,
            ..mapped(&[("Mail", "email"), ("Shoe size", "custom_fields.shoe"), ("Created", ""), ("Labels", "tags")])
        },
    );
    assert!(columns.is_ok(), "{columns:?}");
}

/// A mapping with values for rows without a value.
fn valued(values: &[(&str, &str)]) -> Mapping {
    let values = values.iter().map(|(member, value)| ((*member).to_owned(), String::new(), (*value).to_owned()));
    Mapping { values: values.collect(), ..Mapping::default() }
}

#[test]
fn rows_without_a_value_get_the_value_for_all_rows() {
    let env = &start();
    assert_eq!(outcomes(env, TransferKind::Companies, &[&["name", "domain"], &["Lantern", "l.example"]]), ["Created"]);
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
    let import = begin(env, TransferKind::Contacts, 7);
    let rows = number_rows(rows.iter().map(|row| owned(row)));
    let results = run_batch(env, update_batch(columns, rows, import)).outcomes;
    assert_eq!(results[..2], [RowOutcome::Created, RowOutcome::Created]);
    let reason = |outcome: &RowOutcome| match outcome {
        RowOutcome::Refused(reason) => reason.clone(),
        other => format!("{other:?}"),
    };
    assert!(reason(&results[2]).starts_with("company_external_id: no company"), "{results:?}");
    assert!(reason(&results[3]).starts_with("the row is empty"), "{results:?}");
    let stored = all(env);
    assert_eq!((stored[0].city.as_deref(), stored[1].city.as_deref()), (Some("Bonn"), Some("Rome")));
    assert_eq!((&stored[0].tags[..], &stored[1].tags[..]), (&owned(&["fair", "2026"])[..], &owned(&["vip"])[..]));
    assert_eq!(Value::Object(stored[0].custom_fields.clone()), json!({ "size": "L", "from": "the fair" }));
    assert_eq!(Value::Object(stored[1].custom_fields.clone()), json!({ "size": "XL", "from": "the fair" }));
    assert!(stored.iter().all(|contact| contact.company_id.is_some()));
}

#[test]
fn invalid_values_for_all_rows_are_reported_before_reading_rows() {
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
