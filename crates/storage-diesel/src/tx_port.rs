//! Implements the domain's transaction port.

use domain::events::Event;
use domain::ports::{Operator, Repositories, StoreError, Tx};
use domain::records::{ReferringCounts, UniqueValue};
use domain::{Error, Reference, WorkspaceId};
use uuid::Uuid;

use crate::engine::tx::PgTx;
use crate::{directory, events, kernel};

impl Tx for PgTx<'_> {
    fn enter(
        &mut self,
        _: &Operator,
        workspace: WorkspaceId,
        work: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let previous = std::mem::replace(&mut self.workspace, workspace.0);
        let result = work(self);
        self.workspace = previous;
        result
    }

    fn repositories(&mut self) -> &mut dyn Repositories {
        self
    }

    fn emit(&mut self, events: &[Event]) -> Result<(), StoreError> {
        events::append::emit(self, events)
    }

    fn emit_owed(&mut self, events: &[Event]) -> Result<(), StoreError> {
        // Without the limits on event logs, nothing is refused; the added bytes still count.
        let event_bytes = self.event_bytes.take();
        let appended = events::append::emit(self, events);
        self.event_bytes = event_bytes;
        appended
    }

    fn credential_changed(&mut self, id: Uuid) -> Result<(), StoreError> {
        directory::note_change(self, id)
    }

    fn references_exist(&mut self, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
        kernel::references::exist(self, references)
    }

    fn referring(&mut self, record: Reference, most: u32) -> Result<ReferringCounts, StoreError> {
        kernel::referring::count(self, record, most)
    }

    fn record_with(&mut self, value: &UniqueValue) -> Result<Option<Uuid>, StoreError> {
        let query = kernel::unique::record_query(self.workspace, value);
        self.first(query)
    }
}
