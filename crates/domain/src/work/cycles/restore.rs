//! Cycles as records that can be restored.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{Cycle, CycleCounts, check_no_overlap};
use crate::events::{Event, EventBuilder};
use crate::identity::access::{DeleteCycles, Permit};
use crate::kernel::later;
use crate::ports::{DeletedRepo, StoreError, Tx};
use crate::records::Deletable;
use crate::{CycleId, Error, ProjectId};

impl Deletable for Cycle {
    type Filter = ProjectId;
    type Delete = DeleteCycles;
    const NOUN: &'static str = "cycle";

    fn deleted(tx: &mut dyn Tx) -> &mut dyn DeletedRepo<Self, ProjectId> {
        tx.cycles()
    }

    fn is_live<P>(tx: &mut dyn Tx, _: &Permit<P>, id: Uuid) -> Result<bool, StoreError> {
        Ok(tx.issues().project_of_cycle(CycleId(id))?.is_some())
    }

    fn bump_versions(&mut self, deleted_at: OffsetDateTime, now: OffsetDateTime) {
        self.version += 2;
        self.updated_at = later(later(self.updated_at, deleted_at), now);
    }

    /// The project is locked, as for a new cycle, so that dates are compared with those of no cycle that changes meanwhile.
    fn fit(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        if tx.projects().get_for_update(self.project_id)?.is_none() {
            let message = "the project of this cycle is deleted: restore the project first";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        check_no_overlap(tx, self, Some(self.id))
    }

    /// Its issues were taken out when it was deleted, and stay where they are.
    fn restored_event(&self, _: &Self, reporter: &EventBuilder, now: OffsetDateTime) -> Event {
        reporter.happened(&self.clone().view(CycleCounts::default(), now.date()), "restored")
    }
}
