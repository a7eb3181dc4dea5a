use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use domain::WorkspaceId;
use domain::limits::{AddressGroup, Class, RateLimitSubject};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const ROOM: usize = 4;
const NOON: i64 = 1_800_000_000;

fn credential(number: u128) -> Bucket {
    Bucket { class: Class::Read, subject: RateLimitSubject::Credential(Uuid::from_u128(number)) }
}

fn unauthenticated(class: Class, number: u32) -> Bucket {
    let address = AddressGroup::from(IpAddr::V4(Ipv4Addr::from_bits(number)));
    let subject = match number % 3 {
        0 => RateLimitSubject::Address(address),
        1 => RateLimitSubject::WorkspaceAddress(WorkspaceId(Uuid::from_u128(1)), address),
        _ => RateLimitSubject::Account(u64::from(number)),
    };
    Bucket { class, subject }
}

/// The window of this length that contains a second.
fn window(second: i64, seconds: i64) -> Span {
    let start = second - second.rem_euclid(seconds);
    Span { start, end: start + seconds }
}

fn minute(number: i64) -> Span {
    window(NOON + number * 60, 60)
}

fn own(count: u64) -> WindowCount {
    WindowCount { count, is_own: true }
}

fn shared(count: u64) -> WindowCount {
    WindowCount { count, is_own: false }
}

#[test]
fn threads_get_every_number_once() {
    let limiter = Arc::new(MemoryLimiter::new());
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let limiter = Arc::clone(&limiter);
            std::thread::spawn(move || {
                (0..1_000).map(|_| limiter.add(credential(1), minute(0)).count).collect::<Vec<_>>()
            })
        })
        .collect();
    let answered: Vec<u64> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    assert_eq!(answered.len(), 8_000);
    assert_eq!(answered.into_iter().collect::<BTreeSet<_>>(), (1..=8_000).collect());
    assert_eq!(limiter.current(credential(1), minute(0)), own(8_000));
}

proptest! {
    /// While time moves forward, or back a little, the counts equal those of a table that drops nothing.
    #[test]
    fn counts_are_those_of_a_simple_table(
        steps in prop::collection::vec((0_usize..3, 0..3_u32, prop::bool::ANY, prop::bool::ANY, -5..200_i64), 1..200)
    ) {
        let limiter = MemoryLimiter::new();
        let mut table: HashMap<(Bucket, Span), u64> = HashMap::new();
        let (mut second, mut latest) = (NOON, NOON);
        for (class, number, is_stranger, is_hour, forward) in steps {
            // Back only within the window: expired windows may have been dropped.
            second = (second + forward).max(window(latest, 60).start);
            latest = latest.max(second);
            let class = Class::ALL[class];
            let issued = Bucket { class, ..credential(number.into()) };
            let bucket = if is_stranger { unauthenticated(class, number) } else { issued };
            let span = window(second, if is_hour { 3_600 } else { 60 });
            let count = table.entry((bucket, span)).or_default();
            prop_assert_eq!(limiter.current(bucket, span), own(*count));
            *count += 1;
            prop_assert_eq!(limiter.add(bucket, span), own(*count));
        }
    }

    /// However the clock jumps, the counts of one window are consecutive and memory is bounded.
    #[test]
    fn a_clock_that_jumps_lifts_no_limit_and_fills_no_memory(
        jumps in prop::collection::vec((-400_000_000..400_000_000_i64, prop::bool::ANY), 1..100)
    ) {
        let mut shard = Shard::default();
        for (jump, is_hour) in jumps {
            let span = window(NOON + jump, if is_hour { 3_600 } else { 60 });
            let before = shard.current(credential(1), span, ROOM).count;
            for further in 1..=20 {
                prop_assert_eq!(shard.add(credential(1), span, ROOM), own(before + further));
            }
            // The hour, the minute, and what a small step back leaves.
            prop_assert!(shard.len() <= 5, "{:?}", shard);
        }
    }
}

#[test]
fn expired_windows_are_dropped_and_longer_ones_kept() {
    let mut shard = Shard::default();
    let hour = window(NOON, 3_600);
    for number in 0..100 {
        shard.add(credential(number), minute(0), ROOM);
    }
    for number in 0..10 {
        shard.add(unauthenticated(Class::Anonymous, number), minute(0), ROOM);
    }
    shard.add(credential(1), hour, ROOM);
    assert_eq!(shard.len(), 100 + ROOM + 1 + 1);
    assert_eq!(shard.add(credential(1), minute(1), ROOM), own(1));
    assert_eq!(shard.len(), 2, "{shard:?}");
    assert_eq!(shard.add(credential(1), hour, ROOM), own(2));
}

#[test]
fn a_request_that_comes_late_for_its_window_still_counts() {
    let mut shard = Shard::default();
    shard.add(credential(1), minute(1), ROOM);
    for count in 1..=3 {
        assert_eq!(shard.add(credential(1), minute(0), ROOM), own(count));
        assert_eq!(shard.add(credential(1), minute(1), ROOM), own(count + 1));
    }
    shard.add(credential(1), minute(2), ROOM);
    assert_eq!(shard.len(), 1);
}

#[test]
fn a_clock_set_back_by_a_year_does_not_keep_every_window_of_the_year() {
    let mut shard = Shard::default();
    shard.add(credential(1), minute(525_600), ROOM);
    for number in 0..1_000 {
        assert_eq!(shard.add(credential(1), minute(number), ROOM), own(1));
        assert_eq!(shard.add(credential(1), minute(number), ROOM), own(2));
        assert_eq!(shard.len(), 1);
    }
}

#[test]
fn unauthenticated_clients_beyond_capacity_share_a_count() {
    let mut shard = Shard::default();
    for number in 0..4 {
        assert_eq!(shard.add(unauthenticated(Class::Anonymous, number), minute(0), ROOM), own(1));
    }
    for number in 4..1_000 {
        let (bucket, before) = (unauthenticated(Class::Anonymous, number), u64::from(number) - 4);
        assert_eq!(shard.current(bucket, minute(0), ROOM), shared(before));
        assert_eq!(shard.add(bucket, minute(0), ROOM), shared(before + 1));
    }
    assert_eq!(shard.len(), ROOM + 1);
    assert_eq!(shard.add(unauthenticated(Class::Anonymous, 0), minute(0), ROOM), own(2), "an existing count is kept");
    assert_eq!(shard.add(credential(1), minute(0), ROOM), own(1), "credentials are not displaced");
    assert_eq!(shard.add(unauthenticated(Class::Critical, 5), minute(0), ROOM), own(1), "nor is another class");
    assert_eq!(shard.add(unauthenticated(Class::Anonymous, 999), minute(1), ROOM), own(1), "capacity is free again");
}

#[test]
fn without_capacity_unauthenticated_clients_still_count() {
    let limiter = MemoryLimiter::with_room(0);
    for count in 1..=5 {
        assert_eq!(limiter.add(unauthenticated(Class::Critical, 1), minute(0)), shared(count));
    }
    assert_eq!(limiter.add(credential(1), minute(0)), own(1));
}
