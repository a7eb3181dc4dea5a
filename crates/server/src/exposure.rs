//! Warns about a service that other machines can reach without TLS.

use std::net::SocketAddr;

/// The consequences.
pub(crate) const RISK: &str =
    "passwords, keys and records cross the network in plain text, and the session cookie lacks Secure";
/// How to fix it.
pub(crate) const CURE: &str = "put a proxy with a certificate in front and set SERVICE_PUBLIC_URL to its https:// address, or \
                               set SERVICE_BIND to 127.0.0.1:8080";

/// Whether other machines can reach the address, and no https in front of it is configured.
pub(crate) fn is_exposed(bind: &str, public_url: &str) -> bool {
    let is_local = match bind.parse::<SocketAddr>() {
        Ok(address) => address.ip().to_canonical().is_loopback(),
        Err(_) => bind.rsplit_once(':').is_some_and(|(host, _)| host == "localhost"),
    };
    !is_local && !public_url.starts_with("https://")
}

/// The warning at startup. `has_demo` means that the demo workspace is served, too.
pub(crate) fn warning(address: &str, has_demo: bool) -> String {
    let demo = if has_demo {
        ". The demo workspace is also reachable, and anyone can read its help centre at /kb/demo: to start without it, set \
         SERVICE_DEMO to false and use a new data folder"
    } else {
        ""
    };
    format!("other machines can reach {address} without https: {RISK}. To be safe, {CURE}{demo}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_others_reach_without_https_are_exposed() {
        for (bind, public_url, expected) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080", false),
            ("[::1]:8080", "http://[::1]:8080", false),
            ("[::ffff:127.0.0.1]:8080", "http://work.example.com", false),
            ("localhost:8080", "http://localhost:8080", false),
            ("0.0.0.0:8080", "https://work.example.com", false),
            ("0.0.0.0:8080", "http://0.0.0.0:8080", true),
            ("0.0.0.0:8080", "http://localhost:8080", true),
            ("[::]:8080", "http://work.example.com", true),
            ("192.0.2.7:8080", "http://192.0.2.7:8080", true),
            ("work.example.com:8080", "http://work.example.com", true),
        ] {
            assert_eq!(is_exposed(bind, public_url), expected, "{bind} {public_url}");
        }
    }
}
