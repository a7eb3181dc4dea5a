//! A Redis that crashes, hangs, recovers, or was never available. Each test runs on one thread, so that it sees only its own log.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::limits::{LimitedBucket, Limiter};
use limiter::testing::RedisServer;
use limiter::{RedisLimiter, RedisOptions, describe_metrics};
use log::Level;
use metrics_util::debugging::{DebuggingRecorder, Snapshotter};

use crate::support::{
    LONG_TIMEOUT, MINUTE, attempts, bucket, counts, in_parallel, levels, listen, logged, measured, wait_until,
    with_long_timeouts,
};

/// Waiting for an unresponsive Redis takes a request at most a second. This bound is far above that, for busy machines, and
/// below the 50 s that 50 such waits in sequence would take.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// A limiter that gives up on an unresponsive Redis after a second.
async fn with_short_timeout(url: &str) -> RedisLimiter {
    let options = RedisOptions { response_timeout: Duration::from_secs(1), ..RedisOptions::default() };
    RedisLimiter::connect_with(url, options).await.unwrap()
}

/// Runs a test on one thread with its own metrics recorder.
fn run<F: Future<Output = ()>>(test: impl FnOnce(Snapshotter) -> F) {
    listen();
    let recorder = DebuggingRecorder::new();
    let test = test(recorder.snapshotter());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        describe_metrics();
        runtime.block_on(test);
    });
}

async fn count_times(limiter: &RedisLimiter, times: u64) -> u64 {
    let mut last = 0;
    for _ in 0..times {
        last = limiter.count(bucket(1), MINUTE).await;
    }
    last
}

#[test]
fn the_local_count_is_used_while_redis_is_down() {
    let Some(mut server) = RedisServer::start() else { return };
    run(|snapshotter| async move {
        let limiter = with_long_timeouts(&server.url()).await;
        assert_eq!(count_times(&limiter, 7).await, 7);
        assert_eq!(measured(&snapshotter), (0, Some(1.0)));
        assert_eq!(logged(), []);

        server.kill();
        let start = Instant::now();
        assert_eq!(count_times(&limiter, 50).await, 57, "continues from the local count");
        assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
        assert_eq!(limiter.peek(bucket(1), MINUTE).await, 57);
        assert_eq!(measured(&snapshotter), (50, Some(0.0)));
        assert_eq!(levels(), [Level::Warn], "one warning, not one per request");

        server.restart();
        wait_until("shared again", || limiter.is_shared()).await;
        assert_eq!(measured(&snapshotter), (0, Some(1.0)));
        assert_eq!(levels(), [Level::Info]);
        assert_eq!(limiter.peek(bucket(1), MINUTE).await, 57, "an empty Redis does not lift the limit");
        assert_eq!(count_times(&limiter, 3).await, 60);

        let other = with_long_timeouts(&server.url()).await;
        assert_eq!(limiter.count(bucket(2), MINUTE).await, 1);
        assert_eq!(other.count(bucket(2), MINUTE).await, 2);
    });
}

#[test]
fn a_second_outage_is_like_the_first() {
    let Some(mut server) = RedisServer::start() else { return };
    run(|_| async move {
        let limiter = with_long_timeouts(&server.url()).await;
        for round in 1..=3 {
            server.kill();
            assert_eq!(limiter.count(bucket(1), MINUTE).await, 2 * round - 1);
            server.restart();
            wait_until("shared again", || limiter.is_shared()).await;
            assert_eq!(limiter.count(bucket(1), MINUTE).await, 2 * round);
            assert_eq!(levels(), [Level::Warn, Level::Info]);
        }
    });
}

#[test]
fn an_unresponsive_redis_times_out_once() {
    let Some(server) = RedisServer::start() else { return };
    run(|snapshotter| async move {
        let limiter = with_short_timeout(&server.url()).await;
        assert_eq!(count_times(&limiter, 3).await, 3);
        server.suspend();
        let start = Instant::now();
        assert_eq!(count_times(&limiter, 1).await, 4);
        assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
        let start = Instant::now();
        assert_eq!(count_times(&limiter, 200).await, 204);
        assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
        assert_eq!(measured(&snapshotter), (201, Some(0.0)));
        assert_eq!(levels(), [Level::Warn]);

        server.resume();
        wait_until("shared again", || limiter.is_shared()).await;
        assert_eq!(count_times(&limiter, 1).await, 205);
        assert_eq!(levels(), [Level::Info]);
    });
}

#[test]
fn concurrent_requests_to_an_unresponsive_redis_warn_once() {
    let Some(server) = RedisServer::start() else { return };
    run(|snapshotter| async move {
        let limiter = Arc::new(with_short_timeout(&server.url()).await);
        server.suspend();
        let start = Instant::now();
        let mut counted = in_parallel(50, |_| counts(Arc::clone(&limiter), 1, bucket(1))).await.concat();
        assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
        counted.sort_unstable();
        assert_eq!(counted, (1..=50).collect::<Vec<_>>());
        assert_eq!(measured(&snapshotter), (50, Some(0.0)));
        assert_eq!(levels(), [Level::Warn]);
    });
}

#[test]
fn a_start_without_redis_counts_locally_and_connects_later() {
    let Some(mut server) = RedisServer::start() else { return };
    server.kill();
    run(|snapshotter| async move {
        let limiter = with_long_timeouts(&server.url()).await;
        assert!(!limiter.is_shared());
        assert_eq!(levels(), [Level::Warn]);
        assert_eq!(count_times(&limiter, 5).await, 5);
        assert_eq!(measured(&snapshotter), (5, Some(0.0)));

        server.restart();
        wait_until("shared", || limiter.is_shared()).await;
        assert_eq!(levels(), [Level::Info]);
        assert_eq!(count_times(&limiter, 1).await, 6);
    });
}

/// Two instances together admit 200 of 500 requests at a limit of 200, as they do with Redis.
#[test]
fn without_redis_each_instance_admits_its_share() {
    let Some(mut server) = RedisServer::start() else { return };
    run(|_| async move {
        let often = async || {
            let heartbeat = Duration::from_millis(100);
            let options = RedisOptions { heartbeat, response_timeout: LONG_TIMEOUT, ..RedisOptions::default() };
            RedisLimiter::connect_with(&server.url(), options).await.unwrap()
        };
        let instances = [often().await, often().await];
        wait_until("each instance knows both", || instances.iter().all(|one| one.instances() == 2)).await;
        server.kill();
        let mut admitted = 0;
        for request in 0..500 {
            let limiter = &instances[request % 2];
            let [alone, in_order] = [bucket(1), bucket(2)];
            let number = limiter.count(alone, MINUTE).await;
            let in_turn = [LimitedBucket { bucket: in_order, limit: 200 }];
            assert_eq!(limiter.count_in_order(&in_turn, MINUTE).await, [number]);
            assert_eq!(limiter.peek(alone, MINUTE).await, number);
            admitted += u64::from(number <= 200);
        }
        assert_eq!(admitted, 200);

        server.restart();
        let [left, ended] = instances;
        drop(ended);
        wait_until("the instance that ended is no longer counted", || left.is_shared() && left.instances() == 1).await;
    });
}

#[test]
fn a_redis_that_rejects_writes_is_not_used() {
    let Some(server) = RedisServer::start() else { return };
    run(|_| async move {
        let limiter = with_long_timeouts(&server.url()).await;
        assert_eq!(count_times(&limiter, 2).await, 2);
        // A replica without a master: it responds, but rejects writes.
        assert_eq!(server.ask("REPLICAOF 127.0.0.1 1"), "+OK");
        assert_eq!(count_times(&limiter, 2).await, 4);
        wait_until("tried twice", || attempts() >= 2).await;
        assert_eq!(levels(), [Level::Warn], "connected, tried, and not used");
        assert_eq!(server.ask("REPLICAOF NO ONE"), "+OK");
        wait_until("shared again", || limiter.is_shared()).await;
        assert_eq!(count_times(&limiter, 1).await, 5);
    });
}

#[test]
fn a_warning_shows_no_password() {
    run(|_| async {
        let limiter = RedisLimiter::connect("redis://user:secret@127.0.0.1:1").await.unwrap();
        assert_eq!(limiter.count(bucket(1), MINUTE).await, 1);
        let lines = logged();
        assert_eq!(lines.len(), 1);
        assert!(!lines[0].1.contains("secret"), "{lines:?}");
    });
}
