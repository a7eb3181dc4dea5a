//! Subscription secrets: shown once, and encrypted at rest with the service's master key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

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

impl fmt::Debug for PlainSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PlainSecret(…)")
    }
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
        let place = |workspace, id| (WorkspaceId(Uuid::from_u128(workspace)), SubscriptionId(Uuid::from_u128(id)));
        let (mine, second_of_mine, theirs) = (place(1, 3), place(1, 4), place(2, 3));
        let secret = PlainSecret::generate(&random);
        let sealed = secret.seal(&old, mine, &random).unwrap();
        assert!(!sealed.sealed.windows(8).any(|part| secret.reveal().as_bytes().starts_with(part)));
        assert_eq!(PlainSecret::open(&old, mine, &sealed).unwrap(), secret);
        assert_eq!(PlainSecret::open(&new, mine, &sealed).unwrap(), secret, "a previous key still decrypts");
        assert_ne!(secret.seal(&new, mine, &random).unwrap().key_id, sealed.key_id);
        assert!(PlainSecret::open(&old, theirs, &sealed).is_err());
        assert!(PlainSecret::open(&old, second_of_mine, &sealed).is_err());
        assert!(PlainSecret::open(&MasterKeys::parse(&second).unwrap(), mine, &sealed).is_err());
        for place in 0..sealed.sealed.len() {
            let mut changed = sealed.clone();
            changed.sealed[place] ^= 1;
            assert!(PlainSecret::open(&old, mine, &changed).is_err(), "{place}");
        }
        assert!(PlainSecret::open(&old, mine, &SealedSecret { sealed: vec![0; 5], ..sealed }).is_err());
    }

    #[test]
    fn debug_reveals_nothing() {
        let random = SequenceRandom::default();
        let text = MasterKeys::generate(&random);
        let (keys, secret) = (MasterKeys::parse(&text).unwrap(), PlainSecret::generate(&random));
        let shown = format!("{keys:?} {secret:?}");
        assert!(!shown.contains(&text) && !shown.contains(&secret.reveal()[6..]));
        for bad in ["", "x", "AAAA", &text[..40], &format!("{text},")] {
            assert_eq!(MasterKeys::parse(bad).err(), Some(InvalidMasterKey), "{bad}");
        }
    }
}
