//! Cycles of projects.

use domain::identity::access::{CreateCycles, ReadCycles};
use domain::kernel::input::date_json;
use domain::kernel::input::schema::DateText;
use domain::tools::Tool;
use domain::work::cycles;
use domain::work::cycles::{CycleFields, CycleStatus, CycleView};
use domain::{CycleId, Error, ProjectId, fields};
use schemars::JsonSchema;
use serde::Serialize;
use time::Date;

use crate::arguments::{NamedId, Paged, WithId};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::Listing;
use crate::tool::{ToolCall, ToolRequest, ToolResult};

impl LongTexts for CycleView {
    const NAMES: &'static [&'static str] = &[];

    fn read_on_with(&self) -> Option<Tool> {
        None
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        Vec::new()
    }
}

/// A cycle in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: CycleId,
    number: i32,
    name: String,
    status: CycleStatus,
    #[serde(with = "date_json")]
    #[schemars(with = "DateText")]
    start_date: Date,
    #[serde(with = "date_json")]
    #[schemars(with = "DateText")]
    end_date: Date,
    issue_count: i64,
    completed_issue_count: i64,
}

impl Row {
    fn of(cycle: &CycleView) -> Self {
        Self {
            id: cycle.id,
            number: cycle.number,
            name: cycle.name.clone(),
            status: cycle.status,
            start_date: cycle.start_date,
            end_date: cycle.end_date,
            issue_count: cycle.issue_count,
            completed_issue_count: cycle.completed_issue_count,
        }
    }
}

fields! {
    /// Which cycles.
    pub(crate) struct Filter {
        /// The project whose cycles they are.
        project_id: ProjectId = required,
    }
}

impl NamedId for CycleFields {
    const ID: &'static str = "project_id";
    const IS_OF: &'static str = "The project that it is for.";
}

/// Lists the cycles of a project.
pub(crate) struct ListCycles;

impl ToolCall for ListCycles {
    const TOOL: Tool = Tool::ListCycles;
    const TITLE: &'static str = "List cycles";
    const DESCRIPTION: &'static str = "Lists the cycles (sprints) of one project, newest first, with their dates and how many of their issues are done. Cheap.";
    type Permission = ReadCycles;
    type Arguments = Paged<Filter, CycleView>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let project = filter.project_id.set().copied().ok_or(Error::NotFound("project"))?;
        let page = cycles::list(&call.ports, &call.permit, project, page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Makes a cycle.
pub(crate) struct CreateCycle;

impl ToolCall for CreateCycle {
    const TOOL: Tool = Tool::CreateCycle;
    const TITLE: &'static str = "Create cycle";
    const DESCRIPTION: &'static str = "Adds a cycle (sprint) to a project. It needs a name and two dates, and may not overlap another cycle of the project.";
    type Permission = CreateCycles;
    type Arguments = WithId<CycleFields>;
    type Output = Detail<CycleView>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        let WithId { id, fields } = call.arguments;
        Ok(ToolResult::made(cycles::create(&call.ports, &call.permit, once, id.into(), fields).await?))
    }
}
