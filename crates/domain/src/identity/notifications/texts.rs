//! The texts of e-mails to members.

use std::fmt::Write as _;

use super::{AssignedRecord, CustomerReply, RejectedTime, TimerStopReason};
use crate::TimeEntryId;
use crate::identity::access::{ActorKind, Principal, RecordKind};
use crate::identity::workspaces::Workspace;
use crate::ports::Settings;

/// Maximum records of one change that are listed.
const MAX_NAMED: usize = 20;
/// Maximum length of a title in a list of several, in characters.
const MAX_TITLE: usize = 120;
/// Maximum length of a quoted reply, in characters.
const MAX_REPLY: usize = 2_000;
/// The subject of an e-mail about several changes.
pub(super) const SUBJECT_OF_MANY: &str = "Several updates to your work";

/// The kinds that can be assigned, in the order that texts list them.
const COUNTED: [RecordKind; 6] = [
    RecordKind::Task,
    RecordKind::Ticket,
    RecordKind::Contact,
    RecordKind::Company,
    RecordKind::Deal,
    RecordKind::Project,
];

impl AssignedRecord {
    fn name(&self) -> String {
        let noun = self.kind.as_str();
        self.label.as_ref().map_or_else(|| noun.to_owned(), |label| format!("{noun} {label}"))
    }
}

/// Subject and text about a timer that was not stopped by its member.
pub(super) fn timer_stopped(entry: TimeEntryId, reason: TimerStopReason) -> (String, String) {
    let reason = match reason {
        TimerStopReason::Forgotten => "it had run for 12 hours. Correct the time if it is wrong.",
        TimerStopReason::PeriodLocked => {
            "time entries of the day on which it began were locked. If the time is wrong, ask an owner to unlock that day."
        }
    };
    let text = format!("Your timer was stopped because {reason}\n\nId: {entry}");
    ("Your timer was stopped".to_owned(), text)
}

/// Subject and text about rejected time entries.
pub(super) fn time_rejected(by: &Principal, entries: &[RejectedTime], reason: &str) -> (String, String) {
    let mut text = format!("{} rejected your time:\n\n", by.name);
    push_list(&mut text, entries, |RejectedTime { day, seconds, note }| {
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        let note = cut(note.lines().next().unwrap_or_default(), MAX_TITLE);
        let separator = if note.is_empty() { "" } else { ": " };
        format!("{day}, {hours}:{minutes:02}{separator}{note}")
    });
    if !reason.is_empty() {
        let _ = writeln!(text, "\nReason: {reason}");
    }
    text.push_str("\nYou can change the time and submit it again.");
    let subject = match entries.len() {
        1 => "Rejected: 1 time entry".to_owned(),
        count => format!("Rejected: {count} time entries"),
    };
    (subject, text)
}

/// Subject and text about assigned records; `None` without records. Subjects have no titles, because operators see subjects.
pub(super) fn assigned(by: &Principal, records: &[&AssignedRecord]) -> Option<(String, String)> {
    let by = match by.actor.kind {
        ActorKind::ApiKey => format!("The API key {}", by.name),
        _ => by.name.to_string(),
    };
    let (first, others) = records.split_first()?;
    if others.is_empty() {
        // Not every record has a page, so the text has its id.
        let (name, title, id) = (first.name(), &first.title, first.id);
        let text = format!("{by} assigned the {name} to you:\n\n{title}\n\nId: {id}");
        return Some((format!("Assigned to you: {name}"), text));
    }
    let count = count_text(records);
    let mut text = format!("{by} assigned {count} to you:\n\n");
    push_list(&mut text, records, |record| format!("{}: {}", record.name(), cut(&record.title, MAX_TITLE)));
    Some((format!("Assigned to you: {count}"), text.trim_end().to_owned()))
}

/// Adds the first [`MAX_NAMED`] items to a text, a line each, and how many more there are.
fn push_list<T>(text: &mut String, items: &[T], line_of: impl Fn(&T) -> String) {
    for item in items.iter().take(MAX_NAMED) {
        let _ = writeln!(text, "- {}", line_of(item));
    }
    if let Some(more) = items.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        let _ = writeln!(text, "\nand {more} more");
    }
}

/// The count and kinds of the records, such as `3 tasks`, or `3 tasks and tickets`.
fn count_text(records: &[&AssignedRecord]) -> String {
    let has = |kind: &RecordKind| records.iter().any(|record| record.kind == *kind);
    let nouns: Vec<_> = COUNTED.into_iter().filter(has).map(RecordKind::plural).collect();
    format!("{} {}", records.len(), nouns.join(" and "))
}

/// Subject and text about a customer's reply.
pub(super) fn replied(reply: &CustomerReply<'_>) -> (String, String) {
    let CustomerReply { reference, title, customer, ticket, .. } = reply;
    let body = cut(reply.body, MAX_REPLY);
    let text = format!("{customer} replied to the ticket {reference}, {title}:\n\n{body}\n\nId: {ticket}");
    (format!("The customer replied: ticket {reference}"), text)
}

/// The end of the e-mail, after all texts.
pub(super) fn tail(settings: &Settings, workspace: &Workspace) -> String {
    let (name, root) = (&workspace.name, settings.public_url.trim_end_matches('/'));
    format!(
        "\n\n-- \n{name}\n\nReplies to this e-mail are not read. To answer or change something, open {root}/.\n\nYou \
         receive this e-mail as a member of {name}. To stop these e-mails, change your account: {root}/account\n"
    )
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::Actor;
    use time::macros::date;
    use uuid::Uuid;

    fn record(kind: RecordKind, number: u32) -> AssignedRecord {
        let id = Uuid::from_u128(u128::from(number));
        AssignedRecord { kind, id, label: Some(format!("#{number}")), title: "é".repeat(200) }
    }

    fn rendered(records: &[AssignedRecord]) -> Option<(String, String)> {
        let by = Principal::named(Actor::SYSTEM, "Ann", None);
        assigned(&by, &records.iter().collect::<Vec<_>>())
    }

    #[test]
    fn rejected_time_is_listed_with_the_reason() {
        let by = Principal::named(Actor::SYSTEM, "Ann", None);
        let entry = |seconds, note: &str| RejectedTime { day: date!(2030 - 01 - 31), seconds, note: note.to_owned() };
        let (subject, text) = time_rejected(&by, &[entry(5_400, "Call\nwith Acme")], "");
        assert_eq!(subject, "Rejected: 1 time entry");
        let end = "\nYou can change the time and submit it again.";
        assert_eq!(text, format!("Ann rejected your time:\n\n- 2030-01-31, 1:30: Call\n{end}"));
        let all: Vec<_> = (0..=MAX_NAMED).map(|_| entry(60, "")).collect();
        let (subject, text) = time_rejected(&by, &all, "Wrong project");
        assert_eq!(subject, "Rejected: 21 time entries");
        assert_eq!(text.matches("- 2030-01-31, 0:01").count(), MAX_NAMED);
        assert!(text.ends_with(&format!("\nand 1 more\n\nReason: Wrong project\n{end}")), "{text}");
    }

    #[test]
    fn one_record_is_shown_with_details_and_several_as_a_list() {
        assert_eq!(rendered(&[]), None);
        let (subject, text) = rendered(&[record(RecordKind::Task, 1)]).unwrap();
        assert_eq!(subject, "Assigned to you: task #1");
        let start = format!("Ann assigned the task #1 to you:\n\n{}\n\nId: 00000000-", "é".repeat(200));
        assert!(text.starts_with(&start), "{text}");
        let (subject, text) = rendered(&[record(RecordKind::Task, 1), record(RecordKind::Ticket, 2)]).unwrap();
        assert_eq!(subject, "Assigned to you: 2 tasks and tickets");
        assert!(text.contains(&format!("\n- ticket #2: {}…", "é".repeat(MAX_TITLE))), "{text}");
        let (subject, _) = rendered(&[record(RecordKind::Company, 1), record(RecordKind::Company, 2)]).unwrap();
        assert_eq!(subject, "Assigned to you: 2 companies");
        let all: Vec<_> = (1..=500).map(|number| record(RecordKind::Deal, number)).collect();
        let (subject, text) = rendered(&all).unwrap();
        assert_eq!(subject, "Assigned to you: 500 deals");
        assert_eq!(text.matches("\n- deal").count(), MAX_NAMED);
        assert!(text.ends_with("\n\nand 480 more"), "{text}");
        let (_, text) = rendered(&all[..MAX_NAMED]).unwrap();
        assert!(!text.contains("more"), "{text}");
    }
}
