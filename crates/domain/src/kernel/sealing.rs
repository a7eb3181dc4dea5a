//! Encryption of secrets at rest with the service's master keys.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest;
use uuid::Uuid;

use super::StoreError;
use crate::{EmailId, EmailPartId, SubscriptionId, UserId, WorkspaceId};

const KEY_LENGTH: usize = 32;

/// A source of cryptographically secure randomness.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// Implements `Debug` for secrets, by their type alone.
macro_rules! hidden_debug {
    ($($name:ident),+) => { $(
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )+ };
}
pub(crate) use hidden_debug;

/// The place where a sealed secret is stored. The seal authenticates it, so a secret that is copied to another row, column or
/// workspace does not open there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedPlace {
    /// A secret of a webhook subscription.
    WebhookSecret(WorkspaceId, SubscriptionId),
    /// The custom headers of a webhook subscription.
    WebhookHeaders(WorkspaceId, SubscriptionId),
    /// The body of a queued e-mail.
    EmailBody(WorkspaceId, EmailId),
    /// The secret of a user's second factor.
    SecondFactor(UserId),
    /// A text in a queued e-mail.
    EmailPart(WorkspaceId, EmailPartId),
}

impl SealedPlace {
    /// The associated data: different for any two places.
    fn context(self) -> Vec<u8> {
        let in_column = |name: &[u8], workspace: WorkspaceId, id: Uuid| {
            [name, workspace.0.as_bytes().as_slice(), id.as_bytes().as_slice()].concat()
        };
        match self {
            Self::WebhookSecret(workspace, id) => in_column(b"webhook_subscriptions.secret", workspace, id.0),
            Self::WebhookHeaders(workspace, id) => in_column(b"webhook_subscriptions.headers", workspace, id.0),
            Self::SecondFactor(user) => [b"second_factors.secret", user.0.as_bytes().as_slice()].concat(),
            Self::EmailPart(workspace, id) => in_column(b"mail_parts.body", workspace, id.0),
            Self::EmailBody(workspace, id) => [workspace.0.as_bytes(), b"mail".as_slice(), id.0.as_bytes()].concat(),
        }
    }

    /// The associated data of former releases, which stored secrets may still have.
    fn former_context(self) -> Option<Vec<u8>> {
        match self {
            Self::WebhookSecret(workspace, _) => Some(workspace.0.as_bytes().to_vec()),
            Self::WebhookHeaders(..) | Self::EmailBody(..) | Self::EmailPart(..) | Self::SecondFactor(_) => None,
        }
    }
}

/// A stored secret. It opens only with the master key that sealed it, and only in its own place.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret {
    /// Id of the master key that sealed it.
    pub key_id: String,
    /// Nonce, ciphertext and tag, concatenated.
    pub sealed: Vec<u8>,
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SealedSecret").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

/// `Debug` does not show the key.
struct MasterKey {
    id: String,
    key: LessSafeKey,
}

/// The service's master keys: the first seals, all open.
pub struct MasterKeys(Vec<MasterKey>);

impl fmt::Debug for MasterKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a master key must be 32 bytes in base64; separate several keys with commas, the current one first")]
pub struct InvalidMasterKey;

/// A stored secret was sealed with a master key that is not configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the database has secrets that were sealed with the master key {0}, which is not configured: add it to \
     SERVICE_MASTER_KEY (or to `master-key` in the data folder) after the current one, separated by a comma"
)]
pub struct MissingMasterKeys(String);

impl MasterKeys {
    /// Parses comma-separated base-64 keys: the current key first, previous keys after it.
    ///
    /// # Errors
    /// [`InvalidMasterKey`], which does not repeat the text.
    pub fn parse(text: &str) -> Result<Self, InvalidMasterKey> {
        let parse = |part: &str| {
            let bytes = STANDARD.decode(part.trim()).map_err(|_| InvalidMasterKey)?;
            if bytes.len() != KEY_LENGTH {
                return Err(InvalidMasterKey);
            }
            let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| InvalidMasterKey)?;
            // A hash prefix identifies a random key without revealing it.
            let digest = digest::digest(&digest::SHA256, &bytes);
            let id = hex::encode(&digest.as_ref()[..6]);
            Ok(MasterKey { id, key: LessSafeKey::new(key) })
        };
        text.split(',').map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// The ids of the keys, current key first. Every sealed secret has the id of its key.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| key.id.as_str())
    }

    /// Checks that the keys open all stored secrets; `sealed` are the ids of the keys that sealed them.
    ///
    /// # Errors
    /// [`MissingMasterKeys`] with the ids of the keys that are not configured.
    pub fn ensure_open(&self, sealed: &[String]) -> Result<(), MissingMasterKeys> {
        let is_missing = |wanted: &&str| self.ids().all(|known| known != *wanted);
        let missing: Vec<&str> = sealed.iter().map(String::as_str).filter(is_missing).collect();
        if missing.is_empty() { Ok(()) } else { Err(MissingMasterKeys(missing.join(", "))) }
    }

    /// For processes that neither seal nor open secrets.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Generates a key in base 64.
    pub fn generate(random: &dyn Random) -> String {
        let mut bytes = [0; KEY_LENGTH];
        random.fill(&mut bytes);
        STANDARD.encode(bytes)
    }

    /// Seals a text with the current key, for this place only.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(&self, place: SealedPlace, text: &str, random: &dyn Random) -> Result<SealedSecret, StoreError> {
        self.seal_in(&place.context(), text, random)
    }

    fn seal_in(&self, context: &[u8], text: &str, random: &dyn Random) -> Result<SealedSecret, StoreError> {
        let fault = || StoreError::Internal("cannot seal a secret".to_owned());
        let master = self.0.first().ok_or_else(fault)?;
        // Random nonces of 96 bits are safe for billions of secrets.
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce);
        let mut encrypted = text.as_bytes().to_vec();
        let nonce_of = Nonce::assume_unique_for_key(nonce);
        master.key.seal_in_place_append_tag(nonce_of, Aad::from(context), &mut encrypted).map_err(|_| fault())?;
        Ok(SealedSecret { key_id: master.id.clone(), sealed: [&nonce[..], &encrypted].concat() })
    }

    /// Opens a text that was sealed for this place. This includes texts of former releases, which did not bind them to the row.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for another place, an unknown master key or a modified text.
    pub fn open(&self, place: SealedPlace, sealed: &SealedSecret) -> Result<String, StoreError> {
        self.open_in(&place.context(), sealed).or_else(|error| match place.former_context() {
            Some(former) => self.open_in(&former, sealed),
            None => Err(error),
        })
    }

    /// Reseals a stored text that a former key or release sealed. `None` if it is up to date, or if no configured key opens it.
    pub fn renew(&self, place: SealedPlace, sealed: &SealedSecret, random: &dyn Random) -> Option<SealedSecret> {
        let is_current_key = self.0.first().is_some_and(|master| master.id == sealed.key_id);
        if is_current_key && self.open_in(&place.context(), sealed).is_ok() {
            return None;
        }
        self.open(place, sealed).and_then(|text| self.seal(place, &text, random)).ok()
    }

    fn open_in(&self, context: &[u8], sealed: &SealedSecret) -> Result<String, StoreError> {
        let fault = |why: &str| StoreError::Internal(format!("cannot open a sealed secret: {why}"));
        let master = self.0.iter().find(|key| key.id == sealed.key_id);
        let master = master.ok_or_else(|| fault(&format!("the master key {} is not configured", sealed.key_id)))?;
        let (nonce, encrypted) = sealed.sealed.split_at_checked(NONCE_LEN).ok_or_else(|| fault("it is too short"))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| fault("it has no nonce"))?;
        let mut encrypted = encrypted.to_vec();
        let opened = master.key.open_in_place(nonce, Aad::from(context), &mut encrypted);
        let opened = opened.map_err(|_| fault("it was modified, or belongs to another row"))?;
        String::from_utf8(opened.to_vec()).map_err(|_| fault("it is not UTF-8"))
    }

    /// Seals a text as former releases did.
    ///
    /// # Errors
    /// Like [`MasterKeys::seal`].
    #[cfg(any(test, feature = "testing"))]
    pub fn seal_as_formerly(
        &self,
        place: SealedPlace,
        text: &str,
        random: &dyn Random,
    ) -> Result<SealedSecret, StoreError> {
        self.seal_in(&place.former_context().unwrap_or_else(|| place.context()), text, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;

    const fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn places() -> Vec<SealedPlace> {
        let ids = [(1, 1), (1, 2), (2, 1)];
        ids.into_iter()
            .flat_map(|(workspace, row)| {
                let workspace = WorkspaceId(id(workspace));
                [
                    SealedPlace::WebhookSecret(workspace, SubscriptionId(id(row))),
                    SealedPlace::WebhookHeaders(workspace, SubscriptionId(id(row))),
                    SealedPlace::EmailBody(workspace, EmailId(id(row))),
                ]
            })
            .chain([1, 2].map(|user| SealedPlace::SecondFactor(UserId(id(user)))))
            .collect()
    }

    #[test]
    fn a_secret_opens_in_its_own_place_only() {
        let (keys, random) = (crate::testing::master_keys(), SequenceRandom::default());
        for place in places() {
            let sealed = keys.seal(place, "secret", &random).unwrap();
            for other in places() {
                assert_eq!(keys.open(other, &sealed).is_ok(), other == place, "{place:?} {other:?}");
            }
            assert_eq!(keys.open(place, &sealed).unwrap(), "secret");
            assert!(keys.renew(place, &sealed, &random).is_none(), "it is current");
        }
    }

    #[test]
    fn secrets_of_former_releases_open_and_are_bound_to_their_row_when_renewed() {
        let (keys, random) = (crate::testing::master_keys(), SequenceRandom::default());
        for place in places().into_iter().filter(|place| place.former_context().is_some()) {
            let former = keys.seal_as_formerly(place, "secret", &random).unwrap();
            assert_eq!(keys.open(place, &former).unwrap(), "secret", "{place:?}");
            let renewed = keys.renew(place, &former, &random).unwrap();
            assert!(keys.renew(place, &renewed, &random).is_none(), "{place:?}");
            for other in places() {
                assert_eq!(keys.open(other, &renewed).is_ok(), other == place, "{place:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_secret_under_a_former_key_is_renewed_under_the_current_one() {
        let random = SequenceRandom::default();
        let (first, second) = (MasterKeys::generate(&random), MasterKeys::generate(&random));
        let old = MasterKeys::parse(&first).unwrap();
        let (both, new) =
            (MasterKeys::parse(&format!("{second},{first}")).unwrap(), MasterKeys::parse(&second).unwrap());
        let place = places()[0];
        let sealed = old.seal(place, "secret", &random).unwrap();
        assert!(new.renew(place, &sealed, &random).is_none(), "no configured key opens it");
        let renewed = both.renew(place, &sealed, &random).unwrap();
        assert_eq!(new.open(place, &renewed).unwrap(), "secret");
    }
}
