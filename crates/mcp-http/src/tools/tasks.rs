//! Tasks.

use domain::tools::Tool;
use domain::work::issues;

use super::issues::{Row, Tasks, create_task, list, update};
use crate::tool::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        Entry::list_or_deleted(
            Tool::ListTasks,
            "List tasks",
            "Finds tasks, newest first or (order updated) by change, as compact rows. To count, use summarize_tasks. Cheap.",
            list::<Tasks>,
            Row::of,
        ),
        Entry::get(
            Tool::GetTask,
            "Get task",
            "Reads one task with all fields by its id; its comments come from list_comments. Cheap.",
            issues::read,
        ),
        Entry::create(
            Tool::CreateTask,
            "Create task",
            "Adds a task. Only a title is needed; it starts as todo. Set project_id to put it into a project.",
            create_task,
        ),
        Entry::update(
            Tool::UpdateTask,
            "Update task",
            "Changes fields of a task, such as status, assignee_id or due_at. Absent fields stay. For many tasks, or labels, use bulk_update_issues.",
            update::<Tasks>,
        ),
        Entry::delete(
            Tool::DeleteTask,
            "Delete task",
            "Deletes a task. To end one instead, set status to done or cancelled. This removes the record for everyone; restore_record brings it back within 30 days. Confirm with the user first.",
            issues::delete,
        ),
    ]
}
