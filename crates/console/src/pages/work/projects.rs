//! Projects.

use domain::identity::access::{CreateCycles, ReadCycles, ReadIssues};
use domain::kernel::input::CreatedFilter;
use domain::kernel::input::json::Json;
use domain::kernel::paging::PageRequest as Paging;
use domain::transfer::ExportedList;
use domain::work::cycles;
use domain::work::projects::{Project, ProjectStatus};

use super::Tasks;
use super::cycles::{CycleLine, lines_of};
use crate::pages::time::{logged_card, start_button};
use crate::prelude::*;
use crate::records::{
    By, ColumnOrder, Kind, KindView, Markup, Parts, Records, Related, Routes, id_of, routes, title_of_members,
};

/// Projects as pages.
pub(crate) type Projects = Records<Project>;

/// How many cycles a project's page shows.
const SHOWN_CYCLES: u32 = 6;

impl Kind for Projects {
    type PageData = ();

    const ROUTES: Routes = routes!("projects", "project_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::Projects;
    const VIEW: KindView = KindView {
        title: "name",
        title_of: |record| title_of_members(record, &["name"]),
        orders: &[
            ColumnOrder::ascending("name", "name_asc", "name_desc"),
            ColumnOrder::ascending("end_date", "end_date_asc", "end_date_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        // Used by other systems, which set them over the API.
        hidden: &["team_id", "template_id"],
        usual: &["name", "description", "status", "lead_user_id", "start_date", "end_date", "company_id"],
        bulk: &["status", "priority", "lead_user_id", "end_date"],
        related: &[Related::of::<Tasks>(By::Id("project_id"))],
        is_open: |status| ProjectStatus::parse(status).is_none_or(ProjectStatus::is_open),
        reopened: Some("active"),
        ..KindView::of("layout-kanban", &["status", "priority", "progress", "lead_user_id", "end_date"])
    };

    /// The board, the progress and the newest cycles. One statement.
    async fn parts(ports: &Ports, browser: &Browser, record: &Json, (): ()) -> Result<Parts, Error> {
        let Some(id) = id_of(&record["id"]) else { return Ok(Parts::default()) };
        let start = start_button(browser, "project_id", &id.to_string(), &format!("{}/{id}", Self::ROUTES.path))?;
        let shown = Parts {
            side: logged_card(browser, "project_id", record)?.into_iter().collect(),
            actions: start.into_iter().collect(),
            ..Parts::default()
        };
        if !browser.may::<ReadIssues>() {
            return Ok(shown);
        }
        let (all, first) = (CreatedFilter::default(), Paging::first(SHOWN_CYCLES));
        let page = match browser.permit::<ReadCycles>() {
            Some(permit) => Some(cycles::list(ports, &permit, id.into(), all, first).await?),
            None => None,
        };
        let has_more = page.as_ref().is_some_and(|page| page.next_cursor.is_some());
        let sections = ProjectParts {
            id: id.to_string(),
            cycles: page.map(|page| lines_of(page.items)),
            has_more,
            may_create_cycles: browser.may::<CreateCycles>(),
        };
        let board = Markup::of(&Actions { id: id.to_string() })?;
        let actions = std::iter::once(board).chain(shown.actions).collect();
        Ok(Parts { top: vec![Markup::of(&sections)?], actions, ..shown })
    }
}

#[derive(Template)]
#[template(path = "work/project_actions.html")]
struct Actions {
    id: String,
}

#[derive(Template)]
#[template(path = "work/project_parts.html")]
struct ProjectParts {
    id: String,
    cycles: Option<Vec<CycleLine>>,
    has_more: bool,
    may_create_cycles: bool,
}
