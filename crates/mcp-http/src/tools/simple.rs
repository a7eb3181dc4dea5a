//! The kinds of records that have no tools but those to list, read, create, change and delete them.

use domain::ProjectId;
use domain::kernel::input::schema::OptionalDateText;
use domain::records;
use domain::tools::Tool;
use domain::work::projects::{Priority, Project, ProjectStatus};
use time::Date;

use crate::long_texts::long_texts;
use crate::outputs::{ListedRow, row};
use crate::tool::Entry;

long_texts!(Project, Some(Tool::GetProject), description: OptionalText);

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
    ]
}
