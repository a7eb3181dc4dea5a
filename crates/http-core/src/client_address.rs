//! The client's address: the peer's, or the one that a trusted proxy reports (interface 6.8).

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers that mark a request as forwarded by a proxy.
const FORWARDING: [&str; 9] = [
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "via",
    "true-client-ip",
    "cf-connecting-ip",
];

/// Addresses and networks whose `X-Forwarded-For` is honoured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

/// An entry in a list of proxies that is neither an address nor a network.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is neither an address nor a network such as 10.0.0.0/8")]
pub struct InvalidProxy(String);

impl TrustedProxies {
    /// Parses addresses and networks. Fails with [`InvalidProxy`] for the first entry that is neither.
    pub fn parse<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidProxy> {
        let parse = |part: &str| {
            let part = part.trim();
            let address = part.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
            address.or_else(|_| part.parse::<IpNet>()).map_err(|_| InvalidProxy(part.to_owned()))
        };
        parts.into_iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn lists(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    fn hides_client(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let is_forwarded = FORWARDING.iter().any(|name| headers.contains_key(*name));
        is_forwarded && !(self.lists(peer.to_canonical()) && headers.contains_key(FORWARDED_FOR))
    }

    /// The client behind the proxies. The header is read from its end, where the nearest proxy appended: the first
    /// address that is not a trusted proxy's is the client's; the client itself may have sent everything before it.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let lines: Vec<_> = headers.get_all(FORWARDED_FOR).map(HeaderValue::as_bytes).collect();
        let hops = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
        for hop in hops {
            if !self.lists(client) {
                break;
            }
            // An entry that is not an address is ignored: the proxy itself is the last reliable address.
            let Some(address) = parse_hop(hop) else { break };
            client = address;
        }
        client
    }
}

/// Parses an address as proxies write it: optionally with a port, with IPv6 then in brackets.
fn parse_hop(hop: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(hop).ok()?.trim();
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => match text.split_once(':') {
            Some((address, port)) if !port.contains(':') => address,
            _ => text,
        },
    };
    bare.parse().ok().map(|address: IpAddr| address.to_canonical())
}

/// The client's address; `None` only without a network connection, as in in-process tests.
pub(crate) fn client_ip(request: &HttpRequest, proxies: &TrustedProxies) -> Option<IpAddr> {
    request.peer_addr().map(|peer| proxies.client(peer.ip(), request.headers()))
}

/// Whether a proxy forwarded the request without a client address that can be used: the proxy is not trusted, or does not
/// send `X-Forwarded-For`.
pub(crate) fn is_behind_unlisted_proxy(request: &HttpRequest, proxies: &TrustedProxies) -> bool {
    request.peer_addr().is_some_and(|peer| proxies.hides_client(peer.ip(), request.headers()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, proxies: &[&str], headers: &[&str]) -> String {
        let mut map = HeaderMap::new();
        for value in headers {
            map.append(FORWARDED_FOR, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let proxies = TrustedProxies::parse(proxies.iter().copied()).unwrap();
        proxies.client(peer.parse().unwrap(), &map).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_honoured() {
        for (peer, proxies, headers, expected) in [
            ("192.0.2.9", &[][..], &["198.51.100.1"][..], "192.0.2.9"),
            ("192.0.2.9", &["10.0.0.0/8"], &["198.51.100.1"], "192.0.2.9"),
            ("10.1.2.3", &["10.0.0.0/8"], &["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", &["10.0.0.0/8"], &[], "10.1.2.3"),
            // The client's claim comes before the proxy's entry.
            ("10.1.2.3", &["10.0.0.0/8"], &["127.0.0.1, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", &["10.0.0.0/8"], &["127.0.0.1", "198.51.100.1"], "198.51.100.1"),
            // Two proxies, one behind the other.
            ("10.1.2.3", &["10.0.0.0/8", "192.0.2.7"], &["1.1.1.1, 198.51.100.1, 192.0.2.7"], "198.51.100.1"),
            // Every address is a proxy's: the outermost one is used.
            ("10.1.2.3", &["10.0.0.0/8"], &["10.9.9.9, 10.8.8.8"], "10.9.9.9"),
            ("10.1.2.3", &["10.0.0.0/8"], &["198.51.100.1, nonsense"], "10.1.2.3"),
            ("10.1.2.3", &["10.0.0.0/8"], &[""], "10.1.2.3"),
            ("10.1.2.3", &["10.0.0.0/8"], &["198.51.100.1:4711"], "198.51.100.1"),
            ("::ffff:10.1.2.3", &["10.0.0.0/8"], &["[2001:db8::1]:4711"], "2001:db8::1"),
            ("::1", &["::1"], &["2001:db8::1"], "2001:db8::1"),
            ("10.1.2.3", &["::ffff:10.1.2.3"], &["::ffff:198.51.100.1"], "198.51.100.1"),
        ] {
            assert_eq!(client(peer, proxies, headers), expected, "{peer} {proxies:?} {headers:?}");
        }
    }

    #[test]
    fn a_proxy_that_is_not_trusted_hides_the_client() {
        let proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
        for (peer, header, hides) in [
            ("127.0.0.1", None, false),
            ("127.0.0.1", Some("user-agent"), false),
            ("127.0.0.1", Some("x-forwarded-for"), false),
            ("::ffff:127.0.0.1", Some("x-forwarded-for"), false),
            // The proxy is trusted, but sends a header that is not read.
            ("127.0.0.1", Some("forwarded"), true),
            ("127.0.0.1", Some("x-real-ip"), true),
            ("::1", None, false),
            ("::1", Some("x-forwarded-for"), true),
            ("::1", Some("forwarded"), true),
            ("::1", Some("via"), true),
        ] {
            let mut map = HeaderMap::new();
            if let Some(header) = header {
                map.insert(HeaderName::from_static(header), HeaderValue::from_static("203.0.113.7"));
            }
            assert_eq!(proxies.hides_client(peer.parse().unwrap(), &map), hides, "{peer} {header:?}");
        }
    }

    #[test]
    fn an_invalid_proxy_is_named() {
        for bad in ["", "10.0.0.0/33", "proxy.example.com", "10.0.0"] {
            assert_eq!(TrustedProxies::parse([bad]), Err(InvalidProxy(bad.to_owned())));
        }
    }
}
