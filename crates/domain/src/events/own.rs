//! The service's own events, one row each (interface 24.7).
//!
//! A row is all that a new event needs to be known: subscriptions take its name, readers need what it says, and
//! `GET /api/v1/event-types` shows it. Its example is in the group `event_types`.

use std::iter;

use super::Module;
use crate::identity::access::{ReadRequirement, RecordKind};

/// An event that the service emits itself.
#[derive(Debug)]
pub struct OwnEvent {
    pub module: Module,
    /// `{noun}.{verb}`, where the noun is the kind of record that it is about.
    pub name: &'static str,
    pub(crate) kind: RecordKind,
    /// What has happened, in a sentence.
    pub description: &'static str,
}

impl OwnEvent {
    /// The kind of record that it is about.
    pub const fn noun(&self) -> &'static str {
        self.kind.as_str()
    }

    /// What it takes to read it: the record, and the comment if it is about one. Whoever may read a contact, company or deal
    /// may read the comments on it.
    pub(super) fn needs(&self) -> Vec<ReadRequirement> {
        let reads = self.kind.reads();
        let comments = self.kind.reads_comments().filter(|needs| self.is_about_comment() && *needs != reads);
        iter::once(reads).chain(comments).collect()
    }

    /// Whether records may go or come back with the record: its event counts them.
    pub fn has_cascade(&self) -> bool {
        self.kind == RecordKind::Project && self.is_cascading()
    }

    /// Whether the record may go or come back with another: its event then names that one's.
    pub fn may_have_cause(&self) -> bool {
        [RecordKind::Task, RecordKind::Cycle].contains(&self.kind) && self.is_cascading()
    }

    fn is_cascading(&self) -> bool {
        [".deleted", ".restored"].iter().any(|verb| self.name.ends_with(verb))
    }

    /// Whether it is about a comment on that record.
    pub fn is_about_comment(&self) -> bool {
        self.name.contains(".comment_")
    }
}

macro_rules! own_events {
    ($( $module:ident: $names:ident, $rows:ident { $( $name:literal, $kind:ident, $description:literal; )+ } )+) => {
        $(
            const $names: &[&str] = &[$($name),+];
            const $rows: &[OwnEvent] =
                &[$( OwnEvent { module: Module::$module, name: $name, kind: RecordKind::$kind, description: $description } ),+];
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
        "project.created", Project, "A project was created.";
        "project.updated", Project, "Fields of a project other than its status changed.";
        "project.status_changed", Project, "The status of a project changed.";
        "project.deleted", Project, "A project was deleted with its tasks and cycles, whose own events follow; cascade counts them.";
        "project.restored", Project, "A deleted project was restored with the tasks and cycles that were deleted with it, whose own events follow; cascade counts them.";
        "cycle.created", Cycle, "A cycle was created.";
        "cycle.updated", Cycle, "Fields of a cycle changed.";
        "cycle.deleted", Cycle, "A cycle was deleted, alone or with its project (cause). Alone, its tasks are no longer in a cycle.";
        "cycle.restored", Cycle, "A deleted cycle was restored, alone or with its project (cause).";
        "task.created", Task, "A task was created.";
        "task.updated", Task, "Fields of a task other than status and assignee changed.";
        "task.status_changed", Task, "The status of a task changed, and completed_at with it.";
        "task.assigned", Task, "A task was assigned to a member, or unassigned.";
        "task.deleted", Task, "A task was deleted, alone or with its project (cause).";
        "task.restored", Task, "A deleted task was restored, alone or with its project (cause).";
        "task.comment_added", Task, "A comment was added to a task.";
        "task.comment_updated", Task, "The text of a comment on a task changed.";
        "task.comment_deleted", Task, "A comment on a task was deleted.";
    }
    Support: SUPPORT_NAMES, SUPPORT {
        "ticket.created", Ticket, "A ticket was opened by a customer or by the workspace.";
        "ticket.updated", Ticket, "Fields of a ticket other than status and assignee changed.";
        "ticket.status_changed", Ticket, "The status of a ticket changed, and resolved_at with it.";
        "ticket.assigned", Ticket, "A ticket was assigned to a member, or unassigned.";
        "ticket.comment_added", Ticket,
            "The workspace or the customer added a comment to a ticket. Webhooks receive public comments only.";
        "ticket.comment_updated", Ticket,
            "The text of a comment on a ticket changed. Webhooks receive public comments only.";
        "ticket.comment_deleted", Ticket,
            "A comment on a ticket was deleted. Webhooks receive public comments only.";
        "article.created", Article, "A knowledge-base article was created.";
        "article.updated", Article, "Fields of an article changed, such as its status when it was published.";
        "article.deleted", Article, "An article was deleted.";
        "article.restored", Article, "A deleted article was restored.";
    }
    Crm: CRM_NAMES, CRM {
        "contact.created", Contact, "A contact was created.";
        "contact.updated", Contact, "Fields of a contact changed.";
        "contact.deleted", Contact, "A contact was deleted.";
        "contact.restored", Contact, "A deleted contact was restored.";
        "contact.comment_added", Contact, "A comment was added to a contact.";
        "contact.comment_updated", Contact, "The text of a comment on a contact changed.";
        "contact.comment_deleted", Contact, "A comment on a contact was deleted.";
        "company.created", Company, "A company was created.";
        "company.updated", Company, "Fields of a company changed.";
        "company.deleted", Company, "A company was deleted.";
        "company.restored", Company, "A deleted company was restored.";
        "company.comment_added", Company, "A comment was added to a company.";
        "company.comment_updated", Company, "The text of a comment on a company changed.";
        "company.comment_deleted", Company, "A comment on a company was deleted.";
        "deal.created", Deal, "A deal was created.";
        "deal.updated", Deal, "Fields of a deal other than status and stage changed.";
        "deal.stage_changed", Deal, "The stage or status of a deal changed, but it was neither won nor lost.";
        "deal.won", Deal, "A deal was won, from the start or by a change, which also sets the day it closed.";
        "deal.lost", Deal, "A deal was lost, from the start or by a change, which also sets the day it closed and why.";
        "deal.deleted", Deal, "A deal was deleted.";
        "deal.restored", Deal, "A deleted deal was restored.";
        "deal.comment_added", Deal, "A comment was added to a deal.";
        "deal.comment_updated", Deal, "The text of a comment on a deal changed.";
        "deal.comment_deleted", Deal, "A comment on a deal was deleted.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_sentence_about_a_record_that_keys_can_read() {
        for event in Module::ALL.iter().flat_map(|module| module.own_events()) {
            assert!(event.description.len() > 15 && event.description.ends_with('.'), "{}", event.name);
            assert_eq!(event.name.split_once('.').map(|(noun, _)| noun), Some(event.noun()), "{}", event.name);
            assert!(matches!(event.needs()[0], ReadRequirement::Records(_)), "{}", event.name);
            let is_on_issue = ["task", "ticket"].contains(&event.noun());
            assert_eq!(event.needs().len() == 2, is_on_issue && event.is_about_comment(), "{}", event.name);
            assert!(!event.is_about_comment() || event.kind.reads_comments().is_some(), "{}", event.name);
        }
    }
}
