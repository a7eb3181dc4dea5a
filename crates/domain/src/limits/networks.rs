//! Counts the requests of a client without a valid credential: in its network, and in the wider ones around it (interface 6.8).
//!
//! An IPv6 customer has a /56 or a /48, that is up to 65,536 /64 networks, each with its own limit. The wider networks therefore have
//! limits too.

use super::{AddressGroup, Bucket, Class, LimitedBucket, RateLimitSubject, status};
use crate::WorkspaceId;
use crate::kernel::RateLimitStatus;
use crate::ports::Ports;

/// The limit of an IPv6 /56, as a multiple of the limit of a /64.
pub const SITE_MULTIPLE: u64 = 4;
/// The limit of an IPv6 /48, as a multiple of the limit of a /64.
pub const ORGANISATION_MULTIPLE: u64 = 16;

/// Counts a request by its address, within a workspace or across all.
pub async fn count_address(
    ports: &Ports,
    class: Class,
    workspace: Option<WorkspaceId>,
    network: AddressGroup,
    limit: u64,
) -> RateLimitStatus {
    let now = ports.clock.now();
    let span = class.window().around(now);
    let buckets = buckets(class, workspace, network, limit);
    // If the widest network has used up its limit, the smaller ones are not counted: its owner could use any number of them, and
    // each would take memory.
    if let [_, .., widest] = buckets.as_slice() {
        let used = ports.limiter.peek(widest.bucket, span).await;
        if used >= widest.limit {
            return RateLimitStatus { limit, is_shared: true, ..status(widest.limit, used + 1, span, now) };
        }
    }
    let counts = ports.limiter.count_in_order(&buckets, span).await;
    let own = status(limit, counts.first().copied().unwrap_or_default(), span, now);
    let statuses = buckets.iter().zip(counts).skip(1).map(|(wider, count)| status(wider.limit, count, span, now));
    // The headers show the limit of the network itself, which is the one documented for an address.
    statuses.fold(own, |own, wider| {
        if wider.exceeded && !own.exceeded {
            return RateLimitStatus { limit, is_shared: true, ..wider };
        }
        RateLimitStatus { remaining: own.remaining.min(wider.remaining), ..own }
    })
}

/// The buckets, smallest network first, so that requests refused for one network do not count against its neighbours.
fn buckets(class: Class, workspace: Option<WorkspaceId>, network: AddressGroup, limit: u64) -> Vec<LimitedBucket> {
    let bucket = |network, multiple| {
        let subject = match workspace {
            Some(workspace) => RateLimitSubject::WorkspaceAddress(workspace, network),
            None => RateLimitSubject::Address(network),
        };
        LimitedBucket { bucket: Bucket { class, subject }, limit: limit.saturating_mul(multiple) }
    };
    if network.is_v4() {
        return vec![bucket(network, 1)];
    }
    let site = network.site();
    let organisation = site.wider().unwrap_or(site);
    vec![bucket(network, 1), bucket(site, SITE_MULTIPLE), bucket(organisation, ORGANISATION_MULTIPLE)]
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn networks(address: &str, limit: u64) -> Vec<(String, u64)> {
        let network = address.parse::<IpAddr>().unwrap().into();
        let buckets = buckets(Class::Anonymous, None, network, limit);
        let names = buckets.iter().map(|one| match one.bucket.subject {
            RateLimitSubject::Address(network) => (network.to_string(), one.limit),
            other => panic!("{other:?}"),
        });
        names.collect()
    }

    #[test]
    fn wider_networks_have_multiples_of_the_limit() {
        assert_eq!(networks("192.0.2.1", 10), [("192.0.2.1".to_owned(), 10)]);
        let expected = [("2001:db8:1:203::/64", 10), ("2001:db8:1:200::/56", 40), ("2001:db8:1::/48", 160)];
        assert_eq!(networks("2001:db8:1:203::1", 10), expected.map(|(network, limit)| (network.to_owned(), limit)));
        assert_eq!(networks("2001:db8::", u64::MAX)[2].1, u64::MAX);
    }
}
