//! Time entries as event sources.

use time::OffsetDateTime;
use time::macros::{date, datetime};

use super::{EntryStatus, TimeEntry};
use crate::TimeEntryId;
use crate::events::example::{self, ADA, COMPANY, MADE, MEMBER, PROJECT};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Time,
    verbs: &[
        ("updated", "Fields of a time entry changed, or it was exported for invoicing."),
        ("started", "The timer of a member was started."),
        ("stopped", "The timer of a member was stopped, by itself after 12 hours if it was forgotten."),
        ("submitted", "A time entry was submitted for approval."),
        ("approved", "A time entry was approved."),
        ("rejected", "A time entry that was submitted or approved was rejected."),
        ("restored", "A deleted time entry was restored."),
    ],
    cascade: None,
    data: DataType::of::<TimeEntry>(),
    examples: || {
        let mut examples = example::life(example, EXAMPLE_CHANGES);
        examples.push(example::at_creation().happened(&running(1, MADE), "started"));
        examples.extend(example::at_change().updated(&running(1, MADE), &example(2, example::CHANGED)));
        examples.extend(example::at_change().updated(&submitted(), &example(3, example::CHANGED)));
        examples
    },
};

impl EventSource for TimeEntry {
    event_source!(TimeEntry);

    /// A timer is created and started at once.
    fn creation_verbs(&self) -> &'static [&'static str] {
        if self.status == EntryStatus::Running { &["created", "started"] } else { &["created"] }
    }

    /// What stopping sets is part of the same event.
    fn verb_of(&self, before: &Self, member: &str) -> Option<&'static str> {
        let verb = match (before.status, self.status) {
            (from, to) if from == to => return None,
            (EntryStatus::Running, _) => "stopped",
            (_, EntryStatus::Running) => "started",
            (_, EntryStatus::Submitted) => "submitted",
            (_, EntryStatus::Approved) => "approved",
            // Its member has changed it, and submits it again.
            (EntryStatus::Submitted, EntryStatus::Stopped) if !self.differs_only_in_status(before) => return None,
            (_, EntryStatus::Stopped) => "rejected",
            (_, EntryStatus::Exported) => return None,
        };
        match member {
            "status" => Some(verb),
            "ended_at" | "seconds" if verb == "stopped" => Some(verb),
            _ => None,
        }
    }
}

impl TimeEntry {
    fn differs_only_in_status(&self, before: &Self) -> bool {
        let (status, version, updated_at) = (before.status, before.version, before.updated_at);
        Self { status, version, updated_at, ..self.clone() } == *before
    }
}

fn example(version: i64, updated_at: OffsetDateTime) -> TimeEntry {
    TimeEntry {
        project_id: Some(PROJECT),
        date: date!(2030 - 03 - 04),
        started_at: Some(datetime!(2030-03-04 08:00 UTC)),
        ended_at: Some(datetime!(2030-03-04 09:15 UTC)),
        seconds: Some(4_500),
        note: "Plan of the first sprint".to_owned(),
        in_project_id: Some(PROJECT),
        for_company_id: Some(COMPANY),
        version,
        updated_at,
        ..TimeEntry::blank(TimeEntryId(example::id(10)), MEMBER, ADA, MADE)
    }
}

fn running(version: i64, updated_at: OffsetDateTime) -> TimeEntry {
    TimeEntry { ended_at: None, seconds: None, status: EntryStatus::Running, ..example(version, updated_at) }
}

fn submitted() -> TimeEntry {
    TimeEntry { status: EntryStatus::Submitted, ..example(2, MADE) }
}

const EXAMPLE_CHANGES: &[fn(&mut TimeEntry)] = &[
    |it| "Plan of the first two sprints".clone_into(&mut it.note),
    |it| it.status = EntryStatus::Submitted,
    |it| it.status = EntryStatus::Approved,
];
