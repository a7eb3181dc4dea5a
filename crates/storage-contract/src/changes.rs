//! Lists by change, and readers that follow them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::paging::{CursorKey, walk};
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFields, DealFilter, DealOrder};
use domain::events::{Event, Module};
use domain::identity::access::{CreateDeals, DeleteDeals, ReadDeals, UpdateDeals};
use domain::kernel::IssueKind;
use domain::kernel::input::{Input, InputMode, Problems};
use domain::kernel::paging::{ChangePosition, Page, PageRequest, Paginated, Position};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::{StoreError, Tx};
use domain::records;
use domain::work::issues::{Issue, IssueFilter, IssueOrder};
use domain::work::projects::{Project, ProjectFilter, ProjectOrder};
use domain::{DealId, RecordOrder};

/// Checks a list sorted by change, as pairs of last change and id: as a whole, by page, by cursor, and since each time.
async fn check<L>(world: &TestWorkspace, kind: &str, mut expected: Vec<CursorKey>, list: L)
where
    L: Fn(&mut dyn Tx, Option<OffsetDateTime>, &PageRequest) -> Result<Vec<CursorKey>, StoreError>
        + Clone
        + Send
        + 'static,
{
    expected.sort();
    let read = async |since, position, limit| {
        let list = list.clone();
        world.read(move |tx| list(tx, since, &PageRequest::at(position, limit))).await
    };
    assert_eq!(read(None, Position::Page(1), 100).await, expected, "{kind}");
    assert_eq!(read(None, Position::Page(2), 3).await, expected[3..], "{kind}: one more than the page");
    for limit in [1, 2, 100] {
        let list = list.clone();
        let behind = |(at, id): &CursorKey| Position::AfterChange(ChangePosition { at: *at, id: *id, logged: 0 });
        let walked = walk(world, move |tx: &mut dyn Tx, page: &PageRequest| list(tx, None, page), limit, behind).await;
        assert_eq!(walked, expected, "{kind}: {limit} at a time");
    }
    for (since, _) in &expected {
        let rest: Vec<_> = expected.iter().filter(|(at, _)| at >= since).copied().collect();
        assert_eq!(read(Some(*since), Position::Page(1), 100).await, rest, "{kind}: since {since}");
        let before = Position::AfterChange(ChangePosition { at: *since, id: Uuid::nil(), logged: 0 });
        assert_eq!(read(None, before, 100).await, rest, "{kind}: after {since}");
    }
    let end = expected.last().map(|(at, _)| *at + Duration::microseconds(1));
    assert!(read(end, Position::Page(1), 100).await.is_empty(), "{kind}: later");
}

/// Oldest change first, ties by id; deleted records are in no list.
pub async fn lists_run_from_the_oldest_change_to_the_latest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    macro_rules! check_kind {
        ($record:ident, $filter:ident, $order:expr, $bare:ident) => {{
            let mut records = Vec::new();
            for updated_at in world.seven_times() {
                records.push((updated_at, world.add($record { updated_at, ..world.$bare() }).await.id.0));
            }
            let deleted = world.add(world.$bare()).await.id;
            world.delete::<$record>(deleted).await;
            check(&world, stringify!($record), records, |tx, updated_since, page| {
                let filter = $filter { updated_since, order: Some($order), ..$filter::default() };
                let found = tx.lists::<$record>().list(&filter, page)?;
                Ok(found.iter().map(|record| (record.updated_at, record.id.0)).collect())
            })
            .await;
        }};
    }
    check_kind!(Company, CompanyFilter, RecordOrder::Updated, bare_company);
    check_kind!(Contact, ContactFilter, RecordOrder::Updated, bare_contact);
    check_kind!(Deal, DealFilter, DealOrder::Updated, bare_deal);
    check_kind!(Project, ProjectFilter, ProjectOrder::Updated, bare_project);
}

/// Tasks and tickets are listed separately, as always.
pub async fn lists_of_issues_run_from_the_oldest_change_to_the_latest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let mut issues = Vec::new();
        for updated_at in world.seven_times() {
            issues.push((updated_at, world.add(Issue { updated_at, ..world.bare_issue(kind).await }).await.id.0));
        }
        check(&world, kind.as_str(), issues, move |tx, updated_since, page| {
            let filter = IssueFilter { updated_since, order: Some(IssueOrder::Updated), ..IssueFilter::all(kind) };
            let found = tx.lists::<Issue>().list(&filter, page)?;
            Ok(found.iter().map(|issue| (issue.updated_at, issue.id.0)).collect())
        })
        .await;
    }
}

/// Finds the earliest event after a position, if it is not later than a time.
pub async fn the_earliest_event_after_a_position_is_found(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let at = |micros: i64| world.now() + Duration::microseconds(micros);
    assert_eq!(world.read(|tx| tx.event_log().number()).await, 0);
    // The second becomes visible late.
    for micros in [1_500, 7, 2_000_003] {
        world.emit(vec![Event { at: at(micros), ..world.event(Module::Crm, "deal.lost") }]).await;
        let _: i64 = world.read(|tx| tx.event_log().number()).await;
    }
    for (after, last, until, earliest) in [
        (0, 3, 9_000_000, Some(7)),
        (0, 3, 7, Some(7)),
        (0, 3, 6, None),
        (0, 1, 9_000_000, Some(1_500)),
        (0, 1, 1_500, Some(1_500)),
        (0, 1, 1_499, None),
        (1, 2, 1_500, Some(7)),
        (2, 3, 2_000_003, Some(2_000_003)),
        (2, 3, 2_000_002, None),
        (3, 9, 9_000_000, None),
        (3, 3, 9_000_000, None),
    ] {
        let until = at(until);
        let found = world.read(move |tx| tx.event_log().earliest(after, last, until)).await;
        assert_eq!(found, earliest.map(at), "{after} to {last}");
    }
}

/// A client that reads deals by change, page by page, and keeps the last version of each.
#[derive(Debug, Default)]
pub struct ChangeReader {
    cursor: Option<String>,
    /// The last version seen of each deal.
    pub versions: BTreeMap<DealId, i64>,
    /// The number of records listed, including repeats.
    pub listed: usize,
}

impl ChangeReader {
    /// Reads one page; returns whether there is more.
    pub async fn read(&mut self, world: &TestWorkspace, limit: u32) -> bool {
        let page = self.page(world, limit).await;
        self.cursor.clone_from(&page.next_cursor);
        assert!(self.cursor.is_some(), "a list by change never ends");
        self.listed += page.items.len();
        for deal in page.items {
            let version = self.versions.entry(deal.id).or_default();
            assert!(*version <= deal.version, "an earlier version after a later one");
            *version = deal.version;
        }
        page.has_more
    }

    async fn page(&self, world: &TestWorkspace, limit: u32) -> Page<Deal> {
        let (mut problems, limit) = (Problems::default(), limit.to_string());
        let cursor = self.cursor.as_deref();
        let request = PageRequest::parse(Deal::LIST, None, Some(&limit), cursor, &mut problems);
        problems.into_result().unwrap();
        let filter = DealFilter { order: Some(DealOrder::Updated), ..DealFilter::default() };
        records::list::<Deal>(&world.ports, &world.permit::<ReadDeals>(), filter, request).await.unwrap()
    }
}

impl TestWorkspace {
    pub async fn create_deal(&self) -> DealId {
        let fields = fields(&json!({"title": "d"}), InputMode::Create);
        let result = records::create::<Deal>(&self.ports, &self.permit::<CreateDeals>(), None, fields).await;
        result.unwrap().fresh().unwrap().id
    }

    pub async fn rename_deal(&self, id: DealId, title: &str) -> Deal {
        let fields = fields(&json!({ "title": title }), InputMode::Patch);
        let permit = self.permit::<UpdateDeals>();
        records::update::<Deal>(&self.ports, &permit, id, ExpectedVersion::Any, fields).await.unwrap()
    }

    pub async fn deal_versions(&self) -> BTreeMap<DealId, i64> {
        let (mut all, mut page) = (BTreeMap::new(), 1);
        loop {
            let request = PageRequest::at(Position::Page(page), 100);
            let found = self.read(move |tx| tx.lists::<Deal>().list(&DealFilter::default(), &request)).await;
            all.extend(found.iter().map(|deal| (deal.id, deal.version)));
            if found.len() <= 100 {
                return all;
            }
            page += 1;
        }
    }
}

fn fields(body: &Value, mode: InputMode) -> DealFields {
    let object: Map<String, Value> = body.as_object().cloned().unwrap();
    DealFields::from_object(object, mode).unwrap()
}

/// A change that is committed late, with a time before what was read, is still read, and nothing else is read again.
pub async fn a_change_that_is_committed_late_is_read(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (start, mut reader) = (world.now(), ChangeReader::default());
    let first = world.create_deal().await;
    subject.clock.set(start + Duration::seconds(10));
    let second = world.create_deal().await;
    assert!(!reader.read(&world, 10).await);
    assert_eq!(reader.versions, [(first, 1), (second, 1)].into());
    // As if they had begun before the second one and had waited for a lock.
    subject.clock.set(start + Duration::seconds(5));
    let late = world.create_deal().await;
    let _ = world.rename_deal(first, "late").await;
    assert!(reader.read(&world, 1).await, "one of two at a time");
    while reader.read(&world, 1).await {}
    assert_eq!(reader.versions, [(first, 2), (second, 1), (late, 1)].into());
    let listed = reader.listed;
    for _ in 0..3 {
        assert!(!reader.read(&world, 10).await);
    }
    assert_eq!(reader.listed, listed, "nothing is repeated while nothing changes");
    // Deleted records leave the list.
    records::delete::<Deal>(&world.ports, &world.permit::<DeleteDeals>(), late, ExpectedVersion::Any).await.unwrap();
    let mut second_reader = ChangeReader::default();
    assert!(!second_reader.read(&world, 10).await);
    assert_eq!(second_reader.versions, world.deal_versions().await);
}
