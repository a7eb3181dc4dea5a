//! Validation of webhook targets (interface 16.26, 16.27).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

/// Maximum length of a target, in characters.
const MAX_LENGTH: usize = 2_000;

/// What the operator's configuration allows beyond the safe default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TargetPolicy {
    /// `http` in addition to `https`.
    pub allows_http: bool,
    /// Addresses that are not global.
    pub allows_private_networks: bool,
}

/// Why a target is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTarget {
    /// Not a URL of the expected form.
    #[error("must be a URL such as https://example.com/hook, at most 2000 characters long")]
    NoUrl,
    /// A scheme that is not allowed.
    #[error("must begin with https://")]
    NotHttps,
    /// A user or a password in the URL.
    #[error("must not contain a user or a password")]
    UserInfo,
    /// An address that is not global, or a host name that means one.
    #[error("must not point to a private, local or otherwise special address")]
    SpecialAddress,
}

impl TargetPolicy {
    /// Checks a target as written. The addresses that its name resolves to are checked on every attempt.
    ///
    /// # Errors
    /// Why it is rejected.
    pub fn check(self, url: &str) -> Result<(), InvalidTarget> {
        let (scheme, rest) = url.split_once("://").ok_or(InvalidTarget::NoUrl)?;
        let scheme_is_good = scheme == "https" || (scheme == "http" && self.allows_http);
        if !scheme_is_good {
            return Err(InvalidTarget::NotHttps);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(InvalidTarget::UserInfo);
        }
        let printable = url.chars().all(|character| character.is_ascii_graphic() && character != '\\');
        if url.chars().count() > MAX_LENGTH || !printable || url.contains('#') || Url::parse(url).is_err() {
            return Err(InvalidTarget::NoUrl);
        }
        let host = host_of(authority);
        // A trailing dot does not change the name.
        let host = host.strip_suffix('.').unwrap_or(host);
        let port = authority.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.contains(']'));
        if host.is_empty() || port == Some("0") {
            return Err(InvalidTarget::NoUrl);
        }
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let is_local_name = host.eq_ignore_ascii_case("localhost")
            || host.to_ascii_lowercase().ends_with(".localhost")
            // Other notations of IPv4 addresses: 2130706433, 0x7f.1, 127.1.
            || (literal.is_none() && host.bytes().next_back().is_some_and(|last| last.is_ascii_digit()))
            || host.to_ascii_lowercase().rsplit('.').next().is_some_and(|last| last.starts_with("0x"));
        let is_special = literal.map_or(is_local_name, |address| !is_global(address));
        if is_special && !self.allows_private_networks { Err(InvalidTarget::SpecialAddress) } else { Ok(()) }
    }

    /// Whether requests may go to an address, resolved or literal.
    pub fn allows(self, address: IpAddr) -> bool {
        self.allows_private_networks || is_global(address)
    }
}

/// The host of an authority, without its port; an IPv6 address keeps its brackets.
fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// Whether an address is global unicast: neither private, local, shared, reserved, for documentation nor multicast, and
/// not an IPv6 form that embeds such an IPv4 address.
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(a == 0
        || a == 10
        || a == 127
        || (a == 100 && (64..128).contains(&b))
        || (a == 169 && b == 254)
        || (a == 172 && (16..32).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 0 && c == 2)
        || (a == 192 && b == 88 && c == 99)
        || (a == 192 && b == 168)
        || (a == 198 && (b == 18 || b == 19))
        || (a == 198 && b == 51 && c == 100)
        || (a == 203 && b == 0 && c == 113)
        || a >= 224)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_global_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // Mapped and translated forms are judged by the IPv4 address in them.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            embedded(high, low)
        }
        // Only 2000::/3 is allocated, and some blocks of it are special-purpose.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        [first, ..] => first & 0xe000 == 0x2000,
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
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd12:3456::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2002:7f00:1::",
            "2002:a00:1::",
            "100::1",
            "fec0::1",
            "3fff::1",
        ] {
            assert!(!is_global(text.parse().unwrap()), "{text}");
        }
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "100.128.0.1",
            "172.32.0.1",
            "192.1.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(is_global(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn targets_are_https_urls_of_the_internet() {
        for (url, refusal) in [
            ("https://example.com/hook?x=1", None),
            ("https://example.com:8443/hook", None),
            ("https://8.8.8.8/hook", None),
            ("https://[2606:4700::1111]/hook", None),
            ("http://example.com/hook", Some(InvalidTarget::NotHttps)),
            ("ftp://example.com/hook", Some(InvalidTarget::NotHttps)),
            ("HTTPS://example.com", Some(InvalidTarget::NotHttps)),
            ("https://user@example.com/", Some(InvalidTarget::UserInfo)),
            ("https://user:pw@example.com/", Some(InvalidTarget::UserInfo)),
            ("https://127.0.0.1/", Some(InvalidTarget::SpecialAddress)),
            ("https://[::1]/", Some(InvalidTarget::SpecialAddress)),
            ("https://[::ffff:127.0.0.1]/", Some(InvalidTarget::SpecialAddress)),
            ("https://localhost/", Some(InvalidTarget::SpecialAddress)),
            ("https://a.LOCALHOST:1/", Some(InvalidTarget::SpecialAddress)),
            ("https://2130706433/", Some(InvalidTarget::SpecialAddress)),
            ("https://127.1/", Some(InvalidTarget::SpecialAddress)),
            ("https://0x7f.0.0.0x1/", Some(InvalidTarget::SpecialAddress)),
            ("https://169.254.169.254/latest", Some(InvalidTarget::SpecialAddress)),
            ("https:///hook", Some(InvalidTarget::NoUrl)),
            ("https://example.com:0/", Some(InvalidTarget::NoUrl)),
            ("https://LOCALHOST./", Some(InvalidTarget::SpecialAddress)),
            ("example.com", Some(InvalidTarget::NoUrl)),
            ("https://exa mple.com/", Some(InvalidTarget::NoUrl)),
            ("https://example.com/#part", Some(InvalidTarget::NoUrl)),
        ] {
            assert_eq!(TargetPolicy::default().check(url).err(), refusal, "{url}");
        }
        let long = format!("https://example.com/{}", "a".repeat(1_980));
        assert!(TargetPolicy::default().check(&long).is_ok());
        assert_eq!(TargetPolicy::default().check(&format!("{long}a")), Err(InvalidTarget::NoUrl));
        let open = TargetPolicy { allows_http: true, allows_private_networks: true };
        assert!(open.check("http://127.0.0.1:9000/hook").is_ok() && open.check("http://localhost/").is_ok());
    }
}
