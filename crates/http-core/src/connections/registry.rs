//! All open connections, and the bounds on their number.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::limits::AddressGroup;
use uuid::Uuid;

use super::connection::Connection;
use crate::client_address::TrustedProxies;

const REFUSED: &str = "service_connections_refused_total";
const CLOSED: &str = "service_connections_closed_total";
const OPEN: &str = "service_connections";
/// Why a connection was closed: the label values of the counter.
pub(super) const STALLED: &str = "stalled";
pub(super) const SLOW_HEAD: &str = "slow_head";
const CROWDED_OUT: &str = "crowded";
const CREDENTIAL: &str = "credential";

/// The share of the limit above which the oldest idle connections are closed.
const CROWDED: (usize, usize) = (15, 16);
/// When crowded, 1/64 of the limit is closed at once, so that the search for the oldest is rare.
const BATCH: usize = 64;

pub(crate) fn describe_metrics() {
    metrics::describe_gauge!(OPEN, "Open connections");
    metrics::describe_counter!(REFUSED, "Connections and requests refused because of a limit, by reason");
    metrics::describe_counter!(CLOSED, "Connections that the service closed early, by reason");
    for refused in [Refused::Total, Refused::Address, Refused::Credential] {
        metrics::counter!(REFUSED, "reason" => refused.reason()).increment(0);
    }
    for reason in [STALLED, SLOW_HEAD, CROWDED_OUT, CREDENTIAL] {
        metrics::counter!(CLOSED, "reason" => reason).increment(0);
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ConnectionLimits {
    /// For the process.
    pub(crate) total: usize,
    /// For one IPv4 address or IPv6 /64.
    pub(crate) per_address: usize,
    /// For one credential: connections whose last request used it; running requests on shared connections.
    pub(crate) per_credential: usize,
    /// Connections from these proxies count in `total` only.
    pub(crate) proxies: TrustedProxies,
}

/// Why a connection, or a request on it, was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("the service has reached its connection limit")]
    Total,
    #[error("its address has reached its connection limit")]
    Address,
    #[error("its credential has reached its connection limit")]
    Credential,
}

impl Refused {
    pub(crate) fn count(self) {
        metrics::counter!(REFUSED, "reason" => self.reason()).increment(1);
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Address => "address",
            Self::Credential => "credential",
        }
    }
}

/// All open connections of a listener.
#[derive(Debug)]
pub(crate) struct Connections {
    pub(crate) limits: ConnectionLimits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next_id: u64,
    open: HashMap<u64, Arc<Connection>>,
    by_network: HashMap<AddressGroup, usize>,
    by_credential: HashMap<Uuid, usize>,
    /// Number of open connections that were asked to close.
    closing: usize,
}

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self { limits, state: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a new connection. Fails with the limit that it would exceed.
    pub(crate) fn open(self: &Arc<Self>, peer: IpAddr) -> Result<OpenConnection, Refused> {
        let network = (!self.limits.proxies.lists(peer.to_canonical())).then(|| AddressGroup::from(peer));
        let mut state = self.lock();
        if let Some(network) = network
            && state.by_network.get(&network).is_some_and(|count| *count >= self.limits.per_address)
        {
            return Err(Refused::Address);
        }
        state.make_room(self.limits.total);
        if state.open.len() >= self.limits.total {
            return Err(Refused::Total);
        }
        if let Some(network) = network {
            *state.by_network.entry(network).or_default() += 1;
        }
        state.next_id += 1;
        let connection = Arc::new(Connection::new(state.next_id, network));
        state.open.insert(connection.id, Arc::clone(&connection));
        drop(state);
        metrics::gauge!(OPEN).increment(1);
        Ok(OpenConnection { connection, registry: Arc::clone(self) })
    }

    /// Counts a connection for the credential of its new request. If the credential has too many, its oldest idle one is
    /// closed. Fails with [`Refused::Credential`] if all of them are busy.
    pub(crate) fn attribute(&self, connection: &Connection, credential: Uuid) -> Result<(), Refused> {
        if *connection.credential() == Some(credential) {
            return Ok(());
        }
        let mut state = self.lock();
        let count = state.by_credential.get(&credential).copied().unwrap_or_default();
        if count >= self.limits.per_credential && !state.close_oldest_of(credential) {
            return Err(Refused::Credential);
        }
        if let Some(previous) = connection.credential().replace(credential) {
            decrease(&mut state.by_credential, &previous);
        }
        *state.by_credential.entry(credential).or_default() += 1;
        Ok(())
    }

    fn forget(&self, connection: &Connection) {
        let mut state = self.lock();
        if state.open.remove(&connection.id).is_none() {
            return;
        }
        state.closing -= usize::from(connection.is_closing());
        if let Some(network) = connection.network {
            decrease(&mut state.by_network, &network);
        }
        if let Some(credential) = connection.credential().take() {
            decrease(&mut state.by_credential, &credential);
        }
        drop(state);
        metrics::gauge!(OPEN).decrement(1);
    }
}

fn decrease<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

impl State {
    /// Near the limit, closes the connections that have been idle longest.
    fn make_room(&mut self, total: usize) {
        if self.open.len() - self.closing < (total * CROWDED.0 / CROWDED.1).max(1) {
            return;
        }
        let mut idle: Vec<_> = self
            .open
            .values()
            .filter(|open| !open.is_closing() && open.is_idle())
            .map(|open| (open.idle_since(), open))
            .collect();
        let batch = (total / BATCH).max(1);
        if idle.len() > batch {
            idle.select_nth_unstable_by_key(batch, |(since, _)| *since);
        }
        for (_, connection) in idle.into_iter().take(batch) {
            self.closing += usize::from(connection.close());
            note_closed(CROWDED_OUT);
        }
    }

    /// Closes the credential's connection that has been idle longest, and subtracts it from the credential's count.
    fn close_oldest_of(&mut self, credential: Uuid) -> bool {
        let belongs =
            |open: &&Arc<Connection>| !open.is_closing() && open.is_idle() && *open.credential() == Some(credential);
        let Some(oldest) = self.open.values().filter(belongs).min_by_key(|open| open.idle_since()) else {
            return false;
        };
        self.closing += usize::from(oldest.close());
        *oldest.credential() = None;
        decrease(&mut self.by_credential, &credential);
        note_closed(CREDENTIAL);
        true
    }
}

pub(super) fn note_closed(reason: &'static str) {
    metrics::counter!(CLOSED, "reason" => reason).increment(1);
}

/// An admitted connection; dropping it removes it from the registry.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    pub(super) connection: Arc<Connection>,
    registry: Arc<Connections>,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.registry.forget(&self.connection);
        // Unsent bytes are lost with the connection.
        self.connection.release_sent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry(total: usize, per_address: usize, per_credential: usize) -> Arc<Connections> {
        let proxies = TrustedProxies::parse(["10.0.0.0/8"]).unwrap();
        Connections::new(ConnectionLimits { total, per_address, per_credential, proxies })
    }

    fn open(registry: &Arc<Connections>, peer: &str) -> Result<OpenConnection, Refused> {
        registry.open(peer.parse().unwrap())
    }

    #[test]
    fn an_address_is_limited_and_a_proxy_is_not() {
        let registry = registry(100, 2, 2);
        for (first, second, third, other) in [
            ("192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
            ("2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::", "2001:db8:0:1::"),
        ] {
            let held = [open(&registry, first).unwrap(), open(&registry, second).unwrap()];
            assert_eq!(open(&registry, third).unwrap_err(), Refused::Address, "{third}");
            let _other = open(&registry, other).unwrap();
            drop(held);
            assert!(open(&registry, third).is_ok(), "{third}");
        }
        let _shared: Vec<_> = (0..50).map(|_| open(&registry, "10.1.2.3").unwrap()).collect();
    }

    #[test]
    fn near_the_limit_the_oldest_idle_connection_is_asked_to_close() {
        let registry = registry(16, 100, 100);
        let all: Vec<_> = (0..15).map(|_| open(&registry, "192.0.2.1").unwrap()).collect();
        let busy = all[0].connection.begin_request();
        let _next = open(&registry, "192.0.2.9").unwrap();
        let closing = |index: usize| all[index].connection.is_closing();
        // The oldest is busy, so one of the idle ones is closed.
        assert!(!closing(0));
        assert_eq!((1..15).filter(|index| closing(*index)).count(), 1);
        // Until it is closed, the limit still applies.
        assert_eq!(open(&registry, "192.0.2.9").unwrap_err(), Refused::Total);
        drop(busy);
    }

    #[test]
    fn connections_over_the_limit_are_refused_while_all_are_busy() {
        let registry = registry(4, 100, 100);
        let all: Vec<_> = (0..4)
            .map(|_| {
                let open = open(&registry, "192.0.2.1").unwrap();
                let busy = open.connection.begin_request();
                (open, busy)
            })
            .collect();
        assert_eq!(open(&registry, "192.0.2.2").unwrap_err(), Refused::Total);
        assert!(!all.iter().any(|(open, _)| open.connection.is_closing()));
    }

    #[test]
    fn a_credential_displaces_its_own_idle_connections_and_is_refused_when_all_are_busy() {
        let registry = registry(100, 100, 2);
        let (key, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let all: Vec<_> = (0..4).map(|_| open(&registry, "192.0.2.1").unwrap()).collect();
        for open in &all[..2] {
            registry.attribute(&open.connection, key).unwrap();
            // Again on the same connection: counted once.
            registry.attribute(&open.connection, key).unwrap();
        }
        let first = all[0].connection.begin_request();
        registry.attribute(&all[2].connection, key).unwrap();
        assert!(all[1].connection.is_closing() && !all[0].connection.is_closing());
        let second = all[2].connection.begin_request();
        assert_eq!(registry.attribute(&all[3].connection, key), Err(Refused::Credential));
        registry.attribute(&all[3].connection, other).unwrap();
        drop((first, second, all));
        let state = registry.lock();
        assert!(state.open.is_empty() && state.by_credential.is_empty() && state.by_network.is_empty());
        assert_eq!(state.closing, 0);
    }
}
