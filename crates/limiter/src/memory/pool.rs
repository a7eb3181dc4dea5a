//! The capacity that an unauthenticated subject uses, and what it is counted as when that capacity is full.

use domain::limits::{AddressGroup, Bucket, RateLimitSubject};

/// Kinds of subjects with separate capacities, so that one kind cannot fill another's.
pub(super) const POOLS: usize = 7;

/// What a request is counted as: the subject itself, or a wider network that is shared by all its subjects without a count
/// of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) subject: RateLimitSubject,
    pub(super) is_fallback: bool,
}

impl Key {
    pub(super) const fn of(bucket: Bucket) -> Self {
        Self { subject: bucket.subject, is_fallback: false }
    }

    /// The capacity that it uses; `None` for credentials, users and workspaces, which cannot be invented.
    pub(super) const fn pool(self) -> Option<usize> {
        let network = match self.subject {
            RateLimitSubject::Credential(_) | RateLimitSubject::User(_) | RateLimitSubject::Workspace(_) => {
                return None;
            }
            RateLimitSubject::Account(_) => return Some(0),
            RateLimitSubject::Address(network)
            | RateLimitSubject::WorkspaceAddress(_, network)
            | RateLimitSubject::AccountFrom(_, network) => network,
        };
        Some(match (network.is_v4(), self.is_fallback) {
            (true, false) => 1,
            (true, true) if network.prefix() > 16 => 2,
            (true, true) => 3,
            (false, false) => 4,
            (false, true) if network.prefix() > 32 => 5,
            (false, true) => 6,
        })
    }

    /// What counts instead when the capacity is full: IPv4 /24, then /16; IPv6 /48, then /32; `None` beyond.
    pub(super) fn wider(self) -> Option<Self> {
        let subject = match self.subject {
            RateLimitSubject::Credential(_)
            | RateLimitSubject::User(_)
            | RateLimitSubject::Workspace(_)
            | RateLimitSubject::Account(_) => return None,
            RateLimitSubject::Address(network) => RateLimitSubject::Address(wider_network(network)?),
            RateLimitSubject::WorkspaceAddress(workspace, network) => {
                RateLimitSubject::WorkspaceAddress(workspace, wider_network(network)?)
            }
            // All accounts together.
            RateLimitSubject::AccountFrom(_, network) => RateLimitSubject::AccountFrom(0, wider_network(network)?),
        };
        Some(Self { subject, is_fallback: true })
    }
}

fn wider_network(network: AddressGroup) -> Option<AddressGroup> {
    let wider = network.wider()?;
    // A /64 goes to its /48 at once.
    if wider.prefix() == 56 { wider.wider() } else { Some(wider) }
}
