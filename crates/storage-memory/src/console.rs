//! Search across all kinds of records, saved views, and undos.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::state::MemoryTx;
use domain::console::undos::{MAX_UNDOS, Undo};
use domain::console::views::{SavedView, ViewCounts, ViewPage};
use domain::console::{FoundComment, FoundRecord, MAX_FOUND_OF_A_KIND, Names, RecordSearch, WantedNames};
use domain::crm::comments::CrmRecord;
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::ports::{RecordSearchRepo, SavedViewRepo, StoreError, UndoRepo};
use domain::records::{FormerValues, MatchedComment, RecordById, RecordKind};
use domain::work::comments::CommentedRecord;
use domain::{CommentId, IssueId, SavedViewId, UndoId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

impl RecordSearchRepo for MemoryTx<'_> {
    fn search_records(&mut self, wanted: &RecordSearch) -> Result<Vec<FoundRecord>, StoreError> {
        let mut found = Vec::new();
        for kind in wanted.kinds.iter().copied() {
            let every = || self.of_kind(wanted, kind).into_iter();
            let mut of_kind: Vec<_> =
                every().filter(|(_, words)| has_words(words, wanted)).map(|(record, _)| record).collect();
            of_kind.sort_by_key(|record| Reverse((record.created_at, record.id)));
            of_kind.truncate(MAX_FOUND_OF_A_KIND as usize);
            found.append(&mut of_kind);
            if wanted.comments.contains(&kind) {
                let others = every().filter(|(_, words)| !has_words(words, wanted));
                let mut by_comment: Vec<_> =
                    others.filter_map(|(record, _)| self.with_comment(record, wanted)).collect();
                let said = |record: &FoundRecord| record.comment.as_ref().map(|said| (said.created_at, said.id.0));
                by_comment.sort_by_key(|record| Reverse(said(record)));
                by_comment.truncate(MAX_FOUND_OF_A_KIND as usize);
                found.append(&mut by_comment);
            }
        }
        Ok(found)
    }

    fn matched_comments(
        &mut self,
        kind: RecordKind,
        records: &[Uuid],
        words: &SearchQuery,
    ) -> Result<BTreeMap<Uuid, MatchedComment>, StoreError> {
        let wanted = RecordSearch { words: words.clone(), kinds: vec![kind], drafts: false, comments: vec![kind] };
        let lacking = self.of_kind(&wanted, kind).into_iter();
        let lacking = lacking.filter(|(record, own)| records.contains(&record.id) && !has_words(own, &wanted));
        let by_comment = lacking.filter_map(|(record, _)| self.with_comment(record, &wanted));
        Ok(by_comment.filter_map(|record| Some((record.id, MatchedComment::from(record.comment?)))).collect())
    }

    fn names_of(&mut self, wanted: &WantedNames) -> Result<Names, StoreError> {
        let mut names = Names::default();
        for id in &wanted.people {
            let is_member = self.records.members.contains_key(&UserId(*id));
            let user = self.shared.users.get(&UserId(*id)).filter(|_| is_member);
            names.people.extend(user.map(|user| (*id, user.name.clone())));
        }
        for (kind, id) in &wanted.records {
            let title = self.records.tables.all().find_map(|table| table.title(*kind, *id));
            names.records.extend(title.map(|title| ((*kind, *id), title)));
        }
        Ok(names)
    }

    fn find_by_id(&mut self, id: Uuid, since: OffsetDateTime) -> Result<Option<RecordById>, StoreError> {
        let found = self.records.tables.all().find_map(|table| table.by_id(id));
        Ok(found.filter(|record| record.deleted_at.is_none_or(|at| at > since)))
    }
}

fn has_words(words: &[String], wanted: &RecordSearch) -> bool {
    SearchWords::of(words.to_vec()).matches(&wanted.words)
}

impl MemoryTx<'_> {
    /// The record with its latest matching comment; `None` if no comment matches.
    fn with_comment(&self, record: FoundRecord, wanted: &RecordSearch) -> Option<FoundRecord> {
        let records = &self.records;
        let of_issues = |on: IssueId| {
            let on_it = records.comments.live().filter(|comment| comment.issue_id == on);
            on_it.map(|comment| (comment.created_at, comment.id, comment.body.clone())).collect()
        };
        let of_crm = |on: CrmRecord| {
            let on_it = records.comments_on(on);
            on_it.map(|comment| (comment.created_at, comment.id, comment.body.clone())).collect()
        };
        let said: Vec<(OffsetDateTime, CommentId, String)> = match CommentedRecord::of(record.kind, record.id)? {
            CommentedRecord::Issue(id) => of_issues(id),
            CommentedRecord::Crm(on) => of_crm(on),
        };
        let matching = said.into_iter().filter(|(_, _, body)| has_words(&SearchWords::in_text(body), wanted));
        let (created_at, id, body) = matching.max_by_key(|(created_at, id, _)| (*created_at, *id))?;
        Some(FoundRecord { comment: Some(FoundComment::new(id, created_at, &body, &wanted.words)), ..record })
    }

    /// The searchable live records of a kind, each with its words.
    fn of_kind(&self, wanted: &RecordSearch, kind: RecordKind) -> Vec<(FoundRecord, Vec<String>)> {
        self.records.tables.all().flat_map(|table| table.found(kind, wanted.drafts)).collect()
    }
}

impl UndoRepo for MemoryTx<'_> {
    fn keep(&mut self, member: UserId, undo: &Undo) -> Result<(), StoreError> {
        let undos = &mut self.records.undos;
        let own = undos.values().filter(|(owner, _)| *owner == member);
        let mut own: Vec<_> = own.map(|(_, undo)| (undo.made_at, undo.id)).collect();
        own.sort_unstable_by_key(|place| Reverse(*place));
        for (_, surplus) in own.into_iter().skip(MAX_UNDOS as usize - 1) {
            undos.remove(&surplus);
        }
        undos.insert(undo.id, (member, undo.clone()));
        Ok(())
    }

    fn get_for_update(&mut self, member: UserId, id: UndoId) -> Result<Option<Undo>, StoreError> {
        let own = self.records.undos.get(&id).filter(|(owner, _)| *owner == member);
        Ok(own.map(|(_, undo)| undo.clone()))
    }

    fn keep_entries(&mut self, id: UndoId, entries: &[FormerValues]) -> Result<(), StoreError> {
        if let Some((_, undo)) = self.records.undos.get_mut(&id) {
            undo.entries = entries.to_vec();
        }
        Ok(())
    }
}

impl SavedViewRepo for MemoryTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn counts(&mut self, owner: UserId) -> Result<ViewCounts, StoreError> {
        let views = || self.records.saved_views.values();
        Ok(ViewCounts {
            own: views().filter(|view| view.owner_id == owner && !view.shared).count() as u64,
            shared: views().filter(|view| view.shared).count() as u64,
        })
    }

    fn insert(&mut self, view: &SavedView) -> Result<(), StoreError> {
        self.records.saved_views.insert(view.id, view.clone());
        Ok(())
    }

    fn get_for_update(&mut self, id: SavedViewId) -> Result<Option<SavedView>, StoreError> {
        Ok(self.records.saved_views.get(&id).cloned())
    }

    fn save(&mut self, view: &SavedView) -> Result<(), StoreError> {
        let stored = self.records.saved_views.get_mut(&view.id);
        *stored.ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))? = view.clone();
        Ok(())
    }

    fn delete(&mut self, id: SavedViewId) -> Result<(), StoreError> {
        self.records.saved_views.remove(&id);
        Ok(())
    }

    fn list(&mut self, page: ViewPage, member: UserId) -> Result<Vec<SavedView>, StoreError> {
        let views = self.records.saved_views.values();
        let mut seen: Vec<_> = views.filter(|view| view.page == page && view.is_seen_by(member)).cloned().collect();
        seen.sort_by_key(|view| (view.shared, view.position, view.created_at, view.id));
        Ok(seen)
    }

    fn arrange(&mut self, order: &[SavedViewId]) -> Result<(), StoreError> {
        for (id, position) in order.iter().zip(1..) {
            if let Some(view) = self.records.saved_views.get_mut(id) {
                view.position = position;
            }
        }
        Ok(())
    }
}
