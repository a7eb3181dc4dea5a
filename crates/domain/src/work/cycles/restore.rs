//! The rules for restoring a cycle.

use time::OffsetDateTime;

use super::{Cycle, CycleCounts, check_no_overlap};
use crate::Error;
use crate::events::{Event, EventBuilder};
use crate::identity::access::DeleteCycles;
use crate::ports::Tx;
use crate::records::{Deletable, Writing};
use crate::work::projects::Project;

impl Deletable for Cycle {
    type Delete = DeleteCycles;

    /// The project is locked, as for a new cycle, so that dates are compared with those of no cycle that changes meanwhile.
    fn fit(&mut self, tx: &mut dyn Tx, _: &Writing) -> Result<(), Error> {
        if tx.records::<Project>().get_for_update(self.project_id)?.is_none() {
            let message = "the project of this cycle is deleted: restore the project first";
            return Err(Error::InvalidStateChange(message.to_owned()));
        }
        check_no_overlap(tx, self, Some(self.id))
    }

    /// The restored cycle is empty: its issues were taken out when it was deleted.
    fn restored_event(&self, _: &Self, reporter: &EventBuilder, now: OffsetDateTime) -> Event {
        reporter.happened(&self.clone().view(CycleCounts::default(), now.date()), "restored")
    }
}
