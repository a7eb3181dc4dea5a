//! Explains a call whose id belongs to a record that the tool cannot use: which record has the id, and which tool takes it.

use std::sync::Arc;

use domain::identity::access::Caller;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{format_timestamp, parse_uuid};
use domain::ports::Ports;
use domain::records::{DELETED_RETENTION, RecordById, RecordKind, find_by_id};
use domain::tools::Tool;
use uuid::Uuid;

use crate::record_arguments::{RECORD_ARGUMENTS, RecordArgument};

/// The arguments that may name the record of a call; the first one sent counts.
fn id_arguments() -> impl Iterator<Item = &'static str> {
    let commented = RECORD_ARGUMENTS.iter().map(|argument| argument.name.as_str());
    std::iter::once("id").chain(commented).chain(["project_id"])
}

/// The record that a call is about.
#[derive(Debug)]
pub(crate) struct CalledRecord {
    argument: &'static str,
    id: Uuid,
}

impl CalledRecord {
    pub(crate) fn of(arguments: &Map<String, Json>) -> Option<Self> {
        id_arguments().find_map(|argument| {
            let id = parse_uuid(arguments.get(argument)?.as_str()?)?;
            Some(Self { argument, id })
        })
    }

    /// A message that helps the model more than "there is no such record"; `None` if there is none.
    pub(crate) async fn explain(&self, ports: &Arc<Ports>, caller: &Caller, tool: Tool) -> Option<String> {
        let found = find_by_id(ports, caller, self.id).await;
        let found =
            found.inspect_err(|error| log::warn!("could not look up the id of a failed call: {error}")).ok()??;
        self.message(tool, found, |tool| caller.check_tool(tool).is_ok())
    }

    fn message(&self, tool: Tool, found: RecordById, may_call: impl Fn(Tool) -> bool) -> Option<String> {
        let record = found.kind.with_article();
        if let Some(deleted_at) = found.deleted_at {
            let (at, until) = (format_timestamp(deleted_at), format_timestamp(deleted_at + DELETED_RETENTION));
            return Some(match tool {
                Tool::RestoreRecord => format!("this is {record}: send type {}", found.kind),
                _ if may_call(Tool::RestoreRecord) => {
                    format!("this is {record} that was deleted at {at}: restore_record brings it back until {until}")
                }
                _ => format!("this is {record} that was deleted at {at}"),
            });
        }
        match (tool, self.argument) {
            (Tool::RestoreRecord, _) => Some(format!("this is {record} that is not deleted")),
            (Tool::GetHistory, _) => Some(format!("this is {record}: send type {}", found.kind)),
            (Tool::ListComments | Tool::AddComment, sent) => Some(match RecordArgument::of(found.kind) {
                // The kind is right, so the tool cannot use this record for another reason.
                Some(expected) if expected.name == sent => return None,
                Some(expected) => format!("this is {record}: send its id as {}", expected.name),
                None => format!("this is {record}, which has no comments"),
            }),
            (_, "id") => match counterpart(tool, found.kind).filter(|other| may_call(*other)) {
                Some(other) if other == tool => None,
                Some(Tool::UpdateTicket) if tool == Tool::DeleteTask => {
                    Some(format!("this is {record}: tickets are closed by update_ticket, never deleted"))
                }
                Some(other) => Some(format!("this is {record}: use {other}")),
                None => Some(format!("this is {record}")),
            },
            _ => Some(format!("this is {record}")),
        }
    }
}

/// The tool that does the same to another kind of record, or the closest one.
fn counterpart(tool: Tool, kind: RecordKind) -> Option<Tool> {
    let verb = verb_of(tool);
    let closest = match verb {
        "delete" => "update",
        "get" => "list",
        _ => verb,
    };
    tool_for(verb, kind).or_else(|| tool_for(closest, kind))
}

fn verb_of(tool: Tool) -> &'static str {
    tool.as_str().split('_').next().unwrap_or_default()
}

/// The tool with this verb whose permission covers only this kind.
fn tool_for(verb: &str, kind: RecordKind) -> Option<Tool> {
    let is_on_kind = |tool: Tool| matches!(tool.permissions(), [only] if only.noun().ends_with(kind.plural()));
    Tool::ALL.iter().copied().find(|tool| verb_of(*tool) == verb && is_on_kind(*tool))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use time::macros::datetime;

    fn explanation(tool: Tool, argument: &'static str, kind: RecordKind) -> Option<String> {
        let record = CalledRecord { argument, id: Uuid::nil() };
        record.message(tool, RecordById { kind, deleted_at: None }, |_| true)
    }

    #[test]
    fn an_id_of_another_kind_names_the_tool_of_that_kind() {
        for (tool, argument, kind, expected) in [
            (Tool::UpdateTask, "id", RecordKind::Ticket, Some("this is a ticket: use update_ticket")),
            (Tool::GetContact, "id", RecordKind::Company, Some("this is a company: use get_company")),
            (Tool::GetDeal, "id", RecordKind::Article, Some("this is an article: use get_kb_article")),
            (Tool::GetTask, "id", RecordKind::Cycle, Some("this is a cycle: use list_cycles")),
            (
                Tool::DeleteTask,
                "id",
                RecordKind::Ticket,
                Some("this is a ticket: tickets are closed by update_ticket, never deleted"),
            ),
            (Tool::GetHistory, "id", RecordKind::Task, Some("this is a task: send type task")),
            (Tool::RestoreRecord, "id", RecordKind::Task, Some("this is a task that is not deleted")),
            (Tool::AddComment, "issue_id", RecordKind::Deal, Some("this is a deal: send its id as deal_id")),
            (Tool::AddComment, "deal_id", RecordKind::Project, Some("this is a project, which has no comments")),
            (Tool::ListCycles, "project_id", RecordKind::Deal, Some("this is a deal")),
            (Tool::GetDeal, "id", RecordKind::Deal, None),
            (Tool::AddComment, "issue_id", RecordKind::Task, None),
        ] {
            assert_eq!(explanation(tool, argument, kind).as_deref(), expected, "{tool} with a {kind}");
        }
        let record = CalledRecord { argument: "id", id: Uuid::nil() };
        let ticket = RecordById { kind: RecordKind::Ticket, deleted_at: None };
        let explanation = record.message(Tool::UpdateTask, ticket, |_| false);
        assert_eq!(explanation.as_deref(), Some("this is a ticket"), "a tool that the key may not call is not named");
    }

    #[test]
    fn every_pair_of_kinds_names_a_tool() {
        for target in RecordKind::ALL.iter().copied() {
            for tool in ["get", "update", "delete"].iter().filter_map(|verb| tool_for(verb, target)) {
                for kind in RecordKind::ALL.iter().copied().filter(|kind| *kind != target) {
                    let explanation = explanation(tool, "id", kind).unwrap_or_default();
                    assert!(
                        explanation.contains(": use ") || explanation.contains("update_ticket"),
                        "{tool} with a {kind}: {explanation}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_deleted_record_says_when_and_until_when_it_can_be_restored() {
        let record = CalledRecord { argument: "id", id: Uuid::nil() };
        let deleted_contact =
            RecordById { kind: RecordKind::Contact, deleted_at: Some(datetime!(2030-01-01 12:00 UTC)) };
        let explanation = |tool, may| record.message(tool, deleted_contact, |_| may).unwrap();
        let deleted = "this is a contact that was deleted at 2030-01-01T12:00:00.000000Z";
        let restored = "restore_record brings it back until 2030-01-31T12:00:00.000000Z";
        assert_eq!(explanation(Tool::GetContact, true), format!("{deleted}: {restored}"));
        assert_eq!(explanation(Tool::GetContact, false), deleted);
        assert_eq!(explanation(Tool::RestoreRecord, true), "this is a contact: send type contact");
    }

    #[test]
    fn the_record_of_a_call_is_named_by_its_id() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let record = |arguments: Json| CalledRecord::of(arguments.as_object().unwrap()).map(|record| record.argument);
        assert_eq!(record(json!({ "id": id, "project_id": id })), Some("id"));
        assert_eq!(record(json!({ "deal_id": id, "body": "b" })), Some("deal_id"));
        assert_eq!(record(json!({ "id": "x" })), None);
        assert_eq!(record(json!({ "reference": id })), None);
    }
}
