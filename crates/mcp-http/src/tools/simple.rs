//! The kinds of records that have no tools but those to list, read, create, change and delete them.

use domain::ProjectId;
use domain::kernel::input::schema::OptionalDateText;
use domain::records;
use domain::support::canned_replies::{CannedReply, CannedReplyId};
use domain::tools::Tool;
use domain::work::projects::{Priority, Project, ProjectStatus};
use time::Date;

use crate::long_texts::long_texts;
use crate::outputs::{ListedRow, row};
use crate::tool::{Entry, entry};

long_texts!(Project, Some(Tool::GetProject), description: OptionalText);

long_texts!(CannedReply, Some(Tool::GetCannedReply), body: Text);

row! {
    /// A canned reply in a list.
    ReplyRow of CannedReply {
        id: CannedReplyId,
        title: String,
        shortcut: Option<String>,
        shared: bool,
    }
}

row! {
    /// A project in a list.
    Row of Project {
        id: ProjectId,
        name: String,
        status: ProjectStatus,
        priority: Priority,
        progress: i32,
        #[serde(with = "OptionalDateText")]
        end_date: Option<Date>,
    }
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListProjects, "List projects", "Finds projects, newest first by default.")
            .list(records::list_or_deleted::<Project>, |project| ListedRow::of(project, Row::of)),
        entry(Tool::GetProject, "Get project", "Reads one project with all fields.").get(records::read::<Project>),
        entry(Tool::CreateProject, "Create project", "Adds a project, which starts in planning.")
            .create(records::create::<Project>),
        entry(Tool::UpdateProject, "Update project", "Changes a project; null clears a field.")
            .update(records::update::<Project>),
        entry(
            Tool::DeleteProject,
            "Delete project",
            "Deletes a project with its cycles and tasks. Confirm first; restorable for 30 days.",
        )
        .delete(records::delete::<Project>),
        // `canned_replies.rs` has the tool that reads one.
        entry(Tool::ListCannedReplies, "List canned replies", "Finds texts for answers to tickets, newest first.")
            .list(records::list_or_deleted::<CannedReply>, |reply| ListedRow::of(reply, ReplyRow::of)),
        entry(Tool::CreateCannedReply, "Create canned reply", "Adds a text for answers to tickets.")
            .create(records::create::<CannedReply>),
        entry(Tool::UpdateCannedReply, "Update canned reply", "Changes a canned reply; null clears a field.")
            .update(records::update::<CannedReply>),
        entry(
            Tool::DeleteCannedReply,
            "Delete canned reply",
            "Deletes a canned reply. Confirm first; restorable for 30 days.",
        )
        .delete(records::delete::<CannedReply>),
    ]
}
