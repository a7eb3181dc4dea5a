//! Verification of webhook requests.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use crate::log::DeliveryOf;
use crate::types::WebhookDelivery;

const TOLERANCE: Duration = Duration::from_mins(5);

/// A webhook request that is not from the service, or too old. Respond with 400.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebhookVerificationError(String);

fn refused<T>(message: &str) -> Result<T, WebhookVerificationError> {
    Err(WebhookVerificationError(message.to_owned()))
}

/// Verifies a webhook request, and returns its body.
///
/// Pass the raw body, before parsing, the headers, such as the `&HeaderMap` of a web framework or a map of strings, and the
/// secret as the service showed it. If there are several secrets, any may have signed. Either the service's own signature or the
/// Standard Webhooks signature must match. The timestamp may differ from the clock by five minutes.
///
/// Deliveries can arrive more than once: deduplicate by `id`.
pub fn verify_webhook<N: AsRef<str>, V: AsRef<[u8]>>(
    body: &[u8],
    headers: impl IntoIterator<Item = (N, V)>,
    secrets: &[&str],
) -> Result<WebhookDelivery, WebhookVerificationError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Verifier { tolerance: TOLERANCE, now: now.as_secs() }.verify(body, headers, secrets)
}

/// Verification with your own clock and tolerance.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// How far the timestamp may be from the clock.
    pub tolerance: Duration,
    /// The clock, in seconds since 1970.
    pub now: u64,
}

impl Verifier {
    /// Like [`verify_webhook`].
    pub fn verify<N: AsRef<str>, V: AsRef<[u8]>>(
        &self,
        body: &[u8],
        headers: impl IntoIterator<Item = (N, V)>,
        secrets: &[&str],
    ) -> Result<WebhookDelivery, WebhookVerificationError> {
        let signed = SignatureHeaders::read(headers)?;
        let secrets: Vec<_> = secrets.iter().filter(|secret| !secret.is_empty()).collect();
        if secrets.is_empty() {
            return refused("no secret to verify with");
        }
        let mut matches = false;
        for secret in secrets {
            matches |= signed.matches(secret, body);
        }
        if !matches {
            return refused("no signature matches: it is another secret, or the body was changed on the way");
        }
        let digits = signed.timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let timestamp = signed.timestamp.parse::<u64>().ok().filter(|_| digits && signed.timestamp.len() <= 12);
        if timestamp.is_none_or(|timestamp| self.now.abs_diff(timestamp) > self.tolerance.as_secs()) {
            return refused("the timestamp is too far from now: an old request, or a wrong clock");
        }
        let delivery: Result<DeliveryOf<serde_json::Value>, _> = serde_json::from_slice(body);
        delivery.map(WebhookDelivery::from).map_err(|error| WebhookVerificationError(format!("no delivery: {error}")))
    }
}

/// The signature headers of a request.
struct SignatureHeaders {
    timestamp: String,
    /// The signed prefix of the body.
    prefix: String,
    signatures: Vec<Vec<u8>>,
    is_standard: bool,
}

impl SignatureHeaders {
    fn read<N: AsRef<str>, V: AsRef<[u8]>>(
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, WebhookVerificationError> {
        let text = |value: V| String::from_utf8_lossy(value.as_ref()).into_owned();
        let mut headers: HashMap<_, _> =
            headers.into_iter().map(|(name, value)| (name.as_ref().to_ascii_lowercase(), text(value))).collect();
        let mut header = |name: &str| headers.remove(name);
        if let Some(own) = header("x-service-signature") {
            let timestamp = header("x-service-timestamp").unwrap_or_default();
            let next = header("x-service-signature-next").unwrap_or_default();
            let signatures = std::iter::once(own.as_str()).chain(next.split(','));
            let signatures = signatures.filter_map(|one| from_hex(one.trim().strip_prefix("sha256=")?)).collect();
            let prefix = format!("{timestamp}.");
            return Ok(Self { timestamp, prefix, signatures, is_standard: false });
        }
        let Some(standard) = header("webhook-signature") else {
            return refused("no signature: the headers X-Service-Signature and webhook-signature are missing");
        };
        let (id, timestamp) =
            (header("webhook-id").unwrap_or_default(), header("webhook-timestamp").unwrap_or_default());
        let signatures = standard.split(' ').filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok()).collect();
        let prefix = format!("{id}.{timestamp}.");
        Ok(Self { timestamp, prefix, signatures, is_standard: true })
    }

    /// Whether one of the signatures was made with this secret. Comparisons take constant time.
    fn matches(&self, secret: &str, body: &[u8]) -> bool {
        let key = if self.is_standard {
            match STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret)) {
                Ok(key) => key,
                // Not a webhook secret, so it signed nothing; another secret may have.
                Err(_) => return false,
            }
        } else {
            secret.as_bytes().to_vec()
        };
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let message = [self.prefix.as_bytes(), body].concat();
        self.signatures.iter().any(|signature| hmac::verify(&key, &message, signature).is_ok())
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let is_lower_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !is_lower_hex || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|index| u8::from_str_radix(&text[index..index + 2], 16).ok()).collect()
}
