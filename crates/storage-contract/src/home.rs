//! Records that wait for a member, and recent changes.

use super::{StoreUnderTest, TestWorkspace};
use domain::console::{HomeQuery, HomeRecord, MAX_CHANGES, MAX_OF_A_PART};
use domain::crm::deals::{Deal, DealStatus};
use domain::events::{Event, EventReach, EventRecord, Module};
use domain::kernel::IssueKind;
use domain::records::RecordKind;
use domain::work::issues::{Conversation, Issue, IssueStatus};
use time::Duration;
use uuid::Uuid;

async fn waiting(world: &TestWorkspace, query: HomeQuery) -> Vec<HomeRecord> {
    world.read(move |tx| tx.home().waiting(&query)).await
}

fn titles(found: &[HomeRecord], kind: RecordKind) -> Vec<&str> {
    found.iter().filter(|record| record.kind == kind).map(|record| record.title.as_str()).collect()
}

/// Only the user's open tasks by due date, tickets by how long the customer has waited, and open deals by closing day.
pub async fn waiting_records_come_in_order(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (me, colleague) = (world.new_member().await, world.new_member().await);
    let today = world.now().date();
    let at = |days: i64| world.now() + Duration::days(days);
    let task = async |title: &str, due: Option<i64>, status, assignee| {
        let bare = world.bare_issue(IssueKind::Task).await;
        let due_at = due.map(at);
        world.add(Issue { title: title.to_owned(), due_at, status, assignee_id: Some(assignee), ..bare }).await;
    };
    task("never due", None, IssueStatus::Todo, me).await;
    task("later", Some(9), IssueStatus::Backlog, me).await;
    task("overdue", Some(-1), IssueStatus::InProgress, me).await;
    task("done", Some(-2), IssueStatus::Done, me).await;
    task("of somebody else", Some(-3), IssueStatus::Todo, colleague).await;
    for (title, age, waits, status) in [
        ("for a day", 9, Some(1), IssueStatus::Open),
        ("for three days", 3, Some(3), IssueStatus::Pending),
        ("for two days", 5, Some(2), IssueStatus::OnHold),
        ("answered", 8, None, IssueStatus::Open),
        ("finished", 7, None, IssueStatus::Closed),
    ] {
        let waiting_since = waits.map(|days: i64| at(-days));
        let conversation = Conversation { waiting_since, ..Conversation::default() };
        let bare = world.bare_issue(IssueKind::Ticket).await;
        world.add(Issue { title: title.to_owned(), created_at: at(-age), status, conversation, ..bare }).await;
    }
    for (title, days, status) in [
        ("in a week", Some(7), DealStatus::Open),
        ("late", Some(-3), DealStatus::Open),
        ("far", Some(15), DealStatus::Open),
        ("never", None, DealStatus::Open),
        ("paused", Some(1), DealStatus::OnHold),
    ] {
        let expected_close_date = days.map(|days| today + Duration::days(days));
        let value = Some(1_250.into());
        let deal = Deal { title: title.to_owned(), expected_close_date, status, value, ..world.bare_deal() };
        world.add(deal).await;
    }
    let closing = (today - Duration::days(14), today + Duration::days(14));
    let all = HomeQuery { user: me, has_tasks: true, has_tickets: true, has_deals: true, closing };
    let found = waiting(&world, all.clone()).await;
    assert_eq!(titles(&found, RecordKind::Task), ["overdue", "later", "never due"]);
    assert_eq!(titles(&found, RecordKind::Ticket), ["for three days", "for two days", "for a day"]);
    let ticket = found.iter().find(|record| record.kind == RecordKind::Ticket).unwrap();
    assert_eq!(ticket.at, Some(at(-3)));
    assert_eq!(titles(&found, RecordKind::Deal), ["late", "in a week"]);
    let deal = found.iter().find(|record| record.kind == RecordKind::Deal).unwrap();
    assert_eq!(deal.at.map(time::OffsetDateTime::date), Some(today - Duration::days(3)));
    assert_eq!(deal.value.as_ref().map(|(value, _)| *value), Some(1_250.into()));
    let tickets = waiting(&world, HomeQuery { has_tasks: false, has_deals: false, ..all.clone() }).await;
    assert!(tickets.len() == 3 && tickets.iter().all(|record| record.kind == RecordKind::Ticket));
    assert_eq!(waiting(&other, all).await, []);
}

pub async fn waiting_records_are_limited(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let today = world.now().date();
    for _ in 0..=MAX_OF_A_PART {
        world.add(Deal { expected_close_date: Some(today), ..world.bare_deal() }).await;
    }
    let user = world.new_member().await;
    let query = HomeQuery { user, has_tasks: true, has_tickets: true, has_deals: true, closing: (today, today) };
    assert_eq!(waiting(&world, query).await.len(), MAX_OF_A_PART as usize);
}

/// Latest change first, only changes that the caller may read, with the records' current titles.
pub async fn changes_come_with_titles(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let deal = world.add(Deal { title: "Pilot".to_owned(), ..world.bare_deal() }).await;
    let event = |name: &str, noun: &'static str, id: Uuid, seconds: i64| Event {
        record: Some(EventRecord { noun, id }),
        version: Some(1),
        at: world.now() + Duration::seconds(seconds),
        ..world.event(Module::Crm, name)
    };
    let events = vec![
        event("company.created", "company", world.id(), 1),
        event("deal.created", "deal", deal.id.0, 2),
        Event { record: None, ..event("deal.updated", "deal", deal.id.0, 3) },
        event("deal.won", "deal", deal.id.0, 4),
        // Of a kind that only a newer release knows.
        event("contract.created", "contract", world.id(), 5),
    ];
    world.emit(events).await;
    let changes = async |world: &TestWorkspace| world.read(|tx| tx.home().changes(&EventReach::everything())).await;
    let found = changes(&world).await;
    let rows: Vec<_> = found.iter().map(|one| (one.event.as_str(), one.kind, one.title.as_deref())).collect();
    assert_eq!(
        rows,
        [
            ("deal.won", RecordKind::Deal, Some("Pilot")),
            ("deal.created", RecordKind::Deal, Some("Pilot")),
            ("company.created", RecordKind::Company, None),
        ]
    );
    assert_eq!(changes(&other).await, []);
    let many = (0..=i64::from(MAX_CHANGES)).map(|second| event("deal.updated", "deal", deal.id.0, 6 + second));
    world.emit(many.collect()).await;
    assert_eq!(changes(&world).await.len(), MAX_CHANGES as usize);
}
