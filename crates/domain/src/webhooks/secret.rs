//! Subscription secrets: shown once, and encrypted at rest with the service's master key. They sign deliveries.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use crate::kernel::hidden_debug;
use crate::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use crate::ports::{Random, StoreError};
use crate::{SubscriptionId, WorkspaceId};

const PREFIX: &str = "whsec_";
const LENGTH: usize = 32;

/// A secret as receivers have it: `whsec_` and base 64. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainSecret {
    text: String,
    bytes: Vec<u8>,
}

impl PlainSecret {
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = vec![0; LENGTH];
        random.fill(&mut bytes);
        Self { text: format!("{PREFIX}{}", STANDARD.encode(&bytes)), bytes }
    }

    /// Parses the text form.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        Some(Self { text: text.to_owned(), bytes })
    }

    /// The text, which is shown once. It is the key of the service's own signature.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The decoded bytes, which are the key of the Standard Webhooks signature.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Seals the secret for a subscription.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(
        &self,
        keys: &MasterKeys,
        (workspace, id): (WorkspaceId, SubscriptionId),
        random: &dyn Random,
    ) -> Result<SealedSecret, StoreError> {
        keys.seal(SealedPlace::WebhookSecret(workspace, id), &self.text, random)
    }

    /// Decrypts a sealed secret of a subscription.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for a secret of another subscription, a missing key, or tampered data.
    pub fn open(
        keys: &MasterKeys,
        (workspace, id): (WorkspaceId, SubscriptionId),
        sealed: &SealedSecret,
    ) -> Result<Self, StoreError> {
        let text = keys.open(SealedPlace::WebhookSecret(workspace, id), sealed)?;
        Self::parse(&text).ok_or_else(|| StoreError::Internal("a decrypted webhook secret is malformed".to_owned()))
    }
}

hidden_debug!(PlainSecret);

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
    use crate::kernel::sealing::InvalidMasterKey;
    use crate::testing::SequenceRandom;
    use uuid::Uuid;

    #[test]
    fn a_secret_decrypts_only_with_its_key_and_subscription() {
        let random = SequenceRandom::default();
        let (first, second) = (MasterKeys::generate(&random), MasterKeys::generate(&random));
        let (old, new) =
            (MasterKeys::parse(&first).unwrap(), MasterKeys::parse(&format!("{second}, {first}")).unwrap());
        let ids = |workspace, id| (WorkspaceId(Uuid::from_u128(workspace)), SubscriptionId(Uuid::from_u128(id)));
        let (own, same_workspace, other_workspace) = (ids(1, 3), ids(1, 4), ids(2, 3));
        let secret = PlainSecret::generate(&random);
        let sealed = secret.seal(&old, own, &random).unwrap();
        assert!(!sealed.sealed.windows(8).any(|part| secret.reveal().as_bytes().starts_with(part)));
        assert_eq!(PlainSecret::open(&old, own, &sealed).unwrap(), secret);
        assert_eq!(PlainSecret::open(&new, own, &sealed).unwrap(), secret, "a previous key still decrypts");
        assert_ne!(secret.seal(&new, own, &random).unwrap().key_id, sealed.key_id);
        assert!(PlainSecret::open(&old, other_workspace, &sealed).is_err());
        assert!(PlainSecret::open(&old, same_workspace, &sealed).is_err());
        assert!(PlainSecret::open(&MasterKeys::parse(&second).unwrap(), own, &sealed).is_err());
        for index in 0..sealed.sealed.len() {
            let mut changed = sealed.clone();
            changed.sealed[index] ^= 1;
            assert!(PlainSecret::open(&old, own, &changed).is_err(), "{index}");
        }
        assert!(PlainSecret::open(&old, own, &SealedSecret { sealed: vec![0; 5], ..sealed }).is_err());
    }

    #[test]
    fn debug_reveals_nothing() {
        let random = SequenceRandom::default();
        let text = MasterKeys::generate(&random);
        let (keys, secret) = (MasterKeys::parse(&text).unwrap(), PlainSecret::generate(&random));
        let printed = format!("{keys:?} {secret:?}");
        assert!(!printed.contains(&text) && !printed.contains(&secret.reveal()[6..]));
        for bad in ["", "x", "AAAA", &text[..40], &format!("{text},")] {
            assert_eq!(MasterKeys::parse(bad).err(), Some(InvalidMasterKey), "{bad}");
        }
    }

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
