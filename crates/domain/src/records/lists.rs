//! Lists of records, including lists by change for readers who follow them (interface 24.8).

use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;
use crate::events::EventSource;
use crate::identity::access::Permit;
use crate::kernel::input::{CreatedFilter, Problems};
use crate::kernel::paging::{ChangePosition, Direction, ListOrder, Page, PageRequest, Position, Sort, SortKey};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::{Ports, StoreError, Tx, Weight, weighed_read_only, weighed_statement};
use crate::records::{Deletable, Kind, Listed, ListedKind, MatchedComments, Readable, list_deleted, matched_comments};

/// Declares the orders of a list: the text of each in requests, and what it sorts by.
macro_rules! list_orders {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal: $order:expr,)+ }
    ) => {
        $crate::kernel::input::choices! {
            $(#[$doc])*
            pub enum $name { $($(#[$variant_doc])* $variant = $text,)+ }
        }

        $crate::kernel::input::readable_choices!($name);

        impl From<$name> for $crate::kernel::paging::ListOrder {
            fn from(order: $name) -> Self {
                match order { $($name::$variant => $order,)+ }
            }
        }
    };
}
pub(crate) use list_orders;

list_orders! {
    /// The order of a list of records with names.
    pub enum RecordOrder {
        Newest = "newest": ListOrder::Created,
        Updated = "updated": ListOrder::Changed,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
        UpdatedDown = "updated_desc": ListOrder::By(Sort::Changed, Direction::Down),
        NameUp = "name_asc": ListOrder::By(Sort::Name, Direction::Up),
        NameDown = "name_desc": ListOrder::By(Sort::Name, Direction::Down),
    }
}

/// The filter of a list of records.
pub trait RecordFilter: Sized + Send + Sync + 'static {
    fn sorted_by(&self) -> ListOrder;
    fn updated_since(&self) -> Option<OffsetDateTime>;
    /// Whether the list has deleted records instead of live ones.
    fn lists_deleted(&self) -> bool;
    /// The part about the time of creation.
    fn created(&self) -> CreatedFilter;
    /// The words to search for.
    fn search(&self) -> Option<&SearchQuery>;
    /// Whether no record can match, which avoids a query.
    fn matches_nothing(&self) -> bool {
        self.search().is_some_and(SearchQuery::matches_nothing)
    }
    /// Whether it filters by words, tags or labels.
    fn looks_up_words(&self) -> bool;
    /// Whether it filters by anything other than the time of the last change.
    fn narrows(&self) -> bool;
    /// Whether many records may be read to find the few of a page, because no index serves this filter in this order.
    fn may_read_many(&self) -> bool {
        match self.sorted_by() {
            // The views of the inbox have indexes in their order.
            ListOrder::Created | ListOrder::By(Sort::Turn, _) => false,
            ListOrder::Value => true,
            ListOrder::Changed | ListOrder::By(..) => self.narrows(),
        }
    }
    /// Includes comments in the search, for kinds whose readers may also read the comments.
    #[must_use]
    fn with_comments(self) -> Self {
        self
    }
    /// Adds a problem for each combination of members that is not allowed.
    fn check_together(&self, problems: &mut Problems) {
        if self.lists_deleted() && self.sorted_by() != ListOrder::Created {
            let message = "deleted records are listed newest first: omit order or deleted";
            problems.rule("order", "invalid_value", message);
        }
        self.created().check_range(problems);
    }
}

/// Implements [`RecordFilter`] for a filter whose members `$first` and `$word` look for words, tags or labels. The members `order`,
/// `deleted`, `$of` and the time of the last change do not count as filters.
macro_rules! record_filter {
    (@since $filter:ident) => { None };
    (@since $filter:ident $since:ident) => { $filter.$since };
    (
        $filter:ty, words in $first:ident $(or $word:ident)? $(, comments: $comments:literal)?
        $(, changed: $since:ident)? $(, of: $of:ident)? $(, nothing if $nothing:path)?
    ) => {
        $crate::kernel::input::times_of_creation!($filter);

        impl $filter {
            /// The order of the list.
            pub fn sorted_by(&self) -> $crate::kernel::paging::ListOrder {
                self.order.map_or($crate::kernel::paging::ListOrder::Created, Into::into)
            }
        }

        impl $crate::records::RecordFilter for $filter {
            fn sorted_by(&self) -> $crate::kernel::paging::ListOrder {
                <$filter>::sorted_by(self)
            }

            fn updated_since(&self) -> Option<time::OffsetDateTime> {
                $crate::records::record_filter!(@since self $($since)?)
            }

            fn lists_deleted(&self) -> bool {
                self.deleted == Some(true)
            }

            fn created(&self) -> $crate::kernel::input::CreatedFilter {
                <$filter>::created(self)
            }

            fn search(&self) -> Option<&$crate::kernel::search::SearchQuery> {
                self.$first.as_ref()
            }

            $(fn matches_nothing(&self) -> bool {
                $nothing(self)
            })?

            fn looks_up_words(&self) -> bool {
                self.$first.is_some() $(|| !self.$word.0.is_empty())?
            }

            fn narrows(&self) -> bool {
                let Self { deleted, order, .. } = *self;
                *self != Self { deleted, order, $($since: self.$since,)? $($of: self.$of,)? ..Self::default() }
            }

            $(fn with_comments(mut self) -> Self {
                self.$first = self.$first.map(|words| words.in_comments($comments));
                self
            })?
        }
    };
}
pub(crate) use record_filter;

/// A page of the records that match a filter, in its order.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order; [`Error::SearchTooSlow`].
pub async fn list<K: Readable + ListedKind>(
    ports: &Ports,
    permit: &Permit<K::Read>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<Page<K>, Error> {
    list_as::<_, K>(ports, permit, filter.with_comments(), page).await
}

/// Like [`list`], with a filter that was limited to what the caller may search.
pub(crate) async fn list_as<P, K: ListedKind>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<Page<K>, Error> {
    let (found, _) = list_with::<_, K>(ports, permit, filter, page, |_, _, _| Ok(MatchedComments::new())).await?;
    Ok(found.map(|record| record.shown_to(permit.credential())))
}

/// Reads the comments by which a search found the records of a list.
type ReadComments<K> = fn(&mut dyn Tx, &<K as Kind>::Filter, &[K]) -> Result<MatchedComments, StoreError>;

/// The weight of a page of the records that match a filter.
pub(crate) fn weight_of<F: RecordFilter>(filter: &F, page: &PageRequest) -> Weight {
    let weight = Weight::of_list(page, filter.looks_up_words());
    if filter.may_read_many() && weight == Weight::Light { Weight::Heavy } else { weight }
}

/// A page of the records that match a filter, with the comments by which they were found.
///
/// # Errors
/// Those of [`list`].
async fn list_with<P, K: ListedKind>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
    page: PageRequest,
    comments_of: ReadComments<K>,
) -> Result<(Page<K>, MatchedComments), Error> {
    let filter = K::visible_to(filter, permit.actor());
    let order = filter.sorted_by();
    page.check_order(order)?;
    let weight = weight_of(&filter, &page);
    if order == ListOrder::Changed {
        return weighed_statement(ports, permit, weight, move |tx| {
            let found = changed::<K>(tx, &filter, &page)?;
            let comments = comments_of(tx, &filter, &found.items)?;
            Ok((found, comments))
        })
        .await;
    }
    let (rows, comments) = if filter.matches_nothing() {
        (Vec::new(), MatchedComments::new())
    } else {
        weighed_read_only(ports, permit, weight, move |tx| {
            let rows = tx.lists::<K>().list(&filter, &page)?;
            let comments = comments_of(tx, &filter, &rows)?;
            Ok((rows, comments))
        })
        .await?
    };
    let found = match order {
        ListOrder::Value => Page::by_value(rows, &page, |record: &K| match record.sort_key(Sort::Value) {
            SortKey::Amount(value) => Some(value),
            _ => None,
        }),
        ListOrder::By(by, direction) => Page::by_key(rows, &page, by, direction),
        ListOrder::Created | ListOrder::Changed => Page::from_rows(rows, &page),
    };
    Ok((found, comments))
}

/// A page of the records that match a filter, each with the comment by which a search found it. If the filter asks for deleted
/// records, these are listed instead.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for callers who may not see deleted records.
pub async fn list_or_deleted<K: Readable + ListedKind + Deletable>(
    ports: &Ports,
    permit: &Permit<K::Read>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<Page<Listed<K>>, Error> {
    list_or_deleted_as::<_, K>(ports, permit, filter.with_comments(), page).await
}

/// Like [`list_or_deleted`], with a filter that was limited to what the caller may search.
pub(crate) async fn list_or_deleted_as<P, K: ListedKind + Deletable>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
    page: PageRequest,
) -> Result<Page<Listed<K>>, Error> {
    if filter.lists_deleted() {
        return list_deleted::<_, K>(ports, permit, filter, page).await;
    }
    let (found, mut comments) = list_with::<_, K>(ports, permit, filter, page, matched_comments::<K>).await?;
    Ok(found.map(|record| {
        let matched_comment = comments.remove(&record.uuid());
        Listed { matched_comment, ..Listed::from(record.shown_to(permit.credential())) }
    }))
}

/// How many records match a filter, and what they are worth. If counting takes too long, the result is [`ListTotals::MANY`].
///
/// # Errors
/// [`Error::Malformed`] for deleted ones; those of the store.
pub async fn totals<K: Readable + ListedKind>(
    ports: &Ports,
    permit: &Permit<K::Read>,
    filter: K::Filter,
) -> Result<ListTotals, Error> {
    totals_as::<_, K>(ports, permit, filter.with_comments()).await
}

/// Like [`totals`], with a filter that was limited to what the caller may search.
pub(crate) async fn totals_as<P, K: ListedKind>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: K::Filter,
) -> Result<ListTotals, Error> {
    let filter = K::visible_to(filter, permit.actor());
    if filter.lists_deleted() {
        let message = "must not be true: deleted records are not added up";
        return Err(Error::malformed("deleted", "invalid_value", message));
    }
    if filter.matches_nothing() {
        return Ok(ListTotals::of(Vec::new()));
    }
    // Many records may be read even if few match.
    let counting = weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.lists::<K>().totals(&filter)?));
    match counting.await {
        Ok(counted) => Ok(ListTotals::of(counted)),
        Err(Error::SearchTooSlow) => Ok(ListTotals::MANY),
        Err(error) => Err(error),
    }
}

/// The maximum number of event log positions that one call catches up with.
const MAX_CATCH_UP: i64 = 10_000;

/// A page by change, whose cursor does not skip changes that are committed late.
///
/// A change gets its time before the commit, so it may become visible at a time that the reader has already passed. It gets its
/// position in the event log after the commit, so that position is later than those that the reader has seen. The cursor then moves
/// back to before that change. Each statement must see at least what the one before it saw, so they must not share one snapshot. A
/// page that is not followed needs no positions.
fn changed<K: ListedKind>(tx: &mut dyn Tx, filter: &K::Filter, page: &PageRequest) -> Result<Page<K>, Error> {
    let last = if page.is_followed { tx.event_log().number()? } else { 0 };
    let start = match page.position {
        Position::AfterChange(position) => catch_up(tx, position, last)?,
        _ => ChangePosition::before(filter.updated_since(), last),
    };
    let position = match page.position {
        Position::AfterChange(_) => Position::AfterChange(start),
        position => position,
    };
    let request = PageRequest { position, ..*page };
    let rows = if filter.matches_nothing() { Vec::new() } else { tx.lists::<K>().list(filter, &request)? };
    Ok(Page::by_change(rows, page, start, start.logged < last, EventSource::updated_at))
}

/// Moves the cursor back to before the earliest change that became visible since the last page, if that change is before the cursor.
fn catch_up(tx: &mut dyn Tx, position: ChangePosition, last: i64) -> Result<ChangePosition, StoreError> {
    // After a restore from a backup, the log may be shorter than the position in the cursor.
    let seen_up_to = position.logged.min(last);
    let logged = seen_up_to.saturating_add(MAX_CATCH_UP).min(last);
    let late = if seen_up_to < logged { tx.event_log().earliest(seen_up_to, logged, position.at)? } else { None };
    Ok(match late {
        Some(at) => ChangePosition { at, id: Uuid::nil(), logged },
        None => ChangePosition { logged, ..position },
    })
}
