//! Query plans of customers' tickets.

use diesel::RunQueryDsl;
use diesel::connection::SimpleConnection;
use domain::kernel::IssueKind;
use domain::support::TicketFilter;
use domain::work::issues::{
    AssigneeChoice, InboxReader, Issue, IssueFilter, IssueOrder, IssueStatus, MAX_COUNTED, TicketType, UNFINISHED,
};
use domain::{IssueId, UserId};
use time::macros::datetime;
use uuid::Uuid;

use super::{
    BIG, FIFTY_MINUTES, PAGE, SMALL, check, check_both, check_both_in, check_first, never_analysed, orders, pages,
    seeded,
};
use crate::support::tickets::{find_query, list_query, public_comments_query};
use crate::work::comments::latest_query;
use crate::work::inbox::{self, count_waiting_query};

#[test]
fn the_inbox_is_read_in_its_order() {
    let reading = InboxReader { user: UserId(seeded(BIG, 7)), unread_since: datetime!(2024-12-01 00:00 UTC) };
    let in_order = |order| IssueFilter { order: Some(order), ..IssueFilter::all(IssueKind::Ticket) };
    let all = in_order(IssueOrder::Waiting);
    for page in orders::pages(all.sorted_by()) {
        let query = |workspace, filter: &IssueFilter| inbox::list_query(workspace, filter, &page, reading);
        for workspace in [BIG, SMALL] {
            check_both(query(workspace, &all), "issues_by_turn", PAGE);
        }
        let open = IssueFilter { status: UNFINISHED.to_vec().into(), ..all.clone() };
        check(query(BIG, &open), "issues_open_by_turn", PAGE);
        for choice in [AssigneeChoice::Nobody, AssigneeChoice::Member(UserId(seeded(BIG, 2)))] {
            let of_assignee = IssueFilter { assignee: vec![choice].into(), ..open.clone() };
            check(query(BIG, &of_assignee), "issues_open_of_assignee_by_turn", PAGE);
        }
    }
    let open = IssueFilter { status: UNFINISHED.to_vec().into(), ..in_order(IssueOrder::DueUp) };
    for page in orders::pages(open.sorted_by()) {
        check(inbox::list_query(BIG, &open, &page, reading), "issues_open_by_due", PAGE);
    }
}

/// No customer waits on the seeded tickets, so the index of waiting tickets is empty and nothing else is read.
#[test]
fn waiting_tickets_are_found_by_a_partial_index() {
    let waiting = IssueFilter { waiting: Some(true), ..IssueFilter::all(IssueKind::Ticket) };
    check_first::<Issue>(&waiting, "issues_waiting", 1);
}

/// An unread ticket, 10,000 tickets that one person has read, and fifty of each of 100 others.
const READ: &str = "
    UPDATE issues SET last_message_at = '2026-01-01Z' WHERE id = md5('00000000-0000-7000-8000-000000000001' || 5)::uuid;
    INSERT INTO ticket_reads SELECT '00000000-0000-7000-8000-000000000001', md5(user_number::text)::uuid,
        md5(n::text)::uuid, timestamptz '2025-01-01Z' + n * interval '1 minute'
    FROM generate_series(1, 101) AS user_number, generate_series(1, 10000) AS n WHERE user_number = 1 OR n <= 50";

#[test]
fn reading_positions_are_found_by_reader_and_time() {
    let database = never_analysed(&super::seed());
    database.connection().batch_execute(READ).unwrap();
    database.connection().batch_execute("VACUUM ANALYZE").unwrap();
    for (user, most) in [(UserId(md5("1")), 10_001), (UserId(md5("7")), 51)] {
        let reading = InboxReader { user, unread_since: datetime!(2024-12-01 00:00 UTC) };
        let query = || inbox::open_query(BIG, IssueId(seeded(BIG, 5)), reading);
        for index in ["ticket_reads_latest", "ticket_reads_pkey"] {
            check_both_in(&database, query(), index, most);
        }
    }
}

/// The id that Postgres derives from the hash of a text.
fn md5(text: &str) -> Uuid {
    let sql = format!("md5('{text}')::uuid");
    diesel::select(diesel::dsl::sql::<diesel::sql_types::Uuid>(&sql))
        .get_result(&mut super::DATABASE.connection())
        .unwrap()
}

#[test]
fn lists_read_the_page() {
    let status = |status| TicketFilter { status: Some(status), ..TicketFilter::default() };
    let of_type = |ticket_type| TicketFilter { ticket_type: Some(ticket_type), ..TicketFilter::default() };
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
                check_both(list_query(workspace, &filter, &page), index, PAGE);
            }
        }
    }
}

#[test]
fn a_reference_is_looked_up() {
    check_both(find_query(BIG, "TKT-0000000005"), "issues_reference_key", 1);
}

#[test]
fn comments_for_customers_omit_internal_ones() {
    let issue = IssueId(seeded(BIG, 6));
    check_both(public_comments_query(BIG, issue), "comments_public", 101);
}

#[test]
fn the_head_of_the_inbox_reads_a_bounded_part_of_each_status() {
    for workspace in [BIG, SMALL] {
        check_both(count_waiting_query(workspace, UserId(seeded(BIG, 7))), "issues_by_status", 3 * MAX_COUNTED);
    }
}

#[test]
fn the_end_of_a_conversation_reads_its_newest_comments() {
    let issue = IssueId(seeded(BIG, 6));
    check_both(latest_query(BIG, issue), "comments_oldest", 101);
}
