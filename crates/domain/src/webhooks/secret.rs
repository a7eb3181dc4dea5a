//! Secrets of subscriptions: shown once, and sealed at rest with the service's master key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::WorkspaceId;
use crate::kernel::sealing::{MasterKeys, SealedSecret};
use crate::ports::{Random, StoreError};

const PREFIX: &str = "whsec_";
const LENGTH: usize = 32;

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

    /// Seals the secret for a workspace.
    ///
    /// # Errors
    /// [`StoreError::Internal`], which no key that was read can lead to.
    pub fn seal(
        &self,
        keys: &MasterKeys,
        workspace: WorkspaceId,
        random: &dyn Random,
    ) -> Result<SealedSecret, StoreError> {
        keys.seal(workspace.0.as_bytes(), &self.text, random)
    }

    /// Opens a sealed secret of a workspace.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for a secret of another workspace, of a key that is not there, or a changed one.
    pub fn open(keys: &MasterKeys, workspace: WorkspaceId, sealed: &SealedSecret) -> Result<Self, StoreError> {
        let text = keys.open(workspace.0.as_bytes(), sealed)?;
        Self::parse(&text).ok_or_else(|| StoreError::Internal("a webhook secret does not have its form".to_owned()))
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
    fn a_secret_is_opened_by_its_key_in_its_workspace_alone() {
        let random = SequenceRandom::default();
        let (first, second) = (MasterKeys::generate(&random), MasterKeys::generate(&random));
        let (old, new) =
            (MasterKeys::parse(&first).unwrap(), MasterKeys::parse(&format!("{second}, {first}")).unwrap());
        let (mine, theirs) = (WorkspaceId(Uuid::from_u128(1)), WorkspaceId(Uuid::from_u128(2)));
        let secret = PlainSecret::generate(&random);
        let sealed = secret.seal(&old, mine, &random).unwrap();
        assert!(!sealed.sealed.windows(8).any(|part| secret.reveal().as_bytes().starts_with(part)));
        assert_eq!(PlainSecret::open(&old, mine, &sealed).unwrap(), secret);
        assert_eq!(PlainSecret::open(&new, mine, &sealed).unwrap(), secret, "a former key still opens");
        assert_ne!(secret.seal(&new, mine, &random).unwrap().key_id, sealed.key_id);
        assert!(PlainSecret::open(&old, theirs, &sealed).is_err());
        assert!(PlainSecret::open(&MasterKeys::parse(&second).unwrap(), mine, &sealed).is_err());
        for place in 0..sealed.sealed.len() {
            let mut changed = sealed.clone();
            changed.sealed[place] ^= 1;
            assert!(PlainSecret::open(&old, mine, &changed).is_err(), "{place}");
        }
        assert!(PlainSecret::open(&old, mine, &SealedSecret { sealed: vec![0; 5], ..sealed }).is_err());
    }

    #[test]
    fn nothing_of_it_shows() {
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
