//! Changes a cycle.

use super::{Cycle, CycleFields, CyclePlace, CycleView, check_no_overlap};
use crate::Error;
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateCycles};
use crate::kernel::input::Problems;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::records::Kind;
use crate::work::projects::note_date_order;

/// Changes a cycle. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for a date that is out of order with the other, sent or stored;
/// [`Error::ConcurrentUpdate`], [`Error::Conflict`] for an overlap.
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateCycles>,
    place: CyclePlace,
    expected: ExpectedVersion,
    fields: CycleFields,
) -> Result<CycleView, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = place.lock(tx)?;
        let mut cycle = stored.clone();
        let CycleFields { name, goal, start_date, end_date } = fields.clone();
        name.into_stored().replace(&mut cycle.name);
        goal.store(&mut cycle.goal);
        start_date.replace(&mut cycle.start_date);
        end_date.replace(&mut cycle.end_date);
        let mut problems = Problems::default();
        note_date_order(Some(cycle.start_date), Some(cycle.end_date), &mut problems);
        problems.into_result()?;
        expected.check(stored.version)?;
        let (counts, today) = (tx.cycles().counts(cycle.id)?, now.date());
        if cycle == stored {
            return Ok(stored.view(counts, today));
        }
        check_no_overlap(tx, &cycle, Some(cycle.id))?;
        cycle.bump_version(now);
        tx.records::<Cycle>().save(&cycle)?;
        let view = cycle.view(counts, today);
        tx.emit(&reporter.updated(&stored.view(counts, today), &view))?;
        Ok(view)
    })
    .await
}
