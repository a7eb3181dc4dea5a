//! Prefix search over words (interface 3.6–3.8).
//!
//! Text is folded (case, accents, compatibility forms, kinds of apostrophes and dashes) and split into words here, so that every
//! store matches in the same way. A store keeps [`SearchWords`] with the record and matches the prefixes of [`SearchQuery`]
//! against them.

mod fold;
mod scripts;

use std::collections::BTreeSet;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Error;
use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{EmailKey, FilterValue, Problems, Read, Value, has_one_spelling, in_own_script};

use fold::former_fold;
pub(crate) use fold::{TATWEEL, is_invisible, plain_twin, push_plain};
pub use fold::{fold, is_folded_mark, name_key};
pub use scripts::is_lone_character;
pub(crate) use scripts::{Part, index_pairs, parts, query_pairs};

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
    /// Adds all words of a text. A chunk between white space is indexed as a whole and from each position after punctuation:
    /// `Anne-Marie` is found by `anne`, `anne-marie` and `marie`. In scripts without blanks between words, each pair of
    /// characters is a word too: `北京大学` is found by `大学`.
    pub fn text(&mut self, text: Option<&str>) -> &mut Self {
        for chunk in fold(text.unwrap_or_default()).split_whitespace() {
            let (mut offset, mut inside) = (0, false);
            for part in parts(chunk) {
                match part {
                    Part::Run(run) => {
                        if !inside {
                            self.word(&chunk[offset..]);
                        }
                        self.0.extend(index_pairs(&run));
                        offset += run.iter().map(|character| character.len()).sum::<usize>();
                        // A word begins after this.
                        inside = false;
                    }
                    Part::Other(other) => {
                        for (start, character) in other.char_indices() {
                            let is_word = is_within_words(character);
                            if is_word && !inside {
                                self.word(&chunk[offset + start..]);
                            }
                            inside = is_word;
                        }
                        offset += other.len();
                    }
                }
            }
        }
        self
    }

    /// Adds an e-mail address: the whole address, the local part and the domain. A domain in another script is found both in that
    /// script and by its A-label (`xn--…`).
    pub fn email(&mut self, email: &str) -> &mut Self {
        let mut spellings = vec![email.to_owned()];
        if !has_one_spelling(email) {
            spellings.extend([EmailKey::of(email).into(), in_own_script(email)]);
        }
        for folded in spellings.iter().map(|spelling| fold(spelling)) {
            self.word(&folded);
            if let Some((local, domain)) = folded.rsplit_once('@') {
                self.word(local);
                self.word(domain);
            }
            for part in parts(&folded) {
                if let Part::Run(run) = part {
                    self.0.extend(index_pairs(&run));
                }
            }
        }
        self
    }

    /// Adds a phone number by its digits: the whole number, and its end from each group of digits on.
    pub fn phone(&mut self, phone: Option<&str>) -> &mut Self {
        let folded = fold(phone.unwrap_or_default());
        let mut inside = false;
        for (offset, character) in folded.char_indices() {
            if character.is_ascii_digit() && !inside {
                let digits: String = folded[offset..].chars().filter(char::is_ascii_digit).collect();
                self.word(&digits);
            }
            inside = character.is_ascii_digit();
        }
        self
    }

    /// The sorted words of one text.
    pub fn in_text(text: &str) -> Vec<String> {
        let mut words = Self::default();
        words.text(Some(text));
        words.into_vec()
    }

    /// The words by which records with a name are found. All words of one of the alternatives are among the words of such a
    /// record, even if it has the name in another spelling with the same [`name_key`], or if it has the words of an earlier
    /// release because it is not reindexed yet. There are none for a name without a letter or digit.
    pub fn of_name(name: &str) -> Vec<Alternative> {
        let (words, former) = (Self::in_text(name), Self::former(name));
        // Words without apostrophes and dashes are the same in all spellings.
        let is_plain = |word: &&String| word.chars().all(is_within_words);
        let common: Vec<_> = words.iter().filter(is_plain).filter(|word| former.contains(*word)).cloned().collect();
        let alternatives = if common.is_empty() { vec![words, former.into_iter().collect()] } else { vec![common] };
        alternatives.into_iter().filter(|words| !words.is_empty()).collect()
    }

    /// The words of a text in releases before search version 1.
    fn former(text: &str) -> BTreeSet<String> {
        let mut words = Self::default();
        for chunk in former_fold(text).split_whitespace() {
            let mut inside = false;
            for (offset, character) in chunk.char_indices() {
                let is_word = character.is_alphanumeric();
                if is_word && !inside {
                    words.word(&chunk[offset..]);
                }
                inside = is_word;
            }
        }
        words.0
    }

    /// The words that a store keeps for a record.
    #[cfg(any(test, feature = "testing"))]
    pub fn of(words: Vec<String>) -> Self {
        Self(words.into_iter().collect())
    }

    fn word(&mut self, word: &str) {
        let word = trim(word);
        if !word.is_empty() {
            self.0.insert(cut(word));
        }
    }

    /// Whether the words match every token of the query. A token matches if, for one of its alternatives, every prefix is the
    /// start of a word.
    pub fn matches(&self, query: &SearchQuery) -> bool {
        let starts =
            |prefix: &String| self.0.range(prefix.clone()..).next().is_some_and(|word| word.starts_with(prefix));
        let holds = |alternative: &Alternative| alternative.iter().all(starts);
        !query.matches_nothing() && query.tokens.iter().all(|alternatives| alternatives.iter().any(holds))
    }

    /// The distinct words, sorted.
    pub fn into_vec(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// Prefixes that must all match; never empty, and without empty prefixes.
pub type Alternative = Vec<String>;

/// A parsed search text. Every token must match, by any of its alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    tokens: Vec<Vec<Alternative>>,
    includes_comments: bool,
    shows_comments: bool,
}

impl SearchQuery {
    /// Parses a client's text; `None` if it is blank. A token without a letter or digit is skipped; if there are no other tokens,
    /// the query matches nothing.
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
        let (folded, former) = (fold(text), former_fold(text));
        let chunks: Vec<_> = folded.split_whitespace().collect();
        let former = Some(former.split_whitespace().collect::<Vec<_>>()).filter(|former| former.len() == chunks.len());
        let former = |index: usize| former.as_ref().map(|former| former[index]);
        let tokens = chunks.iter().enumerate().map(|(index, chunk)| alternatives(chunk, former(index)));
        let tokens: Vec<_> = tokens.filter(|alternatives| !alternatives.is_empty()).collect();
        let count = if tokens.is_empty() { chunks.len() } else { tokens.len() };
        if count > MAX_TOKENS {
            return Err(Error::malformed("search", "too_many_tokens", format!("must have at most {MAX_TOKENS} words")));
        }
        Ok((!chunks.is_empty()).then_some(Self { tokens, includes_comments: false, shows_comments: true }))
    }

    /// The same query, which also searches comments on records if `included`. The use case decides, because not every caller may
    /// read comments.
    #[must_use]
    pub fn in_comments(self, included: bool) -> Self {
        Self { includes_comments: included, ..self }
    }

    /// The same query, for a list that does not show the comments that matched, so they are not read.
    #[must_use]
    pub fn without_excerpts(self) -> Self {
        Self { shows_comments: false, ..self }
    }

    /// Whether the list shows the comments that matched.
    pub const fn shows_comments(&self) -> bool {
        self.includes_comments && self.shows_comments
    }

    /// Whether comments are searched too. All of the words must then be in a single comment.
    pub const fn includes_comments(&self) -> bool {
        self.includes_comments
    }

    /// The tokens, each with its alternatives.
    pub fn tokens(&self) -> &[Vec<Alternative>] {
        &self.tokens
    }

    /// Whether the text has no letter or digit, so that no record can match.
    pub fn matches_nothing(&self) -> bool {
        self.tokens.is_empty()
    }
}

/// Reports the problems of [`SearchQuery::parse`].
impl Value for SearchQuery {
    fn schema() -> Json {
        text_schema(MAX_QUERY_LENGTH)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else { return problems.malformed(at, "invalid_type", "must be a string") };
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
    /// A blank text means no filter.
    fn read_text(text: &str, name: &str, problems: &mut Problems) -> Read<Self> {
        Self::read(Json::String(text.to_owned()), name, problems)
    }
}

/// The alternatives of a token: the token itself; its digits if it looks like a phone number; for scripts without blanks, the
/// pairs of characters and the text between them; and the word in its former folding, for records that are not reindexed yet.
/// None for a token without a letter or digit.
fn alternatives(chunk: &str, former: Option<&str>) -> Vec<Alternative> {
    let word = cut(trim(chunk));
    if word.is_empty() {
        return Vec::new();
    }
    let mut alternatives = vec![vec![word.clone()]];
    let phone_like = chunk.chars().all(|character| character.is_ascii_digit() || "+()-./".contains(character));
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    if phone_like && digits != word {
        alternatives.push(vec![digits]);
    }
    let pairs = parts(&word).into_iter().flat_map(|part| match part {
        Part::Run(run) => query_pairs(&run),
        Part::Other(other) => vec![trim(other).to_owned()],
    });
    alternatives.push(pairs.filter(|word| !word.is_empty()).collect());
    // The former word lacks these marks, and is therefore a different word.
    let loses_nothing = || !chunk.nfd().any(is_combining_mark);
    if let Some(former) = former.filter(|former| *former != chunk && loses_nothing()) {
        alternatives.push(Some(cut(trim(former))).filter(|word| !word.is_empty()).into_iter().collect());
    }
    let mut distinct = Vec::new();
    for alternative in alternatives.into_iter().filter(|alternative| !alternative.is_empty()) {
        if !distinct.contains(&alternative) {
            distinct.push(alternative);
        }
    }
    distinct
}

fn cut(word: &str) -> String {
    word.chars().take(MAX_WORD_LENGTH).collect()
}

fn trim(chunk: &str) -> &str {
    let start = chunk.trim_start_matches(|character: char| !character.is_alphanumeric());
    start.trim_end_matches(|character: char| !is_within_words(character))
}

fn is_within_words(character: char) -> bool {
    character.is_alphanumeric() || is_combining_mark(character)
}

#[cfg(test)]
mod tests;
