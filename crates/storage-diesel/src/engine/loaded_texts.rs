//! The long texts of records when a transaction loaded them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use uuid::Uuid;

/// Tells whether texts changed, so that those that did not are neither sent nor written again. Holds hashes, which nobody can
/// foresee.
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
