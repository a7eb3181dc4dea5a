//! Finds the matched words of an article in its tsvector, read from the wire format.

use std::ffi::CStr;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};

use crate::schema::types::Tsvector;

/// The last position in a tsvector. All words from there on share it.
const LAST_POSITION: u16 = 16_383;

/// The lexemes of a search, each with whether it may be a prefix.
#[derive(Debug)]
pub(crate) struct SearchLexemes<'a> {
    lexemes: Vec<(&'a [u8], bool)>,
    /// Indexed by first byte: rules out nearly all lexemes of an article at once.
    may_begin: [bool; 256],
}

impl<'a> SearchLexemes<'a> {
    pub(crate) fn of(lexemes: impl Iterator<Item = (&'a [u8], bool)>) -> Self {
        let lexemes: Vec<_> = lexemes.collect();
        let mut may_begin = [false; 256];
        for (lexeme, _) in &lexemes {
            if let Some(first) = lexeme.first() {
                may_begin[usize::from(*first)] = true;
            }
        }
        Self { lexemes, may_begin }
    }

    fn has(&self, lexeme: &[u8]) -> bool {
        let may_be = lexeme.first().is_some_and(|first| self.may_begin[usize::from(*first)]);
        let matches = |(word, starts): &(&[u8], bool)| lexeme == *word || (*starts && lexeme.starts_with(word));
        may_be && self.lexemes.iter().any(matches)
    }
}

/// The lexemes of an article with their positions, as Postgres sends a tsvector.
#[derive(Debug, FromSqlRow)]
pub(crate) struct PositionedLexemes(Vec<u8>);

impl FromSql<Tsvector, Pg> for PositionedLexemes {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(value.as_bytes().to_vec()))
    }
}

impl PositionedLexemes {
    /// The matched words in the article's form: for a matched stem, the word form at the same position.
    pub(crate) fn forms(&self, searched: &SearchLexemes<'_>) -> Vec<String> {
        let mut positions = PositionSet([0; POSITION_WORDS]);
        for (_, raw) in self.lexemes().filter(|(lexeme, _)| searched.has(lexeme)) {
            numbers(raw).filter(|position| *position != LAST_POSITION).for_each(|position| positions.insert(position));
        }
        let shares_position = |raw| numbers(raw).any(|position| positions.has(position));
        let forms = self.lexemes().filter(|(lexeme, raw)| shares_position(raw) || searched.has(lexeme));
        forms.filter_map(|(lexeme, _)| Some(std::str::from_utf8(lexeme).ok()?.to_owned())).collect()
    }

    fn lexemes(&self) -> LexemeIter<'_> {
        match self.0.split_first_chunk() {
            Some((left, rest)) => LexemeIter { left: u32::from_be_bytes(*left), rest },
            None => LexemeIter { left: 0, rest: &[] },
        }
    }
}

/// Iterates over a tsvector: the number of lexemes, then for each the lexeme up to a NUL, its number of positions, and the
/// positions.
struct LexemeIter<'p> {
    left: u32,
    rest: &'p [u8],
}

impl<'p> Iterator for LexemeIter<'p> {
    type Item = (&'p [u8], &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let lexeme = CStr::from_bytes_until_nul(self.rest).ok()?;
        let after_lexeme = self.rest.get(lexeme.count_bytes() + 1..)?;
        let (count, after_lexeme) = after_lexeme.split_first_chunk()?;
        let (positions, rest) = after_lexeme.split_at_checked(2 * usize::from(u16::from_be_bytes(*count)))?;
        self.rest = rest;
        Some((lexeme.to_bytes(), positions))
    }
}

/// The positions of a lexeme; the upper bits are weights.
fn numbers(positions: &[u8]) -> impl Iterator<Item = u16> {
    positions.as_chunks().0.iter().map(|position| u16::from_be_bytes(*position) & LAST_POSITION)
}

const POSITION_WORDS: usize = (LAST_POSITION as usize + 1) / 64;

/// A set of positions as a bitmap: every position of an article is checked against it.
struct PositionSet([u64; POSITION_WORDS]);

impl PositionSet {
    fn insert(&mut self, position: u16) {
        self.0[usize::from(position / 64)] |= 1 << (position % 64);
    }

    fn has(&self, position: u16) -> bool {
        self.0[usize::from(position / 64)] & (1 << (position % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_found_by_the_position_of_its_stem() {
        let words = [
            ("run", vec![3, 9]),
            ("running", vec![3]),
            ("ran", vec![9]),
            ("far", vec![4]),
            ("end", vec![LAST_POSITION]),
        ];
        let mut bytes = 5_u32.to_be_bytes().to_vec();
        for (lexeme, positions) in words {
            bytes.extend(lexeme.as_bytes());
            bytes.extend([0, 0, u8::try_from(positions.len()).unwrap()]);
            // The weight is not part of the position.
            bytes.extend(positions.iter().flat_map(|position: &u16| (position | 0xC000).to_be_bytes()));
        }
        let cut = PositionedLexemes(bytes[..bytes.len() - 1].to_vec());
        let complete = PositionedLexemes(bytes);
        let searched: [(&[u8], bool); 3] = [(b"run", false), (b"runs", false), (b"en", true)];
        let searched = SearchLexemes::of(searched.into_iter());
        assert_eq!(complete.forms(&searched), ["run", "running", "ran", "end"]);
        assert_eq!(cut.forms(&searched), ["run", "running", "ran"]);
        assert_eq!(PositionedLexemes(Vec::new()).forms(&searched), Vec::<String>::new());
    }
}
