//! Deals: amounts, times and lists.

use rust_decimal::Decimal;
use time::Date;
use time::macros::{date, datetime};

use super::kinds::check_filter as check;
use super::paging::walk;
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::deals::{Deal, DealFilter, DealOrder, DealStage, DealStatus};
use domain::kernel::input::{Currency, Line, Number, Problems, Read, Tag, Value};
use domain::kernel::paging::{PageRequest, Position};
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::ports::Tx;

pub async fn amounts_are_exact(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for text in ["0", "0.01", "0.1", "0.1000", "10", "100.5", "33.33", "999999999999.99", "999999999999", "12345678.9"]
    {
        let value: Decimal = text.parse().unwrap();
        let commission_pct = (value <= Decimal::ONE_HUNDRED).then_some(value);
        let deal = world.add(Deal { value: Some(value), commission_pct, ..world.bare_deal() }).await;
        let found = world.get::<Deal>(deal.id).await.unwrap();
        assert_eq!(found, deal, "{text}");
        let json = |deal: &Deal| serde_json::to_string(deal).unwrap();
        assert_eq!(json(&found), json(&deal), "{text}");
    }
}

/// Timestamps keep every microsecond, at both ends of the calendar.
pub async fn times_keep_microseconds(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for time in [
        datetime!(0001-01-01 00:00 UTC),
        datetime!(1969-12-31 23:59:59.999999 UTC),
        datetime!(2030-01-31 09:00:00.000001 UTC),
        datetime!(9999-12-31 23:59:59.999999 UTC),
    ] {
        let deal = world.add(Deal { created_at: time, updated_at: time, ..world.bare_deal() }).await;
        assert_eq!(world.get::<Deal>(deal.id).await, Some(deal));
    }
}

/// Varied deals, one of them deleted.
async fn deals(world: &TestWorkspace) -> Vec<Deal> {
    let contact = world.add(world.bare_contact()).await.id;
    let company = world.add(world.bare_company()).await.id;
    let member = world.new_member().await;
    let mut all = Vec::new();
    for (index, (status, stage)) in [
        (DealStatus::Open, DealStage::Discovery),
        (DealStatus::Open, DealStage::Proposal),
        (DealStatus::OnHold, DealStage::Proposal),
        (DealStatus::ClosedWon, DealStage::ClosedWon),
        (DealStatus::ClosedLost, DealStage::ClosedLost),
        (DealStatus::Open, DealStage::Qualified),
    ]
    .into_iter()
    .enumerate()
    {
        let value = (index != 5).then(|| Decimal::new(i64::try_from(index).unwrap() * 1_050, 2));
        let assigned_to = [None, Some(world.member), Some(member)][index % 3];
        let contact_id = (index % 2 == 0).then_some(contact);
        let company_id = (index < 3).then_some(company);
        let deal = Deal { contact_id, company_id, assigned_to, status, stage, value, ..world.bare_deal() };
        let title = ["A deal about pumps", "Größere deal"][index % 2].to_owned();
        let tags = [vec![], vec!["Big".to_owned()], vec!["VIP".to_owned(), "o'b".to_owned()]][index % 3].clone();
        let currency = ["EUR", "USD"][index % 2].to_owned();
        let external_id = (index > 0).then(|| format!("x{index}"));
        all.push(world.add(Deal { title, tags, currency, external_id, ..deal }).await);
    }
    let deleted = world.add(world.bare_deal()).await.id;
    world.delete::<Deal>(deleted).await;
    all
}

/// Each filter alone, with one value and with several.
pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = deals(&world).await;
    let none = DealFilter::default;
    check(&world, &all, none(), |_| true).await;
    for status in [vec![DealStatus::OnHold], vec![DealStatus::ClosedWon, DealStatus::Open]] {
        let filter = DealFilter { status: status.clone().into(), ..none() };
        check(&world, &all, filter, |deal| status.contains(&deal.status)).await;
    }
    let several = vec![DealStage::Discovery, DealStage::ClosedLost, DealStage::Negotiation];
    for stage in [vec![DealStage::Proposal], several] {
        let filter = DealFilter { stage: stage.clone().into(), ..none() };
        check(&world, &all, filter, |deal| stage.contains(&deal.stage)).await;
    }
    let other = all[2].assigned_to.unwrap();
    for assignees in [vec![world.member], vec![other], vec![world.member, other], vec![domain::UserId(world.id())]] {
        let filter = DealFilter { assignee: assignees.clone().into(), ..none() };
        check(&world, &all, filter, |deal| deal.assigned_to.is_some_and(|id| assignees.contains(&id))).await;
    }
    let contact_id = all[0].contact_id;
    check(&world, &all, DealFilter { contact_id, ..none() }, |deal| deal.contact_id == contact_id).await;
    let company_id = all[0].company_id;
    check(&world, &all, DealFilter { company_id, ..none() }, |deal| deal.company_id == company_id).await;
    // Bounds are inclusive; a deal without a value is in no range.
    for bound in ["0", "10.49", "10.5", "10.50", "10.51", "999999999999.99", "-1", "-0.5"] {
        let bound: Decimal = bound.parse().unwrap();
        let least = DealFilter { value_min: Some(Number(bound)), ..none() };
        check(&world, &all, least, |deal| deal.value.is_some_and(|value| value >= bound)).await;
        let most = DealFilter { value_max: Some(Number(bound)), ..none() };
        check(&world, &all, most, |deal| deal.value.is_some_and(|value| value <= bound)).await;
    }
}

/// Days of closing: a range includes its first day but not its end; a deal without the day is in no range.
pub async fn deals_are_filtered_by_days_of_closing(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (first, last) = (date!(2030 - 01 - 01), date!(2030 - 01 - 03));
    let mut all = Vec::new();
    for day in [None, Some(first), Some(date!(2030 - 01 - 02)), Some(last)] {
        let closed = Deal { actual_close_date: day, ..world.bare_deal() };
        let expected = Deal { expected_close_date: day, ..world.bare_deal() };
        all.extend([world.add(closed).await, world.add(expected).await]);
    }
    let none = DealFilter::default;
    let is_in = |day: Option<Date>| day.is_some_and(|day| day >= first && day < last);
    let closed = DealFilter { closed_since: Some(first), closed_before: Some(last), ..none() };
    check(&world, &all, closed, |deal| is_in(deal.actual_close_date)).await;
    let expected = DealFilter { expected_close_since: Some(first), expected_close_before: Some(last), ..none() };
    check(&world, &all, expected, |deal| is_in(deal.expected_close_date)).await;
    let since = DealFilter { closed_since: Some(last), ..none() };
    check(&world, &all, since, |deal| deal.actual_close_date == Some(last)).await;
    let before = DealFilter { expected_close_before: Some(first), ..none() };
    check(&world, &all, before, |_| false).await;
}

fn currency(code: &str) -> Currency {
    match Currency::read(code.into(), "currency", &mut Problems::default()) {
        Read::Value(currency) => currency,
        Read::Empty | Read::Invalid => panic!("{code}"),
    }
}

/// By words, by tags in any case, by external id and by currency.
pub async fn deals_are_found_by_words_tags_and_ids(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = deals(&world).await;
    let none = DealFilter::default;
    for text in ["pump", "GROSSERE", "deal about", "ump", "nothing"] {
        let filter = DealFilter { search: SearchQuery::parse(text).unwrap(), ..none() };
        let matches = |deal: &Deal| {
            SearchQuery::parse(text).unwrap().is_some_and(|query| SearchWords::of(deal.search_words()).matches(&query))
        };
        check(&world, &all, filter, matches).await;
    }
    for tags in [vec!["big"], vec!["VIP"], vec!["O'B"], vec!["BIG", "vip"], vec!["bi"], vec!["pumps"]] {
        let parsed: Vec<Tag> = tags.iter().map(|tag| tag.parse().unwrap()).collect();
        let has = |deal: &Deal| deal.tags.iter().any(|tag| tags.iter().any(|parsed| tag.eq_ignore_ascii_case(parsed)));
        check(&world, &all, DealFilter { tag: parsed.clone().into(), ..none() }, has).await;
        let search = SearchQuery::parse("deal").unwrap();
        check(&world, &all, DealFilter { tag: parsed.into(), search, ..none() }, has).await;
    }
    for id in ["x1", "X1", "x", "x9"] {
        let filter = DealFilter { external_id: Some(Line::parse(id, "external_id").unwrap()), ..none() };
        check(&world, &all, filter, |deal| deal.external_id.as_deref() == Some(id)).await;
    }
    for codes in [vec!["EUR"], vec!["EUR", "USD"], vec!["CHF"]] {
        let parsed: Vec<_> = codes.iter().map(|code| currency(code)).collect();
        let filter = DealFilter { currency: parsed.into(), ..none() };
        check(&world, &all, filter, |deal| codes.contains(&deal.currency.as_str())).await;
    }
    // A change takes effect, and so does one of tags alone.
    let changed = Deal { title: "Quartz".to_owned(), tags: vec!["New".to_owned()], ..all[0].clone() };
    world.save(&changed).await;
    let all = [changed];
    let filter = DealFilter { search: SearchQuery::parse("quar").unwrap(), ..none() };
    check(&world, &all, filter, |_| true).await;
    check(&world, &all, DealFilter { tag: vec!["new".parse().unwrap()].into(), ..none() }, |_| true).await;
}

/// Highest value first, then highest id; deals without a value last; by page and by cursor, with and without a filter.
pub async fn deals_are_listed_by_value(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = Vec::new();
    for cents in [None, Some(0), Some(1_050), Some(99_999_999_999_999), Some(1_050), None, Some(1_049)] {
        let value = cents.map(|cents| Decimal::new(cents, 2));
        all.push(world.add(Deal { value, tags: vec!["a".to_owned()], ..world.bare_deal() }).await);
    }
    all.sort_by_key(|deal| std::cmp::Reverse((deal.value, deal.id)));
    let expected: Vec<_> = all.iter().map(|deal| deal.id).collect();
    let by_value = || DealFilter { order: Some(DealOrder::Value), ..DealFilter::default() };
    let narrow = DealFilter { status: DealStatus::ALL.to_vec().into(), ..by_value() };
    let tagged = DealFilter { tag: vec!["a".parse().unwrap()].into(), ..by_value() };
    for filter in [by_value(), narrow, tagged] {
        for limit in [1, 2, 3, 100] {
            let behind = |deal: &Deal| Position::AfterValue(deal.value, deal.id.0);
            let walked = filter.clone();
            let list = move |tx: &mut dyn Tx, page: &PageRequest| tx.lists::<Deal>().list(&walked, page);
            let found = walk(&world, list, limit, behind).await;
            assert_eq!(found.iter().map(|deal| deal.id).collect::<Vec<_>>(), expected, "{filter:?} {limit}");
            let second = PageRequest::at(Position::Page(2), limit);
            let filter = filter.clone();
            let rows = world.read(move |tx| tx.lists::<Deal>().list(&filter, &second)).await;
            let ids: Vec<_> = rows.iter().take(limit as usize).map(|deal| deal.id).collect();
            let rest: Vec<_> = expected.iter().skip(limit as usize).take(limit as usize).copied().collect();
            assert_eq!(ids, rest, "{limit}");
        }
    }
}

pub async fn filters_combine(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = deals(&world).await;
    let none = DealFilter::default;
    let company_id = all[0].company_id;
    let filter = DealFilter { status: vec![DealStatus::Open].into(), company_id, ..none() };
    check(&world, &all, filter, |deal| deal.status == DealStatus::Open && deal.company_id == company_id).await;
    let range = Decimal::new(1_050, 2)..=Decimal::new(3_150, 2);
    let filter =
        DealFilter { value_min: Some(Number(*range.start())), value_max: Some(Number(*range.end())), ..none() };
    check(&world, &all, filter, |deal| deal.value.is_some_and(|value| range.contains(&value))).await;
    let filter =
        DealFilter { status: vec![DealStatus::Open].into(), stage: vec![DealStage::ClosedWon].into(), ..none() };
    check(&world, &all, filter, |_| false).await;
    let deal = &all[2];
    let filter = DealFilter {
        search: SearchQuery::parse("deal").unwrap(),
        status: vec![deal.status, DealStatus::Open].into(),
        stage: vec![deal.stage].into(),
        assignee: deal.assigned_to.into_iter().collect::<Vec<_>>().into(),
        contact_id: deal.contact_id,
        company_id: deal.company_id,
        value_min: deal.value.map(Number),
        value_max: deal.value.map(Number),
        closed_since: deal.actual_close_date,
        closed_before: None,
        expected_close_since: deal.expected_close_date,
        expected_close_before: None,
        currency: vec![currency(&deal.currency)].into(),
        external_id: Some(Line::parse("x2", "external_id").unwrap()),
        tag: vec!["vip".parse().unwrap(), "other".parse().unwrap()].into(),
        created_since: Some(deal.created_at),
        created_before: Some(deal.created_at + time::Duration::microseconds(1)),
        updated_since: Some(deal.updated_at),
        order: Some(DealOrder::Newest),
        deleted: None,
        ids: vec![deal.id].into(),
    };
    check(&world, &all, filter, |other| other.id == deal.id).await;
}
