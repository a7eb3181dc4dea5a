//! Query plans of customers' tickets.

use domain::support::TicketFilter;
use domain::work::issues::{IssueStatus, MAX_COUNTED, TicketType};
use domain::{IssueId, UserId};

use super::{BIG, FIFTY_MINUTES, PAGE, SMALL, check, check_generic, pages, seeded};
use crate::support::tickets::{find_query, list_query, public_comments_query};
use crate::work::comments::latest_query;
use crate::work::inbox::count_waiting_query;

#[test]
fn lists_read_the_page() {
    let status = |status| TicketFilter { status: Some(status), ..TicketFilter::default() };
    let of_type = |wanted| TicketFilter { ticket_type: Some(wanted), ..TicketFilter::default() };
    let email = |key: &str| TicketFilter { email_key: Some(key.to_owned()), ..TicketFilter::default() };
    for page in pages() {
        for (filter, index) in [
            (TicketFilter::default(), "issues_requested_newest"),
            (TicketFilter { created: FIFTY_MINUTES, ..TicketFilter::default() }, "issues_requested_newest"),
            (status(IssueStatus::Open), "issues_requested_by_status"),
            (status(IssueStatus::Pending), "issues_requested_by_status"),
            (of_type(TicketType::Question), "issues_requested_by_type"),
            (of_type(TicketType::Incident), "issues_requested_by_type"),
            (email("p7@example.com"), "issues_requested_by_email"),
        ] {
            for workspace in [BIG, SMALL] {
                check(list_query(workspace, &filter, &page), index, PAGE);
            }
            check_generic(&list_query(BIG, &filter, &page), index);
        }
    }
}

#[test]
fn a_reference_is_looked_up() {
    check(find_query(BIG, "TKT-0000000005"), "issues_reference_key", 1);
    check_generic(&find_query(BIG, "TKT-0000000005"), "issues_reference_key");
}

#[test]
fn comments_for_customers_omit_internal_ones() {
    let issue = IssueId(seeded(BIG, 6));
    check(public_comments_query(BIG, issue), "comments_public", 101);
    check_generic(&public_comments_query(BIG, issue), "comments_public");
}

#[test]
fn the_head_of_the_inbox_reads_a_bounded_part_of_each_status() {
    for workspace in [BIG, SMALL] {
        check(count_waiting_query(workspace, UserId(seeded(BIG, 7))), "issues_by_status", 3 * MAX_COUNTED);
    }
    check_generic(&count_waiting_query(BIG, UserId(seeded(BIG, 7))), "issues_by_status");
}

#[test]
fn the_end_of_a_conversation_reads_its_newest_comments() {
    let issue = IssueId(seeded(BIG, 6));
    check(latest_query(BIG, issue), "comments_oldest", 101);
    check_generic(&latest_query(BIG, issue), "comments_oldest");
}
