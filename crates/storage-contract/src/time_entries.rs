//! Time entries, and the rates of members.

use rust_decimal::Decimal;
use time::macros::{date, datetime};
use time::{Date, Duration, OffsetDateTime};

use super::kinds::check_filter;
use super::{Pruning, StoreUnderTest, TestWorkspace};
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::IssueKind;
use domain::kernel::input::Masked;
use domain::work::issues::Issue;
use domain::work::projects::Project;
use domain::work::time_entries::{
    Attribution, EntryStatus, EntryTarget, RatePlace, RateReach, Span, TimeEntry, TimeEntryFilter, TimeEntryOrder,
    TimeGroup, TimeRate, TimeSummaryPart, TimeSummaryRows, TimeTotals,
};
use domain::{ProjectId, TimeEntryId, UserId};

pub(super) const NINE: OffsetDateTime = datetime!(2030-01-31 09:00 UTC);

/// An entry of the member from one time to another.
fn between(world: &TestWorkspace, start: OffsetDateTime, end: OffsetDateTime) -> TimeEntry {
    let mut entry = world.bare_time_entry();
    Span::times(start, end, "UTC").store(&mut entry);
    entry
}

pub(super) fn running(world: &TestWorkspace, since: OffsetDateTime) -> TimeEntry {
    let mut entry = world.bare_time_entry();
    Span::running(since, "UTC").store(&mut entry);
    entry
}

/// One entry for each target, in different days and statuses.
async fn various(world: &TestWorkspace) -> Vec<TimeEntry> {
    let other = world.new_member().await;
    let (project, company) = (world.add(world.bare_project()).await.id, world.add(world.bare_company()).await.id);
    let deal = world.add(world.bare_deal()).await.id;
    let task = world.add(world.bare_issue(IssueKind::Task).await).await.id;
    let ticket = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    let bare = || world.bare_time_entry();
    let entries = vec![
        TimeEntry { task_id: Some(task), in_project_id: Some(project), ..bare() },
        TimeEntry { ticket_id: Some(ticket), billable: false, date: date!(2030 - 02 - 01), ..bare() },
        TimeEntry { project_id: Some(project), in_project_id: Some(project), member_id: other, ..bare() },
        TimeEntry { deal_id: Some(deal), for_company_id: Some(company), date: date!(2030 - 02 - 28), ..bare() },
        TimeEntry { status: EntryStatus::Approved, member_id: other, date: date!(2029 - 12 - 31), ..bare() },
        running(world, NINE),
    ];
    for entry in &entries {
        world.add(entry.clone()).await;
    }
    let deleted = world.add(bare()).await.id;
    world.delete::<TimeEntry>(deleted).await;
    entries
}

pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = various(&world).await;
    let none = TimeEntryFilter::default;
    let other = all[2].member_id;
    check_filter(&world, &all, none(), |_| true).await;
    for members in [vec![other], vec![world.member, other], vec![UserId(world.id())]] {
        let filter = TimeEntryFilter { member: members.clone().into(), ..none() };
        check_filter(&world, &all, filter, |it| members.contains(&it.member_id)).await;
    }
    let (task_id, ticket_id, deal_id) = (all[0].task_id, all[1].ticket_id, all[3].deal_id);
    check_filter(&world, &all, TimeEntryFilter { task_id, ..none() }, |it| it.task_id == task_id).await;
    check_filter(&world, &all, TimeEntryFilter { ticket_id, ..none() }, |it| it.ticket_id == ticket_id).await;
    check_filter(&world, &all, TimeEntryFilter { deal_id, ..none() }, |it| it.deal_id == deal_id).await;
    let (project_id, company_id) = (all[2].project_id, all[3].for_company_id);
    check_filter(&world, &all, TimeEntryFilter { project_id, ..none() }, |it| it.in_project_id == project_id).await;
    check_filter(&world, &all, TimeEntryFilter { company_id, ..none() }, |it| it.for_company_id == company_id).await;
    for statuses in [vec![EntryStatus::Running], vec![EntryStatus::Stopped, EntryStatus::Approved]] {
        let filter = TimeEntryFilter { status: statuses.clone().into(), ..none() };
        check_filter(&world, &all, filter, |it| statuses.contains(&it.status)).await;
    }
    for billable in [true, false] {
        let filter = TimeEntryFilter { billable: Some(billable), ..none() };
        check_filter(&world, &all, filter, |it| it.billable == billable).await;
    }
    for (from, to) in [
        (Some(date!(2030 - 01 - 31)), None),
        (None, Some(date!(2030 - 01 - 31))),
        (Some(date!(2030 - 01 - 31)), Some(date!(2030 - 02 - 27))),
    ] {
        let is_within = |day: Date| from.is_none_or(|from| day >= from) && to.is_none_or(|to| day <= to);
        check_filter(&world, &all, TimeEntryFilter { from, to, ..none() }, |it| is_within(it.date)).await;
        let filter = TimeEntryFilter { from, to, member: vec![other].into(), ..none() };
        check_filter(&world, &all, filter, |it| is_within(it.date) && it.member_id == other).await;
    }
}

/// Sorted by day in either direction, ties by id.
pub async fn lists_run_from_day_to_day(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut expected: Vec<_> = various(&world).await.iter().map(|entry| (entry.date, entry.id)).collect();
    expected.sort_unstable();
    for order in [TimeEntryOrder::DateUp, TimeEntryOrder::DateDown] {
        let filter = TimeEntryFilter { order: Some(order), ..TimeEntryFilter::default() };
        let found = world.list::<TimeEntry>(filter).await;
        let found: Vec<_> = found.iter().map(|entry| (entry.date, entry.id)).collect();
        assert_eq!(found, expected, "{order}");
        expected.reverse();
    }
}

pub(super) async fn running_of(world: &TestWorkspace, member: UserId) -> Option<TimeEntryId> {
    world.read(move |tx| tx.time_entries().running_of(member)).await.map(|entry| entry.id)
}

pub async fn the_running_timer_of_a_member_is_found(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let other = world.new_member().await;
    assert_eq!(running_of(&world, world.member).await, None);
    world.add(world.bare_time_entry()).await;
    let first = world.add(running(&world, NINE)).await;
    let second = world.add(TimeEntry { member_id: other, ..running(&world, NINE + Duration::HOUR) }).await;
    assert_eq!(running_of(&world, world.member).await, Some(first.id));
    assert_eq!(running_of(&world, other).await, Some(second.id));
    let since = async |at| {
        let found = world.read(move |tx| tx.time_entries().running_since(at, 10)).await;
        found.iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert_eq!(since(NINE - Duration::MICROSECOND).await, []);
    assert_eq!(since(NINE).await, [first.id]);
    assert_eq!(since(NINE + Duration::HOUR).await, [first.id, second.id]);
    let until = async |last| {
        let found = world.read(move |tx| tx.time_entries().running_until_day(last, 10)).await;
        let mut found: Vec<_> = found.iter().map(|entry| entry.id).collect();
        found.sort_unstable();
        found
    };
    let mut both = [first.id, second.id];
    both.sort_unstable();
    assert_eq!(until(date!(2030 - 01 - 30)).await, []);
    assert_eq!(until(date!(2030 - 01 - 31)).await, both);
    world.delete::<TimeEntry>(first.id).await;
    assert_eq!(running_of(&world, world.member).await, None);
}

/// An entry may begin when another ends; only live entries of the same member with times count.
pub async fn entries_overlap_if_they_share_a_moment(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let other = world.new_member().await;
    let ten = NINE + Duration::HOUR;
    let entry = world.add(between(&world, NINE, ten)).await.id;
    world.add(world.bare_time_entry()).await;
    let timer = world.add(running(&world, NINE + Duration::days(2))).await.id;
    let overlapping = async |member, except, start, end| {
        world.read(move |tx| tx.time_entries().overlapping(member, except, start, end)).await.map(|(id, _)| id)
    };
    let (no_entry, minute) = (TimeEntryId(world.id()), Duration::MINUTE);
    for (start, end, expected) in [
        (NINE - minute, Some(NINE), None),
        (NINE - minute, Some(NINE + Duration::MICROSECOND), Some(entry)),
        (NINE + minute, Some(ten - minute), Some(entry)),
        (NINE - minute, Some(ten + minute), Some(entry)),
        (ten, Some(ten + minute), None),
        (ten - Duration::MICROSECOND, None, Some(entry)),
        (ten, None, Some(timer)),
        (NINE + Duration::days(5), Some(ten + Duration::days(5)), Some(timer)),
        (NINE + Duration::days(1), Some(NINE + Duration::days(2)), None),
    ] {
        assert_eq!(overlapping(world.member, no_entry, start, end).await, expected, "{start} {end:?}");
        assert_eq!(overlapping(other, no_entry, start, end).await, None, "{start} {end:?}");
    }
    assert_eq!(overlapping(world.member, entry, NINE, Some(ten)).await, None, "an entry does not overlap itself");
    let last_end =
        async |member, after, until| world.read(move |tx| tx.time_entries().last_end(member, after, until)).await;
    for (after, until, expected) in [
        (NINE, ten, Some(ten)),
        (ten - Duration::MICROSECOND, ten + minute, Some(ten)),
        (ten, ten + minute, None),
        (NINE, ten - Duration::MICROSECOND, None),
        (NINE + Duration::days(2), NINE + Duration::days(3), None),
    ] {
        assert_eq!(last_end(world.member, after, until).await, expected, "{after} {until}");
        assert_eq!(last_end(other, after, until).await, None, "{after} {until}");
    }
    // As long as an entry may be.
    let day = between(&world, NINE - Duration::days(10), NINE - Duration::days(9));
    let day = world.add(day).await.id;
    let last = NINE - Duration::days(9);
    assert_eq!(overlapping(world.member, no_entry, last - minute, Some(last + minute)).await, Some(day));
    assert_eq!(overlapping(world.member, no_entry, last, Some(last + minute)).await, None);
}

pub async fn time_counts_towards_project_and_company(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let (of_project, of_task) = (world.add(world.bare_company()).await.id, world.add(world.bare_company()).await.id);
    let project = world.add(Project { company_id: Some(of_project), ..world.bare_project() }).await.id;
    let contact = world.add(Contact { company_id: Some(of_task), ..world.bare_contact() }).await.id;
    let deal = world.add(Deal { company_id: Some(of_task), ..world.bare_deal() }).await.id;
    let task = world.bare_issue(IssueKind::Task).await;
    let in_project = world.add(Issue { project_id: Some(project), ..task }).await.id;
    let task = world.bare_issue(IssueKind::Task).await;
    let with_company = world.add(Issue { project_id: Some(project), company_id: Some(of_task), ..task }).await.id;
    let task = world.bare_issue(IssueKind::Task).await;
    let with_contact = world.add(Issue { contact_id: Some(contact), ..task }).await.id;
    let bare = world.add(world.bare_issue(IssueKind::Ticket).await).await.id;
    for (target, project, company) in [
        (EntryTarget::Issue(in_project), Some(project), Some(of_project)),
        (EntryTarget::Issue(with_company), Some(project), Some(of_task)),
        (EntryTarget::Issue(with_contact), None, Some(of_task)),
        (EntryTarget::Issue(bare), None, None),
        (EntryTarget::Project(project), Some(project), Some(of_project)),
        (EntryTarget::Deal(deal), None, Some(of_task)),
    ] {
        let found = world.read(move |tx| tx.time_entries().attribution(target)).await;
        assert_eq!(found, Attribution { project, company }, "{target:?}");
    }
    let foreign = EntryTarget::Issue(with_company);
    let found = other_world.read(move |tx| tx.time_entries().attribution(foreign)).await;
    assert_eq!(found, Attribution::default());
}

pub async fn statuses_are_saved_at_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut entries = Vec::new();
    for _ in 0..3 {
        entries.push(world.add(world.bare_time_entry()).await);
    }
    entries.sort_unstable_by_key(|entry| entry.id);
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    let mut requested = ids.clone();
    requested.push(TimeEntryId(world.id()));
    let changed: Vec<_> = entries[..2]
        .iter()
        .map(|entry| TimeEntry {
            status: EntryStatus::Submitted,
            version: 2,
            updated_at: entry.updated_at + Duration::SECOND,
            ..entry.clone()
        })
        .collect();
    let saved = changed.clone();
    world.commit(move |tx| tx.time_entries().save_statuses(&saved)).await;
    world.commit(|tx| tx.time_entries().save_statuses(&[])).await;
    let found = world.commit(move |tx| tx.time_entries().get_many_for_update(&requested)).await;
    let expected = [&changed[..], &entries[2..]].concat();
    assert_eq!(found, expected, "in id order");
}

/// Key, currency, seconds, billable seconds and value.
type Row = (Vec<Option<String>>, Option<String>, i64, i64, Decimal);

fn rows(rows: TimeSummaryRows) -> Vec<Row> {
    let part = |it: TimeSummaryPart| {
        // The second key is present even without a second group.
        let key = it.key.into_iter().take(1).collect();
        (key, it.currency, it.seconds, it.billable_seconds, it.value)
    };
    rows.parts.into_iter().map(part).collect()
}

/// Paid entries in two currencies, and some that are not paid.
async fn paid(world: &TestWorkspace) -> UserId {
    let other = world.new_member().await;
    let rate =
        |rate: i64, currency: &str| (Masked::new(Some(Decimal::new(rate, 2))), Masked::new(Some(currency.to_owned())));
    let paid = |member_id, seconds, (rate, rate_currency)| TimeEntry {
        member_id,
        seconds: Some(seconds),
        rate,
        rate_currency,
        ..world.bare_time_entry()
    };
    for entry in [
        paid(world.member, 3_600, rate(9_050, "CHF")),
        paid(world.member, 1_800, rate(10_000, "EUR")),
        TimeEntry { billable: false, ..paid(world.member, 60, rate(9_050, "CHF")) },
        paid(other, 7_200, rate(5_000, "CHF")),
        TimeEntry { date: date!(2030 - 02 - 10), seconds: Some(5), ..world.bare_time_entry() },
        running(world, NINE),
    ] {
        world.add(entry).await;
    }
    other
}

pub async fn time_is_added_up_by_one_or_two_members(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let other = paid(&world).await;
    let summarize = async |filter: TimeEntryFilter, groups: Vec<TimeGroup>| {
        world.read(move |tx| tx.time_entries().summarize(&filter, &groups, RateReach::All)).await
    };
    let all = TimeEntryFilter::default;
    let january = TimeEntryFilter { to: Some(date!(2030 - 02 - 09)), ..all() };
    let text = |text: &str| vec![Some(text.to_owned())];
    let (chf, eur) = (|| Some("CHF".to_owned()), || Some("EUR".to_owned()));
    let (member, other) = (world.member.to_string(), other.to_string());
    let found = summarize(january.clone(), vec![TimeGroup::Member]).await;
    assert_eq!(found.rows, 2);
    let mut parts = rows(found);
    let mut expected = vec![
        (text(&other), chf(), 7_200, 7_200, Decimal::from(7_200 * 50)),
        (text(&member), chf(), 3_600, 3_600, Decimal::new(3_600 * 9_050, 2)),
        (text(&member), eur(), 1_800, 1_800, Decimal::from(1_800 * 100)),
        (text(&member), None, 60, 0, Decimal::ZERO),
    ];
    parts[1..].sort();
    expected[1..].sort();
    assert_eq!(parts, expected);
    let weeks = summarize(all(), vec![TimeGroup::Week]).await;
    let keys: Vec<_> = weeks.parts.iter().map(|part| part.key[0].clone().unwrap()).collect();
    assert!(keys[..keys.len() - 1].iter().all(|key| key == "2030-01-28"), "{keys:?}");
    assert_eq!(keys.last().map(String::as_str), Some("2030-02-04"));
    let both = summarize(january, vec![TimeGroup::Billable, TimeGroup::Member]).await;
    assert_eq!(both.rows, 3);
    let unpaid = both.parts.iter().find(|part| part.key[0].as_deref() == Some("false")).unwrap();
    assert_eq!((unpaid.key[1].as_ref(), unpaid.seconds, unpaid.rank), (Some(&member), 60, 3));
    let none = summarize(TimeEntryFilter { from: Some(date!(2031 - 01 - 01)), ..all() }, vec![TimeGroup::Task]).await;
    assert_eq!(none, TimeSummaryRows::default());
    let total = world.read(move |tx| tx.time_entries().total(&TimeEntryFilter::default())).await;
    assert_eq!(total, TimeTotals { seconds: 12_665, billable_seconds: 12_605 });
}

pub async fn rates_are_shown_to_whom_they_are_for(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let other = paid(&world).await;
    for (reach, currencies, value) in [
        (RateReach::None, 0, Decimal::ZERO),
        (RateReach::Own(other), 1, Decimal::from(360_000)),
        (RateReach::Own(world.member), 2, Decimal::from(505_800)),
        (RateReach::All, 2, Decimal::from(865_800)),
    ] {
        let groups = [TimeGroup::Billable];
        let filter = TimeEntryFilter::default();
        let found = world.read(move |tx| tx.time_entries().summarize(&filter, &groups, reach)).await;
        let named = found.parts.iter().filter(|part| part.currency.is_some()).count();
        let sum: Decimal = found.parts.iter().map(|part| part.value).sum();
        let seconds: i64 = found.parts.iter().map(|part| part.seconds).sum();
        assert_eq!((named, sum, seconds), (currencies, value, 12_665), "{reach:?}");
    }
}

fn rate(member_id: UserId, project_id: Option<ProjectId>, hundredths: i64) -> TimeRate {
    TimeRate { member_id, project_id, rate: Decimal::new(hundredths, 2), currency: "CHF".to_owned() }
}

async fn put(world: &TestWorkspace, rate: &TimeRate, most: u32) -> bool {
    let rate = rate.clone();
    world.commit(move |tx| tx.time_entries().put_rate(&rate, most)).await
}

pub async fn the_rate_of_a_project_comes_before_the_general_one(subject: &StoreUnderTest) {
    let (world, other_world) = (subject.world().await, subject.world().await);
    let member = world.member;
    let project = world.add(world.bare_project()).await.id;
    let rate_for = async |project| world.read(move |tx| tx.time_entries().rate_for(member, project)).await;
    assert_eq!(rate_for(Some(project)).await, None);
    let (specific, general) = (rate(member, Some(project), 12_345), rate(member, None, 9_000));
    assert!(put(&world, &specific, 10).await);
    assert_eq!((rate_for(Some(project)).await, rate_for(None).await), (Some(specific.clone()), None));
    assert!(put(&world, &general, 10).await);
    assert_eq!((rate_for(Some(project)).await, rate_for(None).await), (Some(specific.clone()), Some(general.clone())));
    let unknown = ProjectId(world.id());
    assert_eq!(rate_for(Some(unknown)).await, Some(general.clone()));
    assert_eq!(world.read(|tx| tx.time_entries().rates(10)).await, [general.clone(), specific]);
    assert_eq!(other_world.read(move |tx| tx.time_entries().rate_for(member, None)).await, None);
    let place = RatePlace { member_id: member, project_id: Some(project) };
    for expected in [true, false] {
        assert_eq!(world.commit(move |tx| tx.time_entries().remove_rate(place)).await, expected);
    }
    assert_eq!(rate_for(Some(project)).await, Some(general));
}

pub async fn rates_are_bounded(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let other = world.new_member().await;
    assert!(put(&world, &rate(world.member, None, 100), 1).await);
    assert!(!put(&world, &rate(other, None, 100), 1).await);
    assert!(put(&world, &rate(world.member, None, 200), 1).await, "an existing rate is changed");
    let rates = world.read(|tx| tx.time_entries().rates(10)).await;
    assert_eq!(rates, [rate(world.member, None, 200)]);
}

pub async fn workspaces_with_forgotten_timers_are_found(subject: &StoreUnderTest) {
    let _alone = Pruning::alone();
    let (world, other) = (subject.world().await, subject.world().await);
    // Long before the timers of other cases.
    let start = datetime!(2001-02-03 04:05 UTC);
    world.add(running(&world, start)).await;
    other.add(running(&other, start + Duration::HOUR)).await;
    let found = async |since| {
        let found = world.ports.directory.workspaces_with_timers(since, 1_000).await.unwrap();
        [&world, &other].map(|world| found.contains(&world.workspace.id))
    };
    assert_eq!(found(start - Duration::SECOND).await, [false, false]);
    assert_eq!(found(start).await, [true, false]);
    assert_eq!(found(start + Duration::HOUR).await, [true, true]);
}
