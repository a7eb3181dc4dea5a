//! References from an input to other records of the workspace.

use std::collections::HashSet;

use crate::kernel::IssueKind;
use crate::kernel::input::{Field, Problem};
use crate::ports::Tx;
use crate::{CompanyId, ContactId, CycleId, DealId, Error, IssueId, ProjectId, UserId};

/// A record that an input may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A live company.
    Company(CompanyId),
    /// A live contact.
    Contact(ContactId),
    /// A live deal.
    Deal(DealId),
    /// A live project.
    Project(ProjectId),
    /// A live cycle of the project.
    Cycle(ProjectId, CycleId),
    /// A live issue of the kind.
    Issue(IssueKind, IssueId),
    /// An active member of the workspace.
    Member(UserId),
}

impl Reference {
    pub const fn task(id: IssueId) -> Self {
        Self::Issue(IssueKind::Task, id)
    }

    pub const fn ticket(id: IssueId) -> Self {
        Self::Issue(IssueKind::Ticket, id)
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Company(_) => "a company of the workspace",
            Self::Contact(_) => "a contact of the workspace",
            Self::Deal(_) => "a deal of the workspace",
            Self::Project(_) => "a project of the workspace",
            Self::Cycle(..) => "a cycle of the issue's project",
            Self::Issue(IssueKind::Task, _) => "a task of the workspace",
            Self::Issue(IssueKind::Ticket, _) => "a ticket of the workspace",
            Self::Member(_) => "an active member of the workspace",
        }
    }
}

/// The references that an input sets or changes, checked in one statement.
///
/// A reference equal to the stored one is not checked again: its record may have been deleted since.
#[derive(Debug, Clone, Default)]
pub struct References {
    references: Vec<(&'static str, Reference)>,
}

impl References {
    pub fn add<T: Copy + PartialEq>(
        &mut self,
        field: &'static str,
        new: Option<T>,
        stored: Option<T>,
        wrap: fn(T) -> Reference,
    ) {
        if let Some(id) = new
            && stored != Some(id)
        {
            self.references.push((field, wrap(id)));
        }
    }

    pub fn add_field<T: Copy + PartialEq>(&mut self, field: &'static str, value: &Field<T>, wrap: fn(T) -> Reference) {
        self.add(field, value.set().copied(), None, wrap);
    }

    /// Checks all references with one statement; no statement if there are none.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming every field whose record does not exist.
    pub fn check(&self, tx: &mut dyn Tx) -> Result<(), Error> {
        if self.references.is_empty() {
            return Ok(());
        }
        let references: Vec<_> = self.targets().collect();
        let results = tx.references_exist(&references)?;
        let missing =
            references.iter().zip(results).filter(|(_, exists)| !exists).map(|(reference, _)| *reference).collect();
        self.check_against(&missing)
    }

    /// The records that must exist.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Reference> {
        self.references.iter().map(|(_, reference)| *reference)
    }

    /// Like [`References::check`], for callers that already know which records do not exist.
    pub(crate) fn check_against(&self, missing: &HashSet<Reference>) -> Result<(), Error> {
        let problems: Vec<_> = self
            .references
            .iter()
            .filter(|(_, reference)| missing.contains(reference))
            .map(|(field, reference)| {
                Problem::new(*field, "not_found", format!("must be the id of {}", reference.description()))
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
    }
}
