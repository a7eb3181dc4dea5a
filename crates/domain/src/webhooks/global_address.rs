//! Which addresses are global (interface 16.27): neither in a special-purpose registry of IANA, nor used by a cloud provider for
//! services inside its networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network: its first address and the length of its prefix.
type Network<A> = (A, u32);

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u32) -> Network<Ipv4Addr> {
    (Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, d: u16, prefix: u32) -> Network<Ipv6Addr> {
    (Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), prefix)
}

/// The whole IPv4 special-purpose address registry, multicast, and addresses of clouds.
///
/// The registry lists a few of these as globally reachable (AS112, AMT relays, parts of 192.0.0.0/24). Webhook receivers are never
/// there, so these are refused too.
const SPECIAL_V4: &[Network<Ipv4Addr>] = &[
    v4(0, 0, 0, 0, 8),        // this network
    v4(10, 0, 0, 0, 8),       // private use
    v4(100, 64, 0, 0, 10),    // shared address space; Alibaba Cloud's metadata service
    v4(127, 0, 0, 0, 8),      // loopback
    v4(169, 254, 0, 0, 16),   // link local; the metadata service of most clouds
    v4(172, 16, 0, 0, 12),    // private use
    v4(192, 0, 0, 0, 24),     // protocol assignments; Oracle Cloud's metadata service
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 31, 196, 0, 24),  // AS112
    v4(192, 52, 193, 0, 24),  // AMT
    v4(192, 88, 99, 0, 24),   // 6to4 relays
    v4(192, 168, 0, 0, 16),   // private use
    v4(192, 175, 48, 0, 24),  // AS112
    v4(198, 18, 0, 0, 15),    // benchmarking
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, and limited broadcast
    v4(168, 63, 129, 16, 32), // Azure: the host of a virtual machine (WireServer, DNS)
    v4(161, 26, 0, 0, 16),    // IBM Cloud: services inside its networks
    v4(166, 8, 0, 0, 14),     // IBM Cloud: service endpoints inside its networks
    v4(199, 36, 153, 4, 30),  // Google Cloud: restricted.googleapis.com inside its networks
    v4(199, 36, 153, 8, 30),  // Google Cloud: private.googleapis.com inside its networks
];

/// The networks of the IPv6 registry and of clouds within `2000::/3`. Nothing outside `2000::/3` is allocated.
const SPECIAL_V6: &[Network<Ipv6Addr>] = &[
    v6(0x2001, 0, 0, 0, 23),             // protocol assignments: Teredo, benchmarking, ORCHID, drones
    v6(0x2001, 0xdb8, 0, 0, 32),         // documentation
    v6(0x2620, 0x4f, 0x8000, 0, 48),     // AS112
    v6(0x3fff, 0, 0, 0, 20),             // documentation
    v6(0x2600, 0x2d00, 0x2, 0x1000, 64), // Google Cloud: restricted.googleapis.com inside its networks
    v6(0x2600, 0x2d00, 0x2, 0x2000, 64), // Google Cloud: private.googleapis.com inside its networks
];

/// Whether an address is global unicast: neither private, local, shared, reserved, for documentation, multicast nor a
/// cloud's own, and not an IPv6 form that embeds such an IPv4 address.
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !SPECIAL_V4.iter().any(|(first, prefix)| (bits ^ first.to_bits()) >> (32 - prefix) == 0)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| is_global_v4(Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low)));
    match address.segments() {
        // For mapped, translated and tunnelled forms, the embedded IPv4 address decides.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..]
            if !embedded(high, low) =>
        {
            false
        }
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => true,
        // ISATAP.
        [_, _, _, _, 0 | 0x200, 0x5efe, high, low] if !embedded(high, low) => false,
        [first, ..] => {
            let bits = address.to_bits();
            let is_special = |(first, prefix): &Network<Ipv6Addr>| (bits ^ first.to_bits()) >> (128 - prefix) == 0;
            first & 0xe000 == 0x2000 && !SPECIAL_V6.iter().any(is_special)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_not_global_in_any_form() {
        for text in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.31.196.1",
            "192.52.193.1",
            "192.88.99.1",
            "192.168.1.1",
            "192.175.48.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "168.63.129.16",
            "161.26.0.10",
            "166.8.0.1",
            "166.11.255.255",
            "199.36.153.4",
            "199.36.153.11",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:168.63.129.16",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::a83f:8110",
            "64:ff9b:1::1",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:1::1",
            "2001:2::1",
            "2001:3::1",
            "2001:4:112::1",
            "2001:10::1",
            "2001:20::1",
            "2001:30::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::",
            "2002:a83f:8110::1",
            "2600:2d00:2:1000::1",
            "2600:2d00:2:2000::1",
            "2606:4700::5efe:10.0.0.1",
            "2606:4700::200:5efe:192.168.1.1",
            "2620:4f:8000::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_global(text.parse().unwrap()), "{text}");
        }
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "100.128.0.1",
            "166.7.255.255",
            "166.12.0.1",
            "168.63.129.15",
            "168.63.129.17",
            "172.32.0.1",
            "192.1.0.1",
            "199.36.153.12",
            "2001:200::1",
            "2606:4700::1111",
            "2002:808:808::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(is_global(text.parse().unwrap()), "{text}");
        }
    }
}
