//! Query plans of lists that belong to one record, and of lists filtered only by creation time.

use domain::crm::comments::CrmRecord;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::{CompanyId, ContactId, DealId, IssueId, ProjectId};
use time::macros::datetime;

use super::{ANY_TIME, BIG, FIFTY_MINUTES, LIMIT, PAGE, ROWS, check, check_both, check_generic, pages, seeded};
use crate::crm::comments as record_comments;
use crate::identity::{api_keys, members};
use crate::work::{comments, cycles};

#[test]
fn parts_of_one_record_are_read_in_order() {
    let page = PageRequest::first(LIMIT);
    check_both(comments::list_query(BIG, IssueId(seeded(BIG, 3)), &ANY_TIME, &page), "comments_oldest", PAGE);
    check(comments::message_times_query(BIG, IssueId(seeded(BIG, 3)), None), "comments_oldest", ROWS / 200);
    for (record, index) in [
        (CrmRecord::Contact(ContactId(seeded(BIG, 3))), "record_comments_of_contact"),
        (CrmRecord::Company(CompanyId(seeded(BIG, 3))), "record_comments_of_company"),
        (CrmRecord::Deal(DealId(seeded(BIG, 3))), "record_comments_of_deal"),
    ] {
        for page in pages() {
            check_both(record_comments::list_query(BIG, record, &ANY_TIME, &page), index, PAGE);
        }
        check(record_comments::list_query(BIG, record, &FIFTY_MINUTES, &page), index, PAGE);
    }
    let days = CreatedFilter {
        created_since: Some(datetime!(2025-01-03 00:00 UTC)),
        created_before: Some(datetime!(2025-01-05 00:00 UTC)),
    };
    check(comments::list_query(BIG, IssueId(seeded(BIG, 3)), &days, &page), "comments_oldest", PAGE);
    check(cycles::list_query(BIG, ProjectId(seeded(BIG, 3)), &FIFTY_MINUTES, &page), "cycles_newest", ROWS / 10);
    let cycles = cycles::list_query(BIG, ProjectId(seeded(BIG, 3)), &ANY_TIME, &page);
    // This includes the counted issues of the page's cycles.
    check(cycles, "cycles_newest", ROWS / 10);
    check_generic(&cycles::list_query(BIG, ProjectId(seeded(BIG, 3)), &ANY_TIME, &page), "cycles_newest");
}

#[test]
fn a_range_of_creation_times_reads_only_matches() {
    let page = PageRequest::first(LIMIT);
    check(members::list_query(BIG, &FIFTY_MINUTES, &page), "members_newest", PAGE);
    check(members::joined_query(BIG, None, &FIFTY_MINUTES, &page), "members_joined", PAGE);
    check(api_keys::list_query(BIG, &FIFTY_MINUTES, &page), "api_keys_newest", PAGE);
}
