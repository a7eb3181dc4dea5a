use super::*;
use proptest::prelude::*;

const DEALS: ListName = ListName::numbered(2).by_value();
const CONTACTS: ListName = ListName::numbered(1).by_change();

fn parse(page: Option<&str>, limit: Option<&str>, cursor: Option<&str>) -> Result<PageRequest, String> {
    let mut problems = Problems::default();
    let request = PageRequest::parse(DEALS, page, limit, cursor, &mut problems);
    match problems.into_result() {
        Ok(()) => Ok(request),
        Err(error) => Err(error.details().iter().map(|problem| problem.field.clone()).collect::<Vec<_>>().join("+")),
    }
}

#[test]
fn pages_and_limits_are_never_clamped() {
    assert_eq!(parse(None, None, None), Ok(PageRequest::first(50)));
    assert_eq!(parse(Some("3"), Some("100"), None), Ok(PageRequest::at(Position::Page(3), 100)));
    for bad in ["0", "-1", "1.5", "x", "", "+1", " 1", "99999999999999999999"] {
        assert_eq!(parse(Some(bad), None, None), Err("page".to_owned()), "{bad}");
        assert_eq!(parse(None, Some(bad), None), Err("limit".to_owned()), "{bad}");
    }
    assert_eq!(parse(None, Some("101"), None), Err("limit".to_owned()));
    assert_eq!(parse(Some("0"), Some("0"), None), Err("limit+page".to_owned()));
    assert!(parse(Some("1000"), Some("100"), None).is_ok());
    assert_eq!(parse(Some("1001"), Some("100"), None), Err("page".to_owned()));
    assert_eq!(parse(Some("1"), None, Some("x")), Err("cursor".to_owned()));
    assert_eq!(parse(None, None, Some("x")), Err("cursor".to_owned()));
}

#[test]
fn a_cursor_of_another_list_is_rejected() {
    let cursor = encode_cursor(CONTACTS, Position::After(OffsetDateTime::UNIX_EPOCH, Uuid::nil()));
    assert_eq!(parse(None, None, cursor.as_deref()), Err("cursor".to_owned()));
    let by_value = encode_cursor(CONTACTS, Position::AfterValue(None, Uuid::nil())).unwrap();
    assert_eq!(decode_cursor(CONTACTS, &by_value), None, "a list without values");
}

#[test]
fn cursors_by_change_round_trip_and_belong_to_the_order() {
    let position =
        ChangePosition { at: OffsetDateTime::UNIX_EPOCH + time::Duration::microseconds(7), id: Uuid::max(), logged: 3 };
    let cursor = encode_cursor(DEALS, Position::AfterChange(position));
    let request = parse(None, None, cursor.as_deref()).unwrap();
    assert_eq!(request.position, Position::AfterChange(position));
    assert!(request.check_order(ListOrder::Changed).is_ok());
    for order in [ListOrder::Created, ListOrder::Value] {
        assert!(request.check_order(order).is_err(), "{order:?}");
    }
    assert!(PageRequest::first(1).check_order(ListOrder::Changed).is_ok());
    let members_cursor = encode_cursor(ListName::MEMBERS, Position::AfterChange(position)).unwrap();
    assert_eq!(decode_cursor(ListName::MEMBERS, &members_cursor), None, "a list that is never by change");
    let early = ChangePosition { at: OffsetDateTime::UNIX_EPOCH - time::Duration::DAY, ..position };
    let early = encode_cursor(DEALS, Position::AfterChange(early)).unwrap();
    assert_eq!(decode_cursor(DEALS, &early), None, "a time that no record has");
}

#[test]
fn cursors_by_value_round_trip() {
    for value in [None, Some(0), Some(1), Some(99_999_999_999_999)] {
        let position = Position::AfterValue(value.map(|value| Decimal::new(value, 2)), Uuid::max());
        let cursor = encode_cursor(DEALS, position);
        assert_eq!(parse(None, None, cursor.as_deref()).unwrap().position, position);
    }
    assert_eq!(encode_cursor(DEALS, Position::Page(2)), None);
}

#[test]
fn cursors_by_a_field_round_trip_and_belong_to_the_order() {
    let name = SortKey::Name(NameKey::of("ÉMILE und so weiter, weit mehr als vierzig Buchstaben"));
    let time = OffsetDateTime::UNIX_EPOCH + time::Duration::microseconds(7);
    for (by, key) in [
        (Sort::Created, SortKey::Time(OffsetDateTime::UNIX_EPOCH)),
        (Sort::Changed, SortKey::Time(time)),
        (Sort::Value, SortKey::Amount(Decimal::new(1_050, 2))),
        (Sort::Name, name),
        (Sort::Day, SortKey::Day(time::macros::date!(2030 - 02 - 28))),
        (Sort::Due, SortKey::Nothing),
        (Sort::Priority, SortKey::Rank(4)),
        // The sort key of a ticket without a waiting customer.
        (Sort::Turn, SortKey::Time(time::macros::datetime!(2974-01-01 00:00:00.000001 UTC))),
    ] {
        for direction in [Direction::Up, Direction::Down] {
            let position = Position::AfterKey(KeyPosition { by, direction, key, id: Uuid::max() });
            let cursor = encode_cursor(DEALS, position).unwrap();
            let request = parse(None, None, Some(&cursor)).unwrap();
            assert_eq!(request.position, position);
            assert!(request.check_order(ListOrder::By(by, direction)).is_ok());
            for order in [ListOrder::Created, ListOrder::Changed, ListOrder::By(by, opposite(direction))] {
                assert!(request.check_order(order).is_err(), "{order:?}");
            }
            assert_eq!(decode_cursor(CONTACTS, &cursor), None, "a cursor for another list");
            let members_cursor = encode_cursor(ListName::MEMBERS, position).unwrap();
            assert_eq!(decode_cursor(ListName::MEMBERS, &members_cursor), None, "a list without such orders");
        }
    }
}

fn opposite(direction: Direction) -> Direction {
    if direction == Direction::Up { Direction::Down } else { Direction::Up }
}

#[test]
fn names_are_sorted_without_regard_to_case_and_missing_values_come_last() {
    assert_eq!(NameKey::of("ALPHA É").as_str(), "alpha É");
    let key = |name: &str| SortKey::Name(NameKey::of(name));
    let mut keys = [SortKey::Nothing, key("beta"), key("Alpha"), key("alphabet"), key("Émile")];
    keys.sort_by(|one, other| Direction::Up.compare((*one, Uuid::nil()), (*other, Uuid::nil())));
    assert_eq!(keys, [key("Alpha"), key("alphabet"), key("beta"), key("Émile"), SortKey::Nothing]);
    keys.sort_by(|one, other| Direction::Down.compare((*one, Uuid::nil()), (*other, Uuid::nil())));
    assert_eq!(keys, [key("Émile"), key("beta"), key("alphabet"), key("Alpha"), SortKey::Nothing]);
}

/// A record with this creation time.
#[derive(Debug, Clone, PartialEq)]
struct Row(i64);

impl Paginated for Row {
    const LIST: ListName = DEALS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (OffsetDateTime::from_unix_timestamp(self.0).unwrap(), Uuid::nil())
    }
}

#[test]
fn only_a_page_by_cursor_may_end_early_and_it_has_at_least_one_item() {
    let by_cursor = PageRequest::after(OffsetDateTime::UNIX_EPOCH, Uuid::nil(), 10);
    for (request, early) in [(by_cursor, true), (PageRequest::first(10), false)] {
        let page = Page::from_rows(vec![Row(1), Row(2)], &request);
        assert!(!page.ends_before(1, MAX_CURSOR_PAGE_BYTES));
        assert_eq!(page.ends_before(1, MAX_CURSOR_PAGE_BYTES + 1), early);
        assert!(!page.ends_before(0, usize::MAX));
    }
}

#[test]
fn a_converted_page_can_still_be_cut() {
    let rows = vec![Row(1), Row(2), Row(3)];
    let mut page = Page::from_rows(rows, &PageRequest::first(10)).map(|row| row.0 * 10);
    assert_eq!(page.next_cursor, None);
    page.truncate_after(3);
    assert_eq!(page.next_cursor, None);
    page.truncate_after(2);
    assert_eq!(page.items, [10, 20]);
    let next = parse(None, None, page.next_cursor.as_deref()).unwrap().position;
    assert_eq!(next, Position::After(OffsetDateTime::from_unix_timestamp(2).unwrap(), Uuid::nil()));
}

proptest! {
    #[test]
    fn cursors_round_trip(micros in -62_000_000_000_000_000i64..250_000_000_000_000_000, id: u128) {
        let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000).unwrap();
        let position = Position::After(time, Uuid::from_u128(id));
        let cursor = encode_cursor(DEALS, position);
        prop_assert_eq!(parse(None, None, cursor.as_deref()).unwrap().position, position);
    }

    #[test]
    fn no_cursor_makes_the_parser_panic(text in ".*") {
        let _ = parse(None, None, Some(&text));
    }
}
