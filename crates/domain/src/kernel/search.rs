//! Prefix search over words (interface 3.6–3.8).
//!
//! Text is folded (case, accents, compatibility forms) and split into words here, so that every store matches alike. A
//! store keeps [`SearchWords`] with the record and matches the prefixes of [`SearchQuery`] against them.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Error;
use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{EmailKey, FilterValue, Problems, Read, Value, in_own_script};

/// Maximum tokens per query.
pub const MAX_TOKENS: usize = 8;
/// Maximum length of a query, in characters.
pub const MAX_QUERY_LENGTH: usize = 200;
/// Words are stored and compared up to this many characters.
pub const MAX_WORD_LENGTH: usize = 64;

/// The searchable words of a record.
#[derive(Debug, Default)]
pub struct SearchWords(BTreeSet<String>);

impl SearchWords {
    /// Adds all words of a text. A chunk between white space is indexed as a whole and from each position after
    /// punctuation: `Anne-Marie` is found by `anne`, `anne-marie` and `marie`.
    pub fn text(&mut self, text: Option<&str>) -> &mut Self {
        for chunk in fold(text.unwrap_or_default()).split_whitespace() {
            let mut inside = false;
            for (place, character) in chunk.char_indices() {
                let is_word = character.is_alphanumeric();
                if is_word && !inside {
                    self.word(&chunk[place..]);
                }
                inside = is_word;
            }
        }
        self
    }

    /// Adds an e-mail address: the whole address, the local part and the domain. A domain in another script is found by that and
    /// by its A-label (`xn--…`).
    pub fn email(&mut self, email: &str) -> &mut Self {
        let spellings = [email.to_owned(), EmailKey::of(email).into(), in_own_script(email)];
        for folded in spellings.iter().map(|spelling| fold(spelling)) {
            self.word(&folded);
            if let Some((local, domain)) = folded.rsplit_once('@') {
                self.word(local);
                self.word(domain);
            }
        }
        self
    }

    /// Adds a phone number by its digits: the whole number, and the rest from each group on.
    pub fn phone(&mut self, phone: Option<&str>) -> &mut Self {
        let folded = fold(phone.unwrap_or_default());
        let mut inside = false;
        for (place, character) in folded.char_indices() {
            if character.is_ascii_digit() && !inside {
                let digits: String = folded[place..].chars().filter(char::is_ascii_digit).collect();
                self.word(&digits);
            }
            inside = character.is_ascii_digit();
        }
        self
    }

    /// Words as a store kept them.
    #[cfg(any(test, feature = "testing"))]
    pub fn of(words: Vec<String>) -> Self {
        Self(words.into_iter().collect())
    }

    fn word(&mut self, word: &str) {
        let word = trim(word);
        if !word.is_empty() {
            self.0.insert(word.chars().take(MAX_WORD_LENGTH).collect());
        }
    }

    /// Whether every token of the query is a prefix of some word.
    pub fn matches(&self, query: &SearchQuery) -> bool {
        let starts =
            |prefix: &String| self.0.range(prefix.clone()..).next().is_some_and(|word| word.starts_with(prefix));
        !query.matches_nothing() && query.tokens.iter().all(|alternatives| alternatives.iter().any(starts))
    }

    /// The distinct words, sorted.
    pub fn into_vec(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// A parsed search text. Every token must match: one of its alternatives is the prefix of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    tokens: Vec<Vec<String>>,
}

impl SearchQuery {
    /// Parses a client's text; `None` if it is blank.
    ///
    /// # Errors
    /// [`Error::Malformed`] above 200 characters or 8 tokens.
    pub fn parse(text: &str) -> Result<Option<Self>, Error> {
        if text.chars().count() > MAX_QUERY_LENGTH {
            return Err(Error::malformed(
                "search",
                "too_long",
                format!("must be at most {MAX_QUERY_LENGTH} characters long"),
            ));
        }
        let folded = fold(text);
        let chunks: Vec<_> = folded.split_whitespace().collect();
        if chunks.len() > MAX_TOKENS {
            return Err(Error::malformed("search", "too_many_tokens", format!("must have at most {MAX_TOKENS} words")));
        }
        let tokens: Vec<_> = chunks.into_iter().map(alternatives).collect();
        Ok((!tokens.is_empty()).then_some(Self { tokens }))
    }

    /// The tokens, each with its alternative prefixes; no prefix is empty.
    pub fn tokens(&self) -> &[Vec<String>] {
        &self.tokens
    }

    /// Whether a token has neither letter nor digit, so that no record can match.
    pub fn matches_nothing(&self) -> bool {
        self.tokens.iter().any(Vec::is_empty)
    }
}

/// Reports the problems of [`SearchQuery::parse`].
impl Value for SearchQuery {
    fn schema() -> Json {
        text_schema(MAX_QUERY_LENGTH)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else {
            problems.shape(at, "invalid_type", "must be a string");
            return Read::Invalid;
        };
        match Self::parse(&text) {
            Ok(Some(query)) => Read::Value(query),
            Ok(None) => Read::Empty,
            Err(error) => {
                for problem in error.details() {
                    problems.shape(at, problem.code, problem.message);
                }
                Read::Invalid
            }
        }
    }
}

impl FilterValue for SearchQuery {
    /// A blank text is no filter.
    fn read_text(text: &str, name: &str, problems: &mut Problems) -> Read<Self> {
        Self::read(Json::String(text.to_owned()), name, problems)
    }
}

/// The token itself, and its digits alone if it looks like a phone number.
fn alternatives(chunk: &str) -> Vec<String> {
    let word: String = trim(chunk).chars().take(MAX_WORD_LENGTH).collect();
    if word.is_empty() {
        return Vec::new();
    }
    let phone_like = chunk.chars().all(|character| character.is_ascii_digit() || "+()-./".contains(character));
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    if phone_like && digits != word { vec![word, digits] } else { vec![word] }
}

fn trim(chunk: &str) -> &str {
    chunk.trim_matches(|character: char| !character.is_alphanumeric())
}

/// Lowercases, strips accents and control characters, and applies compatibility decomposition.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text
            .chars()
            .filter(|character| keeps(*character))
            .map(|character| character.to_ascii_lowercase())
            .collect();
    }
    let mut folded = String::with_capacity(text.len());
    let decomposed =
        text.chars().flat_map(char::to_lowercase).nfkd().filter(|character| !is_combining_mark(*character));
    for character in decomposed.flat_map(char::to_lowercase).filter(|character| keeps(*character)) {
        match character {
            'þ' => folded.push_str("th"),
            'ς' => folded.push('σ'),
            other => push_plain(other, &mut folded),
        }
    }
    folded
}

/// Appends a lower-case letter. Letters that Unicode does not decompose become their common ASCII spelling, as in the
/// database function `kb_fold`.
pub(crate) fn push_plain(letter: char, text: &mut String) {
    match letter {
        'ß' => text.push_str("ss"),
        'æ' => text.push_str("ae"),
        'œ' => text.push_str("oe"),
        'ø' => text.push('o'),
        'ł' => text.push('l'),
        'đ' | 'ð' => text.push('d'),
        'ı' => text.push('i'),
        other => text.push(other),
    }
}

fn keeps(character: char) -> bool {
    character.is_whitespace() || !character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words() -> SearchWords {
        let mut words = SearchWords::default();
        words
            .text(Some("Anne-Marie O'Brien"))
            .text(Some("Łukasz Größe"))
            .email("Ann.Lee+x@Example.co.uk")
            .phone(Some("+1 (555) 123-4567"))
            .text(None);
        words
    }

    fn found(text: &str) -> bool {
        SearchQuery::parse(text).unwrap().is_none_or(|query| words().matches(&query))
    }

    #[test]
    fn tokens_match_word_prefixes() {
        for hit in [
            "anne",
            "ANNE-MAR",
            "marie",
            "o'br",
            "brien",
            "ann",
            "ann.lee",
            "ann.lee+x@exa",
            "example",
            "@example.co",
            "lukasz",
            "ŁUK",
            "grosse",
            "größ",
            "15551",
            "+1555",
            "555",
            "(555)",
            "123-4567",
            "555-123",
            "anne brien",
            "  anne   brien ",
            "\"anne\"",
            "",
        ] {
            assert!(found(hit), "{hit}");
        }
        for miss in
            ["nne", "lee", "co.uk", "uk", "anne smith", "4444", "%", "_", "' or 1=1", "-", "anne %", "x:*", "\\", "ñ"]
        {
            assert!(!found(miss), "{miss}");
        }
    }

    #[test]
    fn domains_are_found_in_their_script_and_in_ascii() {
        for stored in ["a@München.example", "a@xn--mnchen-3ya.example", "a@mu\u{308}nchen。example"] {
            let mut words = SearchWords::default();
            words.email(stored);
            for typed in ["a@münchen.example", "MÜNCHEN", "munchen", "a@xn--mnchen-3ya.ex", "xn--mnchen"] {
                assert!(words.matches(&SearchQuery::parse(typed).unwrap().unwrap()), "{stored} {typed}");
            }
        }
    }

    #[test]
    fn queries_are_bounded() {
        assert!(SearchQuery::parse(&"x".repeat(200)).is_ok());
        assert!(SearchQuery::parse(&"x".repeat(201)).is_err());
        assert!(SearchQuery::parse("1 2 3 4 5 6 7 8").is_ok());
        assert!(SearchQuery::parse("1 2 3 4 5 6 7 8 9").is_err());
    }

    proptest! {
        #[test]
        fn folding_is_stable_and_drops_control_characters(text in "\\PC{0,40}|.{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.clone());
            prop_assert!(!once.contains('\0'));
        }

        #[test]
        fn a_word_of_a_text_is_found_by_every_prefix(word in "[a-zé]{1,20}", rest in "[a-z ]{0,20}", cut in 1usize..20) {
            let mut words = SearchWords::default();
            words.text(Some(&format!("{rest} {word}")));
            let prefix: String = word.chars().take(cut).collect();
            prop_assert!(words.matches(&SearchQuery::parse(&prefix).unwrap().unwrap()));
        }
    }
}
