//! Lists that are sorted by a field, in either direction.
//!
//! Records without a value in the field come last in both directions. Records with the same value are sorted by id, in the direction
//! of the list.

use std::cmp::Ordering;
use std::fmt;

use rust_decimal::Decimal;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// What a list can be sorted by in either direction. The numbers are part of the cursor format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Sort {
    Created = 1,
    Changed = 2,
    /// The value of a deal, regardless of its currency.
    Value = 3,
    /// The displayed name: [`NameKey`].
    Name = 4,
    /// The expected close date of a deal, or the end date of a project.
    Day = 5,
    /// When an issue is due.
    Due = 6,
    Priority = 7,
    /// How long a ticket has waited for an answer.
    Turn = 8,
}

impl Sort {
    pub(super) const ALL: [Self; 8] =
        [Self::Created, Self::Changed, Self::Value, Self::Name, Self::Day, Self::Due, Self::Priority, Self::Turn];
}

/// The direction of a sorted list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Ascending: the lowest, the earliest, a before z.
    Up,
    Down,
}

impl Direction {
    /// Which of two records comes first.
    pub fn compare(self, one: (SortKey, Uuid), other: (SortKey, Uuid)) -> Ordering {
        let is_missing = |(key, _): (SortKey, Uuid)| key == SortKey::Nothing;
        let up = one.cmp(&other);
        is_missing(one).cmp(&is_missing(other)).then(if self == Self::Up { up } else { up.reverse() })
    }
}

/// The value that a record is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey {
    Time(OffsetDateTime),
    Day(Date),
    Amount(Decimal),
    Rank(u8),
    Name(NameKey),
    /// The record has no value.
    Nothing,
}

/// The number of letters of a name that lists are sorted by. More would make the index larger and cursors longer.
const NAME_LETTERS: usize = 40;
/// The maximum UTF-8 length of these letters.
const NAME_BYTES: usize = 4 * NAME_LETTERS;

/// The beginning of a name, as lists are sorted by it: A to Z in lower case, and everything else by code point, which is the same
/// in every database. Letters with accents come after z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameKey([u8; NAME_BYTES]);

impl NameKey {
    pub fn of(name: &str) -> Self {
        let letters: String = name.chars().take(NAME_LETTERS).map(|letter| letter.to_ascii_lowercase()).collect();
        let mut bytes = [0; NAME_BYTES];
        for (target, byte) in bytes.iter_mut().zip(letters.bytes()) {
            *target = byte;
        }
        Self(bytes)
    }

    pub fn as_str(&self) -> &str {
        // No name contains the character 0.
        let text = self.0.split(|byte| *byte == 0).next().unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }
}

impl fmt::Debug for NameKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(formatter)
    }
}

/// A record of a list that can be sorted by its fields.
pub trait Sorted {
    /// The sort key; [`SortKey::Nothing`] for fields that the record's kind does not have.
    fn sort_key(&self, by: Sort) -> SortKey;
}

/// After the record with this key and id, in a list by a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPosition {
    pub by: Sort,
    pub direction: Direction,
    pub key: SortKey,
    pub id: Uuid,
}
