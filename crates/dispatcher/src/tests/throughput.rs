//! Measurements, for a release build: `cargo test --release -p dispatcher -- --ignored --nocapture measured`.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, open};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn deliveries_a_second_are_measured() {
    for ((subscriptions, each), latency) in
        [(100, 200), (1, 20_000), (2_000, 10), (100, 200), (1, 20_000)].into_iter().zip([0, 0, 0, 3, 3])
    {
        let rig = Rig::new();
        rig.queue.latency.store(latency, Ordering::Relaxed);
        let receiver = Receiver::that(ScriptedResponse::Status(200)).await;
        for _ in 0..subscriptions {
            let (subscription, _) = rig.subscribe(&receiver.url());
            rig.enqueue(subscription, each);
        }
        let began = Instant::now();
        let started = rig.start(open());
        let count = subscriptions * each;
        rig.queue.until_succeeded(count).await;
        let seconds = began.elapsed().as_secs_f64();
        let rate = f64::from(u32::try_from(count).unwrap()) / seconds;
        let batches = rig.queue.batches();
        let claims = rig.queue.calls("claim");
        println!(
            "{subscriptions} x {each}, calls of {latency} ms: {rate:.0}/s, {claims} claims, {} batches, {} connections",
            batches.len(),
            receiver.connections()
        );
        started.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn the_time_from_notification_to_arrival_is_measured() {
    let rig = Rig::new();
    let receiver = Receiver::that(ScriptedResponse::Status(200)).await;
    let (subscription, _) = rig.subscribe(&receiver.url());
    let started = rig.start(open());
    rig.queue.until_called("next_due", 1).await;
    let mut times = Vec::new();
    for count in 1..=1_000 {
        rig.enqueue(subscription, 1);
        let began = Instant::now();
        started.queued.notify();
        receiver.until_seen(count).await;
        times.push(began.elapsed());
    }
    times.sort();
    println!("ring to arrival: median {:?}, 99th percentile {:?}", times[500], times[990]);
    started.stop().await;
}
