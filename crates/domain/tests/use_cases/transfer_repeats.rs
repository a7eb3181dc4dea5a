//! Rows of one file that are about the same record.

use std::sync::Arc;

use super::transfer::{Env, batch, begin, outcome_texts, outcomes, outcomes_with, permit, run_batch};
use super::{list, start};
use domain::Error;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::records::{DryRunRows, OnMatch};
use domain::transfer::{self, Batch, ImportDigest, Repeat, TransferKind, export_page};

fn cities((test, world): &Env) -> Vec<String> {
    let found = list::<Contact>(test, world, ContactFilter::default());
    let mut cities: Vec<_> = found.into_iter().map(|contact| contact.city.unwrap_or_default()).collect();
    cities.sort();
    cities
}

fn same(noun: &str, line: u64) -> String {
    format!("line {line} is about the same {noun}: merge the two rows, or import this one from a separate file")
}

#[test]
fn a_row_about_the_record_of_an_earlier_row_is_refused() {
    let env @ (test, world) = &start();
    for (kind, noun, key, one, other) in [
        (TransferKind::Companies, "company", "domain", "L.example", "l.EXAMPLE"),
        (TransferKind::Companies, "company", "external_id", "1", " 1 "),
        (TransferKind::Contacts, "contact", "email", "a@x.example", "A@X.example"),
        (TransferKind::Deals, "deal", "external_id", "2", "2"),
        (TransferKind::Projects, "project", "external_id", "3", "3 "),
        (TransferKind::Articles, "article", "slug", "how", "how"),
    ] {
        let name = match kind {
            TransferKind::Companies | TransferKind::Projects => "name",
            TransferKind::Contacts => "city",
            _ => "title",
        };
        let table: [&[&str]; 4] = [&[key, name], &[one, "One"], &[other, "Two"], &[one, "One"]];
        assert_eq!(outcomes(env, kind, &table), ["Created".to_owned(), same(noun, 2), same(noun, 2)], "{kind}");
        let table: [&[&str]; 3] = [&[key, name], &[one, "One"], &[other, "Two!"]];
        assert_eq!(outcomes(env, kind, &table), ["Unchanged".to_owned(), same(noun, 2)], "{kind}");
        // A row of another file may change the record.
        let table: [&[&str]; 2] = [&[key, name], &[other, "Three"]];
        assert_eq!(outcomes(env, kind, &table), ["Updated"], "{kind}");
    }
    for kind in [TransferKind::Tasks, TransferKind::Tickets] {
        assert_eq!(outcomes(env, kind, &[&["title"], &["One"], &["One"]]), ["Created", "Created"], "{kind}");
        let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
        let id = page.records[0]["id"].as_str().unwrap();
        let table: [&[&str]; 3] = [&["id", "title"], &[id, "Two"], &[id, "Three"]];
        assert_eq!(outcomes(env, kind, &table), ["Updated".to_owned(), same("issue", 2)], "{kind}");
    }
}

#[test]
fn a_repeated_row_is_refused_whatever_happens_to_existing_records() {
    for on_match in [OnMatch::Update, OnMatch::Skip, OnMatch::Refuse] {
        let env = &start();
        let table: [&[&str]; 6] = [
            &["email", "external_id", "city"],
            &["a@x.example", "1", "Bonn"],
            &["", "1", "Rome"],
            &["A@x.example", "", "Oslo"],
            &["b@x.example", "2", "Kiel"],
            &["a@x.example", "3", "Linz"],
        ];
        let results = outcomes_with(env, TransferKind::Contacts, &table, on_match);
        assert_eq!(results[..3], ["Created".to_owned(), same("contact", 2), same("contact", 2)], "{on_match}");
        assert_eq!(results[3..], ["Created".to_owned(), same("contact", 2)], "{on_match}");
        assert_eq!(cities(env), ["Bonn", "Kiel"], "{on_match}");
    }
}

#[test]
fn refused_and_skipped_rows_do_not_count_as_written() {
    let env = &start();
    let table: [&[&str]; 4] = [
        &["email", "status", "city"],
        &["a@x.example", "no such status", "Bonn"],
        &["a@x.example", "", "Rome"],
        &["a@x.example", "", "Oslo"],
    ];
    let results = outcomes(env, TransferKind::Contacts, &table);
    assert!(results[0].starts_with("status: \"no such status\" must be one of"), "{results:?}");
    assert_eq!(results[1..], ["Created".to_owned(), same("contact", 3)]);
    let existing: [&[&str]; 3] = [&["email", "city"], &["a@x.example", "Bonn"], &["a@x.example", "Kiel"]];
    assert_eq!(outcomes_with(env, TransferKind::Contacts, &existing, OnMatch::Skip), ["Skipped", "Skipped"]);
    assert_eq!(cities(env), ["Rome"]);
}

/// Two batches of a file, the second with lines from 502.
fn two_batches(kind: TransferKind, first: &[&[&str]], second: &[&[&str]]) -> (Batch, Batch) {
    let (first, mut second) = (batch(kind, first, OnMatch::Update, None), batch(kind, second, OnMatch::Update, None));
    for row in &mut second.rows {
        row.line += 500;
    }
    (first, second)
}

/// The header and the rows of a file.
type Table = &'static [&'static [&'static str]];

#[test]
fn earlier_batches_count_after_a_kill() {
    let env @ (test, world) = &start();
    let kinds: [(TransferKind, &str, Table, Table); 3] = [
        (
            TransferKind::Contacts,
            "contact",
            &[&["email", "city"], &["a@x.example", "Bonn"], &["b@x.example", ""]],
            &[&["email", "city"], &["B@x.example", "Rome"], &["c@x.example", ""], &["A@x.example", "Rome"]],
        ),
        (
            TransferKind::Projects,
            "project",
            &[&["name", "external_id"], &["One", "1"], &["Two", "2"]],
            &[&["name", "external_id"], &["Other", "2"], &["Three", "3"], &["Other", "1"]],
        ),
        (
            TransferKind::Articles,
            "article",
            &[&["title", "slug"], &["One", "one"], &["Two", "two"]],
            &[&["title", "slug"], &["Other", "two"], &["Three", "three"], &["Other", "one"]],
        ),
    ];
    for (kind, noun, first, second) in kinds {
        let (first, second) = two_batches(kind, first, second);
        let expected = [same(noun, 3), "Created".to_owned(), same(noun, 2)];
        // A dry run that knows the earlier batch has the same result.
        let dry_run = run_batch(env, first.clone());
        let mut known = DryRunRows::default();
        known.add(&dry_run.outcomes, dry_run.companies, &dry_run.marks);
        let second_dry_run = Batch { dry_run_rows: Arc::new(known), ..second.clone() };
        assert_eq!(outcome_texts(run_batch(env, second_dry_run).outcomes), expected, "{kind}");

        let import = begin(env, kind, kind as u8);
        let result = run_batch(env, Batch { import: Some(import), ..first });
        assert_eq!(outcome_texts(result.outcomes), ["Created", "Created"], "{kind}");
        // The process is killed, and another process resumes.
        let import = begin(env, kind, kind as u8);
        assert_eq!(import.progress.created, 2, "{kind}");
        let result = run_batch(env, Batch { import: Some(import), ..second.clone() });
        assert_eq!(outcome_texts(result.outcomes), expected, "{kind}");

        let import = result.import.unwrap();
        let digest = import.digest.clone();
        let page = test.block_on(export_page(&test.ports, &permit(world), kind, None)).unwrap();
        let ids: Vec<_> = page.records.iter().map(|it| it["id"].as_str().unwrap().parse().unwrap()).collect();
        let written = |ids: Vec<_>| {
            let digest = digest.clone();
            test.block_on(world.commit(move |tx| tx.imports().written(&digest, &ids)))
        };
        assert_eq!(written(ids.clone()).len(), 3, "{kind}");
        test.block_on(transfer::finish(&test.ports, &permit(world), import)).unwrap();
        assert_eq!(written(ids), [], "{kind}: forgotten");
    }
}

#[test]
fn dry_runs_know_updates_of_earlier_batches() {
    let env = &start();
    let header: &[&str] = &["email", "city"];
    outcomes(env, TransferKind::Contacts, &[header, &["a@x.example", "Bonn"]]);
    let (first, second) = two_batches(
        TransferKind::Contacts,
        &[header, &["a@x.example", "Rome"]],
        &[header, &["A@x.example", "Oslo"], &["b@x.example", ""]],
    );
    let dry_run = run_batch(env, first);
    assert_eq!(outcome_texts(dry_run.outcomes.clone()), ["Updated"]);
    let mut known = DryRunRows::default();
    known.add(&dry_run.outcomes, dry_run.companies, &dry_run.marks);
    let second = Batch { dry_run_rows: Arc::new(known), ..second };
    assert_eq!(outcome_texts(run_batch(env, second).outcomes), [same("contact", 2), "Created".to_owned()]);
    assert_eq!(cities(env), ["Bonn"]);
}

#[test]
fn the_oldest_of_too_many_unfinished_imports_end() {
    let env @ (test, world) = &start();
    let kind = TransferKind::Companies;
    let first = begin(env, kind, 1);
    let result = run_batch(env, batch(kind, &[&["name"], &["a"]], OnMatch::Update, Some(first)));
    let resume = || {
        let digest = ImportDigest::new([1; 32]);
        test.block_on(transfer::begin(&test.ports, &permit(world), digest, kind, Repeat::Refuse))
    };
    for file in 2..=20 {
        test.clock.advance(time::Duration::SECOND);
        begin(env, kind, file);
    }
    assert_eq!(resume().unwrap().progress.rows(), 1, "the oldest of 20 can be resumed");
    test.clock.advance(time::Duration::SECOND);
    begin(env, kind, 21);
    let Err(Error::Conflict(message)) = resume() else { panic!("it has not ended") };
    assert!(message.contains("already imported in the same way") && message.contains(", 1 rows of it"), "{message}");
    assert!(result.import.is_some() && begin(env, kind, 2).finished_at.is_none());
}
