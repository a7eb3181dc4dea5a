//! Tasks.

use domain::tools::Tool;
use domain::work::issues;

use super::issues::{Row, Tasks, create_task, list, update};
use crate::outputs::FoundRow;
use crate::tool::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list(Tool::ListTasks, "List tasks", "Finds tasks, newest first by default.", list::<Tasks>, |task| {
            FoundRow::of(task, Row::of)
        }),
        Entry::get(Tool::GetTask, "Get task", "Reads one task with all fields.", issues::read),
        Entry::create(Tool::CreateTask, "Create task", "Adds a task. Only a title is needed.", create_task),
        Entry::update(
            Tool::UpdateTask,
            "Update task",
            "Changes a task; null clears a field. For labels, use bulk_update_issues.",
            update::<Tasks>,
        ),
        Entry::delete(
            Tool::DeleteTask,
            "Delete task",
            "Deletes a task. Confirm first; restorable for 30 days. To end one, set its status.",
            issues::delete,
        ),
    ]
}
