//! The format of tokens: a prefix for the kind, a lookup id of 12 characters, a secret of 32 and a checksum of 6, all in base 62
//! (interface 5.2).

use ring::digest;
use subtle::ConstantTimeEq;

use crate::kernel::hidden_debug;
use crate::kernel::input::choices;
use crate::ports::Random;

const PREFIX_LENGTH: usize = 4;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LOOKUP_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX_LENGTH + LOOKUP_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

choices! {
    /// What a token is for, identified by the prefix of its text.
    pub enum TokenKind {
        ApiKey = "svc_",
        /// A user's access token.
        Session = "svs_",
        /// The one-time token of an invitation.
        Invitation = "svi_",
        /// The one-time token of a password reset.
        PasswordReset = "svp_",
        /// The one-time token of a link to a ticket.
        TrackingLink = "svl_",
        /// A customer's token for one ticket.
        PortalSession = "svt_",
        /// The token of a sign-in that waits for a code of the second factor.
        SecondFactor = "svf_",
        /// The one-time token of a link that signs in on the machine itself.
        SignInLink = "svo_",
        /// The one-time code that creates the first workspace.
        SetUpCode = "svu_",
    }
}

/// A complete token, newly generated or just received. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainToken {
    kind: TokenKind,
    text: String,
}

/// The SHA-256 of a token's secret part. `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HashedSecret([u8; 32]);

impl PlainToken {
    pub fn generate(kind: TokenKind, random: &dyn Random) -> Self {
        let mut text = String::with_capacity(LENGTH);
        text.push_str(kind.as_str());
        push_random(&mut text, LOOKUP_LENGTH + SECRET_LENGTH, random);
        text.push_str(&checksum(&text));
        Self { kind, text }
    }

    /// A token with this lookup id but another secret, such as a forger would send.
    #[cfg(any(test, feature = "testing"))]
    pub fn forged(kind: TokenKind, lookup_id: &str, random: &dyn Random) -> Self {
        let mut text = format!("{kind}{lookup_id}");
        push_random(&mut text, SECRET_LENGTH, random);
        text.push_str(&checksum(&text));
        Self { kind, text }
    }

    /// Parses a token as sent by a client. `None` for a malformed one or a wrong checksum, without reading the store.
    pub fn parse(text: &str) -> Option<Self> {
        let kind = TokenKind::parse(text.get(..PREFIX_LENGTH)?)?;
        let is_well_formed =
            text.len() == LENGTH && text.bytes().skip(PREFIX_LENGTH).all(|byte| byte.is_ascii_alphanumeric());
        // Length and alphabet are checked, so every byte is a character and the slices are valid.
        (is_well_formed && checksum(&text[..LENGTH - CHECKSUM_LENGTH]) == text[LENGTH - CHECKSUM_LENGTH..])
            .then(|| Self { kind, text: text.to_owned() })
    }

    /// Parses a token of the given kind.
    pub fn parse_kind(kind: TokenKind, text: &str) -> Option<Self> {
        Self::parse(text).filter(|token| token.kind == kind)
    }

    pub const fn kind(&self) -> TokenKind {
        self.kind
    }

    /// The part by which the token is looked up.
    pub fn lookup_id(&self) -> &str {
        &self.text[PREFIX_LENGTH..PREFIX_LENGTH + LOOKUP_LENGTH]
    }

    pub fn hashed(&self) -> HashedSecret {
        let secret = &self.text[PREFIX_LENGTH + LOOKUP_LENGTH..LENGTH - CHECKSUM_LENGTH];
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest::digest(&digest::SHA256, secret.as_bytes()).as_ref());
        HashedSecret(bytes)
    }

    /// The full text, for the one response that shows it.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

hidden_debug!(PlainToken, HashedSecret);

impl HashedSecret {
    /// A hash as stored.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Compares in constant time.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

fn push_random(text: &mut String, count: usize, random: &dyn Random) {
    let target_length = text.len() + count;
    let mut bytes = [0; 64];
    while text.len() < target_length {
        random.fill(&mut bytes);
        // 248 is the largest multiple of 62 that fits in a byte; larger values would bias the first characters.
        let unbiased = bytes.iter().filter(|byte| **byte < 248);
        let missing = target_length - text.len();
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

    fn new(kind: TokenKind) -> PlainToken {
        PlainToken::generate(kind, &SequenceRandom::default())
    }

    #[test]
    fn a_new_token_has_the_documented_format_and_parses() {
        for (kind, prefix) in [(TokenKind::ApiKey, "svc_"), (TokenKind::Session, "svs_")] {
            let token = new(kind);
            assert_eq!(token.reveal().len(), 54);
            assert!(token.reveal().starts_with(prefix));
            assert_eq!(PlainToken::parse(token.reveal()), Some(token.clone()));
            assert_eq!((token.lookup_id().len(), token.kind()), (12, kind));
            assert_eq!(format!("{token:?} {:?}", token.hashed()), "PlainToken(…) HashedSecret(…)");
        }
    }

    #[test]
    fn the_checksum_covers_the_kind() {
        for kind in TokenKind::ALL.iter().copied() {
            let token = new(kind);
            for other in TokenKind::ALL.iter().copied() {
                assert_eq!(PlainToken::parse_kind(other, token.reveal()).is_some(), other == kind);
                let forged = format!("{other}{}", &token.reveal()[PREFIX_LENGTH..]);
                assert_eq!(PlainToken::parse(&forged).is_some(), other == kind, "{other:?}");
            }
        }
    }

    #[test]
    fn any_changed_character_breaks_the_checksum() {
        let token = new(TokenKind::ApiKey);
        for index in PREFIX_LENGTH..LENGTH {
            let mut bytes = token.reveal().as_bytes().to_vec();
            bytes[index] = if bytes[index] == b'x' { b'y' } else { b'x' };
            assert_eq!(PlainToken::parse(std::str::from_utf8(&bytes).unwrap()), None, "{index}");
        }
    }

    #[test]
    fn secrets_compare_by_their_hash() {
        let random = SequenceRandom::default();
        let generate = || PlainToken::generate(TokenKind::ApiKey, &random);
        let (one, other) = (generate(), generate());
        assert!(one.hashed().matches(&one.hashed()));
        assert!(!one.hashed().matches(&other.hashed()));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in ".*", prefix in "(svc_|svs_|svi_|svp_|svl_|svt_|svf_|svo_|svu_|sv)") {
            prop_assert_eq!(PlainToken::parse(&text), None);
            prop_assert_eq!(PlainToken::parse(&format!("{prefix}{text}")), None);
        }

        #[test]
        fn well_formed_texts_need_the_right_checksum(text in "sv[csipltfou]_[0-9A-Za-z]{50}") {
            let good = checksum(&text[..48]) == text[48..];
            prop_assert_eq!(PlainToken::parse(&text).is_some(), good);
        }

        #[test]
        fn every_token_round_trips(seed: u64) {
            let random = SequenceRandom::default();
            random.fill(&mut vec![0; (seed % 999) as usize]);
            let token = PlainToken::generate(TokenKind::Session, &random);
            prop_assert_eq!(PlainToken::parse(token.reveal()), Some(token));
        }
    }
}
