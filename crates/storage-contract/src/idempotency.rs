//! Stored responses.

use std::sync::{Arc, Mutex};

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};
use domain::Error;
use domain::kernel::idempotency::{
    ClaimResult, IdempotencyClaim, KeepResult, RETENTION, ResponseBudget, StoredResponse,
};

const ROUTE: &str = "POST /api/v1/deals";

pub(super) fn claim(world: &TestWorkspace, key: &str, now: OffsetDateTime) -> IdempotencyClaim {
    IdempotencyClaim {
        credential: world.key_id().0,
        route: ROUTE,
        key: key.to_owned(),
        fingerprint: [0xA5; 32],
        now,
        oldest: now - RETENTION,
        budget: ResponseBudget::default(),
    }
}

pub(super) fn response(body: &str) -> StoredResponse {
    StoredResponse { status: 201, location: Some("/api/v1/deals/1".to_owned()), body: body.to_owned() }
}

/// Claims a key and stores a response.
async fn keep(world: &TestWorkspace, claim: &IdempotencyClaim, response: &StoredResponse) {
    let (claim, response) = (claim.clone(), response.clone());
    world
        .commit(move |tx| {
            assert_eq!(tx.idempotency().claim(&claim)?, ClaimResult::Free);
            assert_eq!(tx.idempotency().keep(&claim, &response)?, KeepResult::Kept);
            Ok(())
        })
        .await;
}

/// Tries to store a response when the budget is used up; returns when there will be room.
async fn refused(world: &TestWorkspace, claim: &IdempotencyClaim, response: &StoredResponse) -> OffsetDateTime {
    let (claim, response) = (claim.clone(), response.clone());
    let result = world.commit(move |tx| {
        tx.idempotency().claim(&claim)?;
        tx.idempotency().keep(&claim, &response)
    });
    match result.await {
        KeepResult::OverBudget { room_at } => room_at,
        KeepResult::Kept => panic!("the response was stored"),
    }
}

/// The result of a claim, without keeping the key.
async fn ask(world: &TestWorkspace, claim: &IdempotencyClaim) -> ClaimResult {
    let (claim, slot) = (claim.clone(), Arc::new(Mutex::new(None)));
    let inner = Arc::clone(&slot);
    let rolled_back: Result<(), Error> = world
        .run(move |tx| {
            *inner.lock().unwrap() = Some(tx.idempotency().claim(&claim)?);
            Err(Error::NotFound("rollback"))
        })
        .await;
    assert!(matches!(rolled_back, Err(Error::NotFound("rollback"))));
    slot.lock().unwrap().take().unwrap()
}

fn stored(claim: &IdempotencyClaim, response: &StoredResponse) -> ClaimResult {
    ClaimResult::Kept { fingerprint: claim.fingerprint, answer: response.clone() }
}

/// A claim returns the first response and the fingerprint of its request.
pub async fn a_stored_response_round_trips(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let now = world.now();
    let body = format!("{{\"z\" :1,\n\"a\":  \"{}\", \"a\": 0.10}}\n", super::records::LINES);
    for (key, response) in [
        ("with ' a location", StoredResponse { body, ..response("") }),
        ("without", StoredResponse { status: 200, location: None, body: String::new() }),
    ] {
        let first = claim(&world, key, now);
        keep(&world, &first, &response).await;
        let repeat = IdempotencyClaim { now: now + Duration::HOUR, oldest: now - Duration::HOUR, ..first.clone() };
        assert_eq!(ask(&world, &repeat).await, stored(&first, &response));
        let another_body = IdempotencyClaim { fingerprint: [1; 32], ..repeat };
        assert_eq!(ask(&world, &another_body).await, stored(&first, &response));
    }
}

/// The same text is a different key for another credential, route or workspace.
pub async fn a_key_belongs_to_credential_route_and_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let first = claim(&world, "k", world.now());
    keep(&world, &first, &response("1")).await;
    for free in [
        IdempotencyClaim { credential: Uuid::from_u128(9), ..first.clone() },
        IdempotencyClaim { route: "POST /api/v1/projects", ..first.clone() },
        IdempotencyClaim { key: "K".to_owned(), ..first.clone() },
    ] {
        assert_eq!(ask(&world, &free).await, ClaimResult::Free, "{free:?}");
    }
    assert_eq!(ask(&other, &first).await, ClaimResult::Free);
    keep(&other, &claim(&other, "k", other.now()), &response("2")).await;
    assert_eq!(ask(&world, &first).await, stored(&first, &response("1")));
}

/// A response from before `oldest` is ignored, and the key can be used again.
pub async fn old_responses_are_ignored(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let now = world.now();
    let first = claim(&world, "k", now);
    keep(&world, &first, &response("old")).await;
    assert_eq!(ask(&world, &claim(&world, "k", now + RETENTION)).await, stored(&first, &response("old")));
    let late = IdempotencyClaim { fingerprint: [2; 32], ..claim(&world, "k", now + RETENTION + Duration::MICROSECOND) };
    assert_eq!(ask(&world, &late).await, ClaimResult::Free);
    keep(&world, &late, &response("new")).await;
    assert_eq!(ask(&world, &late).await, stored(&late, &response("new")));
    // The new response has its own age, independent of the one it replaced.
    let later = claim(&world, "k", now + RETENTION + Duration::HOUR);
    assert_eq!(ask(&world, &later).await, stored(&late, &response("new")));
}

/// Old responses are deleted, at most `limit` per call; recent ones stay.
pub async fn pruning_is_bounded(subject: &StoreUnderTest) {
    let _alone = crate::Pruning::alone();
    let world = subject.world().await;
    // A date that only this case uses, because pruning crosses workspaces and other cases may share the database.
    let past = datetime!(1901-01-01 00:00 UTC);
    for key in ["a", "b", "c"] {
        keep(&world, &claim(&world, key, past), &response(key)).await;
    }
    let young = claim(&world, "young", past + Duration::DAY);
    keep(&world, &young, &response("young")).await;
    for expected in [2, 1, 0] {
        let pruned = subject.ports.directory.prune_idempotency(past + Duration::DAY, 2).await.unwrap();
        assert_eq!(pruned, expected);
    }
    assert_eq!(ask(&world, &young).await, stored(&young, &response("young")));
    assert_eq!(ask(&world, &claim(&world, "a", past)).await, ClaimResult::Free);
}

/// Responses are stored up to the workspace's budget, and count until they are pruned.
pub async fn stored_bytes_are_limited_per_workspace(subject: &StoreUnderTest) {
    let _alone = crate::Pruning::alone();
    let (world, other) = (subject.world().await, subject.world().await);
    // A date that only this case uses, as above.
    let past = datetime!(1902-01-01 00:30 UTC);
    let response = response(&"x".repeat(1_000));
    let each = claim(&world, "0", past).bytes_of(&response);
    let budget = ResponseBudget(3 * each);
    let budgeted = |world: &TestWorkspace, key: &str, now| IdempotencyClaim { budget, ..claim(world, key, now) };
    for key in ["0", "1", "2"] {
        keep(&world, &budgeted(&world, key, past), &response).await;
    }
    let room_at = refused(&world, &budgeted(&world, "3", past), &response).await;
    assert!(room_at > past && room_at <= past + RETENTION + Duration::HOUR, "{room_at}");
    assert_eq!(ask(&world, &budgeted(&world, "3", past)).await, ClaimResult::Free, "nothing was stored");
    let small = StoredResponse { body: String::new(), location: None, ..response.clone() };
    refused(&world, &budgeted(&world, "3", past), &small).await;
    keep(&other, &budgeted(&other, "3", past), &response).await;
    // Stored responses are still replayed.
    assert_eq!(ask(&world, &budgeted(&world, "0", past)).await, stored(&budgeted(&world, "0", past), &response));
    subject.ports.directory.prune_idempotency(past + Duration::HOUR, 1_000).await.unwrap();
    for key in ["3", "4", "5"] {
        keep(&world, &budgeted(&world, key, past + Duration::DAY), &response).await;
    }
    refused(&world, &budgeted(&world, "6", past + Duration::DAY), &response).await;
}
