//! Names of members, keys and records, the projects of tasks, and the members to choose from.

use std::collections::HashMap;

use domain::IssueId;
use domain::console::{self, Names, WantedNames};
use domain::identity::access::{ListMembers, ReadIssues, SearchRecords};
use domain::identity::members::{self, MemberFilter};
use domain::kernel::IssueKind;
use domain::kernel::input::Several;
use domain::kernel::paging::PageRequest;
use domain::work::issues::{self, IssueFilter};
use uuid::Uuid;

use crate::prelude::{Browser, Error, Ports};

/// The maximum number of members in a list of choices. In larger workspaces, members are found by typing.
const MAX_CHOICES: u32 = 100;

/// The maximum number of tasks whose projects are looked up at once.
const MAX_TASKS: u32 = 100;

/// The names of these members and records, as far as the caller can read them. One statement.
pub(crate) async fn names(ports: &Ports, browser: &Browser, wanted: WantedNames) -> Result<Names, Error> {
    match browser.permit::<SearchRecords>() {
        Some(permit) => console::names_of(ports, &permit, wanted).await,
        None => Ok(Names::default()),
    }
}

/// The projects of these tasks, of which at most [`MAX_TASKS`] are looked up. One statement; none without tasks.
pub(crate) async fn projects_of(
    ports: &Ports,
    browser: &Browser,
    tasks: Vec<IssueId>,
) -> Result<HashMap<Uuid, Uuid>, Error> {
    let Some(permit) = browser.permit::<ReadIssues>().filter(|_| !tasks.is_empty()) else { return Ok(HashMap::new()) };
    let filter = IssueFilter { ids: Several(tasks), ..IssueFilter::all(IssueKind::Task) };
    let tasks = issues::list(ports, &permit, filter, PageRequest::first(MAX_TASKS)).await?.items;
    Ok(tasks.into_iter().filter_map(|task| Some((task.id.0, task.project_id?.0))).collect())
}

/// The active members to choose from, with ids and names; empty if there are too many for a list. One statement.
pub(crate) async fn choices(ports: &Ports, browser: &Browser) -> Result<Vec<(String, String)>, Error> {
    let Some(permit) = browser.permit::<ListMembers>() else { return Ok(Vec::new()) };
    let page = members::list_entries(ports, &permit, MemberFilter::default(), PageRequest::first(MAX_CHOICES)).await?;
    if page.next_cursor.is_some() {
        return Ok(Vec::new());
    }
    let active = page.items.into_iter().filter(|member| member.active);
    let mut choices: Vec<_> = active.map(|member| (member.id.to_string(), member.name)).collect();
    choices.sort_by_key(|(_, name)| name.to_lowercase());
    Ok(choices)
}
