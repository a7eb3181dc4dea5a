//! A record is found by its key through the primary key alone, also on tables that were never analysed.

use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::kernel::IssueKind;
use domain::ports::Tx;
use domain::{CompanyId, ContactId, CycleId, DealId, IssueId, KbArticleId, ProjectId, Reference, WorkspaceId};
use time::macros::datetime;
use uuid::Uuid;

use super::NEW;
use super::{BIG, DATABASE, common, seeded};
use crate::engine::tx::{PgTx, TxMode};

#[derive(QueryableByName)]
struct Scanned {
    #[diesel(sql_type = Text)]
    index: String,
}

/// The indexes of a table that the open transaction read.
fn scanned(connection: &mut PgConnection, table: &str) -> Vec<String> {
    let sql = "SELECT indexrelid::regclass::text AS index FROM pg_index
        WHERE indrelid = $1::regclass AND pg_stat_get_xact_numscans(indexrelid) > 0 ORDER BY 1";
    let rows: Vec<Scanned> = diesel::sql_query(sql).bind::<Text, _>(table).load(connection).unwrap();
    rows.into_iter().map(|row| row.index).collect()
}

/// Runs `work` in a transaction of its own, which is rolled back.
fn check(database: &common::Database, table: &str, work: impl FnOnce(&mut dyn Tx)) {
    check_reads(database, table, &["pkey"], work);
}

/// The same where it reads indexes with these endings.
fn check_reads(database: &common::Database, table: &str, indexes: &[&str], work: impl FnOnce(&mut dyn Tx)) {
    let mut connection = database.connection();
    connection.begin_test_transaction().unwrap();
    work(&mut PgTx::new(&mut connection, WorkspaceId(BIG), TxMode::Transaction));
    let expected: Vec<_> = indexes.iter().map(|index| format!("{table}_{index}")).collect();
    assert_eq!(scanned(&mut connection, table), expected, "{table}");
}

/// Reading, locking and deleting a record.
macro_rules! check_keys {
    ($table:literal, $repository:ident, $id:expr) => {
        for database in [&*NEW, &*DATABASE] {
            check(database, $table, |tx| assert!(tx.$repository().get($id).unwrap().is_some()));
            check(database, $table, |tx| assert!(tx.$repository().get_for_update($id).unwrap().is_some()));
            check(database, $table, |tx| assert!(tx.$repository().delete($id, datetime!(2030-01-31 09:00 UTC)).unwrap()));
        }
    };
}

fn id() -> Uuid {
    seeded(BIG, 7)
}

#[test]
fn a_record_is_found_by_its_primary_key() {
    check_keys!("companies", companies, CompanyId(id()));
    check_keys!("contacts", contacts, ContactId(id()));
    check_keys!("deals", deals, DealId(id()));
    check_keys!("projects", projects, ProjectId(id()));
    check_keys!("cycles", cycles, CycleId(id()));
    check_keys!("kb_articles", kb_articles, KbArticleId(id()));
    for database in [&*NEW, &*DATABASE] {
        let id = IssueId(id());
        check(database, "issues", |tx| assert!(tx.issues().get(id).unwrap().is_some()));
        check(database, "issues", |tx| assert_eq!(tx.issues().get_many_for_update(&[id]).unwrap().len(), 1));
    }
}

#[test]
fn a_record_is_saved_by_its_primary_key() {
    // Its unique values are looked up by their indexes. An UPDATE that changes no indexed value reads no other index.
    check_reads(&NEW, "deals", &["external_id_key", "pkey"], |tx| {
        let mut deal = tx.deals().get(DealId(id())).unwrap().unwrap();
        deal.lost_reason = Some("price".to_owned());
        tx.deals().save(&deal).unwrap();
    });
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
            let found = [IssueKind::Task, IssueKind::Ticket]
                .map(|kind| tx.references_exist(&[Reference::Issue(kind, IssueId(id()))]).unwrap() == [true]);
            assert!(found.contains(&true));
        });
    }
}
