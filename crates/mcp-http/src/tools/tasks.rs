//! Tasks.

use domain::Error;
use domain::identity::access::{CreateIssues, DeleteIssues, ReadIssues, UpdateIssues};
use domain::tools::Tool;
use domain::work::issues::{self, Issue};

use super::issues::{FieldsOf, FilterOf, Row, Tasks};
use crate::arguments::{Delete, Get, Paged, Update};
use crate::long_texts::Detail;
use crate::outputs::{Deleted, Listing};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

/// Lists and searches tasks.
pub(crate) struct ListTasks;

impl ToolCall for ListTasks {
    const TOOL: Tool = Tool::ListTasks;
    const TITLE: &'static str = "List tasks";
    const DESCRIPTION: &'static str = "Finds tasks, newest first, as compact rows: by status, project, or starts of words in title and description. Cheap.";
    type Permission = ReadIssues;
    type Arguments = Paged<FilterOf<Tasks>, Issue>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let page = issues::list(&call.ports, &call.permit, filter.into_filter(), page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a task.
pub(crate) struct GetTask;

impl ToolCall for GetTask {
    const TOOL: Tool = Tool::GetTask;
    const TITLE: &'static str = "Get task";
    const DESCRIPTION: &'static str =
        "Reads one task with all fields by its id; its comments come from list_comments. Cheap.";
    type Permission = ReadIssues;
    type Arguments = Get<Issue>;
    type Output = Detail<Issue>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = issues::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a task.
pub(crate) struct CreateTask;

impl ToolCall for CreateTask {
    const TOOL: Tool = Tool::CreateTask;
    const TITLE: &'static str = "Create task";
    const DESCRIPTION: &'static str =
        "Adds a task. Only a title is needed; it starts as todo. Set project_id to put it into a project.";
    type Permission = CreateIssues;
    type Arguments = FieldsOf<Tasks>;
    type Output = Detail<Issue>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(issues::create(&call.ports, &call.permit, once, call.arguments.into_new()).await?))
    }
}

/// Changes a task.
pub(crate) struct UpdateTask;

impl ToolCall for UpdateTask {
    const TOOL: Tool = Tool::UpdateTask;
    const TITLE: &'static str = "Update task";
    const DESCRIPTION: &'static str = "Changes fields of a task, such as status, assignee_id or due_at. Fields that are absent stay; null clears one. For many tasks, or labels, use bulk_update_issues.";
    type Permission = UpdateIssues;
    type Arguments = Update<FieldsOf<Tasks>>;
    type Output = Detail<Issue>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = issues::update(&call.ports, &call.permit, id.into(), expected, fields.fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a task.
pub(crate) struct DeleteTask;

impl ToolCall for DeleteTask {
    const TOOL: Tool = Tool::DeleteTask;
    const TITLE: &'static str = "Delete task";
    const DESCRIPTION: &'static str = "Deletes a task. To end one instead, set status to done or cancelled. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteIssues;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        issues::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
