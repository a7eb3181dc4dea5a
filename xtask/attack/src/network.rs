//! Addresses of simulated clients.

use std::net::{IpAddr, Ipv4Addr};

/// The IPv4 address for a number. Different numbers give addresses in different networks, as in a botnet.
pub(crate) fn anywhere(number: usize) -> String {
    // A bijection of the lower 24 bits, so that no address repeats among 16 million.
    let spread = low_bits(number).wrapping_mul(0x9E_37B1) & 0xFF_FFFF;
    let [_, b, c, d] = spread.to_be_bytes();
    format!("{}.{c}.{b}.{d}", 20 + (number >> 24) % 80)
}

/// An address of this machine to connect from, other than the trusted proxy's.
pub(crate) fn loopback(number: usize) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(0x7F01_0011 + (low_bits(number) << 4)))
}

fn low_bits(number: usize) -> u32 {
    u32::try_from(number & 0xFF_FFFF).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn addresses_are_different_and_valid() {
        let all: HashSet<_> = (0..100_000).map(anywhere).collect();
        assert_eq!(all.len(), 100_000);
        assert!(all.iter().all(|address| address.parse::<Ipv4Addr>().is_ok()));
        let networks: HashSet<_> = (0..1_000).map(|n| anywhere(n).rsplit_once('.').map(|it| it.0.to_owned())).collect();
        assert!(networks.len() > 900, "{}", networks.len());
        assert!((0..4_000).map(loopback).all(|address| address.is_loopback()));
    }
}
