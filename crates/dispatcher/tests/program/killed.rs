//! Kills the binary at any point under load: nothing is lost, and only claimed deliveries arrive twice.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use test_support::{App, Client, Receiver, eventually};

use super::{Program, command, receiver_of_deals};

/// A key other than the service's.
const OTHER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// How many deals are created per round, once before and once while the dispatcher runs.
const QUEUED: usize = 25;

async fn create_deals(client: &Client, round: usize, which: std::ops::Range<usize>) {
    for number in which {
        let _ = client.post("/api/v1/crm/deals", json!({"title": format!("{round} {number}")})).await.expect(201);
    }
}

/// How many times each delivery arrived.
fn arrivals(hook: &Receiver) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for one in hook.received() {
        *times.entry(one.header("x-service-delivery-id").to_owned()).or_default() += 1;
    }
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_key_that_does_not_decrypt_stored_secrets_is_refused() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let _hook = receiver_of_deals(&tenant).await;
    let refused = command(&app.database_url()).env("SERVICE_MASTER_KEY", OTHER_KEY).output().unwrap();
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && message.contains("sealed with the master key"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_the_dispatcher_repeatedly_loses_nothing() {
    let app = App::start().await;
    let tenant = app.workspace().await;
    let hook = receiver_of_deals(&tenant).await;
    let start = || Program(command(&app.database_url()).spawn().unwrap());
    let client = tenant.full_access().await;
    let mut in_flight = BTreeSet::new();
    // How many deliveries of a round have arrived when the dispatcher is killed.
    let deaths = [1, 3, 8, 20, 40, 2 * QUEUED];
    for (round, dies_after) in deaths.into_iter().enumerate() {
        create_deals(&client, round, 0..QUEUED).await;
        let before = hook.received().len();
        let program = start();
        let load = create_deals(&client, round, QUEUED..2 * QUEUED);
        let death = async {
            let _ = hook.wait_for(before + dies_after).await;
            drop(program);
        };
        tokio::join!(load, death);
        // Expires its leases, as waiting a minute would.
        in_flight.extend(app.end_leases());
    }
    assert!(!in_flight.is_empty(), "it died with deliveries in flight");
    let _last = start();
    let expected = 2 * QUEUED * deaths.len();
    eventually("all are recorded", async || app.count_deliveries("succeeded") == expected).await;
    let times = arrivals(&hook);
    assert_eq!(times.len(), expected, "all came");
    let twice = times.into_iter().filter(|(_, times)| *times > 1);
    for (id, times) in twice {
        assert!(in_flight.contains(&id), "{id} arrived {times} times, and no dead dispatcher had claimed it");
    }
}
