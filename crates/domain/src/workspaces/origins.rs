//! Origins of web pages, as browsers send them.

use serde_json::Value as Json;

use crate::input::{Items, Problems, Read, Value};

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
    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let items = match Items::<MAX_ORIGINS, MAX_LENGTH>::read(json, at, problems) {
            Read::Value(items) => Vec::<String>::from(items),
            Read::Empty => return Read::Empty,
            Read::Invalid => return Read::Invalid,
        };
        let mut good = true;
        for (index, item) in items.iter().enumerate() {
            if !is_origin(item) {
                let message = "must be an origin in lower case, such as https://help.example.com";
                problems.rule(format!("{at}[{index}]"), "invalid_origin", message);
                good = false;
            }
        }
        if good { Read::Value(Self(items)) } else { Read::Invalid }
    }
}

/// Scheme, host and perhaps a port: what comes after, a browser does not send.
fn is_origin(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
        return false;
    };
    let (host, port) = rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
    let host_is_good = !host.is_empty()
        && host.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && host.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte));
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let port_is_good = port.is_none_or(|port| digits(port) && port.parse::<u16>().is_ok_and(|number| number > 0));
    host_is_good && port_is_good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        for (text, good) in [
            ("https://help.example.com", true),
            ("http://localhost:3000", true),
            ("https://127.0.0.1", true),
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
