//! Creates a cycle.

use super::{Cycle, CycleCounts, CycleFields, CycleView, check_no_overlap};
use crate::events::EventBuilder;
use crate::identity::access::{CreateCycles, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::Field;
use crate::ports::{Ports, transact_idempotent};
use crate::records;
use crate::work::projects::Project;
use crate::{CycleId, Error, ProjectId};

/// Creates a cycle in a project. Locks the project's row, so that numbers are consecutive and concurrent cycles
/// cannot overlap.
///
/// # Errors
/// [`Error::NotFound`] for the project, [`Error::Invalid`] for dates out of order, [`Error::Conflict`] for an overlap.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateCycles>,
    once: Option<IdempotentRequest<CycleView>>,
    project_id: ProjectId,
    fields: CycleFields,
) -> Result<IdempotentResult<CycleView>, Error> {
    let now = ports.clock.now();
    let (Field::Set(name), Field::Set(start_date), Field::Set(end_date)) =
        (fields.name, fields.start_date, fields.end_date)
    else {
        return Err(Error::malformed("name", "required", "name, start_date and end_date are required"));
    };
    let mut goal = None;
    fields.goal.store(&mut goal);
    let new = Cycle {
        id: CycleId(ports.ids.new_id()),
        project_id,
        number: 0,
        name: name.into(),
        goal,
        start_date,
        end_date,
        version: 1,
        created_at: now,
        updated_at: now,
        created_by: permit.actor(),
    };
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact_idempotent(ports, permit, once, move |tx| {
        records::lock::<Project>(tx, project_id)?;
        check_no_overlap(tx, &new, None)?;
        let cycle = Cycle { number: tx.cycles().highest_number(project_id)? + 1, ..new.clone() };
        tx.records::<Cycle>().insert(&cycle)?;
        let view = cycle.view(CycleCounts::default(), now.date());
        tx.emit(&[reporter.happened(&view, "created")])?;
        Ok(view)
    })
    .await
}
