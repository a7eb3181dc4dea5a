//! Repositories of the console that span all kinds of records.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::console::undos::Undo;
use crate::console::views::{SavedView, ViewCounts, ViewPage};
use crate::console::{FoundRecord, HomeQuery, HomeRecord, Names, RecentChange, RecordSearch, WantedNames};
use crate::events::EventReach;
use crate::kernel::search::SearchQuery;
use crate::records::{FormerValues, MatchedComment, RecordById, RecordKind};
use crate::{SavedViewId, UndoId, UserId};

/// Search over records of all kinds.
pub trait RecordSearchRepo {
    /// Live records of the kinds that have all words, each at least as a prefix: the newest
    /// [`MAX_RESULTS_PER_KIND`](crate::console::MAX_RESULTS_PER_KIND) of each kind, kind by kind in the requested order. The records
    /// of a kind are followed by at most as many others that have a comment with all words, each with its latest such comment,
    /// ordered by that comment. If at least 1,000 comments have the words, only the newest 2,000 comments of the workspace are
    /// searched. Only a bounded number of the newest unpublished articles is searched. If very many published articles have the
    /// words, any of them may be found. One statement.
    fn search_records(&mut self, wanted: &RecordSearch) -> Result<Vec<FoundRecord>, StoreError>;
    /// The latest comment with all words, for each of these records that does not have the words itself. Searches the same comments
    /// as [`Self::search_records`], and none if all of the records have the words. One statement.
    fn matched_comments(
        &mut self,
        kind: RecordKind,
        records: &[Uuid],
        words: &SearchQuery,
    ) -> Result<BTreeMap<Uuid, MatchedComment>, StoreError>;
    /// The names of members and API keys and the titles of live records. Missing ones have no name. One statement.
    fn names_of(&mut self, wanted: &WantedNames) -> Result<Names, StoreError>;
    /// The record with this id, of any kind: live, or deleted after `since` without being erased. One statement.
    fn find_by_id(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<RecordById>, StoreError>;
}

/// The content of a member's home page.
pub trait HomeRepo {
    /// The first [`MAX_OF_A_PART`](crate::console::MAX_OF_A_PART) live records of each requested part, in its order: tasks by due
    /// time and then by id, those without a due time last; tickets by age; deals by expected close date and then by id. One
    /// statement.
    fn waiting(&mut self, wanted: &HomeQuery) -> Result<Vec<HomeRecord>, StoreError>;
    /// The latest changes of records within reach, newest first: at most [`MAX_CHANGES`](crate::console::MAX_CHANGES), among the
    /// latest [`CHANGES_LOOKED_AT`](crate::console::CHANGES_LOOKED_AT) events. One statement.
    fn changes(&mut self, reach: &EventReach) -> Result<Vec<RecentChange>, StoreError>;
}

/// The views that members have saved.
pub trait SavedViewRepo {
    /// Makes other transactions that add, share or arrange views in the workspace wait until this one ends, so that counts and
    /// positions stay correct.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// The number of views of a member and of the workspace. One statement.
    fn counts(&mut self, owner: UserId) -> Result<ViewCounts, StoreError>;
    fn insert(&mut self, view: &SavedView) -> Result<(), StoreError>;
    /// A view of any member, locked until the transaction ends.
    fn get_for_update(&mut self, id: SavedViewId) -> Result<Option<SavedView>, StoreError>;
    /// Writes name, query, columns, sharing, version and time of a view that was locked before.
    fn save(&mut self, view: &SavedView) -> Result<(), StoreError>;
    /// Removes a view, if there is one.
    fn delete(&mut self, id: SavedViewId) -> Result<(), StoreError>;
    /// The views of a page that a member sees: their own, then all shared ones, each by position and then by age. One
    /// statement.
    fn list(&mut self, page: ViewPage, member: UserId) -> Result<Vec<SavedView>, StoreError>;
    /// Gives the views the positions 1, 2, … in this order. One statement.
    fn arrange(&mut self, order: &[SavedViewId]) -> Result<(), StoreError>;
}

/// Undo entries of changes made in the console.
pub trait UndoRepo {
    /// Stores an undo of a member, and removes the member's oldest above [`MAX_UNDOS`](crate::console::undos::MAX_UNDOS). One
    /// statement.
    fn keep(&mut self, member: UserId, undo: &Undo) -> Result<(), StoreError>;
    /// The member's undo with this id, even if it has expired, locked until the transaction ends.
    fn get_for_update(&mut self, member: UserId, id: UndoId) -> Result<Option<Undo>, StoreError>;
    /// Replaces the entries of an undo that was locked before.
    fn keep_entries(&mut self, id: UndoId, entries: &[FormerValues]) -> Result<(), StoreError>;
}
