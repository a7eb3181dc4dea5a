//! The progress of a project: the number of tasks per status. Loaded separately, so that the project's page does not
//! wait for the counts.

use domain::ProjectId;
use domain::identity::access::ReadIssues;
use domain::kernel::IssueKind;
use domain::work::issues::{self, IssueFilter, IssueGroup, IssueStatus};

use super::cycles::name_of;
use crate::lists::with;
use crate::prelude::*;
use crate::records::tone_of;
use crate::texts;

page! {
    Progress = "GET /projects/{project_id}/progress", access: ReadIssues, path: ProjectId => show
}

/// The tasks with a status.
struct Part {
    label: String,
    tone: &'static str,
    href: String,
    count: u64,
    /// Offset and length in the bar, in hundredths of a percent.
    start: u64,
    length: u64,
}

#[derive(Template)]
#[template(path = "work/progress.html")]
struct ProgressPage {
    shell: Shell,
    project: String,
    parts: Vec<Part>,
    all: u64,
    /// How many tasks are done, in words.
    sum: String,
}

/// The length of the whole bar.
const BAR_LENGTH: u64 = 10_000;

async fn show(request: PageRequest<Progress>) -> PageResult {
    let PageRequest { ports, permit, path, browser, .. } = request;
    let filter = IssueFilter { project_id: Some(path), ..IssueFilter::all(IssueKind::Task) };
    let summary = issues::summarize(&ports, &permit, filter, vec![IssueGroup::Status]).await?;
    let name = name_of(&ports, &browser, path).await?;
    let count_of = |status: IssueStatus| {
        let group = summary.groups.iter().find(|group| group.key.status.as_deref() == Some(status.as_str()));
        group.map_or(0, |group| group.totals.count)
    };
    // Cancelled tasks do not count.
    let is_counted = |status: &IssueStatus| status.kind() == IssueKind::Task && *status != IssueStatus::Cancelled;
    let all: u64 = IssueStatus::ALL.iter().copied().filter(is_counted).map(count_of).sum();
    let mut start = 0;
    let project = with("/tasks", "", "project_id", &path.to_string());
    let parts = IssueStatus::ALL.iter().copied().filter(|status| status.kind() == IssueKind::Task).map(|status| {
        let count = count_of(status);
        let length = if is_counted(&status) { (count * BAR_LENGTH).checked_div(all).unwrap_or_default() } else { 0 };
        let part = Part {
            label: texts::label("value", status.as_str()),
            tone: tone_of(status.as_str()),
            href: with("/tasks", project.trim_start_matches("/tasks?"), "status", status.as_str()),
            count,
            start,
            length,
        };
        start += length;
        part
    });
    let parts = parts.collect();
    let done = count_of(IssueStatus::Done);
    let percent = (done * 100).checked_div(all).unwrap_or_default();
    let sum =
        texts::text_with("progress-sum", [("done", done.into()), ("all", all.into()), ("percent", percent.into())]);
    let shell = browser.shell(name).part("progress-title");
    let view = ProgressPage { shell, project: path.to_string(), parts, all, sum };
    responses::page(&browser, view)
}
