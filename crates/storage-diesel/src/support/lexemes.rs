//! Search words as lexemes prefixed with the workspace, and queries for them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::kernel::search::SearchQuery;
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

    /// The words as lexemes. If a record has more than a tsvector can hold, long words are cut until they fit, and are
    /// then found only by their first characters.
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
        let token = |alternatives: &Vec<String>| {
            let quoted: Vec<_> = alternatives.iter().map(|start| self.quoted(start)).collect();
            format!("({})", quoted.join(" | "))
        };
        Some(query.tokens().iter().map(token).collect::<Vec<_>>().join(" & "))
    }

    /// A quoted prefix. Only quotes and backslashes are special between quotes; doubling escapes them.
    fn quoted(&self, start: &str) -> String {
        format!("'{}{}':*", self.0, start.replace('\\', "\\\\").replace('\'', "''"))
    }
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
    fn hostile_text_stays_text() {
        let query = SearchQuery::parse(r"o'b\r +1-2").unwrap().unwrap();
        let text = Prefix(String::new()).query(&query).unwrap();
        assert_eq!(text, r"('o''b\\r':*) & ('1-2':* | '12':*)");
        assert_eq!(Prefix::of(WORKSPACE).query(&SearchQuery::parse("ann -").unwrap().unwrap()), None);
    }

    #[test]
    fn more_than_fits_is_cut() {
        let words: Vec<_> = (0..25_000).map(|number| format!("{number:05}{}", "ä".repeat(59))).collect();
        let lexemes = Prefix::of(WORKSPACE).lexemes(&words);
        assert!(lexemes.iter().map(String::len).sum::<usize>() <= MAX_BYTES);
        assert_eq!(lexemes.len(), 25_000);
    }
}
