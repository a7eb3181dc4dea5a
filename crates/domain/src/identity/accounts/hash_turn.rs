//! Decides whose password is hashed next while many wait. A hash occupies a core for a while, so a flood of failed logins must not
//! lock out known users.

use std::net::IpAddr;
use std::time::Duration;

use crate::limits::AddressGroup;

/// How long a [`Precedence::Suspect`] waits before it is queued.
pub const SUSPECT_DELAY: Duration = Duration::from_secs(2);

/// Who comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// A client that has signed in to this account from this network before, or has a session or a one-time link.
    Known,
    /// Any other client.
    Unknown,
    /// Attempts on an account that had far too many; they wait [`SUSPECT_DELAY`] first.
    Suspect,
}

/// The position of a password in the queue: by precedence, then networks in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashTurn {
    pub precedence: Precedence,
    /// The network that shares the turn; networks cannot take each other's turns.
    pub network: AddressGroup,
}

impl HashTurn {
    pub fn new(precedence: Precedence, address: Option<IpAddr>) -> Self {
        Self { precedence, network: AddressGroup::from(address) }
    }

    /// The turn of a client with a session or a one-time link, and of the command line.
    pub fn known(address: Option<IpAddr>) -> Self {
        Self::new(Precedence::Known, address)
    }
}
