//! Origins of web pages in the form that browsers send.

use std::net::{Ipv4Addr, Ipv6Addr};

use serde_json::Value as Json;

use crate::kernel::input::{Items, Problems, Read, Value};

const MAX_ORIGINS: usize = 50;
const MAX_LENGTH: usize = 255;

/// A list of origins such as `https://help.example.com`, in lower case and without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(Vec<String>);

impl From<Origins> for Vec<String> {
    fn from(value: Origins) -> Self {
        value.0
    }
}

impl Value for Origins {
    fn schema() -> Json {
        Items::<MAX_ORIGINS, MAX_LENGTH>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let parse = |item: &str| is_origin(item).then(|| item.to_owned());
        let message = "must be a lowercase origin, such as https://help.example.com";
        Items::<MAX_ORIGINS, MAX_LENGTH>::read_each(json, at, problems, parse, ("invalid_origin", message)).map(Self)
    }
}

/// Scheme, host and optional port in the form that a browser sends: no path, no default port.
fn is_origin(text: &str) -> bool {
    let (rest, default_port) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, "443"),
        (_, Some(rest)) => (rest, "80"),
        (None, None) => return false,
    };
    let end_of_host = if rest.starts_with('[') { rest.find(']').map(|end| end + 1) } else { rest.find(':') };
    let (host, port) = rest.split_at(end_of_host.unwrap_or(rest.len()));
    is_host(host) && (port.is_empty() || port.strip_prefix(':').is_some_and(|port| is_port(port, default_port)))
}

fn is_port(port: &str, default_port: &str) -> bool {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
    is_number && port != default_port && port.parse::<u16>().is_ok()
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        // Browsers send IPv6 addresses in their shortest form.
        return address.parse::<Ipv6Addr>().is_ok_and(|parsed| parsed.to_string() == address);
    }
    let is_label = |label: &str| {
        let is_plain = label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        is_plain && !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
    host.split('.').all(is_label) && (!is_number || host.parse::<Ipv4Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_match_what_browsers_send() {
        for (text, good) in [
            ("https://help.example.com", true),
            ("http://localhost:3000", true),
            ("https://127.0.0.1", true),
            ("http://[::1]:3000", true),
            ("https://[2001:db8::1]", true),
            ("https://help.example.com:8443", true),
            ("http://help.example.com:443", true),
            ("https://help.example.com:443", false),
            ("http://help.example.com:80", false),
            ("http://help.example.com:080", false),
            ("http://999.1.1.1", false),
            ("http://[::0:1]", false),
            ("http://[::1", false),
            ("http://[]:1", false),
            ("https://help.example.com/", false),
            ("https://Help.example.com", false),
            ("https://help.example.com:0", false),
            ("https://help.example.com:70000", false),
            ("https://help.example.com:", false),
            ("https://.example.com", false),
            ("https://-a.example.com", false),
            ("https://", false),
            ("ftp://example.com", false),
            ("https://a b", false),
            ("https://u@example.com", false),
            ("*", false),
            ("null", false),
        ] {
            assert_eq!(is_origin(text), good, "{text}");
        }
    }
}
