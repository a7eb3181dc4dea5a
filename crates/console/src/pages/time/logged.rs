//! The time logged on a record, and its estimate. Loaded separately, so that the record's page does not wait for the sum.

use askama::Template;
use domain::Error;
use domain::identity::access::ReadTimeEntries;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Filter, Several};
use domain::records::RecordFilter;
use domain::work::time_entries::{self, TimeEntryFilter};
use http_core::query::{Query, QueryReader};
use uuid::Uuid;

use crate::filters;
use crate::form::hours_of;
use crate::layout::{Browser, Shell};
use crate::lists::with;
use crate::page::{PageRequest, PageResult, page};
use crate::pages::crm::{Companies, Deals};
use crate::pages::tickets::Tickets;
use crate::pages::work::{Projects, Tasks};
use crate::records::{Kind, Markup};
use crate::responses;
use crate::texts::text;

page! {
    Show = "GET /time/logged", access: ReadTimeEntries, query: LoggedQuery => show
}

/// Selects the entries to add up.
pub(crate) struct LoggedQuery(TimeEntryFilter);

impl Query for LoggedQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(TimeEntryFilter::from_parameters(query))
    }
}

/// The card on a record's page.
#[derive(Template)]
#[template(path = "time/logged_card.html")]
struct LoggedCard {
    /// Hours.
    estimate: Option<String>,
    address: String,
}

#[derive(Template)]
#[template(path = "time/logged.html")]
struct LoggedPage {
    shell: Shell,
    /// The URL of the record on which the time was logged.
    record: Option<String>,
    logged: String,
    /// The URL of the list of entries.
    entries: String,
}

/// The card with the time on a record. The filter `member` selects its entries. `None` if the caller may not read them.
pub(crate) fn logged_card(browser: &Browser, member: &'static str, record: &Json) -> Result<Option<Markup>, Error> {
    let Some(id) = record["id"].as_str().filter(|_| browser.may::<ReadTimeEntries>()) else { return Ok(None) };
    let estimate = &record["estimate_hours"];
    let card = LoggedCard {
        estimate: (!estimate.is_null()).then(|| estimate.to_string()),
        address: with("/time/logged", "", member, id),
    };
    Markup::of(&card).map(Some)
}

fn address_of_record(filter: &TimeEntryFilter) -> Option<String> {
    let record_path = |path: &str, id: Uuid| format!("{path}/{id}");
    let task = filter.task_id.map(|id| record_path(Tasks::ROUTES.path, id.0));
    let ticket = filter.ticket_id.map(|id| record_path(Tickets::ROUTES.path, id.0));
    let project = filter.project_id.map(|id| record_path(Projects::ROUTES.path, id.0));
    let deal = filter.deal_id.map(|id| record_path(Deals::ROUTES.path, id.0));
    let company = filter.company_id.map(|id| record_path(Companies::ROUTES.path, id.0));
    task.or(ticket).or(project).or(deal).or(company)
}

/// Without a filter, shows the caller's time.
async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, query: LoggedQuery(mut filter), browser, .. } = request;
    if !filter.narrows() {
        filter.member = Several(browser.user().into_iter().collect());
    }
    let record = address_of_record(&filter);
    let total = time_entries::total(&ports, &permit, filter).await?;
    let query = browser.address.split_once('?').map_or("", |(_, query)| query);
    let view = LoggedPage {
        shell: browser.shell(text("time-logged")),
        record,
        logged: hours_of(total.seconds),
        entries: if query.is_empty() { "/time_entries".to_owned() } else { format!("/time_entries?{query}") },
    };
    responses::page(&browser, view)
}
