//! The master key in a backup, sealed with a passphrase: Argon2id, then AES-256-GCM.

use anyhow::{Context, anyhow, ensure};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ports::Random;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};

const CONTEXT: &[u8] = b"workspace-service backup: master key";
/// 64 MiB and three passes, so that each guess costs about a tenth of a second.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
const SALT_LENGTH: usize = 16;
/// Anything shorter can be guessed.
const MIN_LENGTH: usize = 12;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SealedKey {
    salt: String,
    nonce: String,
    sealed: String,
}

impl SealedKey {
    pub(crate) fn seal(key: &str, passphrase: &str, random: &dyn Random) -> anyhow::Result<Self> {
        ensure!(passphrase.chars().count() >= MIN_LENGTH, "the passphrase must have at least {MIN_LENGTH} characters");
        let (mut salt, mut nonce) = ([0; SALT_LENGTH], [0; NONCE_LEN]);
        random.fill(&mut salt);
        random.fill(&mut nonce);
        let mut sealed = key.as_bytes().to_vec();
        derive_key(passphrase, &salt)?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(CONTEXT), &mut sealed)
            .map_err(|_| anyhow!("the master key cannot be sealed"))?;
        Ok(Self { salt: STANDARD.encode(salt), nonce: STANDARD.encode(nonce), sealed: STANDARD.encode(sealed) })
    }

    pub(crate) fn open(&self, passphrase: &str) -> anyhow::Result<String> {
        let decode = |text: &str| STANDARD.decode(text).context("the sealed master key of the backup is damaged");
        let (salt, nonce, mut sealed) = (decode(&self.salt)?, decode(&self.nonce)?, decode(&self.sealed)?);
        let nonce =
            Nonce::try_assume_unique_for_key(&nonce).map_err(|_| anyhow!("the sealed master key is damaged"))?;
        let key = derive_key(passphrase, &salt)?;
        let plain = key.open_in_place(nonce, Aad::from(CONTEXT), &mut sealed);
        let plain = plain.map_err(|_| anyhow!("the passphrase does not open the master key of the backup"))?;
        String::from_utf8(plain.to_vec()).context("the master key of the backup is damaged")
    }
}

fn derive_key(passphrase: &str, salt: &[u8]) -> anyhow::Result<LessSafeKey> {
    let mut bytes = [0; 32];
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(bytes.len())).map_err(|error| anyhow!("argon2: {error}"))?;
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut bytes)
        .map_err(|error| anyhow!("the passphrase cannot be hashed: {error}"))?;
    UnboundKey::new(&AES_256_GCM, &bytes).map(LessSafeKey::new).map_err(|_| anyhow!("the key cannot be derived"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::SecureRandom;

    #[test]
    fn only_the_passphrase_opens_the_key() {
        let sealed = SealedKey::seal("the key", "correct horse", &SecureRandom::default()).unwrap();
        assert_eq!(sealed.open("correct horse").unwrap(), "the key");
        assert!(sealed.open("correct hors").unwrap_err().to_string().contains("passphrase"));
        assert!(SealedKey::seal("the key", "short", &SecureRandom::default()).is_err());
    }
}
