//! Encryption of secrets at rest with the service's master keys.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest;

use super::StoreError;
use crate::ports::Random;

const KEY_LENGTH: usize = 32;

/// A stored secret. Only the master key that sealed it opens it, and only in its own context.
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
#[error("a master key must be 32 bytes in base 64; separate several by commas, the current one first")]
pub struct InvalidMasterKey;

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

    /// Seals a text; it can be opened only with the same `context`.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(&self, context: &[u8], text: &str, random: &dyn Random) -> Result<SealedSecret, StoreError> {
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

    /// Opens a text that was sealed with the same `context`.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for another context, an unknown master key or a modified text.
    pub fn open(&self, context: &[u8], sealed: &SealedSecret) -> Result<String, StoreError> {
        let fault = |why: &str| StoreError::Internal(format!("cannot open a sealed secret: {why}"));
        let master = self.0.iter().find(|key| key.id == sealed.key_id);
        let master = master.ok_or_else(|| fault(&format!("the master key {} is not configured", sealed.key_id)))?;
        let (nonce, encrypted) = sealed.sealed.split_at_checked(NONCE_LEN).ok_or_else(|| fault("it is too short"))?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| fault("it has no nonce"))?;
        let mut encrypted = encrypted.to_vec();
        let opened = master.key.open_in_place(nonce, Aad::from(context), &mut encrypted);
        let opened = opened.map_err(|_| fault("it was modified"))?;
        String::from_utf8(opened.to_vec()).map_err(|_| fault("it is not UTF-8"))
    }
}
