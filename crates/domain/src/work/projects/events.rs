//! Projects as event sources.

use time::OffsetDateTime;
use time::macros::date;
use uuid::Uuid;

use super::{Priority, Project, ProjectStatus};
use crate::events::example::{self, ADA, COMPANY, DEAL, MADE, MEMBER, PROJECT};
use crate::events::{CascadeRole, DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Projects,
    verbs: &[
        ("updated", "Fields of a project other than its status changed."),
        ("status_changed", "The status of a project changed."),
        ("deleted", "A project was deleted with its tasks and cycles, whose own events follow; cascade counts them."),
        (
            "restored",
            "A deleted project was restored with the tasks and cycles that were deleted with it, whose own events follow; cascade counts them.",
        ),
    ],
    cascade: Some(CascadeRole::Leader),
    data: DataType::of::<Project>(),
    examples: || example::life::<Project>(example, &[|it| it.progress = 10, |it| it.status = ProjectStatus::Active]),
};

impl EventSource for Project {
    event_source!(Project);

    fn scope(&self) -> Option<Uuid> {
        Some(self.id.0)
    }

    fn verb_of(&self, _: &Self, member: &str) -> Option<&'static str> {
        (member == "status").then_some("status_changed")
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> Project {
    Project {
        name: "Northwind roll-out".to_owned(),
        priority: Priority::High,
        start_date: Some(date!(2030 - 05 - 01)),
        end_date: Some(date!(2030 - 07 - 31)),
        lead_user_id: Some(MEMBER),
        deal_id: Some(DEAL),
        company_id: Some(COMPANY),
        version,
        updated_at,
        ..Project::blank(PROJECT, ADA, MADE)
    }
}
