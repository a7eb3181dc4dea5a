//! Lists of records, also by change for a reader who follows them (interface 24.8).

use rust_decimal::Decimal;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;
use crate::events::EventSource;
use crate::identity::access::Permit;
use crate::kernel::input::{Problems, choices, readable_choices};
use crate::kernel::paging::{ChangePlace, Direction, ListOrder, Page, PageRequest, Paginated, Position, Sort, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::{CountedPart, ListTotals};
use crate::ports::{Ports, StoreError, Tx, Weight, weighed_read_only, weighed_statement};
use crate::records::{Deletable, Listed, ListedKind, MatchedComments, list_deleted, matched_comments};

choices! {
    /// The order of a list of records with names.
    pub enum RecordOrder {
        /// The newest first.
        Newest = "newest",
        /// The oldest change first, then the id.
        Updated = "updated",
        /// The oldest first.
        Oldest = "oldest",
        /// The latest change first.
        UpdatedDown = "updated_desc",
        /// By name, from a to z.
        NameUp = "name_asc",
        /// By name, from z to a.
        NameDown = "name_desc",
    }
}

readable_choices!(RecordOrder);

impl RecordOrder {
    /// The order of a list that was asked for with or without one.
    pub(crate) fn sorted_by(order: Option<Self>) -> ListOrder {
        match order {
            None | Some(Self::Newest) => ListOrder::Created,
            Some(Self::Updated) => ListOrder::Changed,
            Some(Self::Oldest) => ListOrder::By(Sort::Created, Direction::Up),
            Some(Self::UpdatedDown) => ListOrder::By(Sort::Changed, Direction::Down),
            Some(Self::NameUp) => ListOrder::By(Sort::Name, Direction::Up),
            Some(Self::NameDown) => ListOrder::By(Sort::Name, Direction::Down),
        }
    }
}

/// Lists of deleted records have one order.
pub(crate) fn note_order_of_deleted(deleted: Option<bool>, order: ListOrder, problems: &mut Problems) {
    if deleted == Some(true) && order != ListOrder::Created {
        problems.rule("order", "invalid_value", "deleted records are listed newest first: omit order or deleted");
    }
}

/// The filter of a list of records.
pub(crate) trait RecordFilter: Sized + Send + Sync + 'static {
    type Record: ListedKind<Filter = Self> + Paginated + Sorted + EventSource;

    fn sorted_by(&self) -> ListOrder;
    fn updated_since(&self) -> Option<OffsetDateTime>;
    /// Whether it asks for deleted records.
    fn lists_deleted(&self) -> bool;
    /// Whether no record can match.
    fn matches_nothing(&self) -> bool;
    /// The words that it looks for.
    fn search(&self) -> Option<&SearchQuery>;
    /// Whether it looks for words, tags or labels.
    fn looks_up_words(&self) -> bool;
    /// Whether it filters by more than the time of the change.
    fn narrows(&self) -> bool;

    /// What a list by value is sorted by.
    fn value(_: &Self::Record) -> Option<Decimal> {
        None
    }
}

/// Implements [`RecordFilter`] for a filter whose members `$word` look for words, tags or labels. Members `$beside` narrow
/// nothing.
macro_rules! record_filter {
    (
        $filter:ty, $record:ty, words in $first:ident $(or $word:ident)?,
        beside [$($beside:ident),+] $(, value: $value:expr)?
    ) => {
        impl $crate::records::RecordFilter for $filter {
            type Record = $record;

            fn sorted_by(&self) -> $crate::kernel::paging::ListOrder {
                <$filter>::sorted_by(self)
            }

            fn updated_since(&self) -> Option<time::OffsetDateTime> {
                self.updated_since
            }

            fn lists_deleted(&self) -> bool {
                self.deleted == Some(true)
            }

            fn matches_nothing(&self) -> bool {
                <$filter>::matches_nothing(self)
            }

            fn search(&self) -> Option<&$crate::kernel::search::SearchQuery> {
                self.$first.as_ref()
            }

            fn looks_up_words(&self) -> bool {
                self.$first.is_some() $(|| !self.$word.0.is_empty())?
            }

            fn narrows(&self) -> bool {
                *self != Self { $($beside: self.$beside,)+ ..Self::default() }
            }

            $(
                fn value(record: &$record) -> Option<rust_decimal::Decimal> {
                    let value: fn(&$record) -> Option<rust_decimal::Decimal> = $value;
                    value(record)
                }
            )?
        }
    };
}
pub(crate) use record_filter;

/// A page of the records that match a filter.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order; [`Error::SearchTooSlow`].
pub(crate) async fn list<P, F: RecordFilter>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: F,
    page: PageRequest,
) -> Result<Page<F::Record>, Error> {
    let (found, _) = list_with(ports, permit, filter, page, |_, _, _| Ok(MatchedComments::new())).await?;
    Ok(found)
}

/// Reads the comments by which records of a list are found.
type ReadComments<F> = fn(&mut dyn Tx, &F, &[<F as RecordFilter>::Record]) -> Result<MatchedComments, StoreError>;

/// The weight of a page of the records that match a filter.
pub(crate) fn weight_of<F: RecordFilter>(filter: &F, page: &PageRequest) -> Weight {
    let weight = Weight::of_list(page, filter.looks_up_words());
    // What else is filtered by may leave few of the first.
    let may_read_many = match filter.sorted_by() {
        // Indexes have the views of the inbox in order.
        ListOrder::Created | ListOrder::By(Sort::Turn, _) => false,
        ListOrder::Value => true,
        ListOrder::Changed | ListOrder::By(..) => filter.narrows(),
    };
    if may_read_many && weight == Weight::Light { Weight::Heavy } else { weight }
}

/// A page of the records that match a filter, and what is read of their comments with it.
///
/// # Errors
/// Those of [`list`].
async fn list_with<P, F: RecordFilter>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: F,
    page: PageRequest,
    comments_of: ReadComments<F>,
) -> Result<(Page<F::Record>, MatchedComments), Error> {
    let order = filter.sorted_by();
    page.check_order(order)?;
    let weight = weight_of(&filter, &page);
    if order == ListOrder::Changed {
        return weighed_statement(ports, permit, weight, move |tx| {
            let found = changed(tx, &filter, &page)?;
            let comments = comments_of(tx, &filter, &found.items)?;
            Ok((found, comments))
        })
        .await;
    }
    let (rows, comments) = if filter.matches_nothing() {
        (Vec::new(), MatchedComments::new())
    } else {
        weighed_read_only(ports, permit, weight, move |tx| {
            let rows = tx.lists::<F::Record>().list(&filter, &page)?;
            let comments = comments_of(tx, &filter, &rows)?;
            Ok((rows, comments))
        })
        .await?
    };
    let found = match order {
        ListOrder::Value => Page::by_value(rows, &page, F::value),
        ListOrder::By(by, direction) => Page::by_key(rows, &page, by, direction),
        ListOrder::Created | ListOrder::Changed => Page::from_rows(rows, &page),
    };
    Ok((found, comments))
}

/// A page of the records that match a filter, each with the comment by which a search has found it, or of the deleted ones if the
/// filter says so.
///
/// # Errors
/// Those of [`list`] and [`list_deleted`].
pub(crate) async fn list_or_deleted<P, F: RecordFilter<Record: Deletable>>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: F,
    page: PageRequest,
) -> Result<Page<Listed<F::Record>>, Error> {
    if filter.lists_deleted() {
        return list_deleted(ports, permit, filter, page).await;
    }
    let (found, mut comments) = list_with(ports, permit, filter, page, matched_comments::<F>).await?;
    Ok(found.map(|record| {
        let matched_comment = comments.remove(&record.cursor_key().1);
        Listed { matched_comment, ..Listed::from(record) }
    }))
}

/// The totals of the records that match a filter. Those of too many to count in time are not known, as those of too many.
///
/// # Errors
/// Those of [`check_adds_up`] and of the store.
pub(crate) async fn totals<P, F: RecordFilter>(
    ports: &Ports,
    permit: &Permit<P>,
    filter: F,
) -> Result<ListTotals, Error> {
    check_adds_up(filter.lists_deleted())?;
    if filter.matches_nothing() {
        return Ok(ListTotals::of(Vec::new()));
    }
    // However few match, many may have to be read.
    totals_of(weighed_read_only(ports, permit, Weight::Search, move |tx| {
        Ok(tx.lists::<F::Record>().totals(&filter)?)
    }))
    .await
}

/// Checks that a filter is about records that are added up.
///
/// # Errors
/// [`Error::Malformed`] for deleted ones.
pub(crate) fn check_adds_up(lists_deleted: bool) -> Result<(), Error> {
    let message = "must not be true: deleted records are not added up";
    if lists_deleted { Err(Error::malformed("deleted", "invalid_value", message)) } else { Ok(()) }
}

/// The totals of what a reader counts in the weight of a search.
pub(crate) async fn totals_of(
    counting: impl Future<Output = Result<Vec<CountedPart>, Error>>,
) -> Result<ListTotals, Error> {
    match counting.await {
        Ok(counted) => Ok(ListTotals::of(counted)),
        Err(Error::SearchTooSlow) => Ok(ListTotals::MANY),
        Err(error) => Err(error),
    }
}

/// How many positions of the event log a reader catches up with in one call.
const CAUGHT_UP_AT_ONCE: i64 = 10_000;

/// A page by change, whose cursor skips nothing whenever it is committed.
///
/// Times are given before the commit, so that a change may become visible behind the reader's place. The event log has
/// it at a position behind the one that the reader has seen, since positions are given after the commit: then the place
/// goes back to before that change. Each step must see at least what the one before has seen: no snapshot may hold all of
/// them. A page that nobody follows needs no positions.
fn changed<F: RecordFilter>(tx: &mut dyn Tx, filter: &F, page: &PageRequest) -> Result<Page<F::Record>, Error> {
    let last = if page.is_followed { tx.event_log().number()? } else { 0 };
    let start = match page.position {
        Position::AfterChange(place) => caught_up(tx, place, last)?,
        _ => ChangePlace::before(filter.updated_since(), last),
    };
    let position = match page.position {
        Position::AfterChange(_) => Position::AfterChange(start),
        position => position,
    };
    let asked = PageRequest { position, ..*page };
    let rows = if filter.matches_nothing() { Vec::new() } else { tx.lists::<F::Record>().list(filter, &asked)? };
    Ok(Page::by_change(rows, page, start, start.logged < last, EventSource::updated_at))
}

/// The place before every change that has got its position since the reader's last page, if one was made before the place.
fn caught_up(tx: &mut dyn Tx, place: ChangePlace, last: i64) -> Result<ChangePlace, StoreError> {
    // A database restored from a backup has given fewer positions than the cursor knows.
    let seen = place.logged.min(last);
    let logged = seen.saturating_add(CAUGHT_UP_AT_ONCE).min(last);
    let late = if seen < logged { tx.event_log().earliest(seen, logged, place.at)? } else { None };
    Ok(match late {
        Some(at) => ChangePlace { at, id: Uuid::nil(), logged },
        None => ChangePlace { logged, ..place },
    })
}
