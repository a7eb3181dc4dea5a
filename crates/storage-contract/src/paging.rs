//! Checks of paging through lists.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::TestWorkspace;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated, Position};
use domain::ports::{StoreError, Tx};

/// A record's cursor key.
pub(super) type CursorKey = (OffsetDateTime, Uuid);

/// Reads a list to its end, at most `limit` records at a time. `behind` returns the position after a record.
pub(super) async fn walk<R, L>(world: &TestWorkspace, list: L, limit: u32, behind: impl Fn(&R) -> Position) -> Vec<R>
where
    R: Send + 'static,
    L: Fn(&mut dyn Tx, &PageRequest) -> Result<Vec<R>, StoreError> + Clone + Send + 'static,
{
    let (mut walked, mut position) = (Vec::new(), Position::Page(1));
    loop {
        let list = list.clone();
        let mut rows = world.read(move |tx| list(tx, &PageRequest::at(position, limit))).await;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        walked.extend(rows);
        match walked.last() {
            Some(end) if has_more => position = behind(end),
            _ => return walked,
        }
    }
}

/// Checks the order of a list, read as a whole, by page number and by cursor.
pub(super) async fn check_walks<R, L>(world: &TestWorkspace, expected: &[CursorKey], list: L)
where
    R: Paginated + Send + 'static,
    L: Fn(&mut dyn Tx, &PageRequest) -> Result<Vec<R>, StoreError> + Clone + Send + 'static,
{
    let read = async |position, limit| {
        let list = list.clone();
        let rows = world.read(move |tx| list(tx, &PageRequest::at(position, limit))).await;
        rows.iter().map(R::cursor_key).collect::<Vec<_>>()
    };
    assert_eq!(read(Position::Page(1), 100).await, expected, "one page");
    for limit in [1, 2, 3] {
        let size = limit as usize;
        let mut walked: Vec<CursorKey> = Vec::new();
        for page in 1.. {
            let rows = read(Position::Page(page), limit).await;
            walked.extend(rows.iter().take(size));
            if rows.len() <= size {
                break;
            }
            assert_eq!(rows.len(), size + 1, "one row more than the limit");
        }
        assert_eq!(walked, expected, "by pages of {limit}");

        let behind = |row: &R| Position::After(row.cursor_key().0, row.cursor_key().1);
        let walked = walk(world, list.clone(), limit, behind).await;
        assert_eq!(walked.iter().map(R::cursor_key).collect::<Vec<_>>(), expected, "by cursor, {limit} at a time");
    }
    assert!(read(Position::Page(50), 100).await.is_empty(), "beyond the end");
    if let Some((time, id)) = expected.last() {
        assert!(read(Position::After(*time, *id), 2).await.is_empty(), "after the last");
    }
}

/// Checks paging through a list filtered by creation time: without bounds, with one bound, with both, and with an empty range.
pub(super) async fn check_walks_of_ranges<R, L>(world: &TestWorkspace, expected: &[CursorKey], list: L)
where
    R: Paginated + Send + 'static,
    L: Fn(&mut dyn Tx, &CreatedFilter, &PageRequest) -> Result<Vec<R>, StoreError> + Clone + Send + 'static,
{
    let mut times: Vec<_> = expected.iter().map(|(time, _)| *time).collect();
    times.sort();
    let [early, late] = [times.len() / 3, times.len() * 2 / 3].map(|number| times[number]);
    let never = *times.last().unwrap() + Duration::SECOND;
    for (since, before) in
        [(None, None), (Some(early), None), (None, Some(late)), (Some(early), Some(late)), (Some(never), None)]
    {
        let filter = CreatedFilter { created_since: since, created_before: before };
        let is_within =
            |time: OffsetDateTime| since.is_none_or(|since| time >= since) && before.is_none_or(|before| time < before);
        let within: Vec<_> = expected.iter().copied().filter(|(time, _)| is_within(*time)).collect();
        let list = list.clone();
        check_walks(world, &within, move |tx, page| list(tx, &filter, page)).await;
    }
}

/// Sorted as lists are: newest first, ties by id.
pub(super) fn newest_first(mut cursor_keys: Vec<CursorKey>) -> Vec<CursorKey> {
    cursor_keys.sort();
    cursor_keys.reverse();
    cursor_keys
}
