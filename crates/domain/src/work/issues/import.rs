//! Imports rows of tasks or tickets.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::bulk_fields::MAX_LABELS;
use super::create::new_references;
use super::reference::new_reference;
use super::requester::find_requester;
use super::update::{changed, save};
use super::{CRM_LINKS, Issue, IssueFields, IssueFilter, IssueStatus, NewIssue, RequesterFields, TicketReference};
use crate::identity::access::Permit;
use crate::kernel::input::{Field, Input, InputMode, Items, Problems, SchemaMember, fields, fold_label};
use crate::kernel::paging::PageRequest;
use crate::kernel::versions::ExpectedVersion;
use crate::kernel::{IssueKind, RecordKeys};
use crate::ports::Tx;
use crate::records::{ImportRow, RecordKind, RowImport, Transferred, Writing, id_of, text_of};
use crate::{Error, IssueId};

fields! {
    /// The members that a row has in addition to those of an issue; requests change these only for many issues at once.
    pub struct ImportedFields {
        /// All of its labels.
        labels: Items<MAX_LABELS, 100>,
        /// The day on which work on it starts.
        start_date: Date,
        /// When the task was done; only for tasks with the status done.
        completed_at: OffsetDateTime,
        /// When the ticket was resolved; only for resolved and closed tickets.
        resolved_at: OffsetDateTime,
    }
}

impl ImportedFields {
    /// Writes the members to an issue that already has the status of the row. If the row completes the issue, the completion time is
    /// that of the row. Without one it is unknown, because the issue was completed in the past.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a completion time of an issue that is not completed, or one in the future.
    fn apply(self, before: Option<&Issue>, issue: &mut Issue, now: OffsetDateTime) -> Result<(), Error> {
        self.check_times(issue, now)?;
        if issue.status.is_completed() {
            let was_completed = before.is_some_and(|before| before.status.is_completed());
            let (field, stored) = match issue.kind {
                IssueKind::Task => (&self.completed_at, &mut issue.completed_at),
                IssueKind::Ticket => (&self.resolved_at, &mut issue.resolved_at),
            };
            match field.set() {
                Some(at) => *stored = Some(*at),
                None if !was_completed => *stored = None,
                None => {}
            }
        }
        if let Field::Set(labels) = self.labels {
            let mut seen = HashSet::new();
            let labels: Vec<String> = labels.into();
            issue.labels = labels.into_iter().filter(|label| seen.insert(fold_label(label))).collect();
        }
        self.start_date.store(&mut issue.start_date);
        Ok(())
    }

    fn check_times(&self, issue: &Issue, now: OffsetDateTime) -> Result<(), Error> {
        let mut problems = Problems::default();
        let times = [
            ("completed_at", &self.completed_at, IssueKind::Task, "only a task with the status done has one"),
            ("resolved_at", &self.resolved_at, IssueKind::Ticket, "only a resolved or closed ticket has one"),
        ];
        for (member, field, kind, rule) in times {
            let Some(at) = field.set() else { continue };
            if issue.kind != kind || !issue.status.is_completed() {
                problems.rule(member, "contradicts_status", format!("{rule}: empty the cell, or correct the status"));
            } else if *at > now {
                problems.rule(member, "out_of_range", "must not be in the future");
            }
        }
        problems.into_result()
    }
}

/// Imports issues. A row finds its issue by the `id` of an export, or a ticket by its `reference`.
pub(crate) struct IssueImport<'a> {
    writing: &'a Writing,
    kind: IssueKind,
    /// The numbers of the next new issues.
    numbers: RefCell<Range<i64>>,
    may_read_contacts: bool,
}

impl<'a> IssueImport<'a> {
    pub(crate) fn new<P>(writing: &'a Writing, permit: &Permit<P>, kind: IssueKind, numbers: &Range<i64>) -> Self {
        let may_read_contacts = permit.may_read(RecordKind::Contact.reads());
        Self { writing, kind, numbers: RefCell::new(numbers.clone()), may_read_contacts }
    }

    fn locked(&self, tx: &mut dyn Tx, id: IssueId) -> Result<Option<Issue>, Error> {
        Ok(tx.records::<Issue>().get_for_update(id)?.filter(|issue| issue.kind == self.kind))
    }
}

impl Transferred for Issue {
    const LONG_TEXT: Option<&'static str> = Some("description");

    fn file_members(kind: RecordKind) -> Vec<SchemaMember> {
        let members = IssueFields::members().into_iter().chain(ImportedFields::members());
        if kind == RecordKind::Task {
            return of_kind(members.filter(|member| member.name != "resolved_at"), IssueKind::Task);
        }
        // A ticket has a requester instead of CRM records.
        let members = members.filter(|member| member.name != "completed_at" && !CRM_LINKS.contains(&member.name));
        of_kind(RequesterFields::members().into_iter().chain(members), IssueKind::Ticket)
    }

    fn own_columns(kind: RecordKind) -> &'static [&'static str] {
        if kind == RecordKind::Task { &["number", "epic_id"] } else { &["reference", "number", "epic_id"] }
    }

    fn file_keys(kind: RecordKind) -> &'static [&'static str] {
        if kind == RecordKind::Task { &[] } else { &["reference"] }
    }

    fn check_row(row: ImportRow) -> Result<(), Error> {
        let (fields, import_only, requester) = split(row);
        if !fields.is_empty() {
            IssueFields::from_object(fields, InputMode::Patch)?;
        }
        ImportedFields::from_object(import_only, InputMode::Create)?;
        RequesterFields::from_object(requester, InputMode::Create).map(drop)
    }
}

/// The members, with the status limited to those of the kind.
fn of_kind(members: impl Iterator<Item = SchemaMember>, kind: IssueKind) -> Vec<SchemaMember> {
    let narrow = |member: SchemaMember| match member.name {
        "status" => SchemaMember { schema: IssueStatus::schema_of(kind), ..member },
        _ => member,
    };
    members.map(narrow).collect()
}

/// Splits a row into the members of an issue, those that only imports have, and those of a requester.
fn split(mut row: ImportRow) -> (ImportRow, ImportRow, ImportRow) {
    let mut part = |names: &[&str]| -> ImportRow { names.iter().filter_map(|name| row.remove_entry(*name)).collect() };
    let (import_only, requester) = (part(ImportedFields::NAMES), part(RequesterFields::NAMES));
    part(&["reference"]);
    (row, import_only, requester)
}

impl RowImport for IssueImport<'_> {
    type Stored = Issue;
    const NOUN: &'static str = "issue";

    fn id(stored: &Issue) -> Uuid {
        stored.id.0
    }

    /// Rows have no keys: a row with a reference never creates an issue, so the id of the found issue is enough.
    fn keys(_: &ImportRow) -> RecordKeys {
        RecordKeys::default()
    }

    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<Issue>, Error> {
        if text_of(row, "parent_id").is_some() {
            // Taken before the row lock, as in every change of parents.
            tx.issues().lock_hierarchy()?;
        }
        if let Some(id) = id_of(row)
            && let Some(found) = self.locked(tx, IssueId(id))?
        {
            return Ok(Some(found));
        }
        let Some(reference) = text_of(row, "reference").and_then(TicketReference::parse) else { return Ok(None) };
        let filter = IssueFilter { reference: Some(reference), ..IssueFilter::all(self.kind) };
        match tx.lists::<Issue>().list(&filter, &PageRequest::first(1))?.first() {
            Some(found) => self.locked(tx, found.id),
            None => Ok(None),
        }
    }

    fn create(&self, tx: &mut dyn Tx, row: ImportRow) -> Result<Uuid, Error> {
        let Writing { ports, now, reporter, .. } = self.writing;
        let (mut issue, import_only, requester) = split(row);
        issue.insert("kind".to_owned(), self.kind.as_str().into());
        let new = NewIssue::from_object(issue, InputMode::Create)?;
        let import_only = ImportedFields::from_object(import_only, InputMode::Create)?;
        let requester = RequesterFields::from_object(requester, InputMode::Create)?.into_requester();
        let mut issue =
            Issue::from_fields(IssueId(ports.ids.new_id()), self.kind, new.fields, self.writing.actor(), *now)?;
        import_only.apply(None, &mut issue, *now)?;
        new_references(&issue, None).check(tx)?;
        if self.kind == IssueKind::Ticket {
            let requester = requester.map(|new| find_requester(tx, &new, self.may_read_contacts)).transpose()?;
            issue = Issue { reference: Some(new_reference(&*ports.random)), requester, ..issue };
            issue.begin_conversation();
        }
        issue.number = match self.numbers.borrow_mut().next() {
            Some(number) => number,
            // A dry run reserves no numbers, and an issue may have been deleted since the new ones were counted.
            None => tx.issues().reserve_numbers(self.kind, 1)?,
        };
        tx.records::<Issue>().insert(&issue)?;
        tx.emit(&[reporter.happened(&issue, "created")])?;
        Ok(issue.id.0)
    }

    /// Does not change the requester of a ticket, because links and replies belong to them.
    fn change(&self, tx: &mut dyn Tx, stored: Issue, row: ImportRow) -> Result<bool, Error> {
        let Writing { now, reporter, .. } = self.writing;
        let (fields, import_only, _) = split(row);
        let import_only = ImportedFields::from_object(import_only, InputMode::Create)?;
        let fields = if fields.is_empty() {
            IssueFields::default()
        } else {
            IssueFields::from_object(fields, InputMode::Patch)?
        };
        let mut issue = changed(tx, &stored, fields, &ExpectedVersion::Any, *now)?;
        import_only.apply(Some(&stored), &mut issue, *now)?;
        let is_changed = issue != stored;
        if is_changed {
            save(tx, &stored, &mut issue, reporter, *now)?;
        }
        Ok(is_changed)
    }
}
