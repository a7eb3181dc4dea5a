//! The order in which waiting passwords are hashed: known clients first, then networks in turn.

use std::collections::VecDeque;

use domain::identity::accounts::HashTurn;
use domain::limits::AddressGroup;

/// The maximum number of waiting requests: about as many as two threads hash within the time that a request waits.
pub(super) const MAX_WAITING: usize = 128;
/// The maximum number of waiting requests from one IPv4 address or IPv6 /56.
pub(super) const MAX_WAITING_PER_SITE: usize = 8;

/// Of every 16 turns, these give the second and the third precedence priority, so that a flood with a better precedence
/// cannot keep them waiting forever.
const TURNS: u32 = 16;
const SUSPECT_TURN: u32 = 15;
const UNKNOWN_TURNS: [u32; 3] = [3, 7, 11];

/// A bounded queue that is fair between networks. Providers take turns, and so do the sites of each provider. Within a site
/// the order is first come, first served. When the queue is full, a newcomer displaces the newest item of the site with the
/// most items of the same or a worse precedence, or is refused.
#[derive(Debug)]
pub(super) struct HashQueue<T> {
    tiers: [Tier<T>; 3],
    turn: u32,
}

/// The shares of one precedence, in turn order. The tiers are in the order of [`domain::identity::accounts::Precedence`].
type Tier<T> = Shares<Shares<VecDeque<T>>>;
type Shares<S> = VecDeque<(AddressGroup, S)>;

/// Dropping an item notifies its owner.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PushOutcome<T> {
    Queued,
    /// The newcomer was queued in place of this item.
    Displaced(T),
    /// The newcomer was not queued.
    Refused(T),
}

impl<T> Default for HashQueue<T> {
    fn default() -> Self {
        Self { tiers: std::array::from_fn(|_| VecDeque::new()), turn: 0 }
    }
}

impl<T> HashQueue<T> {
    pub(super) fn len(&self) -> usize {
        self.tiers.iter().flatten().map(|(_, sites)| item_count(sites)).sum()
    }

    /// Removes items that nobody is waiting for any more.
    pub(super) fn remove(&mut self, is_gone: impl Fn(&T) -> bool) {
        for tier in &mut self.tiers {
            for (_, sites) in tier.iter_mut() {
                for (_, items) in sites.iter_mut() {
                    items.retain(|item| !is_gone(item));
                }
                sites.retain(|(_, items)| !items.is_empty());
            }
            tier.retain(|(_, sites)| !sites.is_empty());
        }
    }

    /// Queues an item at the end of its site's share.
    pub(super) fn push(&mut self, turn: HashTurn, item: T) -> PushOutcome<T> {
        let (tier, provider, site) = (turn.precedence as usize, turn.network.provider(), turn.network.site());
        let of_provider = find(&self.tiers[tier], provider);
        let of_site = of_provider.and_then(|sites| find(sites, site)).map_or(0, VecDeque::len);
        if of_site >= MAX_WAITING_PER_SITE {
            return PushOutcome::Refused(item);
        }
        let displaced = if self.len() < MAX_WAITING {
            None
        } else {
            match self.displace(tier, of_provider.map_or(0, item_count), of_site) {
                Some(other) => Some(other),
                None => return PushOutcome::Refused(item),
            }
        };
        share(share(&mut self.tiers[tier], provider), site).push_back(item);
        displaced.map_or(PushOutcome::Queued, PushOutcome::Displaced)
    }

    /// The next item: the first of the site whose turn it is.
    pub(super) fn pop(&mut self) -> Option<T> {
        let order: [usize; 3] = match self.turn % TURNS {
            SUSPECT_TURN => [2, 0, 1],
            turn if UNKNOWN_TURNS.contains(&turn) => [1, 0, 2],
            _ => [0, 1, 2],
        };
        self.turn = self.turn.wrapping_add(1);
        order
            .into_iter()
            .find_map(|tier| pop_shared(&mut self.tiers[tier], |sites| pop_shared(sites, VecDeque::pop_front)))
    }

    /// Removes the newest item of the largest site of the largest provider, if that site has at least two items more than the
    /// newcomer's. With only one more, the two would merely swap places.
    fn displace(&mut self, newcomer: usize, of_provider: usize, of_site: usize) -> Option<T> {
        let worst = (0..self.tiers.len()).rev().find(|tier| !self.tiers[*tier].is_empty())?;
        if worst < newcomer {
            return None;
        }
        let sites = self.tiers[worst].iter_mut().map(|(_, sites)| sites).max_by_key(|sites| item_count(sites))?;
        let provider_len = item_count(sites);
        let items = sites.iter_mut().map(|(_, items)| items).max_by_key(|items| items.len())?;
        let is_larger = worst > newcomer || provider_len >= of_provider + 2 || items.len() >= of_site + 2;
        let displaced = if is_larger { items.pop_back() } else { None };
        self.remove(|_| false);
        displaced
    }
}

fn item_count<T>(sites: &Shares<VecDeque<T>>) -> usize {
    sites.iter().map(|(_, items)| items.len()).sum()
}

fn find<S>(shares: &Shares<S>, owner: AddressGroup) -> Option<&S> {
    shares.iter().find(|(key, _)| *key == owner).map(|(_, share)| share)
}

/// The owner's share. A new share gets the last turn.
fn share<S: Default>(shares: &mut Shares<S>, owner: AddressGroup) -> &mut S {
    let index = shares.iter().position(|(key, _)| *key == owner).unwrap_or_else(|| {
        shares.push_back((owner, S::default()));
        shares.len() - 1
    });
    &mut shares[index].1
}

/// Takes an item from the share whose turn it is. The share then moves to the end, or is removed if it is empty.
fn pop_shared<S, T>(shares: &mut Shares<VecDeque<S>>, take: impl FnOnce(&mut VecDeque<S>) -> Option<T>) -> Option<T> {
    let (owner, mut share) = shares.pop_front()?;
    let item = take(&mut share);
    if !share.is_empty() {
        shares.push_back((owner, share));
    }
    item
}

#[cfg(test)]
mod tests;
