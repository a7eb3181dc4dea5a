//! Projects.

use domain::identity::access::{CreateProjects, DeleteProjects, ReadProjects, UpdateProjects};
use domain::kernel::input::optional_date_json;
use domain::kernel::input::schema::DateText;
use domain::tools::Tool;
use domain::work::projects::{self, Priority, Project, ProjectFields, ProjectStatus};
use domain::{Error, ProjectId};
use schemars::JsonSchema;
use serde::Serialize;
use time::Date;

use crate::arguments::{Delete, Get, NoArguments, Paged, Update};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

impl LongTexts for Project {
    const NAMES: &'static [&'static str] = &["description"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetProject)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::OptionalText(&mut self.description)]
    }
}

/// A project in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: ProjectId,
    name: String,
    status: ProjectStatus,
    priority: Priority,
    progress: i32,
    #[serde(with = "optional_date_json")]
    #[schemars(with = "Option<DateText>")]
    end_date: Option<Date>,
}

impl Row {
    fn of(project: &Project) -> Self {
        Self {
            id: project.id,
            name: project.name.clone(),
            status: project.status,
            priority: project.priority,
            progress: project.progress,
            end_date: project.end_date,
        }
    }
}

/// Lists projects.
pub(crate) struct ListProjects;

impl ToolCall for ListProjects {
    const TOOL: Tool = Tool::ListProjects;
    const TITLE: &'static str = "List projects";
    const DESCRIPTION: &'static str =
        "Lists projects, newest first, as compact rows. Use it to get a project_id for tasks and cycles. Cheap.";
    type Permission = ReadProjects;
    type Arguments = Paged<NoArguments, Project>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let page = projects::list(&call.ports, &call.permit, call.arguments.page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a project.
pub(crate) struct GetProject;

impl ToolCall for GetProject {
    const TOOL: Tool = Tool::GetProject;
    const TITLE: &'static str = "Get project";
    const DESCRIPTION: &'static str =
        "Reads one project with all fields by its id. Its tasks come from list_tasks with project_id. Cheap.";
    type Permission = ReadProjects;
    type Arguments = Get<Project>;
    type Output = Detail<Project>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = projects::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Makes a project.
pub(crate) struct CreateProject;

impl ToolCall for CreateProject {
    const TOOL: Tool = Tool::CreateProject;
    const TITLE: &'static str = "Create project";
    const DESCRIPTION: &'static str = "Adds a project. Only a name is needed; it starts in planning.";
    type Permission = CreateProjects;
    type Arguments = ProjectFields;
    type Output = Detail<Project>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(projects::create(&call.ports, &call.permit, once, call.arguments).await?))
    }
}

/// Changes a project.
pub(crate) struct UpdateProject;

impl ToolCall for UpdateProject {
    const TOOL: Tool = Tool::UpdateProject;
    const TITLE: &'static str = "Update project";
    const DESCRIPTION: &'static str = "Changes fields of a project. Fields that are absent stay; null clears one.";
    type Permission = UpdateProjects;
    type Arguments = Update<ProjectFields>;
    type Output = Detail<Project>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = projects::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a project.
pub(crate) struct DeleteProject;

impl ToolCall for DeleteProject {
    const TOOL: Tool = Tool::DeleteProject;
    const TITLE: &'static str = "Delete project";
    const DESCRIPTION: &'static str = "Deletes a project together with its cycles and tasks. To end one instead, set its status. The record disappears for everybody; there is no undo. Confirm with the person first.";
    type Permission = DeleteProjects;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        projects::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}
