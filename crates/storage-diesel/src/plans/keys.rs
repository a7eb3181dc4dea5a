//! Look-ups by id use only the primary key, even on tables that were never analysed.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::crm::deals::Deal;
use domain::kernel::IssueKind;
use domain::ports::Tx;
use domain::work::issues::Issue;
use domain::{CompanyId, ContactId, DealId, IssueId, ProjectId, Reference, WorkspaceId, with_kinds};
use time::macros::datetime;
use uuid::Uuid;

use super::{BIG, DATABASE, NEW, common, seeded};
use crate::engine::statement::Statement;
use crate::engine::tx::{PgTx, TxMode};
use crate::kinds::for_each;
use crate::records::StoredKind;

/// The indexes of a table that the open transaction read.
fn scanned(connection: &mut PgConnection, table: &str) -> Vec<String> {
    let sql = Statement::<Text>::once(
        "SELECT indexrelid::regclass::text FROM pg_index
         WHERE indrelid = $1::regclass AND pg_stat_get_xact_numscans(indexrelid) > 0 ORDER BY 1",
    );
    sql.bind(table.to_owned()).load(connection).unwrap()
}

/// Runs `work` in a separate transaction, which is rolled back.
fn check(database: &common::Database, table: &str, work: impl FnOnce(&mut dyn Tx)) {
    check_reads(database, table, &["pkey"], work);
}

/// Like [`check`], for work that reads the indexes with these suffixes.
fn check_reads(database: &common::Database, table: &str, indexes: &[&str], work: impl FnOnce(&mut dyn Tx)) {
    let mut connection = database.connection();
    connection.begin_test_transaction().unwrap();
    work(&mut PgTx::new(&mut connection, WorkspaceId(BIG), TxMode::Transaction));
    let expected: Vec<_> = indexes.iter().map(|index| format!("{table}_{index}")).collect();
    assert_eq!(scanned(&mut connection, table), expected, "{table}");
}

/// Reads, locks and deletes a record. Deleting an issue also removes it from its cycle.
fn check_keys<K: StoredKind>() {
    for database in [&*NEW, &*DATABASE] {
        check(database, K::TABLE, |tx| assert!(tx.records::<K>().get(id().into()).unwrap().is_some()));
        check(database, K::TABLE, |tx| assert!(tx.records::<K>().get_for_update(id().into()).unwrap().is_some()));
        if K::TABLE != Issue::TABLE {
            let now = datetime!(2030-01-31 09:00 UTC);
            check(database, K::TABLE, |tx| assert!(tx.records::<K>().delete(id().into(), now).unwrap()));
        }
    }
}

fn id() -> Uuid {
    seeded(BIG, 7)
}

#[test]
fn a_record_is_found_by_its_primary_key() {
    with_kinds!(for_each!(check_keys));
    for database in [&*NEW, &*DATABASE] {
        check(database, "issues", |tx| assert_eq!(tx.issues().get_many_for_update(&[IssueId(id())]).unwrap().len(), 1));
    }
}

#[test]
fn a_record_is_saved_by_its_primary_key() {
    // Its unique values are looked up by their indexes. An UPDATE that changes no indexed value reads no other index.
    check_reads(&NEW, "deals", &["external_id_key", "pkey"], |tx| {
        let mut deal = tx.records::<Deal>().get(DealId(id())).unwrap().unwrap();
        deal.lost_reason = Some("price".to_owned());
        tx.records::<Deal>().save(&deal).unwrap();
    });
}

#[test]
fn a_batch_of_issues_is_saved_by_its_primary_keys() {
    let ids: Vec<_> = (1..=20).map(|number| IssueId(seeded(BIG, number))).collect();
    for database in [&*NEW, &*DATABASE] {
        let mut connection = database.connection();
        connection.begin_test_transaction().unwrap();
        {
            let tx: &mut dyn Tx = &mut PgTx::new(&mut connection, WorkspaceId(BIG), TxMode::Transaction);
            let mut issues = tx.issues().get_many_for_update(&ids).unwrap();
            assert_eq!(issues.len(), ids.len());
            for issue in &mut issues {
                issue.version += 1;
            }
            tx.issues().save_many(&issues).unwrap();
        }
        assert_eq!(scanned(&mut connection, "issues"), ["issues_pkey"]);
        let read = "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'issues'";
        let fetched: i64 = Statement::<BigInt>::once(read).get_result(&mut connection).unwrap();
        // Each row is read twice: to lock it, and to save it.
        assert!(fetched <= 100, "{fetched}");
    }
}

#[test]
fn references_are_found_by_primary_keys() {
    for database in [&*NEW, &*DATABASE] {
        for (table, reference) in [
            ("companies", Reference::Company(CompanyId(id()))),
            ("contacts", Reference::Contact(ContactId(id()))),
            ("deals", Reference::Deal(DealId(id()))),
            ("projects", Reference::Project(ProjectId(id()))),
        ] {
            check(database, table, |tx| assert_eq!(tx.references_exist(&[reference]).unwrap(), [true]));
        }
        check(database, "issues", |tx| {
            let exists = [IssueKind::Task, IssueKind::Ticket]
                .map(|kind| tx.references_exist(&[Reference::Issue(kind, IssueId(id()))]).unwrap() == [true]);
            assert!(exists.contains(&true));
        });
    }
}
