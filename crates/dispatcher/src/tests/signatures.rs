//! Headers and signatures of a request, verified by an independent implementation.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::SubscriptionId;
use domain::kernel::sealing::MasterKeys;
use domain::webhooks::{DeliveryState, PlainSecret};
use ring::hmac;
use serde_json::Value as Json;
use test_support::Received;

use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, START, WORKSPACE, open};

fn service_signature(secret: &str, request: &Received) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signed = format!("{}.{}", request.headers["x-service-timestamp"], request.text);
    let tag = hmac::sign(&key, signed.as_bytes());
    let hex: Vec<_> = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={}", hex.concat())
}

fn v1_signature(secret: &str, request: &Received) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let headers = &request.headers;
    let signed = format!("{}.{}.{}", headers["webhook-id"], headers["webhook-timestamp"], request.text);
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
    format!("v1,{}", STANDARD.encode(tag))
}

#[tokio::test]
async fn each_attempt_is_signed_again_over_the_same_body() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(500)).await;
    let (subscription, secret) = rig.subscribe(&receiver.url());
    let delivery = rig.enqueue(subscription, 1)[0];
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&delivery].attempts.len() == 1).await;
    rig.clock.advance(Duration::from_mins(1));
    started.queued.notify();
    rig.queue.until(|rows| rows[&delivery].attempts.len() == 2).await;
    started.stop().await;

    let body = rig.queue.row(delivery).delivery.body;
    for (request, seconds) in receiver.seen().iter().zip([0, 60]) {
        assert_eq!((request.line.as_str(), &request.text), ("POST /hook?key=1 HTTP/1.1", &body));
        let timestamp = (START.unix_timestamp() + seconds).to_string();
        for (name, value) in [
            ("content-type", "application/json"),
            ("x-service-signature", &service_signature(secret.reveal(), request)),
            ("x-service-event", "task.created"),
            ("x-service-delivery-id", &delivery.to_string()),
            ("x-service-timestamp", &timestamp),
            ("x-service-module", "projects"),
            ("webhook-id", &delivery.to_string()),
            ("webhook-timestamp", &timestamp),
            ("webhook-signature", &v1_signature(secret.reveal(), request)),
        ] {
            assert_eq!(request.headers[name], value, "{name}");
        }
        assert!(!request.headers.contains_key("x-service-signature-next"));
        let id = &serde_json::from_str::<Json>(&request.text).unwrap()["id"];
        assert_eq!(*id, request.headers["x-service-delivery-id"].as_str());
    }
    assert_eq!(receiver.seen().len(), 2);
}

#[tokio::test]
async fn both_secrets_sign_during_an_overlap_and_only_the_new_one_afterwards() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let (subscription, old) = rig.subscribe(&receiver.url());
    let new = PlainSecret::generate(rig.counter.as_ref());
    rotate(&rig, subscription, &new, 60);
    let started = rig.start(open());
    for count in 1..=2 {
        rig.enqueue(subscription, 1);
        started.queued.notify();
        rig.queue.until_succeeded(count).await;
        rig.clock.advance(Duration::from_mins(1));
    }
    started.stop().await;

    let [during, after] = &receiver.seen()[..] else { panic!("two requests") };
    assert_eq!(during.headers["x-service-signature"], service_signature(old.reveal(), during));
    assert_eq!(during.headers["x-service-signature-next"], service_signature(new.reveal(), during));
    let both = format!("{} {}", v1_signature(old.reveal(), during), v1_signature(new.reveal(), during));
    assert_eq!(during.headers["webhook-signature"], both);
    assert_eq!(after.headers["x-service-signature"], service_signature(new.reveal(), after));
    assert_eq!(after.headers["webhook-signature"], v1_signature(new.reveal(), after));
    assert!(!after.headers.contains_key("x-service-signature-next"));
}

fn rotate(rig: &Rig, subscription: SubscriptionId, new: &PlainSecret, overlap_seconds: i64) {
    rig.queue.change(subscription, |subscription| {
        let sealed = new.seal(&rig.keys, (WORKSPACE, subscription.id), rig.counter.as_ref()).unwrap();
        let overlap = time::Duration::seconds(overlap_seconds);
        subscription.secrets.rotate(sealed, overlap, START).unwrap();
    });
}

#[tokio::test]
async fn three_secrets_sign_oldest_first_during_two_overlaps() {
    let rig = Rig::new();
    let receiver = Receiver::always(ScriptedResponse::Status(200)).await;
    let (subscription, first) = rig.subscribe(&receiver.url());
    let newer = [PlainSecret::generate(rig.counter.as_ref()), PlainSecret::generate(rig.counter.as_ref())];
    for secret in &newer {
        rotate(&rig, subscription, secret, 60);
    }
    rig.enqueue(subscription, 1);
    let started = rig.start(open());
    rig.queue.until_succeeded(1).await;
    started.stop().await;
    let request = &receiver.seen()[0];
    assert_eq!(request.headers["x-service-signature"], service_signature(first.reveal(), request));
    let next: Vec<_> = newer.iter().map(|secret| service_signature(secret.reveal(), request)).collect();
    assert_eq!(request.headers["x-service-signature-next"], next.join(","));
    let all: Vec<_> = [&first].into_iter().chain(&newer).map(|secret| v1_signature(secret.reveal(), request)).collect();
    assert_eq!(request.headers["webhook-signature"], all.join(" "));
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_sends_nothing_and_is_retried() {
    let (mut rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(200)).await;
    let delivery = rig.enqueue(subscription, 1)[0];
    let right = rig.keys.clone();
    rig.keys = MasterKeys::parse(&MasterKeys::generate(rig.counter.as_ref())).unwrap().into();
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&delivery].attempts.len() == 1).await;
    started.stop().await;
    assert_eq!(receiver.connections(), 0);
    assert_eq!(rig.queue.row(delivery).attempts[0].error.as_deref(), Some("the secret cannot be decrypted"));

    rig.keys = right;
    rig.clock.advance(Duration::from_secs(10));
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&delivery].delivery.state == DeliveryState::Succeeded).await;
    started.stop().await;
}
