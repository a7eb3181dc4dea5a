//! Which addresses share a limit: an IPv4 address, or an IPv6 /64 network (interface 6.8).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An address as limits count it. A household or a host usually has a whole /64, so its addresses count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressGroup {
    V4(Ipv4Addr),
    /// The upper 64 bits of an IPv6 address.
    V6(u64),
}

impl From<IpAddr> for AddressGroup {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            // The shift leaves 64 bits.
            IpAddr::V6(address) => Self::V6((address.to_bits() >> 64) as u64),
        }
    }
}

impl fmt::Display for AddressGroup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(address) => address.fmt(formatter),
            Self::V6(network) => write!(formatter, "{}/64", Ipv6Addr::from_bits(u128::from(*network) << 64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_counts_by_64_bits_and_mapped_addresses_as_what_they_are() {
        for (address, group) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::", "2001:db8:1:3::/64"),
            ("::1", "::/64"),
        ] {
            assert_eq!(AddressGroup::from(address.parse::<IpAddr>().unwrap()).to_string(), group, "{address}");
        }
    }
}
