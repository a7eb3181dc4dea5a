//! Cycles as event sources.

use time::OffsetDateTime;
use time::macros::date;
use uuid::Uuid;

use super::{CycleStatus, CycleView};
use crate::events::example::{self, ADA, CYCLE, MADE, PROJECT};
use crate::events::{CascadeRole, DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Projects,
    verbs: &[
        (
            "deleted",
            "A cycle was deleted, alone or with its project (cause). Alone, its tasks are no longer in a cycle.",
        ),
        ("restored", "A deleted cycle was restored, alone or with its project (cause)."),
    ],
    cascade: Some(CascadeRole::Follower),
    data: DataType::of::<CycleView>(),
    examples: || example::life::<CycleView>(example, &[|it| "Sign-in".clone_into(&mut it.name)]),
};

impl EventSource for CycleView {
    event_source!(Cycle);

    fn scope(&self) -> Option<Uuid> {
        Some(self.project_id.0)
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> CycleView {
    CycleView {
        id: CYCLE,
        project_id: PROJECT,
        number: 1,
        name: "Cycle 1".to_owned(),
        goal: Some("Everybody can sign in".to_owned()),
        start_date: date!(2030 - 05 - 01),
        end_date: date!(2030 - 05 - 14),
        status: CycleStatus::Upcoming,
        issue_count: 3,
        completed_issue_count: 0,
        version,
        created_at: MADE,
        updated_at,
        created_by: ADA,
    }
}
