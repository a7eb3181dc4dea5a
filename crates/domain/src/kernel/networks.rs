//! Networks that callers may come from.

use std::net::IpAddr;

use ipnet::IpNet;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::input::{Items, Problems, Read, Value};

const MAX_NETWORKS: usize = 100;
/// The longest IPv6 network in CIDR notation.
const MAX_LENGTH: usize = 49;

/// A list of networks in CIDR notation; an empty one allows every address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Whether a caller from this address is allowed. A caller whose address is unknown is allowed only if the list is empty.
    pub fn allow(&self, address: Option<IpAddr>) -> bool {
        // A client of a dual-stack socket has its IPv4 address mapped into IPv6.
        let within = |address: IpAddr| self.0.iter().any(|network| network.contains(&address.to_canonical()));
        self.0.is_empty() || address.is_some_and(within)
    }

    /// Parses stored networks; `None` if one is not a network.
    pub fn parse(texts: &[String]) -> Option<Self> {
        texts.iter().map(|text| parse(text)).collect::<Option<_>>().map(Self)
    }

    pub fn to_strings(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

/// A network, or a single address as a network of one. Host bits must be zero, because 10.0.0.1/8 is probably a mistake.
/// IPv4-mapped IPv6 networks are refused, because they would match no caller.
fn parse(text: &str) -> Option<IpNet> {
    let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).ok()?;
    let is_mapped = matches!(network, IpNet::V6(network) if network.addr().to_ipv4_mapped().is_some());
    (network.addr() == network.network() && !is_mapped).then_some(network)
}

impl Serialize for Networks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.to_strings())
    }
}

crate::kernel::input::output_schema::same_schema_in_responses!(Networks);

impl Value for Networks {
    fn schema() -> Json {
        Items::<MAX_NETWORKS, MAX_LENGTH>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let message =
            "must be an IP address, or a network whose host bits are zero, such as 203.0.113.0/24 or 2001:db8::/32";
        Items::<MAX_NETWORKS, MAX_LENGTH>::read_each(json, at, problems, parse, ("invalid_network", message)).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn networks(texts: &[&str]) -> Networks {
        Networks::parse(&texts.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn only_addresses_within_a_network_pass() {
        let office = networks(&["203.0.113.0/24", "198.51.100.7", "2001:db8::/32"]);
        for (address, allowed) in [
            ("203.0.113.0", true),
            ("203.0.113.255", true),
            ("203.0.114.0", false),
            ("198.51.100.7", true),
            ("198.51.100.8", false),
            ("2001:db8:ffff::1", true),
            ("2001:db9::1", false),
            ("::ffff:203.0.113.9", true),
            ("::ffff:203.0.114.9", false),
        ] {
            assert_eq!(office.allow(address.parse().ok()), allowed, "{address}");
        }
        assert!(!office.allow(None), "an unknown address is not in any network");
        assert!(Networks::default().allow(None) && Networks::default().allow("192.0.2.1".parse().ok()));
    }

    #[test]
    fn a_network_is_written_without_host_bits() {
        for (text, shown) in [
            ("10.0.0.0/8", Some("10.0.0.0/8")),
            ("0.0.0.0/0", Some("0.0.0.0/0")),
            ("::/0", Some("::/0")),
            ("192.0.2.1", Some("192.0.2.1/32")),
            ("2001:DB8::1", Some("2001:db8::1/128")),
            ("10.0.0.1/8", None),
            ("10.0.0.0/33", None),
            ("10.0.0/8", None),
            ("2001:db8::1/32", None),
            ("::ffff:10.0.0.0/104", None),
            ("example.com", None),
            ("", None),
        ] {
            assert_eq!(parse(text).map(|network| network.to_string()).as_deref(), shown, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_stored_is_read_back(bits: u32, length in 0_u8..=32) {
            let network = ipnet::Ipv4Net::new(bits.into(), length).unwrap().trunc();
            let networks = Networks(vec![IpNet::V4(network)]);
            prop_assert_eq!(Networks::parse(&networks.to_strings()), Some(networks.clone()));
            prop_assert!(networks.allow(Some(IpAddr::V4(network.network()))));
            prop_assert!(networks.allow(Some(IpAddr::V4(network.broadcast()))));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,60}") {
            let _ = parse(&text);
        }
    }
}
