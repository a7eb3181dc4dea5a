//! Groups of addresses that share a limit: an IPv4 address, an IPv6 /64 network (interface 6.8), and the wider networks around
//! them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network that shares a limit. The group of an IPv4 address is the address itself. The group of an IPv6 address is its /64,
/// because a household or a host usually has a whole /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddressGroup {
    bits: Bits,
    prefix: u8,
}

/// The bits after the prefix are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    V4(u32),
    /// The upper half of the address; no group is smaller than a /64.
    V6(u64),
}

impl AddressGroup {
    /// The group of all clients whose address is unknown.
    pub const UNKNOWN: Self = Self { bits: Bits::V4(0), prefix: 32 };

    pub const fn is_v4(self) -> bool {
        matches!(self.bits, Bits::V4(_))
    }

    /// The next wider network: IPv4 /24 and /16; IPv6 /56, /48 and /32. `None` after the widest.
    pub const fn wider(self) -> Option<Self> {
        Some(match (self.bits, self.prefix) {
            (Bits::V4(_), 25..) => self.within(24),
            (Bits::V4(_), 17..) => self.within(16),
            (Bits::V6(_), 57..) => self.within(56),
            (Bits::V6(_), 49..) => self.within(48),
            (Bits::V6(_), 33..) => self.within(32),
            (Bits::V4(_) | Bits::V6(_), _) => return None,
        })
    }

    /// The network of one customer of an access provider: an IPv4 address, or an IPv6 /56.
    #[must_use]
    pub const fn site(self) -> Self {
        match self.bits {
            Bits::V4(_) => self,
            Bits::V6(_) => self.within(56),
        }
    }

    /// Roughly the network of one provider: an IPv4 /16, or an IPv6 /32.
    #[must_use]
    pub const fn provider(self) -> Self {
        match self.bits {
            Bits::V4(_) => self.within(16),
            Bits::V6(_) => self.within(32),
        }
    }

    /// Parses the output of `Display`.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let whole = Self::from(address.parse::<IpAddr>().ok()?);
        let group = prefix.map_or(Some(whole), |prefix| Some(whole.within(prefix.parse().ok()?)))?;
        (group.to_string() == text).then_some(group)
    }

    /// Length of the prefix in bits.
    pub const fn prefix(self) -> u8 {
        self.prefix
    }

    /// The network of at most `prefix` bits around this one.
    const fn within(self, prefix: u8) -> Self {
        if self.prefix <= prefix {
            return self;
        }
        // `prefix` is less than the full width, because `self.prefix` is greater and at most the full width.
        let bits = match self.bits {
            Bits::V4(bits) => Bits::V4(bits & !(u32::MAX >> prefix)),
            Bits::V6(bits) => Bits::V6(bits & !(u64::MAX >> prefix)),
        };
        Self { bits, prefix }
    }
}

impl From<IpAddr> for AddressGroup {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self { bits: Bits::V4(address.to_bits()), prefix: 32 },
            // The shift leaves 64 bits.
            IpAddr::V6(address) => Self { bits: Bits::V6((address.to_bits() >> 64) as u64), prefix: 64 },
        }
    }
}

/// `None` becomes [`AddressGroup::UNKNOWN`].
impl From<Option<IpAddr>> for AddressGroup {
    fn from(address: Option<IpAddr>) -> Self {
        address.map_or(Self::UNKNOWN, Self::from)
    }
}

/// A single IPv4 address has no prefix; all other networks have one.
impl fmt::Display for AddressGroup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            Bits::V4(bits) if self.prefix == 32 => Ipv4Addr::from_bits(bits).fmt(formatter),
            Bits::V4(bits) => write!(formatter, "{}/{}", Ipv4Addr::from_bits(bits), self.prefix),
            Bits::V6(bits) => write!(formatter, "{}/{}", Ipv6Addr::from_bits(u128::from(bits) << 64), self.prefix),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn group(address: &str) -> AddressGroup {
        address.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn ipv6_counts_by_64_bits_and_mapped_addresses_count_as_ipv4() {
        for (address, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::", "2001:db8:1:3::/64"),
            ("::1", "::/64"),
        ] {
            assert_eq!(group(address).to_string(), expected, "{address}");
        }
        assert_eq!(AddressGroup::from(None), group("0.0.0.0"));
    }

    #[test]
    fn each_network_is_within_the_documented_wider_ones() {
        let chain = |address: &str| {
            let all = std::iter::successors(Some(group(address)), |one| one.wider());
            all.map(|one| one.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(chain("192.0.2.77"), ["192.0.2.77", "192.0.2.0/24", "192.0.0.0/16"]);
        assert_eq!(
            chain("2001:db8:aabb:ccdd::1"),
            ["2001:db8:aabb:ccdd::/64", "2001:db8:aabb:cc00::/56", "2001:db8:aabb::/48", "2001:db8::/32"]
        );
        assert_eq!(group("2001:db8:aabb:ccdd::1").site().to_string(), "2001:db8:aabb:cc00::/56");
        assert_eq!(group("192.0.2.77").site().to_string(), "192.0.2.77");
        assert_eq!(group("2001:db8:aabb:ccdd::1").provider().to_string(), "2001:db8::/32");
        assert_eq!(group("192.0.2.77").provider().to_string(), "192.0.0.0/16");
    }

    proptest! {
        /// Two addresses share a network if and only if they share its bits.
        #[test]
        fn networks_follow_the_prefix(one in any::<u128>(), other in any::<u128>(), shared in 0..=128_u32) {
            let mask = u128::MAX.checked_shl(128 - shared).unwrap_or_default();
            let other = (one & mask) | (other & !mask);
            for (one, other, width) in [
                (IpAddr::V6(one.into()), IpAddr::V6(other.into()), 128_u32),
                (IpAddr::V4(Ipv4Addr::from_bits((one >> 96) as u32)), IpAddr::V4(Ipv4Addr::from_bits((other >> 96) as u32)), 32),
            ] {
                // A mapped address is an IPv4 address.
                if width == 128 && [one, other].iter().any(|address| address.to_canonical().is_ipv4()) {
                    continue;
                }
                let bits = |address: IpAddr| match address {
                    IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
                    IpAddr::V6(address) => address.to_bits(),
                };
                let common = (bits(one) ^ bits(other)).leading_zeros();
                let (mut left, mut right) = (Some(AddressGroup::from(one)), Some(AddressGroup::from(other)));
                while let (Some(mine), Some(theirs)) = (left, right) {
                    prop_assert_eq!(AddressGroup::parse(&mine.to_string()), Some(mine));
                    prop_assert_eq!(mine == theirs, common >= u32::from(mine.prefix()));
                    (left, right) = (mine.wider(), theirs.wider());
                }
                prop_assert_eq!(left, right);
            }
        }
    }
}
