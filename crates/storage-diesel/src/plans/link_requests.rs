//! Query plans of link requests, with a full queue.

use std::sync::LazyLock;

use domain::LinkRequestId;
use domain::email::link_requests::{LinkRequest, RequestedLink};
use time::macros::datetime;
use uuid::Uuid;

use super::{check_in, common, filled};
use crate::directory::link_requests::{put_query, take_query};

const NOW: time::OffsetDateTime = datetime!(2025-06-01 00:00 UTC);

const SEED: &str = "
    INSERT INTO link_requests (id, wanted, email, created_at, next_attempt_at)
        SELECT gen_random_uuid(), 'password_reset', 'a@e.x', due, due FROM generate_series(1, 10000) AS number
            CROSS JOIN LATERAL (SELECT timestamptz '2025-05-31Z' + number * interval '10 seconds' AS due) AS at;";

static DATABASE: LazyLock<common::Database> = LazyLock::new(|| filled(SEED));

#[test]
fn only_the_next_request_is_read() {
    check_in(&DATABASE, take_query(NOW, NOW), "link_requests_due", 1);
}

#[test]
fn an_insert_reads_at_most_the_limit() {
    let wanted = RequestedLink::PasswordReset { email: "a@e.x".to_owned() };
    let request = LinkRequest { id: LinkRequestId(Uuid::max()), wanted, created_at: NOW };
    check_in(&DATABASE, put_query(&request, 50), "link_requests_due", 50);
}
