//! Which words of an article were asked for, read from its tsvector as it comes over the wire.

use std::ffi::CStr;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::pg::{Pg, PgValue};

use crate::schema::types::Tsvector;

/// A place of a tsvector that stands for all that come behind.
const LAST_PLACE: u16 = 16_383;

/// The lexemes that a search asks for, each with whether it may be the beginning of one.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    lexemes: Vec<(&'a [u8], bool)>,
    /// By first bytes: nearly all lexemes of an article are none of these already by theirs.
    may_begin: [bool; 256],
}

impl<'a> Wanted<'a> {
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
        let is = |(wanted, starts): &(&[u8], bool)| lexeme == *wanted || (*starts && lexeme.starts_with(wanted));
        may_be && self.lexemes.iter().any(is)
    }
}

/// The words of an article with their places, as Postgres sends a tsvector.
#[derive(Debug, FromSqlRow)]
pub(crate) struct Placed(Vec<u8>);

impl FromSql<Tsvector, Pg> for Placed {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(value.as_bytes().to_vec()))
    }
}

impl Placed {
    /// The words that were asked for as the article has them: with a stem goes the form that stands at its place.
    pub(crate) fn forms(&self, wanted: &Wanted<'_>) -> Vec<String> {
        let mut places = Places([0; PLACE_WORDS]);
        for (_, own) in self.walk().filter(|(lexeme, _)| wanted.has(lexeme)) {
            numbers(own).filter(|place| *place != LAST_PLACE).for_each(|place| places.insert(place));
        }
        let stands_there = |own| numbers(own).any(|place| places.has(place));
        let forms = self.walk().filter(|(lexeme, own)| stands_there(own) || wanted.has(lexeme));
        forms.filter_map(|(lexeme, _)| Some(std::str::from_utf8(lexeme).ok()?.to_owned())).collect()
    }

    fn walk(&self) -> Walk<'_> {
        match self.0.split_first_chunk() {
            Some((left, rest)) => Walk { left: u32::from_be_bytes(*left), rest },
            None => Walk { left: 0, rest: &[] },
        }
    }
}

/// Walks over a tsvector: their number, then each lexeme up to a NUL, the number of its places, and these.
struct Walk<'p> {
    left: u32,
    rest: &'p [u8],
}

impl<'p> Iterator for Walk<'p> {
    type Item = (&'p [u8], &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let lexeme = CStr::from_bytes_until_nul(self.rest).ok()?;
        let behind = self.rest.get(lexeme.count_bytes() + 1..)?;
        let (count, behind) = behind.split_first_chunk()?;
        let (places, rest) = behind.split_at_checked(2 * usize::from(u16::from_be_bytes(*count)))?;
        self.rest = rest;
        Some((lexeme.to_bytes(), places))
    }
}

/// The places of a lexeme; their upper bits are weights.
fn numbers(places: &[u8]) -> impl Iterator<Item = u16> {
    places.as_chunks().0.iter().map(|place| u16::from_be_bytes(*place) & LAST_PLACE)
}

const PLACE_WORDS: usize = (LAST_PLACE as usize + 1) / 64;

/// A set of places, a bit each: every place of an article is looked up in it.
struct Places([u64; PLACE_WORDS]);

impl Places {
    fn insert(&mut self, place: u16) {
        self.0[usize::from(place / 64)] |= 1 << (place % 64);
    }

    fn has(&self, place: u16) -> bool {
        self.0[usize::from(place / 64)] & (1 << (place % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_found_by_the_place_of_its_stem() {
        let words =
            [("run", vec![3, 9]), ("running", vec![3]), ("ran", vec![9]), ("far", vec![4]), ("end", vec![LAST_PLACE])];
        let mut bytes = 5_u32.to_be_bytes().to_vec();
        for (lexeme, places) in words {
            bytes.extend(lexeme.as_bytes());
            bytes.extend([0, 0, u8::try_from(places.len()).unwrap()]);
            // A weight is no part of the place.
            bytes.extend(places.iter().flat_map(|place: &u16| (place | 0xC000).to_be_bytes()));
        }
        let cut = Placed(bytes[..bytes.len() - 1].to_vec());
        let placed = Placed(bytes);
        let wanted: [(&[u8], bool); 3] = [(b"run", false), (b"runs", false), (b"en", true)];
        let wanted = Wanted::of(wanted.into_iter());
        assert_eq!(placed.forms(&wanted), ["run", "running", "ran", "end"]);
        assert_eq!(cut.forms(&wanted), ["run", "running", "ran"]);
        assert_eq!(Placed(Vec::new()).forms(&wanted), Vec::<String>::new());
    }
}
