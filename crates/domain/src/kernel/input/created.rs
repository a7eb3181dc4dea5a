//! Filtering lists by the time of creation (interface 3.13).

use time::OffsetDateTime;

use super::Problems;
use crate::filter;

filter! {
    /// The filter of a list that has no other: by the time of creation. What is absent matches all.
    #[derive(Copy, Eq)]
    pub struct CreatedFilter {
        /// Created at this time or after it.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    together CreatedFilter::check_range;
}

impl CreatedFilter {
    fn check_range(&self, problems: &mut Problems) {
        note_created_range(self.created_since, self.created_before, problems);
    }

    /// Whether a record that was created at this time matches.
    pub fn accepts(&self, created_at: OffsetDateTime) -> bool {
        self.created_since.is_none_or(|since| created_at >= since)
            && self.created_before.is_none_or(|before| created_at < before)
    }
}

/// A range of creation times has room for a time.
pub(crate) fn note_created_range(
    since: Option<OffsetDateTime>,
    before: Option<OffsetDateTime>,
    problems: &mut Problems,
) {
    if let (Some(since), Some(before)) = (since, before)
        && since >= before
    {
        problems.rule("created_before", "invalid_value", "must be later than created_since");
    }
}
