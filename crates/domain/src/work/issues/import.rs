//! Rows of an import of tasks or tickets.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use time::Date;

use super::bulk_fields::MAX_LABELS;
use super::create::{new_reference, new_references};
use super::requester::find_requester;
use super::update::{changed, save};
use super::{Issue, IssueFields, IssueFilter, NewIssue, RequesterFields, TicketReference};
use crate::identity::access::{Permit, ReadRequirement};
use crate::kernel::IssueKind;
use crate::kernel::input::{Field, Input, InputMode, Items, fields, fold_label};
use crate::kernel::paging::PageRequest;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Tx;
use crate::records::{ImportContext, ImportRow, RowImport, id_of, text_of};
use crate::tools::ToolPermission;
use crate::{Error, IssueId};

fields! {
    /// The members of a row beside those of an issue: requests change these for many issues at once.
    pub struct ImportedFields {
        /// All of its labels.
        labels: Items<MAX_LABELS, 100>,
        /// The day on which work on it starts.
        start_date: Date,
    }
}

impl ImportedFields {
    fn apply(self, issue: &mut Issue) {
        if let Field::Set(labels) = self.labels {
            let mut seen = HashSet::new();
            let labels: Vec<String> = labels.into();
            issue.labels = labels.into_iter().filter(|label| seen.insert(fold_label(label))).collect();
        }
        self.start_date.store(&mut issue.start_date);
    }
}

/// An issue is found by `id`, as an export has it, a ticket then by `reference`.
pub(crate) struct IssueImport<'a> {
    context: &'a ImportContext,
    kind: IssueKind,
    /// The numbers of the next new issues.
    numbers: RefCell<Range<i64>>,
    may_read_contacts: bool,
}

impl<'a> IssueImport<'a> {
    pub(crate) fn new<P>(
        context: &'a ImportContext,
        permit: &Permit<P>,
        kind: IssueKind,
        numbers: &Range<i64>,
    ) -> Self {
        let may_read_contacts = permit.may_read(ReadRequirement::Records(ToolPermission::ReadContacts));
        Self { context, kind, numbers: RefCell::new(numbers.clone()), may_read_contacts }
    }

    fn locked(&self, tx: &mut dyn Tx, id: IssueId) -> Result<Option<Issue>, Error> {
        Ok(tx.issues().get_many_for_update(&[id])?.pop().filter(|issue| issue.kind == self.kind))
    }
}

/// Whether the members of a row may have these values, as far as the store is not needed to tell.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn check_imported(row: ImportRow) -> Result<(), Error> {
    let (fields, beside, requester) = split(row);
    if !fields.is_empty() {
        IssueFields::from_object(fields, InputMode::Patch)?;
    }
    ImportedFields::from_object(beside, InputMode::Create)?;
    RequesterFields::from_object(requester, InputMode::Create).map(drop)
}

/// Splits a row into the members of an issue, those beside them, and those of a requester.
fn split(mut row: ImportRow) -> (ImportRow, ImportRow, ImportRow) {
    let mut part = |names: &[&str]| -> ImportRow { names.iter().filter_map(|name| row.remove_entry(*name)).collect() };
    let (beside, requester) = (part(ImportedFields::NAMES), part(RequesterFields::NAMES));
    part(&["reference"]);
    (row, beside, requester)
}

impl RowImport for IssueImport<'_> {
    type Stored = Issue;
    const NOUN: &'static str = "issue";

    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<Issue>, Error> {
        if text_of(row, "parent_id").is_some() {
            // Before the lock of the row, as every change of parents does.
            tx.issues().lock_hierarchy()?;
        }
        if let Some(id) = id_of(row)
            && let Some(found) = self.locked(tx, IssueId(id))?
        {
            return Ok(Some(found));
        }
        let Some(reference) = text_of(row, "reference").and_then(TicketReference::parse) else { return Ok(None) };
        let filter = IssueFilter { reference: Some(reference), ..IssueFilter::all(self.kind) };
        match tx.issues().list(&filter, &PageRequest::first(1))?.first() {
            Some(found) => self.locked(tx, found.id),
            None => Ok(None),
        }
    }

    fn create(&self, tx: &mut dyn Tx, row: ImportRow) -> Result<(), Error> {
        let ImportContext { ports, actor, now, reporter, .. } = self.context;
        let (mut issue, beside, requester) = split(row);
        issue.insert("kind".to_owned(), self.kind.as_str().into());
        let new = NewIssue::from_object(issue, InputMode::Create)?;
        let beside = ImportedFields::from_object(beside, InputMode::Create)?;
        let requester = RequesterFields::from_object(requester, InputMode::Create)?.into_requester();
        let mut issue = Issue::made(IssueId(ports.ids.new_id()), self.kind, new.fields, *actor, *now)?;
        beside.apply(&mut issue);
        new_references(&issue, None).check(tx)?;
        if self.kind == IssueKind::Ticket {
            let requester = requester.map(|new| find_requester(tx, &new, self.may_read_contacts)).transpose()?;
            issue = Issue { reference: Some(new_reference(&*ports.random)), requester, ..issue };
        }
        issue.number = match self.numbers.borrow_mut().next() {
            Some(number) => number,
            // A try reserves none before, and an issue may have been deleted since they were counted.
            None => tx.issues().reserve_numbers(self.kind, 1)?,
        };
        tx.issues().insert(&issue)?;
        Ok(tx.emit(&[reporter.happened(&issue, "created")])?)
    }

    /// The requester of a ticket stays: links and replies are theirs.
    fn change(&self, tx: &mut dyn Tx, stored: Issue, row: ImportRow) -> Result<bool, Error> {
        let ImportContext { now, reporter, .. } = self.context;
        let (fields, beside, _) = split(row);
        let beside = ImportedFields::from_object(beside, InputMode::Create)?;
        let fields = if fields.is_empty() {
            IssueFields::default()
        } else {
            IssueFields::from_object(fields, InputMode::Patch)?
        };
        let mut issue = changed(tx, &stored, fields, &ExpectedVersion::Any, *now)?;
        beside.apply(&mut issue);
        let is_changed = issue != stored;
        if is_changed {
            save(tx, &stored, &mut issue, reporter, *now)?;
        }
        Ok(is_changed)
    }
}
