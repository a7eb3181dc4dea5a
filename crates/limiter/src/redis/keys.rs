//! Keys of counters in Redis.

use domain::limits::{Bucket, RateLimitSubject, Span};

/// How long a key outlives its window at least, so that an instance whose clock is behind still finds it.
const SLACK_SECONDS: i64 = 5;

/// The key of a bucket in a window. It contains both ends, because an hour and its first minute start together.
pub(super) fn key(namespace: &str, bucket: Bucket, span: Span) -> String {
    let Span { start, end } = span;
    format!("{namespace}:{}:{}:{start}-{end}", bucket.class.as_str(), subject(bucket.subject))
}

fn subject(subject: RateLimitSubject) -> String {
    match subject {
        RateLimitSubject::Credential(id) => format!("credential/{id}"),
        RateLimitSubject::Address(address) => format!("address/{address}"),
        RateLimitSubject::WorkspaceAddress(workspace, address) => format!("workspace/{workspace}/{address}"),
        RateLimitSubject::Workspace(workspace) => format!("workspace/{workspace}"),
        RateLimitSubject::User(user) => format!("user/{user}"),
        RateLimitSubject::AccountFrom(hash, address) => format!("account/{hash:016x}/{address}"),
        RateLimitSubject::Account(hash) => format!("account/{hash:016x}"),
    }
}

/// How long a key lives after its last count. This is not an absolute time, because a Redis whose clock is ahead would delete
/// every key at once and count nothing.
pub(super) fn seconds_to_live(span: Span) -> i64 {
    span.end.saturating_sub(span.start).max(0).saturating_add(SLACK_SECONDS)
}

#[cfg(test)]
mod tests {
    use domain::limits::{AddressGroup, Class};
    use domain::{UserId, WorkspaceId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn every_bucket_has_its_own_key() {
        let (id, span) = (Uuid::from_u128(7), Span { start: 60, end: 120 });
        let address = |text: &str| AddressGroup::from(text.parse::<std::net::IpAddr>().unwrap());
        for (subject, expected) in [
            (RateLimitSubject::Credential(id), "l:read:credential/00000000-0000-0000-0000-000000000007:60-120"),
            (RateLimitSubject::Address(address("192.0.2.1")), "l:read:address/192.0.2.1:60-120"),
            (RateLimitSubject::Address(address("2001:db8::1")), "l:read:address/2001:db8::/64:60-120"),
            (
                RateLimitSubject::WorkspaceAddress(WorkspaceId(id), address("192.0.2.1")),
                "l:read:workspace/00000000-0000-0000-0000-000000000007/192.0.2.1:60-120",
            ),
            (
                RateLimitSubject::Workspace(WorkspaceId(id)),
                "l:read:workspace/00000000-0000-0000-0000-000000000007:60-120",
            ),
            (RateLimitSubject::User(UserId(id)), "l:read:user/00000000-0000-0000-0000-000000000007:60-120"),
            (RateLimitSubject::Account(255), "l:read:account/00000000000000ff:60-120"),
        ] {
            assert_eq!(key("l", Bucket { class: Class::Read, subject }, span), expected);
        }
    }

    #[test]
    fn a_key_outlives_its_window_slightly() {
        assert_eq!(seconds_to_live(Span { start: 60, end: 120 }), 65);
        assert_eq!(seconds_to_live(Span { start: i64::MIN, end: i64::MAX }), i64::MAX);
    }
}
