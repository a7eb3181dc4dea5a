//! Instances that share a Redis.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::limits::{Bucket, Class, Limiter, RateLimitSubject, Span};
use limiter::testing::RedisServer;
use limiter::{LimiterError, RedisLimiter, RedisOptions};

use crate::support::{LONG_TIMEOUT, MINUTE, bucket, counts, in_parallel, with_long_timeouts};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_instances_return_every_number_once() {
    let Some(server) = RedisServer::start() else { return };
    let instances =
        [Arc::new(with_long_timeouts(&server.url()).await), Arc::new(with_long_timeouts(&server.url()).await)];
    let counted = in_parallel(8, |number| counts(Arc::clone(&instances[number % 2]), 500, bucket(1))).await.concat();
    assert_eq!(counted.into_iter().collect::<BTreeSet<_>>(), (1..=4_000).collect());
    for limiter in instances {
        assert_eq!(limiter.peek(bucket(1), MINUTE).await, 4_000);
    }
}

#[tokio::test]
async fn counts_of_two_instances_add_up() {
    let Some(server) = RedisServer::start() else { return };
    let (first, second) = (with_long_timeouts(&server.url()).await, with_long_timeouts(&server.url()).await);
    for number in 1..=7 {
        assert_eq!(first.count(bucket(1), MINUTE).await, number);
    }
    for number in 8..=12 {
        assert_eq!(second.count(bucket(1), MINUTE).await, number);
    }
    assert_eq!(first.peek(bucket(1), MINUTE).await, 12);
    assert_eq!(first.count(bucket(1), MINUTE).await, 13);
}

#[tokio::test]
async fn every_key_expires() {
    let Some(server) = RedisServer::start() else { return };
    let limiter = with_long_timeouts(&server.url()).await;
    let hour = Span { end: MINUTE.start + 3_600, ..MINUTE };
    for class in Class::ALL {
        for span in [MINUTE, MINUTE, hour] {
            limiter.count(Bucket { class: *class, ..bucket(1) }, span).await;
        }
    }
    let keys = server.keys();
    // Plus the key that checks whether Redis accepts writes, and the one that holds the heartbeats.
    assert_eq!(keys.len(), 2 * Class::ALL.len() + 2, "{keys:?}");
    for key in keys {
        let ttl: i64 = server.ask(&format!("TTL {key}")).trim_start_matches(':').parse().unwrap();
        assert!((1..=3_605).contains(&ttl), "{key}: {ttl}");
    }
}

#[tokio::test]
async fn namespaces_do_not_share_counts() {
    let Some(server) = RedisServer::start() else { return };
    let options = RedisOptions { namespace: "other".to_owned(), ..RedisOptions::default() };
    let other = RedisLimiter::connect_with(&server.url(), options).await.unwrap();
    assert_eq!(with_long_timeouts(&server.url()).await.count(bucket(1), MINUTE).await, 1);
    assert_eq!(other.count(bucket(1), MINUTE).await, 1);
}

#[tokio::test]
async fn counts_lost_by_redis_continue_from_the_local_ones() {
    let Some(server) = RedisServer::start() else { return };
    let limiter = with_long_timeouts(&server.url()).await;
    for number in 1..=5 {
        assert_eq!(limiter.count(bucket(1), MINUTE).await, number);
    }
    assert_eq!(server.ask("FLUSHALL"), "+OK");
    assert_eq!(limiter.peek(bucket(1), MINUTE).await, 5);
    for number in 6..=20 {
        assert_eq!(limiter.count(bucket(1), MINUTE).await, number);
    }
}

#[tokio::test]
async fn unauthenticated_clients_beyond_memory_capacity_count_in_redis() {
    let Some(mut server) = RedisServer::start() else { return };
    let options = RedisOptions { unauthenticated: 0, response_timeout: LONG_TIMEOUT, ..RedisOptions::default() };
    let limiter = RedisLimiter::connect_with(&server.url(), options).await.unwrap();
    let account = |number| Bucket { class: Class::Anonymous, subject: RateLimitSubject::Account(number) };
    for number in 0..300 {
        assert_eq!(limiter.count(account(number), MINUTE).await, 1);
        assert_eq!(limiter.peek(account(number), MINUTE).await, 1);
    }
    server.kill();
    // At most 64 shards share their counts, so some of them counted more than one of the 300.
    let mut most = 0;
    for number in 300..400 {
        most = most.max(limiter.count(account(number), MINUTE).await);
    }
    assert!(most > 1);
}

/// Each actix worker has a thread and runtime of its own.
#[test]
fn a_limiter_can_be_used_from_other_runtimes() {
    let Some(server) = RedisServer::start() else { return };
    let home = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let limiter = Arc::new(home.block_on(with_long_timeouts(&server.url())));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let worker = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
                worker.block_on(counts(Arc::clone(&limiter), 100, bucket(1)));
            });
        }
    });
    assert!(limiter.is_shared());
    assert_eq!(home.block_on(limiter.peek(bucket(1), MINUTE)), 400);
}

#[tokio::test]
async fn an_invalid_address_is_rejected_without_being_repeated() {
    for (url, expected) in [
        ("", LimiterError::Address),
        ("secret", LimiterError::Address),
        ("http://u:secret@localhost", LimiterError::Address),
        ("redis://u:secret@", LimiterError::Address),
        ("redis://u:secret@localhost:port", LimiterError::Address),
        ("redis://u:secret@localhost/secret", LimiterError::Address),
        ("redis://u:secret@localhost?protocol=secret", LimiterError::Address),
        ("rediss://u:secret@localhost/#secret", LimiterError::Address),
        ("rediss://u:secret@localhost/#insecure", LimiterError::Insecure),
    ] {
        let error = RedisLimiter::connect(url).await.unwrap_err();
        assert_eq!(error, expected, "{url}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
}

/// All authorities can be parsed, and an unreachable server does not prevent the start.
#[tokio::test]
async fn an_address_with_tls_is_accepted_on_every_machine() {
    let limiter = RedisLimiter::connect("rediss://127.0.0.1:1").await.unwrap();
    assert!(!limiter.is_shared());
}

#[tokio::test]
async fn debug_shows_no_address() {
    let limiter = RedisLimiter::connect("redis://u:secret@127.0.0.1:1").await.unwrap();
    assert_eq!(format!("{limiter:?}"), "RedisLimiter { is_shared: false, .. }");
}
