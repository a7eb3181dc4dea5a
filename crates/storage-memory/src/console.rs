//! Search over records of all kinds, saved views, and what takes changes back.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::state::MemoryTx;
use domain::console::undos::{MAX_UNDOS, Undo};
use domain::console::views::{SavedView, ViewCounts, ViewPage};
use domain::console::{FoundComment, FoundRecord, MAX_FOUND_OF_A_KIND, Names, RecordSearch, WantedNames};
use domain::crm::comments::CrmRecord;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::ports::{RecordSearchRepo, SavedViewRepo, StoreError, UndoRepo};
use domain::records::{FormerValues, MatchedComment, RecordById, RecordKind};
use domain::support::kb::{Article, ArticleStatus, plain_text};
use domain::work::comments::CommentedRecord;
use domain::work::cycles::Cycle;
use domain::work::issues::Issue;
use domain::work::projects::Project;
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
            names.records.extend(self.title_of(*kind, *id).map(|title| ((*kind, *id), title)));
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

fn title_of_contact(contact: &Contact) -> String {
    let names = [contact.first_name.clone(), contact.last_name.clone()].into_iter().flatten().collect::<Vec<_>>();
    if names.is_empty() { contact.email.clone() } else { names.join(" ") }
}

impl MemoryTx<'_> {
    fn title_of(&self, kind: RecordKind, id: Uuid) -> Option<String> {
        let records = &self.records;
        match kind {
            RecordKind::Contact => records.of::<Contact>().get(id.into()).map(title_of_contact),
            RecordKind::Company => records.of::<Company>().get(id.into()).map(|it| it.name.clone()),
            RecordKind::Deal => records.of::<Deal>().get(id.into()).map(|it| it.title.clone()),
            RecordKind::Project => records.of::<Project>().get(id.into()).map(|it| it.name.clone()),
            RecordKind::Cycle => records.of::<Cycle>().get(id.into()).map(|it| it.name.clone()),
            RecordKind::Task | RecordKind::Ticket => {
                let issue = records.of::<Issue>().get(id.into()).filter(|issue| RecordKind::from(issue.kind) == kind);
                issue.map(|it| it.title.clone())
            }
            RecordKind::Article => records.of::<Article>().get(id.into()).map(|it| it.title.clone()),
        }
    }

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
        let records = &self.records;
        macro_rules! found {
            ($record:ident, $it:ident => $words:expr, $title:expr, $detail:expr) => {
                records
                    .of::<$record>()
                    .live()
                    .map(|$it| {
                        let (id, created_at) = ($it.id.0, $it.created_at);
                        let (title, detail) = ($title, $detail);
                        (FoundRecord { kind, id, title, detail, created_at, comment: None }, $words)
                    })
                    .collect()
            };
        }
        match kind {
            RecordKind::Contact => {
                found!(Contact, it => it.search_words(), title_of_contact(it), Some(it.email.clone()))
            }
            RecordKind::Company => found!(Company, it => it.search_words(), it.name.clone(), it.domain.clone()),
            RecordKind::Deal => {
                found!(Deal, it => it.search_words(), it.title.clone(), Some(it.stage.as_str().to_owned()))
            }
            RecordKind::Project => {
                found!(Project, it => it.search_words(), it.name.clone(), Some(it.status.as_str().to_owned()))
            }
            RecordKind::Task | RecordKind::Ticket => {
                let of_kind: Vec<(FoundRecord, Vec<String>)> = found!(Issue, it => it.search_words(), it.title.clone(), {
                    let status = Some(it.status.as_str().to_owned());
                    if kind == RecordKind::Ticket { it.reference.clone() } else { status }
                });
                let is_of_kind = |(record, _): &(FoundRecord, Vec<String>)| {
                    records
                        .of::<Issue>()
                        .get(record.id.into())
                        .is_some_and(|issue| RecordKind::from(issue.kind) == kind)
                };
                of_kind.into_iter().filter(is_of_kind).collect()
            }
            RecordKind::Article => {
                let of_kind: Vec<(FoundRecord, Vec<String>)> = found!(Article, it => {
                    let mut words = SearchWords::default();
                    words.text(Some(&it.title)).text(Some(&it.tags.join(" ")));
                    words.text(Some(&plain_text(it.body.as_deref().unwrap_or_default())));
                    words.into_vec()
                }, it.title.clone(), Some(it.status.as_str().to_owned()));
                let draft = Some(ArticleStatus::Draft.as_str().to_owned());
                of_kind.into_iter().filter(|(record, _)| wanted.drafts || record.detail != draft).collect()
            }
            RecordKind::Cycle => Vec::new(),
        }
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
