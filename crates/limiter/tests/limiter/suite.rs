//! The contract of the `Limiter` port, for every adapter.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::limits::{AddressGroup, Bucket, Class, LimitedBucket, Limiter, RateLimitSubject, Span};
use domain::{UserId, WorkspaceId};
use limiter::MemoryLimiter;
use limiter::testing::RedisServer;
use uuid::Uuid;

use crate::support::{MINUTE, bucket, counts, in_parallel, with_long_timeouts};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn in_memory() {
    fulfils_the_contract(Arc::new(MemoryLimiter::default())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn in_redis() {
    let Some(server) = RedisServer::start() else { return };
    let limiter = with_long_timeouts(&server.url()).await;
    assert!(limiter.is_shared());
    fulfils_the_contract(Arc::new(limiter)).await;
}

async fn fulfils_the_contract(limiter: Arc<dyn Limiter>) {
    numbers_are_consecutive(&*limiter).await;
    different_buckets_are_counted_separately(&*limiter).await;
    parallel_requests_get_every_number_once(&limiter).await;
    buckets_are_counted_in_order_up_to_the_first_above_its_limit(&*limiter).await;
    several_requests_are_counted_at_once(&*limiter).await;
    parallel_requests_never_pass_the_second_limit(&limiter).await;
    // Last, since it starts a new window.
    a_new_window_begins_at_one(&*limiter).await;
}

async fn numbers_are_consecutive(limiter: &dyn Limiter) {
    let bucket = bucket(1);
    assert_eq!(limiter.peek(bucket, MINUTE).await, 0);
    for number in 1..=20 {
        assert_eq!(limiter.count(bucket, MINUTE).await, number);
        assert_eq!(limiter.peek(bucket, MINUTE).await, number);
    }
}

async fn different_buckets_are_counted_separately(limiter: &dyn Limiter) {
    let id = Uuid::from_u128(2);
    let address = |text: &str| AddressGroup::from(text.parse::<std::net::IpAddr>().unwrap());
    let hour = Span { end: MINUTE.start + 3_600, ..MINUTE };
    let subjects = [
        RateLimitSubject::Credential(id),
        RateLimitSubject::Credential(Uuid::from_u128(3)),
        RateLimitSubject::Address(address("192.0.2.1")),
        RateLimitSubject::Address(address("192.0.2.2")),
        RateLimitSubject::Address(address("2001:db8::")),
        RateLimitSubject::WorkspaceAddress(WorkspaceId(id), address("192.0.2.1")),
        RateLimitSubject::Workspace(WorkspaceId(id)),
        RateLimitSubject::User(UserId(id)),
        RateLimitSubject::Account(1),
    ];
    for class in Class::ALL {
        for subject in subjects {
            for span in [MINUTE, hour] {
                assert_eq!(
                    limiter.count(Bucket { class: *class, subject }, span).await,
                    1,
                    "{class} {subject:?} {span:?}"
                );
            }
        }
    }
}

async fn parallel_requests_get_every_number_once(limiter: &Arc<dyn Limiter>) {
    let counted = in_parallel(8, |_| counts(Arc::clone(limiter), 1_000, bucket(4))).await.concat();
    assert_eq!(counted.len(), 8_000);
    assert_eq!(counted.into_iter().collect::<BTreeSet<_>>(), (1..=8_000).collect());
}

async fn buckets_are_counted_in_order_up_to_the_first_above_its_limit(limiter: &dyn Limiter) {
    let up_to = |number, limit| LimitedBucket { bucket: bucket(number), limit };
    for (buckets, expected) in [
        (vec![up_to(10, 1), up_to(11, 3)], vec![1, 1]),
        (vec![up_to(10, 1), up_to(11, 3)], vec![2]),
        (vec![up_to(12, u64::MAX), up_to(11, 3)], vec![1, 2]),
        (vec![up_to(12, u64::MAX), up_to(11, 2), up_to(13, 9)], vec![2, 3]),
        (vec![up_to(13, 9)], vec![1]),
    ] {
        assert_eq!(limiter.count_in_order(&buckets, MINUTE).await, expected, "{buckets:?}");
    }
    assert_eq!(
        limiter.peek(bucket(11), MINUTE).await,
        3,
        "a request that the first bucket refused is not counted here"
    );
}

async fn several_requests_are_counted_at_once(limiter: &dyn Limiter) {
    let buckets = [(14, 40), (15, 200)].map(|(number, limit)| LimitedBucket { bucket: bucket(number), limit });
    for (requests, expected) in
        [(25, vec![25, 25]), (1, vec![26, 26]), (25, vec![51]), (14, vec![40, 40]), (2, vec![42])]
    {
        assert_eq!(limiter.count_many_in_order(&buckets, requests, MINUTE).await, expected, "{requests}");
    }
    assert_eq!(limiter.peek(bucket(14), MINUTE).await, 40, "requests over the limit are not counted");
    let buckets = [(16, 40), (15, 60)].map(|(number, limit)| LimitedBucket { bucket: bucket(number), limit });
    for (requests, expected) in [(21, vec![21, 61]), (20, vec![20, 60])] {
        assert_eq!(limiter.count_many_in_order(&buckets, requests, MINUTE).await, expected, "{requests}");
    }
    assert_eq!(limiter.peek(bucket(16), MINUTE).await, 20, "requests that the second bucket refused are taken back");
}

async fn parallel_requests_never_pass_the_second_limit(limiter: &Arc<dyn Limiter>) {
    let admitted = in_parallel(8, |task| {
        let limiter = Arc::clone(limiter);
        let own = LimitedBucket { bucket: bucket(20 + task as u128), limit: 50 };
        let buckets = [own, LimitedBucket { bucket: bucket(30), limit: 300 }];
        async move {
            let mut admitted = 0;
            for _ in 0..60 {
                let counts = limiter.count_in_order(&buckets, MINUTE).await;
                admitted += usize::from(counts.len() == 2 && counts[1] <= 300);
            }
            admitted
        }
    });
    assert_eq!(admitted.await.into_iter().sum::<usize>(), 300);
    assert_eq!(limiter.peek(bucket(30), MINUTE).await, 400, "50 from each of the eight");
}

async fn a_new_window_begins_at_one(limiter: &dyn Limiter) {
    let next = Span { start: MINUTE.end, end: MINUTE.end + 60 };
    limiter.count(bucket(5), MINUTE).await;
    assert_eq!(limiter.peek(bucket(5), next).await, 0);
    assert_eq!(limiter.count(bucket(5), next).await, 1);
    assert_eq!(limiter.count(bucket(5), next).await, 2);
}
