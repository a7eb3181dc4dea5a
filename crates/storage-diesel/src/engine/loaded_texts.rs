//! Fingerprints of the long texts that a transaction loaded.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use uuid::Uuid;

/// Detects unchanged texts, which need not be sent and written again. Holds hashes with a random key, so that collisions
/// cannot be provoked.
#[derive(Debug, Default)]
pub(crate) struct LoadedTexts {
    hasher: RandomState,
    hashes: HashMap<Uuid, u64>,
}

impl LoadedTexts {
    pub(crate) fn remember(&mut self, record: Uuid, texts: &impl Hash) {
        self.hashes.insert(record, self.hasher.hash_one(texts));
    }

    pub(crate) fn is_unchanged(&self, record: Uuid, texts: &impl Hash) -> bool {
        self.hashes.get(&record) == Some(&self.hasher.hash_one(texts))
    }
}
