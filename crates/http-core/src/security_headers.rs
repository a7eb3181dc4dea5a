//! The headers that tell browsers what they may do with a response: one table.

use actix_web::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, CROSS_ORIGIN_OPENER_POLICY, CROSS_ORIGIN_RESOURCE_POLICY, HeaderMap,
    HeaderName, HeaderValue, PERMISSIONS_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};

/// If the public URL is `https`, browsers use only `https` for a year. Subdomains are excluded: they may not be ours.
const ONE_YEAR: &str = "max-age=31536000";

/// Which responses get a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppliesTo {
    All,
    /// Everything that is not a page, such as JSON.
    Data,
    /// HTML.
    Page,
    /// If the public URL is `https`.
    Https,
}

/// A page may set its own `Content-Security-Policy`, which allows its script and style; otherwise it can load nothing.
/// Nothing may be framed: the widget calls the API and is not a page of the service.
static TABLE: [(AppliesTo, HeaderName, &str); 8] = [
    (AppliesTo::All, X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Pages have one-time tokens in their address.
    (AppliesTo::All, REFERRER_POLICY, "no-referrer"),
    (AppliesTo::All, CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    // This does not affect pages with the widget: they use CORS.
    (AppliesTo::Data, CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (AppliesTo::Page, X_FRAME_OPTIONS, "DENY"),
    (AppliesTo::Page, CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
    (
        AppliesTo::Page,
        PERMISSIONS_POLICY,
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (AppliesTo::Https, STRICT_TRANSPORT_SECURITY, ONE_YEAR),
];

/// Adds the headers of the table that a response has not set itself.
pub(crate) fn write(headers: &mut HeaderMap, is_https: bool) {
    let is_page = headers.get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    for (scope, name, value) in &TABLE {
        let applies = match scope {
            AppliesTo::All => true,
            AppliesTo::Data => !is_page,
            AppliesTo::Page => is_page,
            AppliesTo::Https => is_https,
        };
        if applies && !headers.contains_key(name) {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_names(content_type: &'static str, is_https: bool, policy: Option<&'static str>) -> Vec<String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        if let Some(policy) = policy {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        }
        write(&mut headers, is_https);
        let mut names: Vec<_> = headers.keys().map(ToString::to_string).filter(|name| name != "content-type").collect();
        names.sort();
        names
    }

    #[test]
    fn pages_and_data_get_different_headers_and_only_https_is_strict() {
        let common = ["content-security-policy", "referrer-policy", "x-content-type-options"];
        let data = header_names("application/json", false, None);
        assert!(common.iter().all(|name| data.contains(&(*name).to_owned())), "{data:?}");
        assert_eq!(data.len(), 4, "{data:?}");
        let page = header_names("text/html; charset=utf-8", true, None);
        for name in ["x-frame-options", "cross-origin-opener-policy", "permissions-policy", "strict-transport-security"]
        {
            assert!(page.contains(&name.to_owned()), "{name} of {page:?}");
        }
    }

    #[test]
    fn a_page_keeps_its_own_policy() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'self'"));
        write(&mut headers, false);
        assert_eq!(headers.get(CONTENT_SECURITY_POLICY).unwrap(), "default-src 'self'");
        assert_eq!(header_names("text/html", false, Some("x")).len(), 6);
    }
}
