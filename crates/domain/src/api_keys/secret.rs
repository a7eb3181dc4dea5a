//! The text of a key: `svc_`, 12 characters that find it, 32 secret ones, 6 of checksum, all in base 62.

use std::fmt;

use ring::digest;
use subtle::ConstantTimeEq;

use crate::ports::Random;

/// What every key starts with.
const PREFIX: &str = "svc_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LOOKUP_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX.len() + LOOKUP_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/// A whole key, to be shown once or just received. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainKey(String);

/// The SHA-256 of a key's secret part. `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HashedSecret([u8; 32]);

impl PlainKey {
    /// Makes a new key.
    pub fn generate(random: &dyn Random) -> Self {
        let mut text = String::with_capacity(LENGTH);
        text.push_str(PREFIX);
        push_random(&mut text, LOOKUP_LENGTH + SECRET_LENGTH, random);
        text.push_str(&checksum(&text));
        Self(text)
    }

    /// Parses a key as a client sent it. A wrong form or checksum is `None`: no store needs to be asked.
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed = text.len() == LENGTH
            && text.strip_prefix(PREFIX).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        // The length and the alphabet are checked, so every byte is a character and the cut is in place.
        (well_formed && checksum(&text[..LENGTH - CHECKSUM_LENGTH]) == text[LENGTH - CHECKSUM_LENGTH..])
            .then(|| Self(text.to_owned()))
    }

    /// The part that finds the key.
    pub fn lookup_id(&self) -> &str {
        &self.0[PREFIX.len()..PREFIX.len() + LOOKUP_LENGTH]
    }

    /// The hash of the secret part.
    pub fn hashed(&self) -> HashedSecret {
        let secret = &self.0[PREFIX.len() + LOOKUP_LENGTH..LENGTH - CHECKSUM_LENGTH];
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest::digest(&digest::SHA256, secret.as_bytes()).as_ref());
        HashedSecret(bytes)
    }

    /// The whole text, for the one time that it is shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PlainKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PlainKey(…)")
    }
}

impl HashedSecret {
    /// A hash as it was stored.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes to store.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Compares in constant time.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for HashedSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HashedSecret(…)")
    }
}

fn push_random(text: &mut String, count: usize, random: &dyn Random) {
    let wanted = text.len() + count;
    let mut bytes = [0; 64];
    while text.len() < wanted {
        random.fill(&mut bytes);
        // 248 is the largest multiple of 62 in a byte: what lies beyond would favour the first characters.
        let unbiased = bytes.iter().filter(|byte| **byte < 248);
        let missing = wanted - text.len();
        text.extend(unbiased.take(missing).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
    }
}

fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[rest % 62];
        rest /= 62;
    }
    digits.iter().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;
    use proptest::prelude::*;

    #[test]
    fn a_new_key_has_the_documented_form_and_parses() {
        let key = PlainKey::generate(&SequenceRandom::default());
        assert_eq!(key.reveal().len(), 54);
        assert!(key.reveal().starts_with("svc_"));
        assert_eq!(PlainKey::parse(key.reveal()), Some(key.clone()));
        assert_eq!(key.lookup_id().len(), 12);
        assert_eq!(format!("{key:?} {:?}", key.hashed()), "PlainKey(…) HashedSecret(…)");
    }

    #[test]
    fn any_changed_character_breaks_the_checksum() {
        let key = PlainKey::generate(&SequenceRandom::default());
        for place in PREFIX.len()..LENGTH {
            let mut bytes = key.reveal().as_bytes().to_vec();
            bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
            assert_eq!(PlainKey::parse(std::str::from_utf8(&bytes).unwrap()), None, "{place}");
        }
    }

    #[test]
    fn secrets_compare_by_their_hash() {
        let random = SequenceRandom::default();
        let (one, other) = (PlainKey::generate(&random), PlainKey::generate(&random));
        assert!(one.hashed().matches(&one.hashed()));
        assert!(!one.hashed().matches(&other.hashed()));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in ".*") {
            prop_assert_eq!(PlainKey::parse(&text), None);
        }

        #[test]
        fn texts_of_the_right_shape_need_the_right_checksum(text in "svc_[0-9A-Za-z]{50}") {
            let good = checksum(&text[..48]) == text[48..];
            prop_assert_eq!(PlainKey::parse(&text).is_some(), good);
        }
    }
}
