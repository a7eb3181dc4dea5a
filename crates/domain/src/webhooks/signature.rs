//! Signatures of a delivery: the service's own and the Standard Webhooks one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use super::PlainSecret;

/// The service's own signature: over the timestamp, a period and the exact body, keyed with the text of the secret.
pub fn sign(secret: &PlainSecret, timestamp: i64, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.reveal().as_bytes());
    let mut context = hmac::Context::with_key(&key);
    context.update(timestamp.to_string().as_bytes());
    context.update(b".");
    context.update(body);
    format!("sha256={}", hex::encode(context.sign().as_ref()))
}

/// A Standard Webhooks signature: over the id, the timestamp and the body, keyed with the decoded secret.
pub fn sign_standard(secret: &PlainSecret, id: &str, timestamp: i64, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.bytes());
    let mut context = hmac::Context::with_key(&key);
    context.update(format!("{id}.{timestamp}.").as_bytes());
    context.update(body);
    format!("v1,{}", STANDARD.encode(context.sign().as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector that the specification publishes.
    #[test]
    fn the_published_vector_matches() {
        let secret = PlainSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            sign_standard(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_signature_matches_the_documented_digest() {
        let secret = PlainSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = sign(&secret, 1_614_265_330, br#"{"test": 2432232314}"#);
        // printf '1614265330.{"test": 2432232314}' | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
        assert_eq!(signature, "sha256=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964");
        assert_ne!(signature, sign(&secret, 1_614_265_331, br#"{"test": 2432232314}"#));
    }
}
