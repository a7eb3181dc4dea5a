//! The cost of a unit of work for the store.

use super::paging::{DEFAULT_LIMIT, PageRequest};

/// A page by number that starts after this item is heavy, because all rows before it are read first.
const DEEP: u32 = 5_000;

/// The cost of a unit of work for the store. The use case declares it. The store limits heavier work more strictly, per workspace
/// and in total, so that one workspace cannot slow down the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Weight {
    /// A few records, found by key or in the order of an index.
    #[default]
    Light,
    /// Many records at once: bulk updates, large pages, and pages by number that are far from the first.
    Heavy,
    /// A search for words, tags or labels, or a summary: work whose cost cannot be known in advance. It is cancelled when it takes
    /// too long.
    Search,
}

impl Weight {
    /// The weight of a page of a list.
    pub fn of_page(page: &PageRequest) -> Self {
        if page.limit > DEFAULT_LIMIT || page.offset() >= DEEP { Self::Heavy } else { Self::Light }
    }

    /// The weight of a page of a list that may search for words, tags or labels.
    pub fn of_list(page: &PageRequest, looks_up_words: bool) -> Self {
        if looks_up_words { Self::Search } else { Self::of_page(page) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paging::Position;
    use super::*;

    #[test]
    fn pages_are_heavy_if_they_are_large_or_deep_and_searches_always() {
        let numbered = |page, limit| PageRequest::at(Position::Page(page), limit);
        let deep_by_cursor = PageRequest::after(time::OffsetDateTime::UNIX_EPOCH, uuid::Uuid::nil(), 50);
        for (page, weight) in [
            (numbered(1, 50), Weight::Light),
            (numbered(1, 51), Weight::Heavy),
            (numbered(100, 50), Weight::Light),
            (numbered(101, 50), Weight::Heavy),
            (deep_by_cursor, Weight::Light),
        ] {
            assert_eq!(Weight::of_list(&page, false), weight, "{page:?}");
            assert_eq!(Weight::of_list(&page, true), Weight::Search);
        }
    }
}
