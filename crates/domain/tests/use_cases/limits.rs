//! Rate limits.

use std::sync::Arc;

use domain::limits::{Bucket, Class, RateLimitSubject, count, peek};
use domain::ports::Ports;
use domain::testing::MapLimiter;
use proptest::prelude::*;
use test_databases::TestPorts;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

#[test]
fn every_class_has_its_documented_window() {
    let test = TestPorts::new();
    let subject = RateLimitSubject::Credential(Uuid::from_u128(1));
    for class in Class::ALL.iter().copied() {
        let bucket = Bucket { class, subject };
        for left in [1, 0] {
            let state = test.block_on(count(&test.ports, bucket, 2));
            assert_eq!((state.limit, state.remaining, state.exceeded), (2, left, false), "{class}");
        }
        let exceeded = test.block_on(count(&test.ports, bucket, 2));
        assert!(exceeded.exceeded && exceeded.remaining == 0 && exceeded.check().is_err());
        let length = if class == Class::PublicTickets { 3_600 } else { 60 };
        assert_eq!((exceeded.retry_after, exceeded.reset_at % length), (length, 0), "the test starts at the full hour");
    }
    test.clock.advance(Duration::seconds(60));
    let read = test.block_on(peek(&test.ports, Bucket { class: Class::Read, subject }, 2));
    let public = test.block_on(peek(&test.ports, Bucket { class: Class::PublicTickets, subject }, 2));
    assert_eq!((read.remaining, public.remaining), (2, 0));
}

#[test]
fn a_window_admits_exactly_its_limit_wherever_it_starts() {
    let test = TestPorts::new();
    proptest!(|(limit in 1_u64..50, start in 0_i64..4_000_000_000)| {
        let ports = Ports { limiter: Arc::new(MapLimiter::default()), ..test.ports.clone() };
        test.clock.set(OffsetDateTime::from_unix_timestamp(start).unwrap());
        let bucket = Bucket { class: Class::Write, subject: RateLimitSubject::Account(7) };
        let admitted = (0..limit + 5)
            .filter(|_| test.block_on(count(&ports, bucket, limit)).check().is_ok())
            .count();
        prop_assert_eq!(admitted as u64, limit);
        let wait = test.block_on(peek(&ports, bucket, limit)).retry_after;
        test.clock.advance(Duration::seconds(wait));
        prop_assert_eq!(test.block_on(peek(&ports, bucket, limit)).remaining, limit);
    });
}
