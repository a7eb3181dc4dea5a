//! Sealing secrets at rest with the service's master keys.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest;

use super::StoreError;
use crate::ports::Random;

const KEY_LENGTH: usize = 32;

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
pub struct InvalidMasterKey;

impl MasterKeys {
    /// Reads keys in base 64 with commas between them, the one in use first and former ones after it.
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
            // A hash of a random key tells nothing of it, and two keys apart.
            let digest = digest::digest(&digest::SHA256, &bytes);
            let id = hex::encode(&digest.as_ref()[..6]);
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

    /// Seals a text, to be opened in the same context alone.
    ///
    /// # Errors
    /// [`StoreError::Internal`], which no key that was read can lead to.
    pub fn seal(&self, context: &[u8], text: &str, random: &dyn Random) -> Result<SealedSecret, StoreError> {
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
    pub fn open(&self, context: &[u8], sealed: &SealedSecret) -> Result<String, StoreError> {
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
