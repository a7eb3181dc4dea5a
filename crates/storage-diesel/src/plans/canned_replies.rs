//! Query plans of canned replies.

use domain::kernel::input::Line;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::SearchQuery;
use domain::support::canned_replies::{CannedReply, CannedReplyFilter};

use super::{BIG, HEAD, PAGE, ROWS, check, check_first, pages, seeded};
use crate::records::ListedTable;

fn shortcut(text: &str) -> CannedReplyFilter {
    CannedReplyFilter { shortcut: Line::parse(text, "shortcut").ok(), ..visible() }
}

/// The replies that one of the members can see.
fn visible() -> CannedReplyFilter {
    CannedReplyFilter { reader: Some(seeded(BIG, 7)), ..CannedReplyFilter::default() }
}

#[test]
fn own_and_shared_replies_are_found_by_their_indexes() {
    for page in pages() {
        let private = CannedReplyFilter { shared: Some(false), ..visible() };
        check(CannedReply::list_query(BIG, &private, &page), "canned_replies_own", PAGE);
    }
    let first = PageRequest::first(1);
    let shared = CannedReplyFilter { shared: Some(true), ..shortcut("late") };
    check(CannedReply::list_query(BIG, &shared, &first), "canned_replies_shared", 2);
    // Half of a member's own replies have the shortcut.
    let private = CannedReplyFilter { shared: Some(false), ..shortcut("late") };
    check(CannedReply::list_query(BIG, &private, &first), "canned_replies_own", ROWS / 50);
}

#[test]
fn a_shortcut_and_rare_words_are_found_by_index() {
    check_first::<CannedReply>(&shortcut("s77"), "canned_replies_by_shortcut", 1);
    let rare = CannedReplyFilter { search: SearchQuery::parse("rare12345").unwrap(), ..visible() };
    check_first::<CannedReply>(&rare, "canned_replies_search", 2 * HEAD);
}
