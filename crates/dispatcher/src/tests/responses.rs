//! How the dispatcher handles each kind of response.

use std::time::Duration;

use domain::webhooks::{AttemptOutcome, DeliveryState, FailedReason, MAX_STORED_RESPONSE_BYTES, Verdict};

use super::queue::Row;
use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, START, open};
use crate::DispatcherOptions;

fn raw(text: impl Into<String>) -> ScriptedResponse {
    ScriptedResponse::Raw(text.into().into_bytes())
}

async fn attempt(response: ScriptedResponse) -> Row {
    attempt_with(response, open()).await
}

async fn attempt_with(response: ScriptedResponse, options: DispatcherOptions) -> Row {
    let receiver = Receiver::always(response).await;
    let row = Rig::new().attempt(&receiver.url(), options).await;
    assert_eq!(receiver.seen().len(), 1, "one attempt, one request");
    row
}

fn short_timeout() -> DispatcherOptions {
    // The rest of the test usually takes milliseconds, and must not time out on a busy machine.
    DispatcherOptions { attempt_timeout: Duration::from_secs(2), ..open() }
}

fn retries_after(row: &Row) -> time::Duration {
    let Verdict::Retry(at) = row.verdicts[0] else { panic!("{:?}", row.verdicts) };
    at - START
}

#[tokio::test]
async fn the_status_decides_the_outcome() {
    for (status, state) in [
        (200, DeliveryState::Succeeded),
        (204, DeliveryState::Succeeded),
        (302, DeliveryState::Retrying),
        (404, DeliveryState::Failed),
        (410, DeliveryState::Failed),
        (429, DeliveryState::Retrying),
        (500, DeliveryState::Retrying),
        (503, DeliveryState::Retrying),
    ] {
        let row = attempt(ScriptedResponse::Status(status)).await;
        assert_eq!(row.delivery.state, state, "{status}");
        let attempt = &row.attempts[0];
        assert_eq!((attempt.number, attempt.status, attempt.started_at), (1, Some(status), START));
        let outcome = AttemptOutcome::Response { status, retry_after: None };
        assert_eq!((attempt.error.as_deref(), attempt.response.as_deref()), (outcome.why_final(), None));
        assert_eq!(attempt.error.is_some(), (400..500).contains(&status) && status != 429);
        assert_eq!(row.verdicts[0] == Verdict::Gone, status == 410);
        if state == DeliveryState::Retrying {
            let wait = retries_after(&row).as_seconds_f64();
            assert!((4.5..=5.5).contains(&wait), "{status}: {wait}");
        }
    }
}

#[tokio::test]
async fn retry_after_is_honoured_if_it_is_longer_than_the_schedule() {
    for (status, retry_after, seconds) in [
        (429, "77", 77),
        (503, "Tue, 01 Jan 2030 00:07:00 GMT", 420),
        (429, "Tuesday, 01-Jan-30 00:07:00 GMT", 420),
        (503, "999999", 43_200),
    ] {
        assert_eq!(retries_after(&busy(status, retry_after).await), time::Duration::seconds(seconds), "{retry_after}");
    }
    // Shorter than the schedule, in the past, or invalid.
    for retry_after in ["2", "1", "0", "Mon, 31 Dec 2029 00:00:00 GMT", "-5", "1.5", "soon", ""] {
        for status in [429, 503] {
            let wait = retries_after(&busy(status, retry_after).await).as_seconds_f64();
            assert!((4.5..=5.5).contains(&wait), "{status} {retry_after:?}: {wait}");
        }
    }
}

/// A delivery whose receiver asks for a delay.
async fn busy(status: u16, retry_after: &str) -> Row {
    let head = format!("HTTP/1.1 {status} Busy\r\nretry-after: {retry_after}\r\ncontent-length: 0\r\n\r\n");
    attempt(raw(head)).await
}

#[tokio::test]
async fn a_failed_request_is_retried_with_a_short_reason() {
    let huge = format!("HTTP/1.1 200 OK\r\nx-much: {}\r\n\r\n", "a".repeat(100_000));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(5_000));
    for (answer, error) in [
        (ScriptedResponse::Hang, "the receiver timed out"),
        (ScriptedResponse::Drip("HTTP/1.1 200 OK\r\nx-slow: ", "a"), "the receiver timed out"),
        (ScriptedResponse::Close, "the connection was closed early"),
        (ScriptedResponse::Cut("HTTP/1.1 200 OK\r\ncontent-"), "the connection was closed early"),
        (raw("nonsense without an end\r\n\r\n"), "the response is not valid HTTP, or its headers are too large"),
        (raw(huge), "the response is not valid HTTP, or its headers are too large"),
        (raw(many), "the response is not valid HTTP, or its headers are too large"),
        (
            ScriptedResponse::Endless("HTTP/1.1 200 OK\r\n", "x-more: more\r\n"),
            "the response is not valid HTTP, or its headers are too large",
        ),
    ] {
        let never_ends = matches!(answer, ScriptedResponse::Hang | ScriptedResponse::Drip(..));
        let options = if never_ends { short_timeout() } else { open() };
        let row = attempt_with(answer, options).await;
        assert_eq!(row.attempts[0].error.as_deref(), Some(error));
        assert_eq!((row.attempts[0].status, row.delivery.state), (None, DeliveryState::Retrying));
    }
}

#[tokio::test]
async fn a_closed_port_is_a_refused_connection() {
    let port = Receiver::always(ScriptedResponse::Hang).await.port();
    // The receiver is dropped, and its socket closes when its tasks have ended.
    tokio::task::yield_now().await;
    let row = Rig::new().attempt(&format!("http://127.0.0.1:{port}/"), open()).await;
    assert_eq!(row.attempts[0].error.as_deref(), Some("the connection was refused"));
    assert_eq!(row.delivery.state, DeliveryState::Retrying);
}

#[tokio::test]
async fn a_receiver_without_tls_fails_the_handshake() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let plain = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        }
    });
    let row = Rig::new().attempt(&format!("https://{address}/"), open()).await;
    assert_eq!(row.attempts[0].error.as_deref(), Some("TLS failed"));
    plain.abort();
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = Receiver::always(ScriptedResponse::Status(200)).await;
    for status in [301, 302, 307, 308] {
        let location = format!("HTTP/1.1 {status} Found\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", target.url());
        let row = attempt(raw(location)).await;
        assert_eq!((row.attempts[0].status, row.delivery.state), (Some(status), DeliveryState::Retrying));
    }
    assert_eq!(target.connections(), 0);
}

#[tokio::test]
async fn a_prefix_of_the_response_is_stored() {
    let row =
        attempt(ScriptedResponse::Raw(b"HTTP/1.1 500 Oops\r\ncontent-length: 7\r\n\r\noops\0\xff\x1b".to_vec())).await;
    assert_eq!(row.attempts[0].response.as_deref(), Some("oops\u{fffd}\u{fffd}\u{fffd}"));
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n3\r\nay!\r\n0\r\n\r\n";
    assert_eq!(attempt(raw(chunked)).await.attempts[0].response.as_deref(), Some("okay!"));
}

#[tokio::test]
async fn an_endless_body_is_read_only_as_far_as_stored() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n";
    let row = attempt(ScriptedResponse::Endless(head, "spam and more spam ")).await;
    assert_eq!(row.delivery.state, DeliveryState::Succeeded);
    assert_eq!(row.attempts[0].response.as_ref().unwrap().len(), MAX_STORED_RESPONSE_BYTES);
}

#[tokio::test]
async fn the_status_decides_even_if_the_body_times_out() {
    let row = attempt_with(ScriptedResponse::Drip("HTTP/1.1 200 OK\r\n\r\nbegun", "."), short_timeout()).await;
    assert_eq!(row.delivery.state, DeliveryState::Succeeded);
    assert!(row.attempts[0].response.as_ref().unwrap().starts_with("begun"));
}

#[tokio::test]
async fn connections_are_reused() {
    let (rig, receiver, subscription) =
        Rig::with_receiver(ScriptedResponse::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_vec())).await;
    let started = rig.start(open());
    for count in 1..=5 {
        rig.enqueue(subscription, 1);
        started.queued.notify();
        rig.queue.until(|rows| rows.values().filter(|row| !row.attempts.is_empty()).count() == count).await;
    }
    assert_eq!(receiver.connections(), 1);
    started.stop().await;
}

#[tokio::test]
async fn attempts_are_numbered_across_claims() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(500)).await;
    let delivery = rig.enqueue(subscription, 1)[0];
    let started = rig.start(open());
    for number in 1..=9 {
        rig.queue.until(|rows| rows[&delivery].attempts.len() == number).await;
        // Longer than the longest waits with their jitter, but within a day.
        let waits = [6, 35, 140, 700, 2_100, 8_000, 24_000, 48_000, 0];
        rig.clock.advance(Duration::from_secs(waits[number - 1]));
        started.queued.notify();
    }
    let row = rig.queue.row(delivery);
    assert_eq!(row.delivery.state, DeliveryState::Failed);
    assert_eq!(row.attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    started.stop().await;
}

/// Nothing is sent again after 24 hours, whatever the delivery was waiting for, and its history says so.
#[tokio::test]
async fn no_retry_starts_after_a_day() {
    let (rig, receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(500)).await;
    let (attempted, started) = (rig.enqueue(subscription, 1)[0], rig.start(open()));
    rig.queue.until(|rows| rows[&attempted].attempts.len() == 1).await;
    started.stop().await;
    rig.clock.advance(Duration::from_hours(24));
    let last = rig.enqueue(subscription, 1)[0];
    // Exactly at the limit: the last moment still counts.
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&attempted].attempts.len() == 2 && rows[&last].attempts.len() == 1).await;
    started.stop().await;
    rig.clock.advance(Duration::from_hours(24) + Duration::from_secs(1));
    let requests = receiver.seen().len();
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&last].delivery.state == DeliveryState::Failed).await;
    started.stop().await;
    let row = rig.queue.row(last);
    assert_eq!((row.delivery.failed_reason, row.attempts.len()), (Some(FailedReason::Expired), 1));
    assert_eq!(receiver.seen().len(), requests, "nothing was sent");
}

/// The first attempt is made however late it is: after days without the service, or when the clock has jumped ahead. Retries follow.
#[tokio::test]
async fn every_delivery_gets_an_attempt_however_late() {
    let (rig, _receiver, subscription) = Rig::with_receiver(ScriptedResponse::Status(500)).await;
    let late = rig.enqueue(subscription, 1)[0];
    rig.clock.advance(Duration::from_hours(40 * 24));
    let started = rig.start(open());
    rig.queue.until(|rows| rows[&late].attempts.len() == 1).await;
    assert_eq!(rig.queue.row(late).delivery.state, DeliveryState::Retrying);
    rig.clock.advance(Duration::from_secs(6));
    started.queued.notify();
    rig.queue.until(|rows| rows[&late].attempts.len() == 2).await;
    started.stop().await;
}
