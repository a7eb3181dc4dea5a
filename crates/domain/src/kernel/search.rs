//! Prefix search over words (interface 3.6–3.8).
//!
//! Text is folded (case, accents, compatibility forms, kinds of apostrophes and dashes) and split into words here, so that
//! every store matches alike. A store keeps [`SearchWords`] with the record and matches the prefixes of [`SearchQuery`]
//! against them.

mod fold;
mod scripts;

use std::collections::BTreeSet;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Error;
use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{EmailKey, FilterValue, Problems, Read, Value, in_own_script};

use fold::former_fold;
pub(crate) use fold::{TATWEEL, is_invisible, plain_twin, push_plain};
pub use fold::{fold, is_folded_mark};
pub use scripts::is_lone_character;
pub(crate) use scripts::{Part, indexed, parts, wanted};

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
    /// punctuation: `Anne-Marie` is found by `anne`, `anne-marie` and `marie`. Of a run of a script without blanks between
    /// words, each pair of characters is a word too: `北京大学` is found by `大学`.
    pub fn text(&mut self, text: Option<&str>) -> &mut Self {
        for chunk in fold(text.unwrap_or_default()).split_whitespace() {
            let (mut place, mut inside) = (0, false);
            for part in parts(chunk) {
                match part {
                    Part::Run(run) => {
                        if !inside {
                            self.word(&chunk[place..]);
                        }
                        self.0.extend(indexed(&run));
                        place += run.iter().map(|character| character.len()).sum::<usize>();
                        // What comes next begins a word.
                        inside = false;
                    }
                    Part::Other(other) => {
                        for (start, character) in other.char_indices() {
                            let is_word = is_within_words(character);
                            if is_word && !inside {
                                self.word(&chunk[place + start..]);
                            }
                            inside = is_word;
                        }
                        place += other.len();
                    }
                }
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
            for part in parts(&folded) {
                if let Part::Run(run) = part {
                    self.0.extend(indexed(&run));
                }
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

    /// The words of one text, sorted.
    pub fn in_text(text: &str) -> Vec<String> {
        let mut words = Self::default();
        words.text(Some(text));
        words.into_vec()
    }

    /// Words as a store kept them.
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

    /// Whether every token of the query matches: all prefixes of one of its alternatives are prefixes of words.
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

/// Prefixes that must all match; none is empty, and there is at least one.
pub type Alternative = Vec<String>;

/// A parsed search text. Every token must match, by any of its alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    tokens: Vec<Vec<Alternative>>,
    includes_comments: bool,
}

impl SearchQuery {
    /// Parses a client's text; `None` if it is blank. A token without a letter or digit is skipped; if there is no other
    /// one, the query matches nothing.
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
        let former = |place: usize| former.as_ref().map(|former| former[place]);
        let tokens = chunks.iter().enumerate().map(|(place, chunk)| alternatives(chunk, former(place)));
        let tokens: Vec<_> = tokens.filter(|alternatives| !alternatives.is_empty()).collect();
        let count = if tokens.is_empty() { chunks.len() } else { tokens.len() };
        if count > MAX_TOKENS {
            return Err(Error::malformed("search", "too_many_tokens", format!("must have at most {MAX_TOKENS} words")));
        }
        Ok((!chunks.is_empty()).then_some(Self { tokens, includes_comments: false }))
    }

    /// The same words, looked for in the comments on records too, if `included`. That is for the use case to say: not every
    /// caller may read them.
    #[must_use]
    pub fn in_comments(self, included: bool) -> Self {
        Self { includes_comments: included, ..self }
    }

    /// Whether a record is found by a comment on it, too. The comment alone must then have all of the words.
    pub const fn includes_comments(&self) -> bool {
        self.includes_comments
    }

    /// The tokens, each with its alternatives.
    pub fn tokens(&self) -> &[Vec<Alternative>] {
        &self.tokens
    }

    /// Whether the text has neither letter nor digit, so that no record can match.
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

/// What a token matches: itself; its digits alone if it looks like a phone number; the pairs of characters of scripts without
/// blanks, and what is between them; and the word as it was folded when records were indexed that are not indexed again yet.
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
        Part::Run(run) => wanted(&run),
        Part::Other(other) => vec![trim(other).to_owned()],
    });
    alternatives.push(pairs.filter(|word| !word.is_empty()).collect());
    // The former word lacks these marks, and so is another word.
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
            "anne %",
            "",
        ] {
            assert!(found(hit), "{hit}");
        }
        for miss in [
            "nne",
            "lee",
            "co.uk",
            "uk",
            "anne smith",
            "4444",
            "%",
            "_",
            "' or 1=1",
            "-",
            "- &",
            "nne %",
            "x:*",
            "\\",
            "ñ",
        ] {
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
        assert!(SearchQuery::parse("1 2 3 4 & 5 6 – 7 8").is_ok(), "what is skipped does not count");
        assert!(SearchQuery::parse("- - - - - - - - -").is_err(), "unless nothing else is there");
    }

    /// Whether a text is found by what was typed.
    fn finds(text: &str, typed: &str) -> bool {
        let mut words = SearchWords::default();
        words.text(Some(text));
        SearchQuery::parse(typed).unwrap().is_none_or(|query| words.matches(&query))
    }

    #[test]
    fn a_name_is_found_by_itself() {
        for name in [
            "Smith & Sons – x",
            "Acme - x",
            "A / B x",
            "Rock | Roll",
            "Ann 😀 Lee",
            "O’Brien ‘quoted’ “too”",
            "北京大学招生 2026年",
            "東京タワー・ホテル",
            "ราคาสินค้า ๑๒",
            "대한민국 정부청사",
            "新款iphone手机壳 wi-fi密码",
            "می\u{200c}خواهم मुझे हिन्दी",
        ] {
            assert!(finds(name, name), "{name}");
            for word in name.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)) {
                assert!(finds(name, &format!("& {word} –")), "{name}: {word}");
            }
        }
        for nothing in ["&", "–", "- / |", "😀", "Smith & Nobody"] {
            assert!(!finds("Smith & Sons – x 😀", nothing), "{nothing}");
        }
        assert!(SearchQuery::parse("\u{200b} \u{ad}").unwrap().is_none(), "what shows nothing is blank");
    }

    #[test]
    fn spellings_that_look_alike_find_each_other() {
        for spellings in [
            &["O'Brien", "O’Brien", "O‘Brien", "Oʼbrien", "O´Brien", "O`Brien", "O＇Brien"][..],
            &["co-op", "co–op", "co—op", "co‐op", "co\u{2011}op", "co−op", "co－op"],
            &["2020-2024", "2020–2024"],
            &["softhyphen", "soft\u{ad}hyphen", "soft\u{200b}hyphen", "soft\u{2060}hyphen", "soft\u{feff}hyphen"],
            &["محمد", "محمـــد", "مُحَمَّد"],
            &["п'ять", "п’ять", "пʼять"],
            &["café", "cafe\u{301}", "CAFE"],
            &["שָׁלוֹם", "שלום"],
            &["ガス", "ｶﾞｽ", "カ\u{3099}ス"],
        ] {
            for text in spellings {
                for typed in spellings {
                    assert!(finds(text, typed), "{text}: {typed}");
                }
            }
        }
        for (text, other) in [("ガス", "カス"), ("カス", "ガス"), ("イガ", "イカ"), ("हिन्दी", "हनद"), ("กิน", "กน")]
        {
            assert!(!finds(text, other), "{text}: {other}");
        }
    }

    #[test]
    fn scripts_without_blanks_are_found_by_any_part() {
        for (text, parts, others) in [
            (
                "北京大学招生",
                &["大学", "学招", "招生", "京", "生", "北京大学", "北京 招生"][..],
                &["大招", "生北", "上海"][..],
            ),
            ("東京タワー", &["タワー", "タ", "京タ", "ワー"], &["ター", "大阪"]),
            ("ราคาสินค้า", &["สินค้า", "สิน", "คา", "ราคา"], &["สคา", "รคา"]),
            ("대한민국정부", &["민국", "국정", "부", "정부", "한"], &["대국", "서울"]),
            ("新款iphone手机壳", &["iphone", "手机", "iphone手机", "款iphone", "壳"], &["手壳", "phone"]),
            ("如何重置WiFi密码？", &["密码", "wifi", "重置wifi"], &["何密"]),
        ] {
            for part in parts {
                assert!(finds(text, part), "{text}: {part}");
            }
            for other in others {
                assert!(!finds(text, other), "{text}: {other}");
            }
        }
    }

    /// Until they are indexed again, records are found by the words that an earlier release gave them.
    #[test]
    fn former_words_are_found_as_before() {
        for (words, typed) in [
            (&["o’brien", "brien"][..], "O’Brien"),
            (&["co–op", "op"], "co–op"),
            (&["soft\u{ad}hyphen"], "soft\u{ad}hy"),
            (&["北京大学招生"], "北京大学"),
            (&["محمـــد"], "محمـــد"),
            (&["пʼять"], "пʼять"),
        ] {
            let words = SearchWords::of(words.iter().map(ToString::to_string).collect());
            assert!(words.matches(&SearchQuery::parse(typed).unwrap().unwrap()), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn any_part_of_a_run_finds_it(text in "[北京大学が重ー한국สิค้]{1,80}", from in 0usize..80, length in 1usize..60) {
            let folded = fold(&text);
            let runs = parts(&folded);
            let Some(Part::Run(run)) = runs.first() else { return Ok(()) };
            let part: String = run.iter().skip(from % run.len()).take(length).copied().collect();
            prop_assert!(finds(&text, &part), "{}", part);
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
