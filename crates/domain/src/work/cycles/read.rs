//! Reads one cycle.

use super::{Cycle, CycleView};
use crate::identity::access::{Permit, ReadCycles};
use crate::ports::{Ports, read_only};
use crate::{CycleId, Error};

/// One cycle of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadCycles>, id: CycleId) -> Result<CycleView, Error> {
    let today = ports.clock.now().date();
    read_only(ports, permit, move |tx| {
        let cycle = tx.records::<Cycle>().get(id)?.ok_or(Error::NotFound("cycle"))?;
        let counts = tx.cycles().counts(id)?;
        Ok(cycle.view(counts, today))
    })
    .await
}
