//! Records by id with soft deletion, and pages of lists.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use uuid::Uuid;

use domain::kernel::paging::{Direction, ListOrder, PageRequest, Paginated, Position, Sort, Sorted};
use domain::ports::StoreError;

#[derive(Debug, Clone)]
struct Row<T> {
    value: T,
    deleted_at: Option<OffsetDateTime>,
}

/// Records of one kind, live and deleted.
#[derive(Debug, Clone)]
pub(super) struct Table<K, T>(BTreeMap<K, Row<T>>);

impl<K, T> Table<K, T> {
    pub(super) const EMPTY: Self = Self(BTreeMap::new());
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<K: Ord + Copy, T: Clone> Table<K, T> {
    pub(super) fn insert(&mut self, id: K, value: &T) -> Result<(), StoreError> {
        if self.0.contains_key(&id) {
            return Err(StoreError::Internal("the id is already in use".to_owned()));
        }
        self.0.insert(id, Row { value: value.clone(), deleted_at: None });
        Ok(())
    }

    /// Replaces an existing live record.
    pub(super) fn save(&mut self, id: K, value: &T) -> Result<(), StoreError> {
        let row = self.live_mut(id).ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))?;
        row.value = value.clone();
        Ok(())
    }

    pub(super) fn get(&self, id: K) -> Option<&T> {
        self.0.get(&id).filter(|row| row.deleted_at.is_none()).map(|row| &row.value)
    }

    /// The ids of live and deleted records.
    pub(super) fn ids(&self) -> impl Iterator<Item = K> {
        self.0.keys().copied()
    }

    pub(super) fn has(&self, id: K) -> bool {
        self.get(id).is_some()
    }

    /// The record and its time of deletion.
    pub(super) fn with_deletion(&self, id: K) -> Option<(&T, Option<OffsetDateTime>)> {
        self.0.get(&id).map(|row| (&row.value, row.deleted_at))
    }

    /// The record, live or deleted.
    pub(super) fn get_any(&self, id: K) -> Option<&T> {
        self.0.get(&id).map(|row| &row.value)
    }

    pub(super) fn live(&self) -> impl Iterator<Item = &T> {
        self.0.values().filter(|row| row.deleted_at.is_none()).map(|row| &row.value)
    }

    /// Live and deleted records.
    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        self.0.values().map(|row| &row.value)
    }

    pub(super) fn delete(&mut self, id: K, now: OffsetDateTime) -> bool {
        self.live_mut(id).is_some_and(|row| {
            row.deleted_at = Some(now);
            true
        })
    }

    /// Removes a record permanently.
    pub(super) fn remove(&mut self, id: K) -> bool {
        self.0.remove(&id).is_some()
    }

    /// The records that were deleted at this time.
    pub(super) fn deleted_at(&self, at: OffsetDateTime) -> impl Iterator<Item = &T> {
        self.0.values().filter(move |row| row.deleted_at == Some(at)).map(|row| &row.value)
    }

    pub(super) fn delete_where(&mut self, now: OffsetDateTime, chosen: impl Fn(&T) -> bool) {
        for row in self.0.values_mut().filter(|row| row.deleted_at.is_none() && chosen(&row.value)) {
            row.deleted_at = Some(now);
        }
    }

    /// All live records for in-place changes.
    pub(super) fn each_live(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.values_mut().filter(|row| row.deleted_at.is_none()).map(|row| &mut row.value)
    }

    fn live_mut(&mut self, id: K) -> Option<&mut Row<T>> {
        self.0.get_mut(&id).filter(|row| row.deleted_at.is_none())
    }
}

/// The rows that were added, changed or deleted, each with whether it was just deleted.
pub(super) fn written<'a, K: Ord + Copy, T: Clone + PartialEq>(
    before: &'a Table<K, T>,
    after: &'a Table<K, T>,
) -> impl Iterator<Item = (K, &'a T, bool)> {
    after.ids().filter_map(|id| {
        let (now, is_deleted) = (after.get_any(id)?, before.has(id) && !after.has(id));
        (is_deleted || before.get_any(id) != Some(now)).then_some((id, now, is_deleted))
    })
}

/// The sort order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    NewestFirst,
    OldestFirst,
}

/// The rows of a page, plus one.
pub(super) fn page<'a, T: Clone + 'a>(
    rows: impl Iterator<Item = &'a T>,
    place: impl Fn(&T) -> (OffsetDateTime, Uuid),
    order: Order,
    request: &PageRequest,
) -> Vec<T> {
    let mut rows: Vec<&T> = rows.collect();
    rows.sort_by_key(|row| place(row));
    if order == Order::NewestFirst {
        rows.reverse();
    }
    let is_behind = |row: &&T| match (request.position, order) {
        (Position::Page(_) | Position::AfterValue(..) | Position::AfterKey(_), _) => true,
        (Position::AfterChange(after), _) => place(row) > (after.at, after.id),
        (Position::After(time, id), Order::NewestFirst) => place(row) < (time, id),
        (Position::After(time, id), Order::OldestFirst) => place(row) > (time, id),
    };
    let behind = rows.into_iter().filter(is_behind);
    behind.skip(request.offset() as usize).take(request.limit as usize + 1).cloned().collect()
}

/// The rows of a page by a member, plus one.
fn page_by_key<'a, T: Paginated + Sorted + Clone + 'a>(
    by: Sort,
    direction: Direction,
    rows: impl Iterator<Item = &'a T>,
    request: &PageRequest,
) -> Vec<T> {
    let place = |row: &T| (row.sort_key(by), row.cursor_key().1);
    let mut rows: Vec<&T> = rows.collect();
    rows.sort_by(|one, other| direction.compare(place(one), place(other)));
    let is_behind = |row: &&T| match request.position {
        Position::AfterKey(after) => direction.compare(place(row), (after.key, after.id)).is_gt(),
        Position::Page(_) | Position::After(..) | Position::AfterValue(..) | Position::AfterChange(_) => true,
    };
    let behind = rows.into_iter().filter(is_behind);
    behind.skip(request.offset() as usize).take(request.limit as usize + 1).cloned().collect()
}

/// The rows of a page by creation, by change or by a member, plus one.
pub(super) fn page_sorted_by<'a, T: Paginated + Sorted + Clone + 'a>(
    order: ListOrder,
    rows: impl Iterator<Item = &'a T>,
    changed_at: impl Fn(&T) -> OffsetDateTime,
    request: &PageRequest,
) -> Vec<T> {
    match order {
        ListOrder::Changed => page(rows, |row| (changed_at(row), row.cursor_key().1), Order::OldestFirst, request),
        ListOrder::By(by, direction) => page_by_key(by, direction, rows, request),
        ListOrder::Created | ListOrder::Value => page(rows, T::cursor_key, Order::NewestFirst, request),
    }
}

/// Whether a record was changed at the time of a filter or after it.
pub(super) fn is_since(wanted: Option<OffsetDateTime>, changed_at: OffsetDateTime) -> bool {
    wanted.is_none_or(|since| changed_at >= since)
}
