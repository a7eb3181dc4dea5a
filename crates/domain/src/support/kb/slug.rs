//! Slugs: the names of articles in addresses.

use serde_json::Value as Json;

use crate::kernel::input::schema::text_schema;
use crate::kernel::input::{Line, Problems, Read, Storable, Value};
use crate::kernel::search::fold;
use crate::ports::Tx;
use crate::{Error, KbArticleId};

const MAX_LENGTH: usize = 255;
/// A slug derived from a title leaves room for a number or an id.
const MAX_BASE_LENGTH: usize = 200;
/// Appended numbers are tried in two batches; if all are in use, the article's id is appended.
const NUMBERS: [std::ops::RangeInclusive<u32>; 2] = [2..=20, 21..=1_000];

/// Words of a–z and 0–9 joined by single hyphens, at most 255 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slug(String);

impl Slug {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Storable for Slug {
    type Stored = String;

    fn into_stored(self) -> String {
        self.0
    }
}

impl Value for Slug {
    fn schema() -> Json {
        text_schema(MAX_LENGTH)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        match Line::<MAX_LENGTH>::read(json, at, problems) {
            Read::Value(line) if is_slug(line.as_str()) => Read::Value(Self(line.into())),
            Read::Value(_) => {
                problems.invalid(at, "invalid_slug", "must be words of a-z and 0-9 joined by single hyphens")
            }
            Read::Empty => Read::Empty,
            Read::Invalid => Read::Invalid,
        }
    }
}

/// Whether a text is a valid slug.
pub fn is_slug(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.split('-').all(is_word)
}

/// A title reduced to the characters of a slug; `article` if nothing is left.
fn base(title: &str) -> String {
    let folded: String = fold(title).chars().filter(|character| !matches!(character, '\'' | '’')).collect();
    let words = folded.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug: String = words.collect::<Vec<_>>().join("-");
    slug.truncate(MAX_BASE_LENGTH);
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() { "article".to_owned() } else { slug }
}

/// A slug derived from a title that no other live article uses. Articles must be locked.
pub(super) fn free(tx: &mut dyn Tx, title: &str, id: KbArticleId) -> Result<String, Error> {
    let base = base(title);
    let first = [base.clone()];
    if tx.kb_articles().taken_slugs(&first, id)?.is_empty() {
        return Ok(base);
    }
    for numbers in NUMBERS {
        let candidates: Vec<_> = numbers.map(|number| format!("{base}-{number}")).collect();
        let taken = tx.kb_articles().taken_slugs(&candidates, id)?;
        if let Some(free) = candidates.into_iter().find(|slug| !taken.contains(slug)) {
            return Ok(free);
        }
    }
    Ok(format!("{base}-{}", id.0.simple()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_become_slugs() {
        for (title, slug) in [
            ("How to reset your password?", "how-to-reset-your-password"),
            ("  Größe & Gewicht — Übersicht ", "grosse-gewicht-ubersicht"),
            ("Don't panic", "dont-panic"),
            ("C++ / C#", "c-c"),
            ("版本", "article"),
            ("…", "article"),
        ] {
            assert_eq!(base(title), slug, "{title}");
        }
        assert_eq!(base(&"ab ".repeat(85)), ["ab"; 67].join("-"));
    }

    #[test]
    fn only_lower_case_words_with_hyphens_are_slugs() {
        for (text, good) in [
            ("a", true),
            ("a-1-b2", true),
            ("", false),
            ("-a", false),
            ("a-", false),
            ("a--b", false),
            ("A", false),
            ("ä", false),
            ("a_b", false),
            ("a/b", false),
        ] {
            assert_eq!(is_slug(text), good, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_title_gets_a_valid_slug(title in "\\PC{0,300}") {
            let slug = base(&title);
            prop_assert!(is_slug(&slug) && slug.len() <= MAX_BASE_LENGTH, "{slug}");
        }
    }
}
