//! Query plans of the console's statements across all kinds of records.

use domain::console::undos::Undo;
use domain::console::views::ViewPage;
use domain::console::{CHANGES_LOOKED_AT, HomeQuery, RecordSearch, WantedNames};
use domain::events::EventReach;
use domain::kernel::input::Problems;
use domain::kernel::search::SearchQuery;
use domain::records::RecordKind;
use domain::support::kb::{KbQuery, MissedTerm};
use domain::{SavedViewId, UndoId, UserId};
use time::macros::{date, datetime};

use super::{BIG, HEAD, SMALL, check, check_both, check_generic, check_steps, seeded, steps};
use crate::console::{home, saved_views, search, undos};
use crate::kinds::table_of;
use crate::support::kb_vain_searches;

fn wanted(text: &str, kinds: &[RecordKind]) -> RecordSearch {
    let words = SearchQuery::parse(text).unwrap().unwrap();
    RecordSearch { words, kinds: kinds.to_vec(), drafts: true, comments: Vec::new() }
}

/// Each kind's part reads the head of its list, and the search index only for words that are rare in the head.
#[test]
fn a_search_over_all_reads_heads_and_indexes() {
    for kind in RecordKind::ALL.iter().copied() {
        let table = table_of(kind.as_str()).unwrap();
        if (table.searched_kind)(kind).is_none() {
            continue;
        }
        let (newest, index) = (format!("{}_newest", table.name), format!("{}_search", table.name));
        for workspace in [BIG, SMALL] {
            let query = |text| search::search_query(workspace, &wanted(text, &[kind])).unwrap();
            check(query("nothing"), &newest, HEAD);
            if workspace == BIG {
                check(query("nothing"), &index, HEAD);
            }
        }
    }
    let query = || search::search_query(BIG, &wanted("article nothing", &[RecordKind::Article])).unwrap();
    check(query(), "kb_articles_newest", HEAD);
    for text in ["ann", "rare12345", "nothing", "a"] {
        check_steps(search::search_query(BIG, &wanted(text, RecordKind::ALL)).unwrap(), 6 * HEAD);
    }
}

/// Each part reads the head of its index, in a workspace of any size.
#[test]
fn waiting_records_read_heads_of_indexes() {
    let home_of = |user| HomeQuery {
        user: UserId(user),
        has_tasks: true,
        has_tickets: true,
        has_deals: true,
        closing: (date!(2025 - 01 - 01), date!(2025 - 01 - 29)),
    };
    check_both(home::waiting_query(BIG, &home_of(seeded(BIG, 7))), "issues_open_by_turn", 100);
    for index in ["issues_to_do", "deals_closing"] {
        for workspace in [BIG, SMALL] {
            check_both(home::waiting_query(workspace, &home_of(seeded(workspace, 7))), index, 100);
        }
    }
    for (kind, index, rows) in steps(home::changes_query(BIG, &EventReach::everything())) {
        assert!(kind != "Seq Scan" || rows == 0.0, "{kind} {index} {rows}");
        assert!(rows <= f64::from(CHANGES_LOOKED_AT), "{kind} {index} {rows}");
    }
}

#[test]
fn saved_views_are_found_by_their_indexes() {
    let (page, member) = (ViewPage::of(RecordKind::Deal).unwrap(), UserId(seeded(BIG, 7)));
    for index in ["saved_views_own", "saved_views_shared"] {
        check_generic(&saved_views::list_query(BIG, page, member), index);
        check_generic(&saved_views::counts_query(BIG, member), index);
        check(saved_views::list_query(BIG, page, member), index, 250);
    }
    let order: Vec<_> = (0..250).map(|number| SavedViewId(seeded(BIG, number))).collect();
    check_generic(&saved_views::arrange_query(BIG, &order), "saved_views_pkey");
}

#[test]
fn undos_are_found_by_their_indexes() {
    let (member, at) = (UserId(seeded(BIG, 7)), datetime!(2025-06-01 00:00 UTC));
    let (id, kind) = (UndoId(seeded(BIG, 8)), RecordKind::Deal);
    let undo = Undo { id, kind, made_at: at, expires_at: at, entries: Vec::new() };
    check_generic(&undos::keep_query(BIG, member, &undo).unwrap(), "console_undos_of_user");
    check_generic(&undos::get_query(BIG, member, id), "console_undos_pkey");
    check_generic(&undos::prune_query(at, 100), "console_undos_expired");
}

#[test]
fn terms_without_results_are_read_in_order() {
    let term = MissedTerm::of(&KbQuery::parse("q", Some("term"), &mut Problems::default()).unwrap()).unwrap();
    let at = datetime!(2025-01-01 00:00 UTC);
    check_both(kb_vain_searches::list_query(BIG, at, 50), "kb_vain_searches_most", 1_000);
    check(kb_vain_searches::prune_query(SMALL, &term), "kb_vain_searches_pkey", 1_000);
}

#[test]
fn names_are_looked_up_one_by_one() {
    let ids: Vec<_> = (0..100).map(|number| seeded(BIG, number)).collect();
    let records = RecordKind::ALL.iter().flat_map(|kind| ids.iter().map(|id| (*kind, *id))).collect();
    let request = WantedNames { people: ids.clone(), records };
    check_steps(search::names_query(BIG, &request), 1_000);
    check_generic(&search::names_query(BIG, &request), "deals_pkey");
}

#[test]
fn a_record_of_any_kind_is_looked_up_by_its_key() {
    let since = datetime!(2025-01-01 00:00 UTC);
    for workspace in [BIG, SMALL] {
        check_steps(search::by_id_query(workspace, seeded(workspace, 7), since), 10);
    }
    check_generic(&search::by_id_query(BIG, seeded(BIG, 7), since), "deals_pkey");
}
