//! Validation of webhook targets (interface 16.26, 16.27).

use std::net::IpAddr;

use url::{Host, Url};

use super::global_address::is_global;

/// Maximum length of a target, in characters.
const MAX_LENGTH: usize = 2_000;

/// What the operator's configuration allows in addition to the safe default.
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
    /// An address that is not global, or a host name that stands for one.
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
        let is_allowed_scheme = scheme == "https" || (scheme == "http" && self.allows_http);
        if !is_allowed_scheme {
            return Err(InvalidTarget::NotHttps);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(InvalidTarget::UserInfo);
        }
        let is_printable = url.chars().all(|character| character.is_ascii_graphic() && character != '\\');
        if url.chars().count() > MAX_LENGTH || !is_printable || url.contains('#') {
            return Err(InvalidTarget::NoUrl);
        }
        let parsed = Url::parse(url).map_err(|_| InvalidTarget::NoUrl)?;
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
        // Check the host as the HTTP client will parse it, which decodes `%` escapes such as `127%2e1`.
        let is_special = literal.map_or(is_local_name, |address| !is_global(address)) || is_special_host(&parsed);
        if is_special && !self.allows_private_networks { Err(InvalidTarget::SpecialAddress) } else { Ok(()) }
    }

    /// Whether requests may go to an address, resolved or literal.
    pub fn allows(self, address: IpAddr) -> bool {
        self.allows_private_networks || is_global(address)
    }
}

/// Whether the parsed host is the local machine or an address that is not global.
fn is_special_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_global(address.into()),
        Some(Host::Ipv6(address)) => !is_global(address.into()),
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        None => true,
    }
}

/// The host of an authority, without its port; an IPv6 address keeps its brackets.
fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_https_urls_with_global_hosts() {
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
            ("https://127%2e", Some(InvalidTarget::SpecialAddress)),
            ("https://%31%30.0.0.1/", Some(InvalidTarget::SpecialAddress)),
            ("https://localhos%74/", Some(InvalidTarget::SpecialAddress)),
            ("https://0x7f.0.0.0x1/", Some(InvalidTarget::SpecialAddress)),
            ("https://169.254.169.254/latest", Some(InvalidTarget::SpecialAddress)),
            ("https://168.63.129.16/", Some(InvalidTarget::SpecialAddress)),
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
