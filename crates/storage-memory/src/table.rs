//! Records by id with soft deletion, and pages of lists.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use uuid::Uuid;

use domain::kernel::paging::{ListOrder, PageRequest, Paginated, Position};
use domain::ports::StoreError;

#[derive(Debug, Clone)]
struct Row<T> {
    value: T,
    deleted_at: Option<OffsetDateTime>,
    /// Whether its content was erased.
    is_erased: bool,
}

/// Records of one kind, live and deleted.
#[derive(Debug, Clone)]
pub(super) struct Table<K, T>(BTreeMap<K, Row<T>>);

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Copy, T: Clone> Table<K, T> {
    pub(super) fn insert(&mut self, id: K, value: &T) -> Result<(), StoreError> {
        if self.0.contains_key(&id) {
            return Err(StoreError::Internal("the id is already in use".to_owned()));
        }
        self.0.insert(id, Row { value: value.clone(), deleted_at: None, is_erased: false });
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

    /// Records deleted after a time that are not erased, each with the time of its deletion.
    pub(super) fn deleted(&self, since: OffsetDateTime) -> impl Iterator<Item = (&T, OffsetDateTime)> {
        let rows = self.0.values().filter(|row| !row.is_erased);
        let deleted = rows.filter_map(|row| Some((&row.value, row.deleted_at?)));
        deleted.filter(move |(_, deleted_at)| *deleted_at > since)
    }

    /// Makes a deleted record live again, with this content.
    pub(super) fn restore(&mut self, id: K, value: &T) -> Result<(), StoreError> {
        let row = self.0.get_mut(&id).filter(|row| !row.is_erased && row.deleted_at.is_some());
        let row = row.ok_or_else(|| StoreError::Internal("there is no row to restore".to_owned()))?;
        row.value = value.clone();
        row.deleted_at = None;
        Ok(())
    }

    /// Makes the records live again that were deleted at this very time.
    pub(super) fn restore_where(&mut self, deleted_at: OffsetDateTime, chosen: impl Fn(&T) -> bool) {
        let rows = self.0.values_mut().filter(|row| !row.is_erased && row.deleted_at == Some(deleted_at));
        for row in rows.filter(|row| chosen(&row.value)) {
            row.deleted_at = None;
        }
    }

    /// The ids of records deleted at or before a time that are not erased.
    pub(super) fn due(&self, before: OffsetDateTime, id: impl Fn(&K) -> Uuid) -> Vec<Uuid> {
        let is_due = |row: &Row<T>| !row.is_erased && row.deleted_at.is_some_and(|deleted_at| deleted_at <= before);
        self.0.iter().filter(|(_, row)| is_due(row)).map(|(key, _)| id(key)).collect()
    }

    /// Replaces the content of a record, live or deleted, by what is left of it; returns whether there was any.
    pub(super) fn erase(&mut self, id: K, at: OffsetDateTime, left: impl Fn(&T) -> T) -> bool {
        self.0.get_mut(&id).filter(|row| !row.is_erased).is_some_and(|row| {
            row.value = left(&row.value);
            row.deleted_at.get_or_insert(at);
            row.is_erased = true;
            true
        })
    }

    /// A record, live or deleted, for in-place changes.
    pub(super) fn get_any_mut(&mut self, id: K) -> Option<&mut T> {
        self.0.get_mut(&id).map(|row| &mut row.value)
    }

    /// Removes a record for good.
    pub(super) fn remove(&mut self, id: K) -> bool {
        self.0.remove(&id).is_some()
    }

    pub(super) fn delete_where(&mut self, now: OffsetDateTime, chosen: impl Fn(&T) -> bool) {
        for row in self.0.values_mut().filter(|row| row.deleted_at.is_none() && chosen(&row.value)) {
            row.deleted_at = Some(now);
        }
    }

    /// Rejects a value that another live record has; `None` is never a duplicate.
    pub(super) fn check_unique<V: PartialEq>(
        &self,
        id: K,
        field: &'static str,
        value: &T,
        member: impl Fn(&T) -> Option<V>,
    ) -> Result<(), StoreError> {
        let wanted = member(value);
        let mut others = self.0.iter().filter(|(other, row)| **other != id && row.deleted_at.is_none());
        if wanted.is_some() && others.any(|(_, row)| member(&row.value) == wanted) {
            return Err(StoreError::Duplicate { field });
        }
        Ok(())
    }

    /// A live record for in-place changes.
    pub(super) fn get_mut(&mut self, id: K) -> Option<&mut T> {
        self.live_mut(id).map(|row| &mut row.value)
    }

    /// All live records for in-place changes.
    pub(super) fn each_live(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.values_mut().filter(|row| row.deleted_at.is_none()).map(|row| &mut row.value)
    }

    fn live_mut(&mut self, id: K) -> Option<&mut Row<T>> {
        self.0.get_mut(&id).filter(|row| row.deleted_at.is_none())
    }
}

/// The sort order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    NewestFirst,
    OldestFirst,
}

/// The rows of a page, and one more.
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
        (Position::Page(_) | Position::AfterValue(..), _) => true,
        (Position::AfterChange(after), _) => place(row) > (after.at, after.id),
        (Position::After(time, id), Order::NewestFirst) => place(row) < (time, id),
        (Position::After(time, id), Order::OldestFirst) => place(row) > (time, id),
    };
    let behind = rows.into_iter().filter(is_behind);
    behind.skip(request.offset() as usize).take(request.limit as usize + 1).cloned().collect()
}

/// The rows of a page by creation or by change, and one more.
pub(super) fn page_sorted_by<'a, T: Paginated + Clone + 'a>(
    order: ListOrder,
    rows: impl Iterator<Item = &'a T>,
    changed_at: impl Fn(&T) -> OffsetDateTime,
    request: &PageRequest,
) -> Vec<T> {
    match order {
        ListOrder::Changed => page(rows, |row| (changed_at(row), row.cursor_key().1), Order::OldestFirst, request),
        ListOrder::Created | ListOrder::Value => page(rows, T::cursor_key, Order::NewestFirst, request),
    }
}

/// Whether a record was changed at the time of a filter or after it.
pub(super) fn is_since(wanted: Option<OffsetDateTime>, changed_at: OffsetDateTime) -> bool {
    wanted.is_none_or(|since| changed_at >= since)
}
