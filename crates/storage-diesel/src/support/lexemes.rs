//! Search words as lexemes prefixed with the workspace, and queries for them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::kernel::input::{Tag, fold_label, indexed_forms};
use domain::kernel::search::{Alternative, SearchQuery};
use uuid::Uuid;

/// Well below the size limit of a tsvector (1 MiB).
const MAX_BYTES: usize = 1_000_000;
/// The maximum length of a word.
const MAX_WORD: usize = domain::kernel::search::MAX_WORD_LENGTH;

/// The prefix of a collection's lexemes.
#[derive(Debug, Clone)]
pub(crate) struct Prefix(String);

impl Prefix {
    /// The prefix for the only searched collection of a table.
    pub(crate) fn of(workspace: Uuid) -> Self {
        Self(URL_SAFE_NO_PAD.encode(workspace.as_bytes()))
    }

    /// The prefix for one of several collections in a table.
    pub(crate) fn of_kind(workspace: Uuid, letter: char) -> Self {
        let mut prefix = Self::of(workspace);
        prefix.0.push(letter);
        prefix
    }

    /// The words as lexemes. If a record has more than a tsvector can hold, long words are cut until they fit, and are then found
    /// only by their first characters.
    pub(crate) fn lexemes(&self, words: &[String]) -> Vec<String> {
        let mut longest = MAX_WORD;
        loop {
            let lexemes = self.cut_to(words, longest);
            if longest == 1 || lexemes.iter().map(String::len).sum::<usize>() <= MAX_BYTES {
                return lexemes;
            }
            longest /= 2;
        }
    }

    /// The words and tags of a record. A tag is one lexeme, folded and never cut, with a prefix that no word has.
    pub(crate) fn with_tags(&self, words: &[String], tags: &[String]) -> Vec<String> {
        let mut lexemes = self.lexemes(words);
        lexemes.extend(tags.iter().map(|tag| self.tag(&fold_label(tag))));
        lexemes
    }

    fn tag(&self, folded: &str) -> String {
        format!("{}#{folded}", self.0)
    }

    /// The query for all words and any of the tags; `None` if there are neither, or if nothing can match.
    pub(crate) fn query_with_tags(&self, words: Option<&SearchQuery>, tags: &[Tag]) -> Option<String> {
        let words = words.and_then(|words| self.query(words));
        let forms = tags.iter().flat_map(|tag| indexed_forms(tag.as_str()));
        let any: Vec<_> = forms.map(|form| format!("'{}'", quote(&self.tag(&form)))).collect();
        let any = (!any.is_empty()).then(|| format!("({})", any.join(" | ")));
        let parts: Vec<_> = words.into_iter().chain(any).collect();
        (!parts.is_empty()).then(|| parts.join(" & "))
    }

    fn cut_to(&self, words: &[String], longest: usize) -> Vec<String> {
        let mut lexemes: Vec<String> =
            words.iter().map(|word| self.0.chars().chain(word.chars().take(longest)).collect()).collect();
        // The words are sorted, and cutting keeps the order.
        lexemes.dedup();
        lexemes
    }

    /// The query as the text of a tsquery; `None` if nothing can match.
    pub(crate) fn query(&self, query: &SearchQuery) -> Option<String> {
        if query.matches_nothing() {
            return None;
        }
        let conjunction = |alternative: &Alternative| {
            let quoted: Vec<_> = alternative.iter().map(|start| self.quoted(start)).collect();
            if quoted.len() == 1 { quoted.concat() } else { format!("({})", quoted.join(" & ")) }
        };
        let token = |alternatives: &Vec<Alternative>| {
            format!("({})", alternatives.iter().map(conjunction).collect::<Vec<_>>().join(" | "))
        };
        Some(query.tokens().iter().map(token).collect::<Vec<_>>().join(" & "))
    }

    /// The query for comments; `None` if comments are not searched, or if nothing can match.
    pub(crate) fn query_of_comments(&self, words: Option<&SearchQuery>) -> Option<String> {
        words.filter(|words| words.includes_comments()).and_then(|words| self.query(words))
    }

    /// The query for records that have all of the words; `None` if there are none.
    pub(crate) fn query_of_all(&self, words: &[String]) -> Option<String> {
        let quoted: Vec<_> = self.lexemes(words).iter().map(|lexeme| format!("'{}'", quote(lexeme))).collect();
        (!quoted.is_empty()).then(|| quoted.join(" & "))
    }

    /// The query for records that have all words of any of the alternatives; `None` if there are none.
    pub(crate) fn query_of_any(&self, alternatives: &[Alternative]) -> Option<String> {
        let any: Vec<_> = alternatives.iter().filter_map(|words| self.query_of_all(words)).collect();
        (!any.is_empty()).then(|| format!("({})", any.join(") | (")))
    }

    /// A quoted prefix.
    fn quoted(&self, start: &str) -> String {
        format!("'{}{}':*", self.0, quote(start))
    }
}

/// Only quotes and backslashes are special between quotes; doubling escapes them.
pub(crate) fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "''")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKSPACE: Uuid = Uuid::from_u128(1);

    #[test]
    fn lexemes_start_with_the_workspace() {
        let prefix = Prefix::of_kind(WORKSPACE, 't');
        assert_eq!(prefix.lexemes(&["ann".to_owned()]), ["AAAAAAAAAAAAAAAAAAAAAQtann"]);
    }

    #[test]
    fn special_characters_are_escaped() {
        let query = SearchQuery::parse(r"o'b\r +1-2").unwrap().unwrap();
        let text = Prefix(String::new()).query(&query).unwrap();
        assert_eq!(text, r"('o''b\\r':*) & ('1-2':* | '12':*)");
        let query = |text: &str| Prefix("p".to_owned()).query(&SearchQuery::parse(text).unwrap().unwrap());
        assert_eq!((query("ann -"), query("-")), (Some("('pann':*)".to_owned()), None));
        assert_eq!(query("重置密码").unwrap(), "('p重置密码':* | ('p重置':* & 'p置密':* & 'p密码':*))");
    }

    #[test]
    fn whole_words_are_found_together() {
        let words = ["ann".to_owned(), "o'b\\".to_owned()];
        assert_eq!(Prefix("p".to_owned()).query_of_all(&words).unwrap(), r"'pann' & 'po''b\\'");
        assert_eq!(Prefix(String::new()).query_of_all(&[]), None);
    }

    #[test]
    fn tags_are_whole_lexemes_with_a_prefix_that_no_word_has() {
        let prefix = Prefix("p".to_owned());
        let tags = ["Very Important".to_owned(), "o'b\\".to_owned()];
        assert_eq!(prefix.with_tags(&["ann".to_owned()], &tags), ["pann", "p#very important", "p#o'b\\"]);
        let tags: Vec<Tag> = ["VIP", "o'b\\"].map(|tag| tag.parse().unwrap()).into();
        let words = SearchQuery::parse("ann").unwrap();
        assert_eq!(prefix.query_with_tags(words.as_ref(), &tags).unwrap(), r"('pann':*) & ('p#vip' | 'p#o''b\\')");
        assert_eq!(prefix.query_with_tags(None, &tags[..1]).unwrap(), "('p#vip')");
        assert_eq!(prefix.query_with_tags(None, &[]), None);
        assert_eq!(prefix.with_tags(&[], &["ΟΔΟΣ".to_owned()]), ["p#οδοσ"]);
        let sigma: Tag = "οδος".parse().unwrap();
        assert_eq!(prefix.query_with_tags(None, &[sigma]).unwrap(), "('p#οδος' | 'p#οδοσ')");
    }

    #[test]
    fn words_that_do_not_fit_are_cut() {
        let words: Vec<_> = (0..25_000).map(|number| format!("{number:05}{}", "ä".repeat(59))).collect();
        let lexemes = Prefix::of(WORKSPACE).lexemes(&words);
        assert!(lexemes.iter().map(String::len).sum::<usize>() <= MAX_BYTES);
        assert_eq!(lexemes.len(), 25_000);
    }
}
