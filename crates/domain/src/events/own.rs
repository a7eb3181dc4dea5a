//! The service's own events, one row each (interface 24.7).
//!
//! A row is all that a new event needs to be known: subscriptions take its name, readers need what it says, and
//! `GET /api/v1/event-types` shows it. Its example is in the group `event_types`.

use super::Module;
use crate::identity::access::ReadRequirement;
use crate::kernel::IssueKind;
use crate::tools::ToolPermission;

/// An event that the service emits itself.
#[derive(Debug)]
pub struct OwnEvent {
    pub module: Module,
    /// `{noun}.{verb}`, where the noun is the kind of record that it is about.
    pub name: &'static str,
    /// What has happened, in a sentence.
    pub description: &'static str,
    /// What it takes to read it: the record, and the comment if it is about one. Whoever may read a contact, company or deal
    /// may read the comments on it.
    pub(super) needs: &'static [ReadRequirement],
}

impl OwnEvent {
    /// The kind of record that it is about.
    pub fn noun(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(noun, _)| noun)
    }

    /// Whether records may go or come back with the record: its event counts them.
    pub fn has_cascade(&self) -> bool {
        self.noun() == "project" && self.is_cascading()
    }

    /// Whether the record may go or come back with another: its event then names that one's.
    pub fn may_have_cause(&self) -> bool {
        ["task", "cycle"].contains(&self.noun()) && self.is_cascading()
    }

    fn is_cascading(&self) -> bool {
        [".deleted", ".restored"].iter().any(|verb| self.name.ends_with(verb))
    }

    /// Whether it is about a comment on that record.
    pub fn is_about_comment(&self) -> bool {
        self.name.contains(".comment_")
    }
}

const fn records(permission: ToolPermission) -> ReadRequirement {
    ReadRequirement::Records(permission)
}

const CONTACT: &[ReadRequirement] = &[records(ToolPermission::ReadContacts)];
const COMPANY: &[ReadRequirement] = &[records(ToolPermission::ReadCompanies)];
const DEAL: &[ReadRequirement] = &[records(ToolPermission::ReadDeals)];
const PROJECT: &[ReadRequirement] = &[records(ToolPermission::ReadProjects)];
const CYCLE: &[ReadRequirement] = &[records(ToolPermission::ReadCycles)];
const TASK: &[ReadRequirement] = &[records(ToolPermission::ReadTasks)];
const TASK_COMMENT: &[ReadRequirement] =
    &[records(ToolPermission::ReadTasks), ReadRequirement::Comments(IssueKind::Task)];
const TICKET: &[ReadRequirement] = &[records(ToolPermission::ReadTickets)];
const TICKET_COMMENT: &[ReadRequirement] =
    &[records(ToolPermission::ReadTickets), ReadRequirement::Comments(IssueKind::Ticket)];
const ARTICLE: &[ReadRequirement] = &[records(ToolPermission::ReadKbArticles)];

macro_rules! own_events {
    ($( $module:ident: $names:ident, $rows:ident { $( $name:literal, $needs:ident, $description:literal; )+ } )+) => {
        $(
            const $names: &[&str] = &[$($name),+];
            const $rows: &[OwnEvent] =
                &[$( OwnEvent { module: Module::$module, name: $name, description: $description, needs: $needs } ),+];
        )+

        impl Module {
            /// The names of the events that the service emits itself; empty if other systems report them under their own.
            pub const fn events(self) -> &'static [&'static str] {
                match self {
                    $( Self::$module => $names, )+
                    _ => &[],
                }
            }

            /// The events that the service emits itself.
            pub const fn own_events(self) -> &'static [OwnEvent] {
                match self {
                    $( Self::$module => $rows, )+
                    _ => &[],
                }
            }
        }
    };
}

own_events! {
    Projects: PROJECTS_NAMES, PROJECTS {
        "project.created", PROJECT, "A project was created.";
        "project.updated", PROJECT, "Fields of a project other than its status changed.";
        "project.status_changed", PROJECT, "The status of a project changed.";
        "project.deleted", PROJECT, "A project was deleted with its tasks and cycles, whose own events follow; cascade counts them.";
        "project.restored", PROJECT, "A deleted project was restored with the tasks and cycles that were deleted with it, whose own events follow; cascade counts them.";
        "cycle.created", CYCLE, "A cycle was created.";
        "cycle.updated", CYCLE, "Fields of a cycle changed.";
        "cycle.deleted", CYCLE, "A cycle was deleted, alone or with its project (cause). Alone, its tasks are no longer in a cycle.";
        "cycle.restored", CYCLE, "A deleted cycle was restored, alone or with its project (cause).";
        "task.created", TASK, "A task was created.";
        "task.updated", TASK, "Fields of a task other than status and assignee changed.";
        "task.status_changed", TASK, "The status of a task changed, and completed_at with it.";
        "task.assigned", TASK, "A task was assigned to a member, or unassigned.";
        "task.deleted", TASK, "A task was deleted, alone or with its project (cause).";
        "task.restored", TASK, "A deleted task was restored, alone or with its project (cause).";
        "task.comment_added", TASK_COMMENT, "A comment was added to a task.";
        "task.comment_updated", TASK_COMMENT, "The text of a comment on a task changed.";
        "task.comment_deleted", TASK_COMMENT, "A comment on a task was deleted.";
    }
    Support: SUPPORT_NAMES, SUPPORT {
        "ticket.created", TICKET, "A ticket was opened by a customer or by the workspace.";
        "ticket.updated", TICKET, "Fields of a ticket other than status and assignee changed.";
        "ticket.status_changed", TICKET, "The status of a ticket changed, and resolved_at with it.";
        "ticket.assigned", TICKET, "A ticket was assigned to a member, or unassigned.";
        "ticket.comment_added", TICKET_COMMENT,
            "The workspace or the customer added a comment to a ticket. Webhooks receive public comments only.";
        "ticket.comment_updated", TICKET_COMMENT,
            "The text of a comment on a ticket changed. Webhooks receive public comments only.";
        "ticket.comment_deleted", TICKET_COMMENT,
            "A comment on a ticket was deleted. Webhooks receive public comments only.";
        "article.created", ARTICLE, "A knowledge-base article was created.";
        "article.updated", ARTICLE, "Fields of an article changed, such as its status when it was published.";
        "article.deleted", ARTICLE, "An article was deleted.";
        "article.restored", ARTICLE, "A deleted article was restored.";
    }
    Crm: CRM_NAMES, CRM {
        "contact.created", CONTACT, "A contact was created.";
        "contact.updated", CONTACT, "Fields of a contact changed.";
        "contact.deleted", CONTACT, "A contact was deleted.";
        "contact.restored", CONTACT, "A deleted contact was restored.";
        "contact.comment_added", CONTACT, "A comment was added to a contact.";
        "contact.comment_updated", CONTACT, "The text of a comment on a contact changed.";
        "contact.comment_deleted", CONTACT, "A comment on a contact was deleted.";
        "company.created", COMPANY, "A company was created.";
        "company.updated", COMPANY, "Fields of a company changed.";
        "company.deleted", COMPANY, "A company was deleted.";
        "company.restored", COMPANY, "A deleted company was restored.";
        "company.comment_added", COMPANY, "A comment was added to a company.";
        "company.comment_updated", COMPANY, "The text of a comment on a company changed.";
        "company.comment_deleted", COMPANY, "A comment on a company was deleted.";
        "deal.created", DEAL, "A deal was created.";
        "deal.updated", DEAL, "Fields of a deal other than status and stage changed.";
        "deal.stage_changed", DEAL, "The stage or status of a deal changed, but it was neither won nor lost.";
        "deal.won", DEAL, "A deal was won, from the start or by a change, which also sets the day it closed.";
        "deal.lost", DEAL, "A deal was lost, from the start or by a change, which also sets the day it closed and why.";
        "deal.deleted", DEAL, "A deal was deleted.";
        "deal.restored", DEAL, "A deleted deal was restored.";
        "deal.comment_added", DEAL, "A comment was added to a deal.";
        "deal.comment_updated", DEAL, "The text of a comment on a deal changed.";
        "deal.comment_deleted", DEAL, "A comment on a deal was deleted.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_sentence_about_a_record_that_keys_can_read() {
        for event in Module::ALL.iter().flat_map(|module| module.own_events()) {
            assert!(event.description.len() > 15 && event.description.ends_with('.'), "{}", event.name);
            assert!(matches!(event.needs[0], ReadRequirement::Records(_)), "{}", event.name);
            let is_on_issue = ["task", "ticket"].contains(&event.noun());
            assert_eq!(event.needs.len() == 2, is_on_issue && event.is_about_comment(), "{}", event.name);
        }
    }
}
