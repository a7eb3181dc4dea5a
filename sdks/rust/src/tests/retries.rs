use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Reply, answered, limited, lost, nothing, scripted, scripted_with, timed_out, unreached};
use crate::retry::{backoff, line};
use crate::types::{DealUpdate, RotateInput};
use crate::{Client, Error, ErrorKind, Retry};

fn deal() -> Value {
    json!({ "data": { "id": "d", "version": 1 } })
}

async fn read(client: &Client) -> Result<Value, Error> {
    client.request("deals_read").path("deal_id", "d").await
}

async fn create(client: &Client) -> Result<Value, Error> {
    client.request("deals_create").body(&json!({ "title": "40 seats" })).await
}

#[tokio::test(start_paused = true)]
async fn a_read_is_retried_with_growing_pauses_until_it_fails() {
    for reply in [nothing(503), nothing(502), nothing(504), nothing(500), unreached(), lost(), timed_out()] {
        let (client, exchange) = scripted([reply.clone()]);
        let error = read(&client).await.unwrap_err();
        match reply {
            Reply::Answer(..) => assert_eq!(error.kind(), Some(ErrorKind::Server)),
            _ => assert!(matches!(error, Error::Connection(_)), "{error:?}"),
        }
        assert_eq!(exchange.pauses(), [500, 1000, 2000]);
    }
}

#[test]
fn pauses_are_half_random_and_at_most_eight_seconds() {
    let millis = |random| (1..7).map(|attempt| backoff(attempt, random).as_millis()).collect::<Vec<_>>();
    assert_eq!(millis(1.0), [500, 1000, 2000, 4000, 8000, 8000]);
    assert_eq!(millis(0.0), [250, 500, 1000, 2000, 4000, 4000]);
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_respected_unless_it_is_too_long() {
    let (client, waited) = scripted([limited(Duration::from_secs(7)), answered(200, &deal())]);
    assert_eq!(read(&client).await.unwrap(), deal());
    assert_eq!(waited.pauses(), [7500]);
    let (client, refused) = scripted([limited(Duration::from_hours(1))]);
    let error = read(&client).await.unwrap_err();
    assert_eq!(error.api().unwrap().retry_after, Some(Duration::from_hours(1)));
    assert_eq!(refused.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_short_retry_after_does_not_shorten_pauses() {
    for (seconds, pauses) in [(0, [500, 1000, 2000]), (1, [1500, 1500, 2000])] {
        let (client, exchange) = scripted([limited(Duration::from_secs(seconds))]);
        assert_eq!(read(&client).await.unwrap_err().kind(), Some(ErrorKind::RateLimit));
        assert_eq!(exchange.pauses(), pauses, "{seconds}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_create_keeps_its_idempotency_key_and_the_next_one_gets_a_new_key() {
    let (client, exchange) = scripted([lost(), nothing(503), answered(201, &deal())]);
    create(&client).await.unwrap();
    create(&client).await.unwrap();
    let keys = exchange.headers("idempotency-key");
    assert!(keys[0].is_some());
    assert_eq!((&keys[0], &keys[0]), (&keys[1], &keys[2]));
    assert_ne!(keys[2], keys[3]);
}

#[tokio::test(start_paused = true)]
async fn a_custom_key_is_sent() {
    let (client, exchange) = scripted([answered(201, &deal())]);
    client.request("deals_create").body(&json!({ "title": "a" })).idempotency_key("mine").await.unwrap();
    assert_eq!(exchange.headers("idempotency-key"), [Some("mine".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn it_waits_for_an_attempt_that_is_still_running() {
    let running = answered(409, &json!({ "error": { "code": "idempotency_conflict", "message": "" } }));
    let (client, _) = scripted([lost(), running.clone(), answered(201, &deal())]);
    assert_eq!(create(&client).await.unwrap(), deal());
    // Without a lost attempt, the key belongs to another request.
    let (client, exchange) = scripted([running]);
    assert_eq!(create(&client).await.unwrap_err().kind(), Some(ErrorKind::Conflict));
    assert_eq!(exchange.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_post_without_a_key_is_retried_only_if_it_certainly_did_not_start() {
    for (reply, attempts) in [(unreached(), 4), (limited(Duration::from_secs(1)), 4), (lost(), 1), (nothing(503), 1)] {
        let (client, exchange) = scripted([reply]);
        client.webhooks().rotate_secret("w", &RotateInput::default()).await.unwrap_err();
        assert_eq!(exchange.attempts(), attempts);
    }
}

#[tokio::test(start_paused = true)]
async fn writes_are_not_retried_after_internal_errors_and_nothing_after_refusals() {
    let (client, internal) = scripted([nothing(500)]);
    client.deals().update("d", &DealUpdate::default()).await.unwrap_err();
    assert_eq!(internal.attempts(), 1);
    for status in [400, 401, 403, 404, 409, 413, 422] {
        let (client, exchange) = scripted([nothing(status)]);
        read(&client).await.unwrap_err();
        assert_eq!(exchange.attempts(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn retries_of_a_tool_depend_on_its_effects() {
    for (tool, attempts, has_key) in
        [("get_contact", 4, false), ("update_contact", 4, true), ("rotate_webhook_secret", 1, true), ("paint", 1, true)]
    {
        let (client, exchange) = scripted([lost()]);
        client.tools().call(tool, &json!({ "id": "c" })).await.unwrap_err();
        assert_eq!(exchange.attempts(), attempts, "{tool}");
        assert!(exchange.headers("idempotency-key").iter().all(|key| key.is_some() == has_key), "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_write_may_have_acted() {
    for (replies, expected) in [(vec![lost()], true), (vec![unreached()], false), (vec![lost(), unreached()], true)] {
        let retries = u32::try_from(replies.len()).unwrap() - 1;
        let (client, _) = scripted_with(Client::builder().max_retries(retries), replies);
        let Err(Error::Connection(error)) = create(&client).await else { panic!("no error of the connection") };
        assert_eq!(error.may_have_acted, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn the_callback_is_called_before_each_wait() {
    let recorded: Arc<Mutex<Vec<Retry>>> = Arc::default();
    let (sink, unavailable) =
        (Arc::clone(&recorded), answered(503, &json!({ "error": { "code": "unavailable", "message": "later" } })));
    let builder = Client::builder().on_retry(move |retry| sink.lock().unwrap().push(retry.clone()));
    let replies = [limited(Duration::from_secs(7)), lost(), unavailable, answered(200, &deal())];
    let (client, exchange) = scripted_with(builder, replies);
    read(&client).await.unwrap();
    let retries = recorded.lock().unwrap().clone();
    let rows: Vec<_> = retries
        .iter()
        .map(|retry| (&*retry.operation, retry.attempt, retry.pause.as_millis(), &*retry.reason))
        .collect();
    assert_eq!(
        rows,
        [
            ("deals_read", 2, 7500, "429 rate_limit_exceeded"),
            ("deals_read", 3, 1000, "no answer"),
            ("deals_read", 4, 2000, "503 unavailable"),
        ]
    );
    assert_eq!(exchange.pauses(), retries.iter().map(|retry| retry.pause.as_millis()).collect::<Vec<_>>());
    let expected = "deals_read: 429 rate_limit_exceeded; waiting 7.5 s before attempt 2";
    assert_eq!(line(&retries[0]), expected, "the log says the same");
    let sink = Arc::clone(&recorded);
    let builder = Client::builder().max_retries(1).on_retry(move |retry| sink.lock().unwrap().push(retry.clone()));
    let (client, _) = scripted_with(builder, [unreached()]);
    client.tools().call("get_contact", &json!({ "id": "c" })).await.unwrap_err();
    let last = recorded.lock().unwrap().pop().unwrap();
    assert_eq!((&*last.operation, &*last.reason), ("get_contact", "no connection"));
}
