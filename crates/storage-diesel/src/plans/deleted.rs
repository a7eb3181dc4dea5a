//! Query plans of deleted records: their lists, and what is to be erased.

use domain::records::DeletableKind;
use time::macros::datetime;

use super::{BIG, check, check_generic, seeded, steps};
use crate::directory::records_erasure::{Gone, TABLES, due_query, statements};

#[test]
fn records_to_be_erased_are_found_by_an_index_of_them_alone() {
    for kind in DeletableKind::ALL.iter().copied() {
        let table = TABLES[kind as usize].0;
        // Nothing is deleted for long, so that the planner's numbers say nothing about it.
        check_generic(&due_query(kind, datetime!(2020-01-01 00:00 UTC), 100), &format!("{table}_erasable"));
        let gone = Gone { workspaces: vec![BIG; 3], ids: (1..=3).map(|number| seeded(BIG, number)).collect() };
        let [comments, events, members] = statements(kind, &gone, datetime!(2025-06-01 00:00 UTC), 100);
        let about = [comments, events].into_iter().flatten();
        for sql in about {
            assert!(steps(sql).iter().all(|(step, _, rows)| step != "Seq Scan" && *rows <= 500.0), "{kind}");
        }
        if let Some(members) = members {
            check(members, &format!("{table}_pkey"), 10);
        }
    }
}
