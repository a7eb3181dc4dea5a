//! Lists by a member in both directions, with ties by id and records without a value last; and the totals of lists.

use rust_decimal::Decimal;
use time::Duration;
use time::macros::date;

use super::paging::walk;
use super::{StoreUnderTest, TestWorkspace};
use domain::RecordOrder;
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::crm::deals::{Deal, DealFilter, DealOrder, DealStatus};
use domain::kernel::IssueKind;
use domain::kernel::input::Number;
use domain::kernel::paging::{Direction, KeyPosition, PageRequest, Position, Sort, SortKey};
use domain::kernel::search::SearchQuery;
use domain::kernel::totals::{CountedPart, ListTotals};
use domain::ports::Tx;
use domain::records::{Kind, ListedKind};
use domain::support::kb::{Article, ArticleFilter, ArticleOrder, ArticleStatus};
use domain::work::issues::{Issue, IssueFilter, IssueOrder};
use domain::work::projects::{Priority, Project, ProjectFilter, ProjectOrder};

/// Checks a list sorted by a field: as a whole, by page and by cursor.
pub(super) async fn check<K>(world: &TestWorkspace, all: &[K], (by, direction): (Sort, Direction), filter: K::Filter)
where
    K: ListedKind + Kind<Filter: Clone>,
{
    let list = move |tx: &mut dyn Tx, page: &PageRequest| tx.lists::<K>().list(&filter, page);
    let sort_place = |row: &K| (row.sort_key(by), row.cursor_key().1);
    let behind = |(key, id)| Position::AfterKey(KeyPosition { by, direction, key, id });
    let mut expected: Vec<_> = all.iter().map(sort_place).collect();
    expected.sort_by(|one, other| direction.compare(*one, *other));
    let lacking = expected.iter().filter(|(key, _)| *key == SortKey::Nothing).count();
    assert!(expected.iter().rev().take(lacking).all(|(key, _)| *key == SortKey::Nothing), "{expected:?}");
    let read = async |position, limit| {
        let list = list.clone();
        let rows = world.read(move |tx| list(tx, &PageRequest::at(position, limit))).await;
        rows.iter().map(sort_place).collect::<Vec<_>>()
    };
    let order = format!("{by:?} {direction:?}");
    assert_eq!(read(Position::Page(1), 100).await, expected, "{order}");
    assert_eq!(read(Position::Page(2), 3).await, expected[3..7], "{order}: one more than the page");
    for limit in [1, 2, 100] {
        let walked = walk(world, list.clone(), limit, |row| behind(sort_place(row))).await;
        assert_eq!(walked.iter().map(sort_place).collect::<Vec<_>>(), expected, "{order}: {limit} at a time");
    }
    assert!(read(behind(expected[expected.len() - 1]), 100).await.is_empty(), "{order}: after the last");
}

/// Seven numbers with ties; two have none.
const NUMBERS: [Option<i64>; 7] = [Some(3), None, Some(1), Some(3), Some(0), None, Some(2)];

pub async fn deals_are_sorted_by_each_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for (number, updated_at) in NUMBERS.into_iter().zip(world.seven_times()) {
        let value = number.map(|number| Decimal::new(number * 1_050, 2));
        let expected_close_date = number.map(|number| date!(2030 - 01 - 01) + Duration::days(number));
        let deal = Deal { value, expected_close_date, tags: vec!["a".to_owned()], ..world.bare_deal() };
        all.push(world.add(Deal { created_at: updated_at, updated_at, ..deal }).await);
    }
    let deleted = world.add(world.bare_deal()).await.id;
    world.delete::<Deal>(deleted).await;
    for (order, by) in [
        (DealOrder::ValueUp, (Sort::Value, Direction::Up)),
        (DealOrder::CloseUp, (Sort::Day, Direction::Up)),
        (DealOrder::CloseDown, (Sort::Day, Direction::Down)),
        (DealOrder::Oldest, (Sort::Created, Direction::Up)),
        (DealOrder::UpdatedDown, (Sort::Changed, Direction::Down)),
    ] {
        let plain = DealFilter { order: Some(order), ..DealFilter::default() };
        let narrow = DealFilter { status: DealStatus::ALL.to_vec().into(), ..plain.clone() };
        let tagged = DealFilter { tag: vec!["a".parse().unwrap()].into(), ..plain.clone() };
        for filter in [plain, narrow, tagged] {
            check(&world, &all, by, filter).await;
        }
    }
}

/// Case does not matter, accents do; a contact without a name is sorted by address.
pub async fn contacts_and_companies_are_sorted_by_name(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (mut contacts, mut companies) = (Vec::new(), Vec::new());
    let long = "A very long name, of which the index has only the beginning";
    for name in ["beta", "Alpha", "alpha", "Émile", "zeta", long, "A very long name, of which the index has no end"] {
        let (first, last) = name.split_once(' ').map_or((name, None), |(first, last)| (first, Some(last)));
        let first_name = Some(first.to_owned());
        let contact = Contact { first_name, last_name: last.map(str::to_owned), ..world.bare_contact() };
        contacts.push(world.add(contact).await);
        companies.push(world.add(Company { name: name.to_owned(), ..world.bare_company() }).await);
    }
    contacts.push(world.add(world.bare_contact()).await);
    let only_last = Contact { last_name: Some("Gamma".to_owned()), ..world.bare_contact() };
    contacts.push(world.add(only_last).await);
    for (order, direction) in [(RecordOrder::NameUp, Direction::Up), (RecordOrder::NameDown, Direction::Down)] {
        let filter = ContactFilter { order: Some(order), ..ContactFilter::default() };
        check(&world, &contacts, (Sort::Name, direction), filter).await;
        let filter = CompanyFilter { order: Some(order), ..CompanyFilter::default() };
        check(&world, &companies, (Sort::Name, direction), filter).await;
    }
    let filter = CompanyFilter { order: Some(RecordOrder::NameUp), ..CompanyFilter::default() };
    let found = world.list::<Company>(filter).await;
    let names: Vec<_> = found.iter().map(|company| company.name.to_ascii_lowercase()).collect();
    assert_eq!(names[2..], ["alpha", "alpha", "beta", "zeta", "Émile"], "the long names first");
}

pub async fn projects_are_sorted_by_each_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for number in NUMBERS {
        let end_date = number.map(|number| date!(2030 - 01 - 01) + Duration::days(number));
        let name = format!("Project {}", number.unwrap_or(9));
        all.push(world.add(Project { name, end_date, ..world.bare_project() }).await);
    }
    for (order, by) in [
        (ProjectOrder::NameUp, (Sort::Name, Direction::Up)),
        (ProjectOrder::NameDown, (Sort::Name, Direction::Down)),
        (ProjectOrder::EndUp, (Sort::Day, Direction::Up)),
        (ProjectOrder::EndDown, (Sort::Day, Direction::Down)),
    ] {
        let filter = ProjectFilter { order: Some(order), ..ProjectFilter::default() };
        check(&world, &all, by, filter).await;
    }
}

/// Tasks and tickets are listed separately, as always.
pub async fn issues_are_sorted_by_each_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let mut all = Vec::new();
        for (number, priority) in NUMBERS.into_iter().zip(Priority::ALL.iter().copied().cycle()) {
            let due_at = number.map(|number| world.now() + Duration::microseconds(number));
            all.push(world.add(Issue { due_at, priority, ..world.bare_issue(kind).await }).await);
        }
        for (order, by) in [
            (IssueOrder::DueUp, (Sort::Due, Direction::Up)),
            (IssueOrder::DueDown, (Sort::Due, Direction::Down)),
            (IssueOrder::PriorityUp, (Sort::Priority, Direction::Up)),
            (IssueOrder::PriorityDown, (Sort::Priority, Direction::Down)),
        ] {
            let plain = IssueFilter { order: Some(order), ..IssueFilter::all(kind) };
            let narrow = IssueFilter { priority: Priority::ALL.to_vec().into(), ..plain.clone() };
            for filter in [plain, narrow] {
                check(&world, &all, by, filter).await;
            }
        }
    }
}

pub async fn articles_are_sorted_by_creation(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for created_at in world.seven_times() {
        let article = Article { tags: vec!["a".to_owned()], ..world.bare_article() };
        all.push(world.add(Article { created_at, updated_at: created_at, ..article }).await);
    }
    let plain = ArticleFilter { order: Some(ArticleOrder::Oldest), ..ArticleFilter::default() };
    let narrow = ArticleFilter { status: Some(ArticleStatus::Draft), ..plain.clone() };
    let tagged = ArticleFilter { tag: vec!["a".parse().unwrap()].into(), ..plain.clone() };
    for filter in [plain, narrow, tagged] {
        let by = (Sort::Created, Direction::Up);
        check(&world, &all, by, filter).await;
    }
}

pub async fn totals_cover_the_filtered_records(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for (number, probability) in NUMBERS.into_iter().zip([Some(50), Some(50), None, Some(0), Some(7), None, Some(100)])
    {
        let value = number.map(|number| Decimal::new(number * 1_050, 2));
        let currency = if number == Some(1) { "EUR" } else { "USD" }.to_owned();
        let title = "A round deal".to_owned();
        let _ = world.add(Deal { title, value, currency, probability, ..world.bare_deal() }).await;
    }
    let deleted = world.add(world.bare_deal()).await.id;
    world.delete::<Deal>(deleted).await;
    let part = |currency: &str, count, value: i64, percent: i64| CountedPart {
        currency: Some(currency.to_owned()),
        count,
        value: Decimal::new(value, 2),
        percent: Decimal::new(percent, 2),
    };
    let all = vec![part("EUR", 1, 1_050, 0), part("USD", 6, 8_400, 3_150 * 50 + 2_100 * 100)];
    let words = SearchQuery::parse("round").unwrap();
    let worth = DealFilter { value_min: Some(Number(Decimal::new(2_100, 2))), ..DealFilter::default() };
    for (filter, expected) in [
        (DealFilter::default(), all.clone()),
        (DealFilter { search: words.map(|words| words.in_comments(true)), ..DealFilter::default() }, all),
        (worth, vec![part("USD", 3, 8_400, 3_150 * 50 + 2_100 * 100)]),
    ] {
        let description = format!("{filter:?}");
        assert_eq!(world.read(move |tx| tx.lists::<Deal>().totals(&filter)).await, expected, "{description}");
    }
    let count = |parts: Vec<CountedPart>| ListTotals::of(parts).count;
    let contact = world.add(Contact { first_name: Some("Ann".to_owned()), ..world.bare_contact() }).await;
    let named = ContactFilter { search: SearchQuery::parse("ann").unwrap(), ..ContactFilter::default() };
    assert_eq!(count(world.read(move |tx| tx.lists::<Contact>().totals(&named)).await), Some(1), "{contact:?}");
    let _ = world.add(world.bare_company()).await;
    assert_eq!(count(world.read(|tx| tx.lists::<Company>().totals(&CompanyFilter::default())).await), Some(1));
    assert_eq!(count(world.read(|tx| tx.lists::<Project>().totals(&ProjectFilter::default())).await), Some(0));
    let _ = world.add(Article { status: ArticleStatus::Draft, ..world.bare_article() }).await;
    for (status, articles) in [(ArticleStatus::Draft, 1), (ArticleStatus::Published, 0)] {
        let filter = ArticleFilter { status: Some(status), ..ArticleFilter::default() };
        let counted = world.read(move |tx| tx.lists::<Article>().totals(&filter)).await;
        assert_eq!(count(counted), Some(articles), "{status}");
    }
    let _ = world.add(world.bare_issue(IssueKind::Ticket).await).await;
    for (kind, issues) in [(IssueKind::Task, 0), (IssueKind::Ticket, 1)] {
        let counted = world.read(move |tx| tx.lists::<Issue>().totals(&IssueFilter::all(kind))).await;
        assert_eq!(count(counted), Some(issues), "{kind:?}");
    }
}
