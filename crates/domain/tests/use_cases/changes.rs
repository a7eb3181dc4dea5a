//! Readers that follow lists by change, with changes and reads in any order.

use proptest::prelude::*;
use serde_json::json;
use time::Duration;

use super::{add_world, new, refusal, start};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::deals::{Deal, DealFilter, DealOrder};
use domain::identity::access::{ReadCompanies, ReadDeals};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::SearchQuery;
use domain::records;
use domain::{Error, RecordOrder};
use storage_contract::changes::ChangeReader;

#[derive(Debug, Clone)]
enum Step {
    /// A deal is created at this time.
    Create(i64),
    /// A deal is changed at this time.
    Change(prop::sample::Index, i64),
    Read(u32),
}

fn step() -> impl Strategy<Value = Step> {
    // Few different times, so that many are equal or go back.
    let at = 0..20_i64;
    prop_oneof![
        at.clone().prop_map(Step::Create),
        (any::<prop::sample::Index>(), at).prop_map(|(which, at)| Step::Change(which, at)),
        (1..4_u32).prop_map(Step::Read),
    ]
}

#[test]
fn a_reader_sees_the_last_version_of_each_deal() {
    let (test, _) = start();
    proptest!(ProptestConfig::with_cases(64), |(steps in prop::collection::vec(step(), 1..60))| {
        let world = add_world(&test);
        let (origin, mut reader, mut deals) = (world.now(), ChangeReader::default(), Vec::new());
        for step in steps {
            match step {
                Step::Create(at) => {
                    test.clock.set(origin + Duration::microseconds(at));
                    deals.push(test.block_on(world.create_deal()));
                }
                Step::Change(which, at) if !deals.is_empty() => {
                    test.clock.set(origin + Duration::microseconds(at));
                    let title = format!("{at}");
                    test.block_on(world.rename_deal(*which.get(&deals), &title));
                }
                Step::Change(..) => {}
                Step::Read(limit) => drop(test.block_on(reader.read(&world, limit))),
            }
        }
        let mut reads = 0;
        while test.block_on(reader.read(&world, 3)) {
            reads += 1;
            prop_assert!(reads < 100, "the reader makes no progress");
        }
        prop_assert_eq!(&reader.versions, &test.block_on(world.deal_versions()));
    });
}

/// Deals by change since a time.
fn updated(since: Option<time::OffsetDateTime>) -> DealFilter {
    DealFilter { order: Some(DealOrder::Updated), updated_since: since, ..DealFilter::default() }
}

#[test]
fn a_search_without_matches_has_a_cursor() {
    let (test, world) = start();
    let permit = world.permit::<ReadCompanies>();
    let search = SearchQuery::parse("&").unwrap();
    assert!(search.is_some());
    for (order, has_cursor) in [(None, false), (Some(RecordOrder::Newest), false), (Some(RecordOrder::Updated), true)] {
        let filter = CompanyFilter { search: search.clone(), order, ..CompanyFilter::default() };
        let page =
            test.block_on(records::list::<Company>(&test.ports, &permit, filter, PageRequest::first(5))).unwrap();
        assert_eq!((page.items.len(), page.has_more, page.next_cursor.is_some()), (0, false, has_cursor), "{order:?}");
    }
}

#[test]
fn a_cursor_is_valid_only_in_its_own_order() {
    let (test, world) = start();
    for _ in 0..3 {
        test.block_on(world.create_deal());
    }
    let permit = world.permit::<ReadDeals>();
    let list = |filter, request| test.block_on(records::list::<Deal>(&test.ports, &permit, filter, request));
    let orders = [DealOrder::Newest, DealOrder::Value, DealOrder::Updated];
    let by = |order| DealFilter { order: Some(order), ..DealFilter::default() };
    for from in orders {
        let cursor = list(by(from), PageRequest::first(1)).unwrap().next_cursor.unwrap();
        let mut problems = domain::kernel::input::Problems::default();
        let request = PageRequest::parse(Deal::LIST, None, Some("1"), Some(&cursor), &mut problems);
        problems.into_result().unwrap();
        for to in orders {
            let result = list(by(to), request);
            if from == to {
                assert_eq!(result.unwrap().items.len(), 1);
            } else {
                assert!(matches!(&result, Err(Error::Malformed(_))), "{from} to {to}");
                assert_eq!(refusal(result), "invalid_value cursor:invalid_value");
            }
        }
    }
}

#[test]
fn a_reader_that_starts_at_any_time_misses_nothing() {
    let (test, world) = start();
    let permit = world.permit::<ReadDeals>();
    let list = |filter, request| test.block_on(records::list::<Deal>(&test.ports, &permit, filter, request)).unwrap();
    let year = |text: &str| new::<DealFilter>(json!({ "updated_since": text })).updated_since;
    for since in [None, year("0001-01-01T00:00:00Z"), year("1969-12-31T23:59:59Z"), year("9999-12-31T23:59:59.999999Z")]
    {
        let page = list(updated(since), PageRequest::first(5));
        let mut problems = domain::kernel::input::Problems::default();
        let cursor = page.next_cursor.as_deref();
        let request = PageRequest::parse(Deal::LIST, None, Some("100"), cursor, &mut problems);
        problems.into_result().unwrap();
        let created = test.block_on(world.create_deal());
        let found = list(updated(None), request);
        assert!(found.items.iter().any(|deal| deal.id == created), "{since:?}");
    }
}
