//! What a kind of record says to be created, changed and deleted as every other ([`create`](super::create) and its like).

use time::{Date, OffsetDateTime};

use super::{Deletable, ListedKind, Readable, Resource};
use crate::events::{EventBuilder, EventSource};
use crate::identity::access::{Actor, Credential, Permit, Principal, ToolPermit};
use crate::identity::notifications::{AssignedRecord, Assignment, notify_assigned};
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, Tx};
use crate::{Error, UserId};

/// A kind whose records are created, changed and deleted in the same way as others. The methods are its own rules.
pub trait Editable: Readable + ListedKind + Deletable + Resource {
    type Create: ToolPermit;
    type Update: ToolPermit;
    /// Whether its records count towards the monthly quota.
    const COUNTS: bool = false;

    /// A record with defaults only.
    fn new(id: Self::Id, writing: &Writing) -> Self;

    /// Writes the sent members to the record, except those that [`Editable::settle`] decides about.
    ///
    /// # Errors
    /// [`Error::Invalid`] for values that the record cannot have together.
    fn fill(&mut self, fields: Self::Fields, _: &Writing) -> Result<(), Error> {
        self.apply(fields);
        Ok(())
    }

    /// Decides about what depends on the state of the stored record, or on other records: last, after its references and its
    /// version were checked. `stored` is `None` for a new record.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`], and those of the store.
    fn settle(
        &mut self,
        _fields: &Self::Fields,
        _stored: Option<&Self>,
        _: &mut dyn Tx,
        _: &Writing,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// The member who is responsible for it, for kinds that have one.
    fn assignee(&self) -> Option<UserId> {
        None
    }

    /// What that member is told that it is called.
    fn described(&self) -> String {
        self.called().to_owned()
    }
}

/// Whether another member is responsible for the record now; `before` is `None` for a new one.
pub(crate) fn assignment<K: Editable>(before: Option<&K>, after: &K) -> Option<Assignment> {
    Assignment::between(before.and_then(K::assignee), after.assignee(), || AssignedRecord {
        kind: EventSource::kind(after),
        id: after.uuid(),
        label: None,
        title: after.described(),
    })
}

/// What is done to a record as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Created,
    Updated,
    Deleted,
    Restored,
}

/// What the records of one call have in common: who writes them, and when.
#[derive(Clone)]
pub struct Writing {
    pub(crate) ports: Ports,
    pub(crate) workspace: Workspace,
    /// `None` for operators.
    pub(crate) credential: Option<Credential>,
    pub(crate) by: Principal,
    pub(crate) now: OffsetDateTime,
    pub(crate) reporter: EventBuilder,
    /// Whether the records come from a file, in which closed records were closed in the past.
    is_import: bool,
}

impl Writing {
    pub(crate) fn new<P>(ports: &Ports, permit: &Permit<P>) -> Self {
        let (by, now) = (permit.principal(), ports.clock.now());
        let reporter = EventBuilder::new(&by, now);
        let (workspace, credential) = (permit.workspace().clone(), permit.credential());
        Self { ports: ports.clone(), workspace, credential, by, now, reporter, is_import: false }
    }

    /// For the rows of a file.
    pub(crate) fn of_import<P>(ports: &Ports, permit: &Permit<P>) -> Self {
        Self { is_import: true, ..Self::new(ports, permit) }
    }

    pub(crate) const fn actor(&self) -> Actor {
        self.by.actor
    }

    /// The closing day of a record that this write closes; `None` for imports, where only the file can know it.
    pub(crate) fn closing_day(&self) -> Option<Date> {
        (!self.is_import).then(|| self.now.date())
    }

    /// Tells members what was assigned to them.
    pub(crate) fn notify(&self, tx: &mut dyn Tx, assignments: &[Assignment]) -> Result<(), Error> {
        notify_assigned(&self.ports, &self.workspace, tx, &self.by, assignments)
    }
}
