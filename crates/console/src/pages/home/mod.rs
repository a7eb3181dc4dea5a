//! The home page: what needs the user's attention, the pipeline, recent changes and the next steps.

mod steps;
mod view;

use domain::console;
use domain::crm::deals;
use domain::identity::access::{FollowEvents, ManageOwnAccount, ReadDeals, ReadIssues};
use domain::identity::workspaces::first_steps;

use crate::cookies::Cookie;
use crate::prelude::*;
use steps::Steps;
use view::{Activity, Stage, Task, Waiting};

pages! {
    Show = "GET /", access: ManageOwnAccount => show;
    /// Hides the next steps of this workspace in this browser.
    HideSteps = "POST /home/hide-steps", access: ManageOwnAccount => hide_steps;
}

/// How long a browser keeps the steps hidden, in seconds: a year.
const HIDDEN_SECONDS: i64 = 365 * 24 * 60 * 60;

#[derive(Template)]
#[template(path = "home/page.html")]
struct HomePage {
    shell: Shell,
    steps: Option<Steps>,
    /// `None` if the caller may not read tasks.
    tasks: Option<Vec<Task>>,
    tickets: Option<Vec<Waiting>>,
    deals: Option<Vec<Waiting>>,
    pipeline: Vec<Stage>,
    changes: Vec<Activity>,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let deals = request.browser.permit::<ReadDeals>();
    let events = request.browser.permit::<FollowEvents>();
    let PageRequest { ports, permit, browser, .. } = request;
    let shell = browser.shell(text("nav-home"));
    let now = shell.local(shell.now);
    let today = view::date_of(&now);
    let home = console::home(&ports, &permit, today).await?;
    let pipeline = match &deals {
        Some(permit) => view::pipeline(deals::board_totals(&ports, permit).await?),
        None => Vec::new(),
    };
    let changes = match &events {
        Some(permit) => view::activities(console::recent_changes(&ports, permit).await?),
        None => Vec::new(),
    };
    let steps =
        if Steps::hidden_in(&browser) { None } else { Steps::remaining(&browser, first_steps(&ports, &permit).await?) };
    let reads_issues = browser.may::<ReadIssues>();
    let page = HomePage {
        steps,
        tasks: reads_issues.then(|| home.tasks.into_iter().map(Task::of).collect()),
        tickets: reads_issues.then(|| home.tickets.into_iter().map(Waiting::ticket).collect()),
        deals: deals.is_some().then(|| home.deals.into_iter().map(Waiting::deal).collect()),
        pipeline,
        changes,
        shell,
    };
    responses::page(&browser, page)
}

async fn hide_steps(request: PageRequest<HideSteps>) -> PageResult {
    let browser = &request.browser;
    let mut response = responses::redirect_to(browser, "/");
    let hidden = Cookie::HiddenSteps.set(&Steps::hidden_with(browser), Some(HIDDEN_SECONDS), browser.is_https);
    responses::append_cookie(&mut response, hidden);
    Ok(response.finish())
}
