//! What people need of records of all kinds together.

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
    /// [`MAX_FOUND_OF_A_KIND`](crate::console::MAX_FOUND_OF_A_KIND) of each kind, kind by kind in the requested order. After
    /// those of a kind follow at most as many others that have a comment with all words, each with its latest such comment,
    /// ordered by that comment. If 1,000 comments or more have the words, only the newest 2,000 of the workspace are searched. Of
    /// unpublished articles, only a bounded number of the newest is searched, and of very many published articles with the words,
    /// any may be found. One statement.
    fn search_records(&mut self, wanted: &RecordSearch) -> Result<Vec<FoundRecord>, StoreError>;
    /// For each of these records that lacks the words itself and has a comment with all of them: its latest such comment. Searches the
    /// same comments as [`Self::search_records`], and none if all of the records have the words. One statement.
    fn matched_comments(
        &mut self,
        kind: RecordKind,
        records: &[Uuid],
        words: &SearchQuery,
    ) -> Result<BTreeMap<Uuid, MatchedComment>, StoreError>;
    /// The names of members and API keys and the titles of live records. Missing ones have no name. One statement.
    fn names_of(&mut self, wanted: &WantedNames) -> Result<Names, StoreError>;
    /// The record of any kind with this id: a live one, or one deleted after `since` whose content is not erased. One statement.
    fn find_by_id(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<RecordById>, StoreError>;
}

/// What somebody's first page shows.
pub trait HomeRepo {
    /// The first [`MAX_OF_A_PART`](crate::console::MAX_OF_A_PART) live records of each part that is asked for, in its order:
    /// tasks by when they are due and then by id, those never due last; tickets by age; deals by the day on which they are
    /// expected to close and then by id. One statement.
    fn waiting(&mut self, wanted: &HomeQuery) -> Result<Vec<HomeRecord>, StoreError>;
    /// The latest changes of records within reach, the last one first: at most
    /// [`MAX_CHANGES`](crate::console::MAX_CHANGES), among the latest
    /// [`CHANGES_LOOKED_AT`](crate::console::CHANGES_LOOKED_AT) events. One statement.
    fn changes(&mut self, reach: &EventReach) -> Result<Vec<RecentChange>, StoreError>;
}

/// The views that members have saved.
pub trait SavedViewRepo {
    /// Makes others who add, share or arrange views in the workspace wait until the transaction ends, so that counts and
    /// places stay true.
    fn lock(&mut self) -> Result<(), StoreError>;
    /// How many views a member and the workspace have. One statement.
    fn counts(&mut self, owner: UserId) -> Result<ViewCounts, StoreError>;
    /// Adds a view.
    fn insert(&mut self, view: &SavedView) -> Result<(), StoreError>;
    /// A view of anybody, locked until the transaction ends.
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

/// What takes changes made in the console back.
pub trait UndoRepo {
    /// Keeps it for a member, and removes the member's oldest beyond [`MAX_UNDOS`](crate::console::undos::MAX_UNDOS). One
    /// statement.
    fn keep(&mut self, member: UserId, undo: &Undo) -> Result<(), StoreError>;
    /// The member's undo with this id, also if it has expired, locked until the transaction ends.
    fn get_for_update(&mut self, member: UserId, id: UndoId) -> Result<Option<Undo>, StoreError>;
    /// Replaces the entries of an undo that was locked before.
    fn keep_entries(&mut self, id: UndoId, entries: &[FormerValues]) -> Result<(), StoreError>;
}
