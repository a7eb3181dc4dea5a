//! Filtering lists by the time of creation (interface 3.13).

use time::OffsetDateTime;

use super::Problems;
use crate::filter;

filter! {
    /// The filter of a list that has no other: by the time of creation. What is absent matches all.
    #[derive(Copy, Eq)]
    pub struct CreatedFilter {
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    together CreatedFilter::check_range;
}

impl CreatedFilter {
    /// Reports an empty range.
    pub(crate) fn check_range(&self, problems: &mut Problems) {
        let (since, before) = (self.created_since, self.created_before);
        note_range((since, "created_since"), (before, "created_before"), problems);
    }
}

/// Implements `created()` for a filter that has the members of [`CreatedFilter`]; with `checked`, also `check_range`, for a filter
/// without other ranges.
macro_rules! times_of_creation {
    ($filter:ty, checked) => {
        $crate::kernel::input::times_of_creation!($filter);

        impl $filter {
            fn check_range(&self, problems: &mut $crate::kernel::input::Problems) {
                self.created().check_range(problems);
            }
        }
    };
    ($filter:ty) => {
        impl $filter {
            /// The filter by the time of creation alone.
            pub const fn created(&self) -> $crate::kernel::input::CreatedFilter {
                $crate::kernel::input::CreatedFilter {
                    created_since: self.created_since,
                    created_before: self.created_before,
                }
            }
        }
    };
}
pub(crate) use times_of_creation;

/// Reports an empty range. `since` is inclusive, `before` exclusive; each comes with the name of its member.
pub(crate) fn note_range<T: PartialOrd>(
    (since, first): (Option<T>, &str),
    (before, last): (Option<T>, &str),
    problems: &mut Problems,
) {
    if let (Some(since), Some(before)) = (since, before)
        && since >= before
    {
        problems.rule(last, "invalid_value", format!("must be later than {first}"));
    }
}
