use std::net::IpAddr;

use domain::identity::accounts::Precedence;
use proptest::prelude::*;

use super::*;

const ALL: u32 = 128;
const PER_SITE: u32 = 8;

fn turn(precedence: Precedence, address: &str) -> HashTurn {
    HashTurn::new(precedence, Some(address.parse::<IpAddr>().unwrap()))
}

fn unknown(address: &str) -> HashTurn {
    turn(Precedence::Unknown, address)
}

fn drain(queue: &mut HashQueue<u32>) -> Vec<u32> {
    std::iter::from_fn(|| queue.pop()).collect()
}

/// A queue full of log-ins from unknown clients, one per provider, numbered from 0.
fn flooded() -> HashQueue<u32> {
    assert_eq!(u32::try_from(MAX_WAITING), Ok(ALL));
    let mut queue = HashQueue::default();
    for number in 0..ALL {
        assert_eq!(queue.push(unknown(&format!("{}.1.0.1", number + 1)), number), PushOutcome::Queued);
    }
    queue
}

#[test]
fn known_clients_go_first_even_when_the_queue_is_full() {
    let mut queue = flooded();
    let displaced = queue.push(turn(Precedence::Known, "203.0.113.9"), 999);
    assert!(matches!(displaced, PushOutcome::Displaced(number) if number < 999), "{displaced:?}");
    assert_eq!((queue.len(), queue.pop()), (MAX_WAITING, Some(999)));
}

#[test]
fn suspects_are_displaced_by_others_and_displace_none() {
    let mut queue = HashQueue::default();
    for number in 0..ALL {
        queue.push(turn(Precedence::Suspect, &format!("{}.1.0.1", number + 1)), number);
    }
    assert!(matches!(queue.push(unknown("203.0.113.9"), 999), PushOutcome::Displaced(_)));
    assert_eq!(queue.pop(), Some(999));
    let mut queue = flooded();
    assert_eq!(queue.push(turn(Precedence::Suspect, "203.0.113.9"), 999), PushOutcome::Refused(999));
}

#[test]
fn networks_take_turns_however_many_items_they_have() {
    let mut queue = HashQueue::default();
    for number in 0..4 {
        queue.push(unknown("198.51.100.1"), number);
    }
    // The same provider as the first, another site; then another provider.
    queue.push(unknown("198.51.7.7"), 10);
    queue.push(unknown("203.0.113.9"), 20);
    queue.push(unknown("203.0.113.9"), 21);
    assert_eq!(drain(&mut queue), [0, 20, 10, 21, 1, 2, 3]);
}

#[test]
fn a_site_cannot_exceed_its_share() {
    let mut queue = HashQueue::default();
    assert_eq!(u32::try_from(MAX_WAITING_PER_SITE), Ok(PER_SITE));
    for number in 0..PER_SITE {
        assert_eq!(queue.push(unknown(&format!("2001:db8:0:{number}::1")), number), PushOutcome::Queued, "one /56");
    }
    assert_eq!(queue.push(unknown("2001:db8:0:77::1"), 99), PushOutcome::Refused(99));
    assert_eq!(queue.push(unknown("2001:db8:0:100::1"), 100), PushOutcome::Queued, "another /56");
}

#[test]
fn a_full_queue_displaces_from_the_largest_share_and_never_just_swaps() {
    let mut queue = HashQueue::default();
    for number in 0..ALL {
        // One provider fills the queue, from many addresses.
        queue.push(unknown(&format!("198.51.{}.{}", number / 8, number % 8)), number);
    }
    assert_eq!(queue.len(), MAX_WAITING);
    assert!(matches!(queue.push(unknown("203.0.113.9"), 999), PushOutcome::Displaced(_)));
    assert_eq!(queue.pop(), Some(0));
    assert_eq!(queue.pop(), Some(999), "after one of the flood");
    assert_eq!(flooded().push(unknown("203.0.113.9"), 999), PushOutcome::Refused(999));
}

#[test]
fn worse_precedences_get_some_turns() {
    let mut queue = HashQueue::default();
    queue.push(turn(Precedence::Suspect, "192.0.2.1"), 2);
    queue.push(unknown("192.0.2.1"), 1);
    let mut order = Vec::new();
    for number in 0..32 {
        queue.push(turn(Precedence::Known, "192.0.2.1"), 100 + number);
        order.extend(queue.pop());
    }
    assert_eq!((order[3], order[15]), (1, 2), "{order:?}");
    assert_eq!(order.iter().filter(|number| **number >= 100).count(), 30);
}

#[test]
fn abandoned_items_free_their_places() {
    let mut queue = flooded();
    queue.remove(|number| number % 2 == 0);
    assert_eq!(queue.len(), MAX_WAITING / 2);
    assert_eq!(queue.push(unknown("203.0.113.9"), 999), PushOutcome::Queued);
    assert_eq!(queue.pop(), Some(1));
}

proptest! {
    /// Items are neither lost nor invented, the bounds hold, and the items of a site keep their order.
    #[test]
    fn every_item_comes_out_once_unless_it_was_displaced(
        steps in prop::collection::vec((0..3_usize, 0..200_u8, 0..3_u8, prop::bool::weighted(0.2)), 1..600)
    ) {
        let mut queue = HashQueue::default();
        let (mut inside, mut number) = (std::collections::BTreeMap::new(), 0_u32);
        for (tier, provider, site, pops) in steps {
            let precedence = [Precedence::Known, Precedence::Unknown, Precedence::Suspect][tier];
            let address = format!("{}.1.0.{site}", provider + 1);
            number += 1;
            match queue.push(turn(precedence, &address), number) {
                PushOutcome::Refused(refused) => prop_assert_eq!(refused, number),
                displaced => {
                    inside.insert(number, (tier, address));
                    if let PushOutcome::Displaced(other) = displaced {
                        let (worse, _) = inside.remove(&other).unwrap();
                        prop_assert!(worse >= tier);
                    }
                }
            }
            prop_assert!(queue.len() <= MAX_WAITING);
            if pops && let Some(popped) = queue.pop() {
                let owner = inside.remove(&popped).unwrap();
                prop_assert!(inside.iter().all(|(other, theirs)| *theirs != owner || *other > popped));
            }
            prop_assert_eq!(queue.len(), inside.len());
        }
        let rest = drain(&mut queue);
        prop_assert_eq!(rest.len(), inside.len());
    }
}
