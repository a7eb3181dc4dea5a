//! Tasks.

use domain::tools::Tool;
use domain::work::issues;

use super::issues::{Row, Tasks, create_task, list, update};
use crate::outputs::FoundRow;
use crate::tool::{Entry, entry};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListTasks, "List tasks", "Finds tasks, newest first by default.")
            .list(list::<Tasks>, |task| FoundRow::of(task, Row::of)),
        entry(Tool::GetTask, "Get task", "Reads one task with all fields.").get(issues::read),
        entry(Tool::CreateTask, "Create task", "Adds a task. Only a title is needed.").create(create_task),
        entry(
            Tool::UpdateTask,
            "Update task",
            "Changes a task; null clears a field. For labels, use bulk_update_issues.",
        )
        .update(update::<Tasks>),
        entry(
            Tool::DeleteTask,
            "Delete task",
            "Deletes a task. Confirm first; restorable for 30 days. To end one, set its status.",
        )
        .delete(issues::delete),
    ]
}
