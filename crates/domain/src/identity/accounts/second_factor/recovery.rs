//! Recovery codes, for users who sign in without their authenticator app.

use ring::digest;

use crate::identity::access::HashedSecret;
use crate::kernel::hidden_debug;
use crate::ports::Random;

/// The number of codes that a user gets.
pub const RECOVERY_CODES: usize = 10;
const LENGTH: usize = 16;
/// 32 characters that are hard to confuse: five random bits each, 80 per code.
const ALPHABET: &[u8; 32] = b"023456789abcdefghjkmnpqrstuvwxyz";

/// A code, newly generated or just typed. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = [0; LENGTH];
        random.fill(&mut bytes);
        Self(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// Parses what a user typed, without separators and in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))).then(|| Self(text.to_owned()))
    }

    /// The text for the one response that shows it: four groups of four characters.
    pub fn reveal(&self) -> String {
        format!("{}-{}-{}-{}", &self.0[..4], &self.0[4..8], &self.0[8..12], &self.0[12..])
    }

    /// A fast hash suffices, because the code has 80 random bits.
    pub fn hashed(&self) -> HashedSecret {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest::digest(&digest::SHA256, self.0.as_bytes()).as_ref());
        HashedSecret::from_bytes(bytes)
    }
}

hidden_debug!(RecoveryCode);
