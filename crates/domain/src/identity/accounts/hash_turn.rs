//! Whose password is hashed next while many wait. A hash takes a core for a while, so a flood of wrong log-ins must not
//! keep out those who are expected.

use std::net::IpAddr;
use std::time::Duration;

use crate::limits::AddressGroup;

/// How long a [`Precedence::Suspect`] waits before it is queued.
pub const SUSPECT_DELAY: Duration = Duration::from_secs(2);

/// Who goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// Signed in to this account from this network before, or holds a session or a one-time link.
    Known,
    /// Everybody else.
    Unknown,
    /// Tries on an account that had far too many; they wait [`SUSPECT_DELAY`] first.
    Suspect,
}

/// The place of one password among those that wait: precedence first, then networks in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashTurn {
    pub precedence: Precedence,
    /// Who it is shared with; one network never takes the turns of the others.
    pub network: AddressGroup,
}

impl HashTurn {
    pub fn new(precedence: Precedence, address: Option<IpAddr>) -> Self {
        Self { precedence, network: AddressGroup::from(address) }
    }

    /// For somebody who holds a session or a one-time link, and for the command line.
    pub fn known(address: Option<IpAddr>) -> Self {
        Self::new(Precedence::Known, address)
    }
}
