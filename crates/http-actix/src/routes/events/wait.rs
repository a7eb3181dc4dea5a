//! A request that is answered when an event arrives or its time is over.

use std::time::Duration;

use actix_web::rt::time::{Instant, sleep_until};
use domain::events::{EventFilter, FollowRequest, Following};
use domain::identity::access::{FollowEvents, Permit};
use http_core::endpoint::HandlerResult;
use http_core::held::HeldRequest;

use super::answer;

pub(super) async fn hold(
    held: &HeldRequest,
    mut permit: Permit<FollowEvents>,
    filter: &EventFilter,
    request: FollowRequest,
    wait: Duration,
) -> HandlerResult {
    let end = Instant::now() + wait;
    let mut following = Following::begin(held.ports(), &permit, filter, request)?;
    loop {
        let page = held.within_deadline(following.next(held.ports(), &permit)).await?;
        if !page.items.is_empty() || Instant::now() >= end {
            return Ok(answer(&page));
        }
        if page.has_more {
            continue;
        }
        held.release_memory();
        let has_come = tokio::select! {
            has_come = following.wait() => has_come,
            () = sleep_until(end) => false,
            // The client has gone: the response is not read, and its slot is free again.
            () = held.disconnected() => false,
        };
        held.hold_memory()?;
        permit = held.within_deadline(held.verify()).await?;
        if !has_come {
            return Ok(answer(&page));
        }
    }
}
