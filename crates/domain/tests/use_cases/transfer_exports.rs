//! Re-imports of exports, and the pages of an export.

use super::start;
use super::transfer::{Env, begin, number_rows, outcomes, owned, permit, run_batch, update_batch};
use domain::records::RowOutcome;
use domain::transfer::{Columns, Export, MAX_EXPORT_PAGE_BYTES, Mapping, TransferKind, columns_of, export_page};

fn exported((test, world): &Env, kind: TransferKind) -> Vec<Vec<String>> {
    let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
    let mut rows: Vec<_> = page.records.iter().map(|record| Export::from(kind).row(record)).collect();
    rows.sort();
    rows
}

#[test]
fn an_export_survives_an_import_into_another_workspace() {
    let (env, other) = (&start(), &start());
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
        assert_eq!(outcomes(env, kind, table), ["Created"], "{kind}");
        let columns = columns_of(kind);
        let rows = exported(env, kind);
        // Ids of the other workspace are unknown here; the columns next to them identify the records.
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
        let import = begin(other, kind, u8::try_from(rows.len()).unwrap() + kind as u8);
        let batch = update_batch(meant, number_rows(rows.clone()), import);
        assert_eq!(run_batch(other, batch).outcomes, [RowOutcome::Created], "{kind}");
        let is_own = |column: &str| {
            let of_service = ["id", "reference", "created_at", "updated_at", "published_at"];
            is_id(column) || of_service.contains(&column)
        };
        let compared = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
            let cells = |row: Vec<String>| {
                row.into_iter().zip(&columns).filter(|(_, name)| !is_own(name)).map(|(cell, _)| cell).collect()
            };
            rows.into_iter().map(cells).collect()
        };
        assert_eq!(compared(exported(other, kind)), compared(rows.clone()), "{kind}");
        let meant = Columns::of(kind, &owned(&columns), &Mapping::default()).unwrap();
        let import = begin(env, kind, 100 + kind as u8);
        let batch = update_batch(meant, number_rows(rows), import);
        assert_eq!(run_batch(env, batch).outcomes, [RowOutcome::Unchanged], "{kind}");
    }
    assert_eq!((env.0.emails().len(), other.0.emails().len()), (0, 0));
}

#[test]
fn pages_of_an_export_are_bounded_in_bytes_and_hold_every_record_once() {
    let env @ (test, world) = &start();
    let long = "\u{20000}".repeat(50_000);
    let header: &[&str] = &["title", "description"];
    for part in 0..5 {
        let titles: Vec<_> = (0..20).map(|number| format!("Task {part}/{number}")).collect();
        // The newest records are small, so that the next page asks for many of the large ones.
        let description = if part > 2 { "short" } else { &*long };
        let rows: Vec<[&str; 2]> = titles.iter().map(|title| [&**title, description]).collect();
        let lines: Vec<&[&str]> = std::iter::once(header).chain(rows.iter().map(|row| &row[..])).collect();
        let results = outcomes(env, TransferKind::Tasks, &lines);
        assert!(results.iter().all(|outcome| outcome == "Created"), "{results:?}");
    }
    let export = Export::from(TransferKind::Tasks);
    let (mut titles_read, mut position, mut pages) = (std::collections::BTreeSet::new(), None, 0);
    loop {
        let page = test.block_on(export_page(&test.ports, &permit(world), export.clone(), position)).unwrap();
        let cells = page.records.iter().flat_map(|record| export.row(record));
        let bytes: usize = cells.map(|cell| cell.len()).sum();
        assert!(bytes <= MAX_EXPORT_PAGE_BYTES + 210_000, "{bytes}");
        assert!(!page.records.is_empty() && page.records.len() <= 100);
        for record in &page.records {
            assert!(titles_read.insert(record["title"].to_string()), "twice");
        }
        pages += 1;
        match page.next {
            Some(next) => position = Some(next),
            None => break,
        }
    }
    assert_eq!(titles_read.len(), 100);
    assert!(pages <= 7, "{pages}");
}
