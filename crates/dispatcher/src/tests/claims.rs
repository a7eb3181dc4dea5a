//! How often deliveries are claimed.

use tokio::time::Instant;

use super::receiver::ScriptedResponse;
use super::{Rig, open};
use crate::pace::{CLAIM_INTERVAL, CLAIMS_AHEAD};

/// A claim costs the database as much as creating a record, however few deliveries it finds.
#[tokio::test]
async fn single_deliveries_are_claimed_at_intervals() {
    let (rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let began = Instant::now();
    let started = rig.start(open());
    for count in 1..=60 {
        rig.enqueue(subscription, 1);
        started.queued.notify();
        receiver.until_seen(count).await;
    }
    let claims = u128::try_from(rig.queue.calls("claim")).unwrap();
    // The last claim may have begun just now.
    let most = began.elapsed().as_micros() / CLAIM_INTERVAL.as_micros() + u128::from(CLAIMS_AHEAD) + 1;
    assert!(claims <= most, "{claims} claims, at most {most}");
    started.stop().await;
}
