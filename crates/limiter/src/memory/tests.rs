use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};

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

impl Shard {
    /// Counts as the limiter would with a single shard.
    fn count(&mut self, bucket: Bucket, span: Span) -> WindowCount {
        let mut key = Key::of(bucket);
        loop {
            if let Some(count) = self.change(bucket.class, key, Change::More(1), span, ROOM) {
                return WindowCount { count, is_own: !key.is_fallback };
            }
            match key.wider() {
                Some(wider) => key = wider,
                None => return shared(self.share(bucket.class, key, Change::More(1), span)),
            }
        }
    }
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
    let limiter = MemoryLimiter::default();
    let count = || -> Vec<u64> {
        (0..1_000).map(|_| limiter.change(credential(1), Change::More(1), minute(0)).count).collect()
    };
    let counted: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(count)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(counted.len(), 8_000);
    assert_eq!(counted.into_iter().collect::<BTreeSet<_>>(), (1..=8_000).collect());
    assert_eq!(limiter.current(credential(1), minute(0)), own(8_000));
}

proptest! {
    /// While time moves forward, or slightly back, the counts equal those of a table that never drops anything.
    #[test]
    fn counts_match_a_table_that_never_drops_any(
        steps in prop::collection::vec((0_usize..3, 0..3_u32, prop::bool::ANY, prop::bool::ANY, -5..200_i64), 1..200)
    ) {
        let limiter = MemoryLimiter::default();
        let mut table: HashMap<(Bucket, Span), u64> = HashMap::new();
        let (mut second, mut latest) = (NOON, NOON);
        for (class, number, is_stranger, is_hour, forward) in steps {
            // Only back within the window: expired windows may have been dropped.
            second = (second + forward).max(window(latest, 60).start);
            latest = latest.max(second);
            let class = Class::ALL[class];
            let issued = Bucket { class, ..credential(number.into()) };
            let bucket = if is_stranger { unauthenticated(class, number) } else { issued };
            let span = window(second, if is_hour { 3_600 } else { 60 });
            let count = table.entry((bucket, span)).or_default();
            prop_assert_eq!(limiter.current(bucket, span), own(*count));
            *count += 1;
            prop_assert_eq!(limiter.change(bucket, Change::More(1), span), own(*count));
        }
    }

    /// However the clock jumps, the counts of one window are consecutive and memory is bounded.
    #[test]
    fn clock_jumps_neither_lift_limits_nor_fill_memory(
        jumps in prop::collection::vec((-400_000_000..400_000_000_i64, prop::bool::ANY), 1..100)
    ) {
        let mut shard = Shard::default();
        for (jump, is_hour) in jumps {
            let span = window(NOON + jump, if is_hour { 3_600 } else { 60 });
            let before = shard.current(Class::Read, Key::of(credential(1)), span, ROOM).unwrap();
            for step in 1..=20 {
                prop_assert_eq!(shard.count(credential(1), span), own(before + step));
            }
            // The hour, the minute, and what a small step back adds.
            prop_assert!(shard.len() <= 5, "{:?}", shard);
        }
    }
}

#[test]
fn expired_windows_are_dropped_and_longer_ones_kept() {
    let mut shard = Shard::default();
    let hour = window(NOON, 3_600);
    for number in 0..100 {
        shard.count(credential(number), minute(0));
    }
    for number in 0..10 {
        shard.count(unauthenticated(Class::Anonymous, number), minute(0));
    }
    shard.count(credential(1), hour);
    // Of the ten, seven are addresses: four have a count of their own, three count by two wider networks.
    assert_eq!(shard.len(), 100 + (ROOM + 2 + 3) + 1);
    assert_eq!(shard.count(credential(1), minute(1)), own(1));
    assert_eq!(shard.len(), 2, "{shard:?}");
    assert_eq!(shard.count(credential(1), hour), own(2));
}

#[test]
fn a_request_counts_in_its_window_after_a_newer_one_began() {
    let mut shard = Shard::default();
    shard.count(credential(1), minute(1));
    for count in 1..=3 {
        assert_eq!(shard.count(credential(1), minute(0)), own(count));
        assert_eq!(shard.count(credential(1), minute(1)), own(count + 1));
    }
    shard.count(credential(1), minute(2));
    assert_eq!(shard.len(), 1);
}

#[test]
fn a_clock_set_back_by_a_year_does_not_keep_every_window_of_the_year() {
    let mut shard = Shard::default();
    shard.count(credential(1), minute(525_600));
    for number in 0..1_000 {
        assert_eq!(shard.count(credential(1), minute(number)), own(1));
        assert_eq!(shard.count(credential(1), minute(number)), own(2));
        assert_eq!(shard.len(), 1);
    }
}

fn from(address: &str) -> Bucket {
    let address: IpAddr = address.parse().unwrap();
    Bucket { class: Class::Anonymous, subject: RateLimitSubject::Address(address.into()) }
}

#[test]
fn addresses_beyond_capacity_count_by_wider_networks() {
    let mut shard = Shard::default();
    let mut count = |address: String| shard.count(from(&address), minute(0));
    for number in 0..4 {
        assert_eq!(count(format!("192.0.2.{number}")), own(1));
    }
    // Beyond the capacity, each /24 has its own count while there is room.
    for number in 4..20_u64 {
        assert_eq!(count(format!("192.0.2.{number}")), shared(number - 3));
    }
    for number in 0..3 {
        assert_eq!(count(format!("198.51.{number}.1")), shared(1));
    }
    // Then their /16.
    assert_eq!((count("198.51.77.1".to_owned()), count("198.51.78.1".to_owned())), (shared(1), shared(2)));
    for number in 0..3 {
        assert_eq!(count(format!("10.{number}.0.1")), shared(1));
    }
    // Then all other addresses share one count.
    assert_eq!((count("10.77.0.1".to_owned()), count("10.78.0.1".to_owned())), (shared(1), shared(2)));
    assert_eq!(count("192.0.2.0".to_owned()), own(2), "an existing count is kept");
    // IPv6, accounts, credentials and other classes keep their capacity.
    assert_eq!(count("2001:db8::1".to_owned()), own(1));
    let account = Bucket { class: Class::Anonymous, subject: RateLimitSubject::Account(7) };
    assert_eq!(shard.count(account, minute(0)), own(1));
    assert_eq!(shard.count(credential(1), minute(0)), own(1));
    assert_eq!(shard.count(unauthenticated(Class::Critical, 6), minute(0)), own(1));
    assert_eq!(shard.count(from("203.0.113.9"), minute(1)), own(1), "capacity is free again");
}

#[test]
fn a_flood_from_one_ipv6_network_does_not_affect_other_counts() {
    let limiter = MemoryLimiter::with_capacity(4_096);
    for number in 0..60_000_u32 {
        limiter.change(from(&format!("2001:db8:1:{number:x}::1")), Change::More(1), minute(0));
    }
    for other in ["2001:db8:2::1", "2001:db9::1", "192.0.2.1"] {
        assert_eq!(limiter.change(from(other), Change::More(1), minute(0)).count, 1, "{other}");
    }
    assert!(
        limiter.change(from("2001:db8:1:ffff::1"), Change::More(1), minute(0)).count > 10_000,
        "the flood shares one count"
    );
}

proptest! {
    /// Whatever is counted, memory stays bounded and every request counts.
    #[test]
    fn floods_do_not_fill_memory(addresses in prop::collection::vec((any::<bool>(), any::<u128>()), 1..400)) {
        let mut shard = Shard::default();
        for (is_v4, bits) in addresses {
            let address = if is_v4 {
                IpAddr::V4(Ipv4Addr::from_bits((bits % 64) as u32 * 0x0101_0101))
            } else {
                IpAddr::V6((bits & !u128::from(u64::MAX)).into())
            };
            let bucket = Bucket { class: Class::Anonymous, subject: RateLimitSubject::Address(address.into()) };
            let first = shard.count(bucket, minute(0)).count;
            prop_assert_eq!(shard.count(bucket, minute(0)).count, first + 1, "it is counted once");
            prop_assert!(shard.len() <= ROOM * pool::POOLS + pool::POOLS);
        }
    }
}

#[test]
fn unauthenticated_clients_are_counted_without_capacity() {
    let limiter = MemoryLimiter::with_capacity(0);
    for count in 1..=5 {
        assert_eq!(limiter.change(unauthenticated(Class::Critical, 1), Change::More(1), minute(0)), shared(count));
    }
    assert_eq!(limiter.change(credential(1), Change::More(1), minute(0)), own(1));
}
