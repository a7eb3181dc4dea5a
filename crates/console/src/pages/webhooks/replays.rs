//! Replays: counting the matching events, starting, watching and cancelling.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::kernel::idempotency::IdempotentResult;
use domain::webhooks::{self, ReplayFields, ReplayStarted, ReplayState, ReplayView, SubscriptionView};
use domain::{ReplayId, SubscriptionId};

use super::view::{Badge, events_of};
use super::{path_of, stored};
use crate::form::{id_response, once_with};
use crate::prelude::*;

pages! {
    New = "GET /settings/webhooks/{webhook_id}/replay", access: UpdateWebhooks, path: SubscriptionId => new;
    Start = "POST /settings/webhooks/{webhook_id}/replay", access: UpdateWebhooks, path: SubscriptionId => start;
    Show = "GET /settings/webhooks/{webhook_id}/replays/{replay_id}",
    access: ReadWebhooks, path: (SubscriptionId, ReplayId) => show;
    Cancel = "POST /settings/webhooks/{webhook_id}/replays/{replay_id}/cancel",
    access: UpdateWebhooks, path: (SubscriptionId, ReplayId) => cancel;
}

/// The fields of the form. `dry_run` is set by the other button.
const FIELDS: &[&str] = &["since", "until", "events", "only_failed"];

#[derive(Template)]
#[template(path = "webhooks/replay_form.html")]
struct FormPage {
    shell: Shell,
    form: FormView,
    path: String,
    /// How many events match, after they were counted.
    matched: Option<usize>,
}

#[derive(Template)]
#[template(path = "webhooks/replay.html")]
struct ReplayPage {
    shell: Shell,
    replay: ReplayView,
    badge: Badge,
    webhook_path: String,
    path: String,
    is_running: bool,
    may_cancel: bool,
}

impl FormPage {
    fn count(&self) -> usize {
        self.matched.unwrap_or_default()
    }
}

fn form_page(browser: &Browser, webhook: &SubscriptionView, form: FormView, matched: Option<usize>) -> FormPage {
    let names = events_of(webhook);
    let form = if names.is_empty() {
        form
    } else {
        form.with_choices("events", names.into_iter().map(|name| (name.to_owned(), name.to_owned())))
    };
    FormPage { shell: browser.shell(text("replay-title")), form, path: path_of(webhook.id), matched }
}

async fn new(request: PageRequest<New>) -> PageResult {
    let webhook = stored(&request, request.path).await?;
    let view = FormView::new::<ReplayFields>().only(FIELDS).in_zone(&request.browser.preferences.zone);
    responses::page(&request.browser, form_page(&request.browser, &webhook, view, None))
}

async fn start(request: PageRequest<Start>) -> PageResult {
    let id = request.path;
    let counts = request.form.value("step") != Some("start");
    let mut members = request.form.clone();
    members.set("dry_run", &counts.to_string());
    if members.values("events").next().is_none() {
        // No events means all of them.
        members.remove("events");
    }
    let result = async {
        // Only starting a replay is done once. Events can be counted again.
        let response = |started: &ReplayStarted| id_response(&json!(started.id));
        let once = once_with(&request.form, Start::ROUTE, response).filter(|_| !counts);
        webhooks::replay(&request.ports, &request.permit, once, id, members.read_new(&request.browser)?).await
    };
    let view = FormView::new::<ReplayFields>().only(FIELDS).with_input(&request.form);
    let view = view.in_zone(&request.browser.preferences.zone);
    match result.await {
        Ok(IdempotentResult::Replayed(response)) => {
            let path = format!("{}/replays/{}", path_of(id), response.body);
            responses::success(&request.browser, &path, text("made-already"))
        }
        Ok(IdempotentResult::Fresh(started)) => {
            if let Some(replay) = started.id {
                let path = format!("{}/replays/{replay}", path_of(id));
                return responses::success(&request.browser, &path, text("replay-started"));
            }
            let webhook = stored(&request, id).await?;
            let matched = usize::try_from(started.matched).ok();
            responses::page(&request.browser, form_page(&request.browser, &webhook, view, matched))
        }
        Err(error) => {
            let webhook = stored(&request, id).await?;
            let page = form_page(&request.browser, &webhook, view.with_error(error)?, None);
            responses::unprocessable(&request.browser, page)
        }
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let (id, replay_id) = request.path;
    let replay = webhooks::read_replay(&request.ports, &request.permit, request.path).await?;
    let browser = request.browser;
    let page = ReplayPage {
        shell: browser.shell(text("replay")),
        badge: Badge::of_replay(replay.state),
        webhook_path: path_of(id),
        path: format!("{}/replays/{replay_id}", path_of(id)),
        is_running: replay.state == ReplayState::Running,
        may_cancel: browser.may::<UpdateWebhooks>(),
        replay,
    };
    responses::page(&browser, page)
}

async fn cancel(request: PageRequest<Cancel>) -> PageResult {
    let (id, replay) = request.path;
    let path = format!("{}/replays/{replay}", path_of(id));
    let notice = match webhooks::cancel_replay(&request.ports, &request.permit, None, request.path).await {
        Ok(_) => Notice::new(text("replay-cancelled")),
        // The replay was completed in the meantime, which its page shows.
        Err(error @ Error::InvalidStateChange(_)) => Notice::refusal(crate::errors::message_of(&error)),
        Err(error) => return Err(error.into()),
    };
    Ok(responses::redirect(&request.browser, &path, Some(notice)))
}
