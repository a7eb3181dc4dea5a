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
use crate::tool::Entry;

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
        Entry::list(
            Tool::ListProjects,
            "List projects",
            "Finds projects, newest first by default.",
            records::list_or_deleted::<Project>,
            |project| ListedRow::of(project, Row::of),
        ),
        Entry::get(Tool::GetProject, "Get project", "Reads one project with all fields.", records::read::<Project>),
        Entry::create(
            Tool::CreateProject,
            "Create project",
            "Adds a project, which starts in planning.",
            records::create::<Project>,
        ),
        Entry::update(
            Tool::UpdateProject,
            "Update project",
            "Changes a project; null clears a field.",
            records::update::<Project>,
        ),
        Entry::delete(
            Tool::DeleteProject,
            "Delete project",
            "Deletes a project with its cycles and tasks. Confirm first; restorable for 30 days.",
            records::delete::<Project>,
        ),
        Entry::list(
            Tool::ListCannedReplies,
            "List canned replies",
            "Finds texts for answers to tickets, newest first.",
            records::list_or_deleted::<CannedReply>,
            |reply| ListedRow::of(reply, ReplyRow::of),
        ),
        Entry::get(
            Tool::GetCannedReply,
            "Get canned reply",
            "Reads one canned reply in full.",
            records::read::<CannedReply>,
        ),
        Entry::create(
            Tool::CreateCannedReply,
            "Create canned reply",
            "Adds a text for answers to tickets.",
            records::create::<CannedReply>,
        ),
        Entry::update(
            Tool::UpdateCannedReply,
            "Update canned reply",
            "Changes a canned reply; null clears a field.",
            records::update::<CannedReply>,
        ),
        Entry::delete(
            Tool::DeleteCannedReply,
            "Delete canned reply",
            "Deletes a canned reply. Confirm first; restorable for 30 days.",
            records::delete::<CannedReply>,
        ),
    ]
}
