//! Long polling: the response is sent when an event arrives or the wait ends.

use std::time::Duration;

use actix_web::rt::time::{Instant, sleep_until};
use domain::events::{EventFilter, FollowRequest, Following};
use domain::identity::access::{FollowEvents, Permit};
use http_core::endpoint::HandlerResult;
use http_core::held::HeldRequest;

use super::answer;

pub(super) async fn wait_for_events(
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
        let has_events = tokio::select! {
            has_events = following.wait() => has_events,
            () = sleep_until(end) => false,
            // The client has disconnected: it does not read the response, and its slot is free again.
            () = held.disconnected() => false,
        };
        held.hold_memory()?;
        permit = held.within_deadline(held.verify()).await?;
        if !has_events {
            return Ok(answer(&page));
        }
    }
}
