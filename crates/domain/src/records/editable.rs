//! The rules that a kind of record supplies to the shared [`create`](super::create), [`update`](super::update) and
//! [`delete`](super::delete).

use time::{Date, OffsetDateTime};

use super::{Deletable, ListedKind, Readable, Resource};
use crate::events::{EventBuilder, EventSource};
use crate::identity::access::{Actor, Credential, Permit, Principal, ToolPermit};
use crate::identity::notifications::{AssignedRecord, Assignment, notify_assigned};
use crate::identity::workspaces::Workspace;
use crate::ports::{Ports, Tx};
use crate::{Error, UserId};

/// A kind whose records are created, changed and deleted by the shared use cases. The methods are the rules of the kind.
pub trait Editable: Readable + ListedKind + Deletable + Resource {
    type Create: ToolPermit;
    type Update: ToolPermit;
    /// Whether new records count towards the monthly quota.
    const COUNTS: bool = false;

    /// A record with defaults only.
    fn new(id: Self::Id, writing: &Writing) -> Self;

    /// Writes the given fields to the record, except those that [`Editable::settle`] decides about.
    ///
    /// # Errors
    /// [`Error::Invalid`] for values that the record cannot have together.
    fn fill(&mut self, fields: Self::Fields, _: &Writing) -> Result<(), Error> {
        self.apply(fields);
        Ok(())
    }

    /// Applies the rules that depend on the state of the stored record or on other records. It runs last, after the references and
    /// the version were checked. `stored` is `None` for a new record.
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

    /// The assigned member, for kinds that have one.
    fn assignee(&self) -> Option<UserId> {
        None
    }

    /// The title of the record in the notification of the assignee.
    fn assignment_title(&self) -> String {
        self.label().to_owned()
    }
}

/// The assignment to notify about, if the assignee has changed. `before` is `None` for a new record.
pub(crate) fn assignment<K: Editable>(before: Option<&K>, after: &K) -> Option<Assignment> {
    Assignment::between(before.and_then(K::assignee), after.assignee(), || AssignedRecord {
        kind: EventSource::kind(after),
        id: after.uuid(),
        label: None,
        title: after.assignment_title(),
    })
}

/// What a write did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    Created,
    Updated,
    Deleted,
    Restored,
}

/// The context of a write, which all records of a call share: who writes them, and when.
#[derive(Clone)]
pub struct Writing {
    pub(crate) ports: Ports,
    pub(crate) workspace: Workspace,
    /// `None` for operators.
    pub(crate) credential: Option<Credential>,
    pub(crate) by: Principal,
    pub(crate) now: OffsetDateTime,
    pub(crate) reporter: EventBuilder,
    /// Whether the records come from a file. Closed records of a file were closed in the past.
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

    /// The closing day of a record that this write closes; `None` for imports, because only the file can say it.
    pub(crate) fn closing_day(&self) -> Option<Date> {
        (!self.is_import).then(|| self.now.date())
    }

    /// Notifies members of the records that were assigned to them.
    pub(crate) fn notify(&self, tx: &mut dyn Tx, assignments: &[Assignment]) -> Result<(), Error> {
        notify_assigned(&self.ports, &self.workspace, tx, &self.by, assignments)
    }
}
