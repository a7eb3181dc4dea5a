//! Query plans of time entries.

use domain::work::time_entries::{
    EntryStatus, EntryTarget, RateReach, TimeEntry, TimeEntryFilter, TimeEntryOrder, TimeGroup,
};
use domain::{CompanyId, DealId, IssueId, ProjectId, TimeEntryId, UserId};
use time::macros::{date, datetime};

use super::{BIG, PAGE, ROWS, check, check_both, check_first, check_generic, check_pages, orders, seeded};
use crate::records::ListedTable;
use crate::work::time_entries::{
    attribution_query, last_end_query, overlapping_query, running_query, running_until_day_query, workspaces_query,
};
use crate::work::time_rates::{rate_for_query, rates_query};
use crate::work::time_summaries::{summary_query, total_query};

fn members(last: u32) -> TimeEntryFilter {
    let members: Vec<_> = (1..=last).map(|number| UserId(seeded(BIG, number))).collect();
    TimeEntryFilter { member: members.into(), ..TimeEntryFilter::default() }
}

#[test]
fn time_entries_by_any_one_filter_read_the_page() {
    let none = TimeEntryFilter::default;
    let statuses =
        |statuses: &[EntryStatus]| TimeEntryFilter { status: statuses.to_vec().into(), ..TimeEntryFilter::default() };
    let id = seeded(BIG, 7);
    check_pages::<TimeEntry>(&[
        (members(1), "time_entries_by_member", 1),
        (members(50), "time_entries_by_member", 50),
        (TimeEntryFilter { task_id: Some(IssueId(id)), ..none() }, "time_entries_by_task", 1),
        (TimeEntryFilter { ticket_id: Some(IssueId(id)), ..none() }, "time_entries_by_ticket", 1),
        (TimeEntryFilter { deal_id: Some(DealId(id)), ..none() }, "time_entries_by_deal", 1),
        (TimeEntryFilter { project_id: Some(ProjectId(id)), ..none() }, "time_entries_by_project", 1),
        (TimeEntryFilter { company_id: Some(CompanyId(id)), ..none() }, "time_entries_by_company", 1),
        (statuses(&[EntryStatus::Submitted]), "time_entries_by_status", 1),
        (statuses(EntryStatus::ALL), "time_entries_by_status", 5),
        (TimeEntryFilter { billable: Some(false), ..none() }, "time_entries_by_billable", 1),
    ]);
    // Most entries have this status, so enough of them are among the newest.
    check_first::<TimeEntry>(&statuses(&[EntryStatus::Approved]), "time_entries_newest", 2 * PAGE);
}

#[test]
fn time_entries_by_day_are_read_in_order() {
    for (order, index) in [
        (TimeEntryOrder::DateUp, "time_entries_by_date"),
        (TimeEntryOrder::DateDown, "time_entries_by_date"),
        (TimeEntryOrder::UpdatedDown, "time_entries_by_change"),
    ] {
        let filter = TimeEntryFilter { order: Some(order), ..TimeEntryFilter::default() };
        for page in orders::pages(filter.sorted_by()).into_iter().take(2) {
            check_both(TimeEntry::list_query(BIG, &filter, &page), index, PAGE);
        }
    }
    let (from, to) = (Some(date!(2025 - 03 - 03)), Some(date!(2025 - 03 - 09)));
    let week = TimeEntryFilter { from, to, order: Some(TimeEntryOrder::DateUp), ..members(1) };
    check_first::<TimeEntry>(&week, "time_entries_by_member_and_date", PAGE);
}

#[test]
fn a_range_of_days_is_read_without_what_was_recorded_later() {
    let (from, to) = (Some(date!(2020 - 01 - 01)), Some(date!(2020 - 01 - 07)));
    for (from, to) in [(from, to), (from, None), (None, to)] {
        let old = TimeEntryFilter { from, to, ..TimeEntryFilter::default() };
        check_first::<TimeEntry>(&old, "time_entries_by_date", PAGE);
    }
    let one_members = TimeEntryFilter { from, to, ..members(1) };
    check_first::<TimeEntry>(&one_members, "time_entries_by_member_and_date", PAGE);
}

#[test]
fn timers_and_overlaps_are_found_by_index() {
    let (member, now) = (UserId(seeded(BIG, 7)), datetime!(2025-01-08 12:00 UTC));
    check_generic(&running_query(BIG, member), "time_entries_running_key");
    check_generic(&running_until_day_query(BIG, date!(2025 - 01 - 08), 100), "time_entries_running_key");
    check_generic(&workspaces_query(now, 100), "time_entries_running");
    let a_minute_later = datetime!(2025-01-08 12:01 UTC);
    check_both(last_end_query(BIG, member, (now, a_minute_later)), "time_entries_by_start", ROWS / 20);
    let entry = TimeEntryId(seeded(BIG, 1));
    for end in [Some(datetime!(2025-01-08 13:00 UTC)), None] {
        check(overlapping_query(BIG, member, entry, (now, end)), "time_entries_by_start", ROWS / 20);
    }
    check_generic(&overlapping_query(BIG, member, entry, (now, None)), "time_entries_by_start");
}

#[test]
fn what_time_counts_towards_is_found_by_key() {
    let id = seeded(BIG, 7);
    for (target, index) in [
        (EntryTarget::Issue(IssueId(id)), "issues_pkey"),
        (EntryTarget::Project(ProjectId(id)), "projects_pkey"),
        (EntryTarget::Deal(DealId(id)), "deals_pkey"),
    ] {
        check_both(attribution_query(BIG, target), index, 1);
    }
    check_generic(&rate_for_query(BIG, UserId(id), Some(ProjectId(id))), "time_rates_pkey");
    check_generic(&rates_query(BIG, 2_000), "time_rates_pkey");
}

#[test]
fn sums_read_what_is_added_up() {
    let (from, to) = (Some(date!(2025 - 03 - 03)), Some(date!(2025 - 03 - 09)));
    let week = TimeEntryFilter { from, to, ..TimeEntryFilter::default() };
    for groups in [&[TimeGroup::Member][..], &[TimeGroup::Week, TimeGroup::Project], &[TimeGroup::Billable]] {
        for reach in [RateReach::All, RateReach::None, RateReach::Own(UserId(seeded(BIG, 7)))] {
            check(summary_query(BIG, &week, groups, reach), "time_entries_by_date", ROWS / 20);
        }
    }
    let one_members = TimeEntryFilter { from, to, ..members(1) };
    let one_members = summary_query(BIG, &one_members, &[TimeGroup::Task, TimeGroup::Company], RateReach::All);
    check(one_members, "time_entries_by_member_and_date", 100);
    let task = TimeEntryFilter { task_id: Some(IssueId(seeded(BIG, 7))), ..TimeEntryFilter::default() };
    check(total_query(BIG, &task), "time_entries_by_task", 300);
}
