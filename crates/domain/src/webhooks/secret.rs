//! Secrets of subscriptions: shown once, and sealed at rest with the service's master key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest;

use super::signature::hex;
use crate::WorkspaceId;
use crate::ports::{Random, StoreError};

const PREFIX: &str = "whsec_";
const LENGTH: usize = 32;
const KEY_LENGTH: usize = 32;

/// A secret as receivers know it: `whsec_` and base 64. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainSecret {
    text: String,
    bytes: Vec<u8>,
}

impl PlainSecret {
    /// Makes a new secret.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = vec![0; LENGTH];
        random.fill(&mut bytes);
        Self { text: format!("{PREFIX}{}", STANDARD.encode(&bytes)), bytes }
    }

    /// Reads a secret as it is shown.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        Some(Self { text: text.to_owned(), bytes })
    }

    /// The text, for the one time that it is shown, and as the key of our own signature.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// What the text stands for: the key of the standard's signature.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for PlainSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PlainSecret(…)")
    }
}

/// A secret as it is stored: only the master key that it was sealed with opens it, and only in its own workspace.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret {
    /// Which master key.
    pub key_id: String,
    /// The nonce, the encrypted bytes and their tag.
    pub sealed: Vec<u8>,
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SealedSecret").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

/// A master key with its id. `Debug` does not show it.
struct MasterKey {
    id: String,
    key: LessSafeKey,
}

/// The service's master keys: the first seals, and all open.
pub struct MasterKeys(Vec<MasterKey>);

impl fmt::Debug for MasterKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
}

/// A text that holds no master key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a master key must be 32 bytes in base 64; several stand with commas between them, the one in use first")]
pub struct BadMasterKey;

impl MasterKeys {
    /// Reads keys in base 64 with commas between them, the one in use first and former ones after it.
    ///
    /// # Errors
    /// [`BadMasterKey`], which does not repeat the text.
    pub fn parse(text: &str) -> Result<Self, BadMasterKey> {
        let parse = |part: &str| {
            let bytes = STANDARD.decode(part.trim()).map_err(|_| BadMasterKey)?;
            if bytes.len() != KEY_LENGTH {
                return Err(BadMasterKey);
            }
            let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| BadMasterKey)?;
            // A hash of a random key tells nothing of it, and two keys apart.
            let digest = digest::digest(&digest::SHA256, &bytes);
            let id = hex(digest.as_ref().iter().take(6));
            Ok(MasterKey { id, key: LessSafeKey::new(key) })
        };
        text.split(',').map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// No key: for those who seal and open nothing.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// A new key as text.
    pub fn generate(random: &dyn Random) -> String {
        let mut bytes = [0; KEY_LENGTH];
        random.fill(&mut bytes);
        STANDARD.encode(bytes)
    }

    /// Seals a secret for a workspace.
    ///
    /// # Errors
    /// [`StoreError::Internal`], which no key that was read can lead to.
    pub fn seal(
        &self,
        workspace: WorkspaceId,
        secret: &PlainSecret,
        random: &dyn Random,
    ) -> Result<SealedSecret, StoreError> {
        self.seal_text(workspace.0.as_bytes(), &secret.text, random)
    }

    /// Opens a secret of a workspace.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for a secret of another workspace, of a key that is not there, or a changed one.
    pub fn open(&self, workspace: WorkspaceId, sealed: &SealedSecret) -> Result<PlainSecret, StoreError> {
        let text = self.open_text(workspace.0.as_bytes(), sealed)?;
        PlainSecret::parse(&text).ok_or_else(|| StoreError::Internal("a webhook secret has not its form".to_owned()))
    }

    /// Seals a text, to be opened in the same context alone.
    ///
    /// # Errors
    /// [`StoreError::Internal`], which no key that was read can lead to.
    pub fn seal_text(&self, context: &[u8], text: &str, random: &dyn Random) -> Result<SealedSecret, StoreError> {
        let fault = || StoreError::Internal("a secret could not be sealed".to_owned());
        let master = self.0.first().ok_or_else(fault)?;
        // Random nonces of 96 bits are safe for billions of secrets.
        let mut nonce = [0; NONCE_LEN];
        random.fill(&mut nonce);
        let mut encrypted = text.as_bytes().to_vec();
        let nonce_of = Nonce::assume_unique_for_key(nonce);
        master.key.seal_in_place_append_tag(nonce_of, Aad::from(context), &mut encrypted).map_err(|_| fault())?;
        Ok(SealedSecret { key_id: master.id.clone(), sealed: [&nonce[..], &encrypted].concat() })
    }

    /// Opens a text that was sealed in this context.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for another context, a key that is not there, or a changed text.
    pub fn open_text(&self, context: &[u8], sealed: &SealedSecret) -> Result<String, StoreError> {
        let fault = |why: &str| StoreError::Internal(format!("a sealed secret cannot be opened: {why}"));
        let master = self.0.iter().find(|key| key.id == sealed.key_id);
        let master = master.ok_or_else(|| fault(&format!("the master key {} is not here", sealed.key_id)))?;
        let (nonce, encrypted) = sealed.sealed.split_at_checked(NONCE_LEN).ok_or_else(|| fault("it is too short"))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| fault("it has no nonce"))?;
        let mut encrypted = encrypted.to_vec();
        let opened = master.key.open_in_place(nonce, Aad::from(context), &mut encrypted);
        let opened = opened.map_err(|_| fault("it was changed"))?;
        String::from_utf8(opened.to_vec()).map_err(|_| fault("it is no text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;
    use uuid::Uuid;

    #[test]
    fn a_secret_is_opened_by_its_key_in_its_workspace_alone() {
        let random = SequenceRandom::default();
        let (first, second) = (MasterKeys::generate(&random), MasterKeys::generate(&random));
        let (old, new) =
            (MasterKeys::parse(&first).unwrap(), MasterKeys::parse(&format!("{second}, {first}")).unwrap());
        let (mine, theirs) = (WorkspaceId(Uuid::from_u128(1)), WorkspaceId(Uuid::from_u128(2)));
        let secret = PlainSecret::generate(&random);
        let sealed = old.seal(mine, &secret, &random).unwrap();
        assert!(!sealed.sealed.windows(8).any(|part| secret.reveal().as_bytes().starts_with(part)));
        assert_eq!(old.open(mine, &sealed).unwrap(), secret);
        assert_eq!(new.open(mine, &sealed).unwrap(), secret, "a former key still opens");
        assert_ne!(new.seal(mine, &secret, &random).unwrap().key_id, sealed.key_id);
        assert!(old.open(theirs, &sealed).is_err());
        assert!(MasterKeys::parse(&second).unwrap().open(mine, &sealed).is_err());
        for place in 0..sealed.sealed.len() {
            let mut changed = sealed.clone();
            changed.sealed[place] ^= 1;
            assert!(old.open(mine, &changed).is_err(), "{place}");
        }
        assert!(old.open(mine, &SealedSecret { sealed: vec![0; 5], ..sealed }).is_err());
    }

    #[test]
    fn nothing_of_it_shows() {
        let random = SequenceRandom::default();
        let text = MasterKeys::generate(&random);
        let (keys, secret) = (MasterKeys::parse(&text).unwrap(), PlainSecret::generate(&random));
        let shown = format!("{keys:?} {secret:?}");
        assert!(!shown.contains(&text) && !shown.contains(&secret.reveal()[6..]));
        for bad in ["", "x", "AAAA", &text[..40], &format!("{text},")] {
            assert_eq!(MasterKeys::parse(bad).err(), Some(BadMasterKey), "{bad}");
        }
    }
}
