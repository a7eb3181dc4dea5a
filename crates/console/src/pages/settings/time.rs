//! Time settings: the time zone, the locked period, overlaps, and the hourly rates of members.

use domain::console::WantedNames;
use domain::identity::access::{ManageTimeRates, ManageWorkspace, Permit};
use domain::identity::workspaces::{self, Role, SettingsFields};
use domain::kernel::input::{Input, InputMode, Problems, parse_uuid};
use domain::records::RecordKind;
use domain::work::time_entries::{self, RateFields, RatePlace, TimeEntryFields};
use domain::{ProjectId, UserId};

use super::save_settings;
use crate::errors::message_of;
use crate::parts::{people, pick};
use crate::prelude::*;

pages! {
    Show = "GET /settings/time", access: ManageWorkspace => show;
    Update = "POST /settings/time", access: ManageWorkspace => update;
    SetRate = "POST /settings/time/rates", class: Class::Critical, access: ManageTimeRates => set_rate;
    RemoveRate = "POST /settings/time/rates/remove", class: Class::Critical, access: ManageTimeRates => remove_rate;
}

const PATH: &str = "/settings/time";
const FIELDS: &[&str] = &["time_zone", "time_locked_until", "time_overlaps_allowed"];
/// The members that identify a rate.
const RATE_KEY: [&str; 2] = ["member_id", "project_id"];
/// The maximum number of rates on the page. The API has all of them.
const SHOWN_RATES: usize = 100;

/// A rate of a member.
struct RateLine {
    member_id: String,
    member: String,
    project_id: String,
    /// The project, if the rate applies to one only.
    project: Option<String>,
    rate: String,
    /// The label of the button that removes it.
    removal: String,
}

#[derive(Template)]
#[template(path = "settings/time.html")]
struct TimePage {
    shell: Shell,
    form: FormView,
    rates: Vec<RateLine>,
    has_more: bool,
    /// The form for a rate; `None` if the caller may not set one.
    rate_form: Option<FormView>,
}

/// The forms of the page that were rejected, and why.
#[derive(Default)]
struct Rejection {
    settings: Option<(Form, Error)>,
    rate: Option<(Form, Error)>,
}

fn blank_rate() -> FormView {
    let mut members = TimeEntryFields::members();
    members.retain(|member| RATE_KEY.contains(&member.name));
    members.extend(RateFields::members());
    FormView::of_members(&members).only(&["member_id", "project_id", "rate", "currency"]).without_help()
}

/// The label of the button that removes a rate. Each is different.
fn removal_of(member: &str, project: Option<&str>) -> String {
    match project {
        Some(project) => text_with("time-rate-remove-in", [("name", member.into()), ("project", project.into())]),
        None => text_named("time-rate-remove-of", member),
    }
}

/// The rates, those for all projects first, and whether there are more. Two statements.
async fn rates(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<ManageTimeRates>,
) -> Result<(Vec<RateLine>, bool), Error> {
    let mut rates = time_entries::list_rates(ports, permit).await?;
    let has_more = rates.len() > SHOWN_RATES;
    rates.truncate(SHOWN_RATES);
    let wanted = WantedNames {
        people: rates.iter().map(|rate| rate.member_id.0).collect(),
        records: rates.iter().filter_map(|rate| rate.project_id).map(|id| (RecordKind::Project, id.0)).collect(),
    };
    let names = people::names(ports, browser, wanted).await?;
    let line = |rate: time_entries::TimeRate| {
        let member = names.people.get(&rate.member_id.0).cloned().unwrap_or_else(|| text("unknown-member"));
        let project = rate.project_id.map(|id| {
            let name = names.records.get(&(RecordKind::Project, id.0)).cloned();
            name.unwrap_or_else(|| text("record-gone"))
        });
        RateLine {
            removal: removal_of(&member, project.as_deref()),
            member,
            member_id: rate.member_id.to_string(),
            project,
            project_id: rate.project_id.map(|id| id.to_string()).unwrap_or_default(),
            rate: crate::records::money(&rate.rate.to_string(), &rate.currency),
        }
    };
    Ok((rates.into_iter().map(line).collect(), has_more))
}

/// Takes at most four statements.
async fn time_page(ports: &Ports, browser: &Browser, rejection: Rejection) -> Result<TimePage, Error> {
    let caller = browser.caller.as_ref().ok_or(Error::Unauthorized)?;
    let workspace = workspaces::read(ports, &caller.permit()?).await?;
    let mut form =
        FormView::new::<SettingsFields>().only(FIELDS).with_record(&json!(workspace), &browser.preferences.zone);
    if let Some((typed, error)) = rejection.settings {
        form = form.with_input(&typed).with_error(error)?;
    }
    let (rates, has_more) = rates(ports, browser, &caller.permit()?).await?;
    let rate_form = if browser.role() == Some(Role::Owner) {
        let mut view = blank_rate();
        if let Some((typed, error)) = rejection.rate {
            view = view.with_input(&typed).with_error(error)?;
        }
        Some(view.with_members(&people::choices(ports, browser).await?))
    } else {
        None
    };
    let shell = browser.shell(text("settings-time"));
    Ok(TimePage { shell, form, rates, has_more, rate_form })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let page = time_page(&request.ports, &request.browser, Rejection::default()).await?;
    responses::page(&request.browser, page)
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    match save_settings(&ports, &permit, &browser, &form, ("settings-time", PATH)).await {
        Ok(response) => response,
        // Only owners may unlock a period. The page shows why, like any other problem of the form.
        Err(Error::Forbidden(message)) => {
            let rejection = Rejection { settings: Some((form, Error::Conflict(message))), rate: None };
            responses::unprocessable(&browser, time_page(&ports, &browser, rejection).await?)
        }
        Err(error) => {
            let rejection = Rejection { settings: Some((form, error)), rate: None };
            responses::unprocessable(&browser, time_page(&ports, &browser, rejection).await?)
        }
    }
}

/// The member and the project in a form.
fn rate_key_in(form: &Form) -> Result<RatePlace, Error> {
    let id = |name: &str| form.value(name).and_then(parse_uuid);
    let member = id("member_id").ok_or_else(|| Error::invalid("member_id", "required", text("time-rate-member")))?;
    Ok(RatePlace { member_id: UserId(member), project_id: id("project_id").map(ProjectId) })
}

async fn set_rate(request: PageRequest<SetRate>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    let typed = form.clone();
    let set = async {
        let mut members = TimeEntryFields::members();
        members.retain(|member| RATE_KEY.contains(&member.name));
        pick::resolve(&ports, &browser, &mut form, &members).await?;
        let key = rate_key_in(&form)?;
        let mut problems = Problems::in_context(&ports);
        let (members, zone) = (RateFields::members(), &browser.preferences.zone);
        form.note_unreadable(&members, zone, &mut problems);
        let mut object = form.to_object(&members, zone);
        // Without a currency, that of the workspace applies.
        object.retain(|_, value| value.as_str() != Some(""));
        let fields = RateFields::from_object_with(object, InputMode::Create, problems)?;
        time_entries::set_rate(&ports, &permit, key, fields).await
    };
    match set.await {
        Ok(_) => responses::success(&browser, PATH, text("time-rate-saved")),
        Err(error) => {
            let rejection = Rejection { settings: None, rate: Some((typed, error)) };
            responses::unprocessable(&browser, time_page(&ports, &browser, rejection).await?)
        }
    }
}

async fn remove_rate(request: PageRequest<RemoveRate>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let removed = match rate_key_in(&form) {
        Ok(key) => time_entries::remove_rate(&ports, &permit, key).await,
        Err(error) => Err(error),
    };
    let notice = match removed {
        Ok(()) => Notice::new(text("time-rate-removed")),
        Err(error @ (Error::Invalid(_) | Error::NotFound(_))) => Notice::refusal(message_of(&error)),
        Err(error) => return Err(error.into()),
    };
    Ok(responses::redirect(&browser, PATH, Some(notice)))
}
