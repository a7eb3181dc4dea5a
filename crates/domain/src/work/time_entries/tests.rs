//! The rules of spans, as properties.

use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};
use time::macros::{date, datetime};
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use super::*;
use crate::identity::access::Actor;
use crate::identity::workspaces::Role;
use crate::kernel::Weight;
use crate::kernel::input::Input;
use crate::kernel::paging::{Direction, ListOrder, PageRequest, Sort};
use crate::records::weight_of;
use crate::{ApiKeyId, SessionId};

const NOW: OffsetDateTime = datetime!(2030-03-31 12:00 UTC);
const ZURICH: &str = "Europe/Zurich";
const MEMBER: UserId = UserId(Uuid::from_u128(1));

fn object(json: Json) -> Map<String, Json> {
    if let Json::Object(object) = json { object } else { panic!("no object") }
}

fn blank() -> TimeEntry {
    TimeEntry::blank(TimeEntryId(Uuid::nil()), MEMBER, Actor::SYSTEM, NOW)
}

fn codes(error: &Error) -> Vec<String> {
    error.details().iter().map(|one| format!("{}:{}", one.field, one.code)).collect()
}

/// The entry after an input, or what is wrong with it.
fn after(stored: Option<&TimeEntry>, input: Json) -> Result<TimeEntry, Vec<String>> {
    let mode = if stored.is_some() { InputMode::Patch } else { InputMode::Create };
    let fields = TimeEntryFields::from_object(object(input), mode).map_err(|error| codes(&error))?;
    let span = Span::resolve(&fields, stored, NOW, ZURICH).map_err(|error| codes(&error))?;
    let mut entry = stored.cloned().unwrap_or_else(blank);
    span.store(&mut entry);
    Ok(entry)
}

#[test]
fn a_range_of_days_is_sorted_by_day_by_default() {
    let days = || TimeEntryFilter { from: Some(date!(2030 - 01 - 01)), ..TimeEntryFilter::default() };
    assert_eq!(TimeEntryFilter::default().sorted_by(), ListOrder::Created);
    assert_eq!(days().sorted_by(), ListOrder::By(Sort::Day, Direction::Down));
    let until = TimeEntryFilter { to: Some(date!(2030 - 01 - 01)), ..TimeEntryFilter::default() };
    assert_eq!(until.sorted_by(), ListOrder::By(Sort::Day, Direction::Down));
    assert_eq!(TimeEntryFilter { deleted: Some(true), ..days() }.sorted_by(), ListOrder::Created);
    let ordered = |order| TimeEntryFilter { order: Some(order), ..days() };
    let of_members = |members: u128| {
        let members: Vec<_> = (1..=members).map(|number| UserId(Uuid::from_u128(number))).collect();
        TimeEntryFilter { member: members.into(), ..days() }
    };
    for (filter, weight) in [
        (TimeEntryFilter::default(), Weight::Light),
        (days(), Weight::Light),
        (of_members(1), Weight::Light),
        (ordered(TimeEntryOrder::DateUp), Weight::Light),
        (of_members(2), Weight::Heavy),
        (ordered(TimeEntryOrder::Newest), Weight::Heavy),
        (ordered(TimeEntryOrder::Updated), Weight::Heavy),
        (TimeEntryFilter { billable: Some(true), ..days() }, Weight::Heavy),
    ] {
        assert_eq!(weight_of(&filter, &PageRequest::first(10)), weight, "{filter:?}");
    }
}

#[test]
fn an_entry_has_either_times_or_an_amount() {
    let (start, end) = ("2030-03-30T22:30:00Z", "2030-03-30T23:30:00Z");
    let times = after(None, json!({ "started_at": start, "ended_at": end })).unwrap();
    assert_eq!((times.date, times.seconds, times.status), (date!(2030 - 03 - 30), Some(3_600), EntryStatus::Stopped));
    let amount = after(None, json!({ "date": "2030-03-30", "seconds": 90 })).unwrap();
    assert_eq!((amount.started_at, amount.ended_at, amount.seconds), (None, None, Some(90)));
    for (input, expected) in [
        (json!({}), vec!["date:required", "seconds:required"]),
        (json!({ "seconds": 5 }), vec!["date:required"]),
        (json!({ "date": "2030-01-01" }), vec!["seconds:required"]),
        (json!({ "started_at": start }), vec!["ended_at:required"]),
        (json!({ "ended_at": end }), vec!["started_at:required"]),
        (json!({ "started_at": start, "ended_at": start }), vec!["ended_at:before_start"]),
        (json!({ "started_at": end, "ended_at": start }), vec!["ended_at:before_start"]),
        (json!({ "started_at": start, "ended_at": "2030-03-31T22:30:01Z" }), vec!["ended_at:too_long"]),
        (json!({ "started_at": start, "ended_at": end, "seconds": 5 }), vec!["seconds:contradicts_times"]),
        (json!({ "started_at": start, "ended_at": end, "date": "2030-03-30" }), vec!["date:contradicts_times"]),
        (json!({ "task_id": Uuid::nil(), "deal_id": Uuid::nil() }), vec!["deal_id:several_targets"]),
    ] {
        assert_eq!(after(None, input.clone()).err().unwrap_or_default(), expected, "{input}");
    }
}

#[test]
fn messages_have_no_names_of_the_interface() {
    let (start, end) = ("2030-03-30T22:30:00Z", "2030-03-30T23:30:00Z");
    for input in [
        json!({}),
        json!({ "started_at": start }),
        json!({ "ended_at": end }),
        json!({ "started_at": end, "ended_at": start }),
        json!({ "started_at": start, "ended_at": "2030-03-31T22:30:01Z" }),
        json!({ "started_at": start, "ended_at": end, "seconds": 5 }),
        json!({ "task_id": Uuid::nil(), "deal_id": Uuid::nil() }),
    ] {
        let fields = TimeEntryFields::from_object(object(input), InputMode::Create);
        let error = fields.and_then(|fields| Span::resolve(&fields, None, NOW, ZURICH)).unwrap_err();
        assert!(error.details().iter().all(|one| !one.message.contains(['_', '`'])), "{error:?}");
    }
}

#[test]
fn a_change_keeps_absent_fields() {
    let amount = after(None, json!({ "date": "2030-03-30", "seconds": 90 })).unwrap();
    assert_eq!(after(Some(&amount), json!({ "seconds": 60 })).unwrap().date, amount.date);
    let (start, end) = ("2030-03-30T21:00:00Z", "2030-03-30T22:00:00Z");
    let times = after(Some(&amount), json!({ "started_at": start, "ended_at": end })).unwrap();
    assert_eq!(times.seconds, Some(3_600));
    let longer = after(Some(&times), json!({ "ended_at": "2030-03-30T22:30:00Z" })).unwrap();
    assert_eq!((longer.seconds, longer.date), (Some(5_400), times.date));
    assert_eq!(after(Some(&times), json!({ "seconds": 60 })), Err(vec!["seconds:contradicts_times".to_owned()]));
    let back = after(Some(&times), json!({ "started_at": null, "ended_at": null, "seconds": 60 })).unwrap();
    assert_eq!((back.date, back.seconds, back.started_at), (times.date, Some(60), None));
    // The workspace had another time zone when the entry was created.
    let moved = TimeEntry { date: date!(2030 - 03 - 29), ..times };
    assert_eq!(after(Some(&moved), json!({ "note": "x" })).unwrap().date, moved.date);
}

#[test]
fn setting_the_end_stops_a_running_timer() {
    let mut running = blank();
    Span::running(NOW - Duration::hours(1), ZURICH).store(&mut running);
    assert_eq!((running.status, running.seconds), (EntryStatus::Running, None));
    let stopped = after(Some(&running), json!({ "ended_at": "2030-03-31T11:30:00Z" })).unwrap();
    assert_eq!((stopped.status, stopped.seconds), (EntryStatus::Stopped, Some(1_800)));
    let earlier = after(Some(&running), json!({ "started_at": "2030-03-31T10:00:00Z" })).unwrap();
    assert_eq!((earlier.status, earlier.seconds), (EntryStatus::Running, None));
    let future = after(Some(&running), json!({ "started_at": "2030-03-31T12:00:01Z" }));
    assert_eq!(future, Err(vec!["started_at:in_future".to_owned()]));
}

#[test]
fn unchanged_times_are_not_checked_again() {
    let ended_at_once = {
        let mut entry = blank();
        Span::times(NOW, NOW, ZURICH).store(&mut entry);
        entry
    };
    let now = crate::kernel::input::format_timestamp(NOW);
    for same in [json!({ "note": "x" }), json!({ "ended_at": now }), json!({ "started_at": now, "ended_at": now })] {
        assert_eq!(after(Some(&ended_at_once), same.clone()).unwrap().seconds, Some(0), "{same}");
    }
    let earlier = json!({ "ended_at": "2030-03-31T11:59:59Z" });
    assert_eq!(after(Some(&ended_at_once), earlier), Err(vec!["ended_at:before_start".to_owned()]));
    let mut future_timer = blank();
    Span::running(NOW + Duration::seconds(30), ZURICH).store(&mut future_timer);
    let with_note = after(Some(&future_timer), json!({ "note": "x" })).unwrap();
    assert_eq!(with_note.started_at, future_timer.started_at);
    let moved = after(Some(&future_timer), json!({ "started_at": "2030-03-31T12:00:20Z" }));
    assert_eq!(moved, Err(vec!["started_at:in_future".to_owned()]));
}

#[test]
fn rates_are_revealed_to_owners_admins_and_the_member() {
    let session = |user, role| Some(Credential::Session { id: SessionId(Uuid::nil()), user, role });
    let other = UserId(Uuid::from_u128(2));
    let entry = TimeEntry { rate: Masked::new(Some(Decimal::from(90))), ..blank() };
    for (credential, is_shown) in [
        (None, true),
        (session(other, Role::Owner), true),
        (session(other, Role::Admin), true),
        (session(MEMBER, Role::Member), true),
        (session(other, Role::Member), false),
        (session(other, Role::Viewer), false),
        (Some(Credential::Key(ApiKeyId(Uuid::nil()))), false),
    ] {
        let json = serde_json::to_value(entry.clone().with_rate_for(credential)).unwrap();
        assert_eq!(json["rate"] == json!(90), is_shown, "{credential:?}");
        assert_eq!(json["rate"].is_null(), !is_shown, "{credential:?}");
    }
    assert!(serde_json::to_value(&entry).unwrap()["rate"].is_null(), "as in events");
}

/// A span of some minutes around the two changes of summer time in 2030.
fn span() -> impl Strategy<Value = Span> {
    let day = prop_oneof![Just(datetime!(2030-03-31 00:00 UTC)), Just(datetime!(2030-10-27 00:00 UTC))];
    (day, -600_i64..600, 1_i64..1_440, any::<bool>()).prop_map(|(day, from, minutes, runs)| {
        let start = day + Duration::minutes(from);
        if runs { Span::running(start, ZURICH) } else { Span::times(start, start + Duration::minutes(minutes), ZURICH) }
    })
}

fn has(span: Span, at: OffsetDateTime) -> bool {
    span.range().is_some_and(|(start, end)| start <= at && end.is_none_or(|end| at < end))
}

proptest! {
    #[test]
    fn spans_overlap_exactly_if_they_share_a_moment(one in span(), other in span()) {
        prop_assert_eq!(one.overlaps(other), other.overlaps(one));
        prop_assert!(one.overlaps(one));
        // The later start is the first moment that both can share.
        let starts = [one, other].map(|span| span.range().map(|(start, _)| start).unwrap());
        let shared = starts[0].max(starts[1]);
        prop_assert_eq!(one.overlaps(other), has(one, shared) && has(other, shared));
    }

    #[test]
    fn an_amount_overlaps_nothing(one in span(), seconds in 1..=MAX_ENTRY_SECONDS) {
        let amount = Span::Amount { date: one.date(), seconds };
        prop_assert!(!amount.overlaps(one) && !one.overlaps(amount) && !amount.overlaps(amount));
    }

    #[test]
    fn spans_round_trip_through_entries(span in span()) {
        let mut entry = blank();
        span.store(&mut entry);
        prop_assert_eq!(Span::of(&entry), span);
        prop_assert_eq!(entry.status == EntryStatus::Running, entry.ended_at.is_none());
    }

    #[test]
    fn seconds_are_elapsed_time_even_across_clock_changes(span in span()) {
        if let Span::Times { start, end, date } = span {
            prop_assert_eq!(span.seconds().map(i64::from), Some((end - start).whole_seconds()));
            let utc: Date = start.date();
            prop_assert!(date == utc || Some(date) == utc.next_day());
        }
    }
}
