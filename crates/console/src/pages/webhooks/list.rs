//! The list of webhooks, by module.

use domain::events::ALL_EVENTS;
use domain::identity::access::{CreateWebhooks, ReadWebhooks};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::webhooks::{self, MAX_SUBSCRIPTIONS, SubscriptionView};

use super::view::Badge;
use crate::page::PageRequest as Request;
use crate::prelude::*;

pages! {
    List = "GET /settings/webhooks", access: ReadWebhooks => list
}

#[derive(Template)]
#[template(path = "webhooks/list.html")]
struct ListPage {
    shell: Shell,
    modules: Vec<ModuleView>,
    may_create: bool,
}

/// The webhooks of a module.
struct ModuleView {
    label: String,
    webhooks: Vec<Row>,
}

struct Row {
    webhook: SubscriptionView,
    badge: Badge,
}

impl Row {
    fn has_all_events(&self) -> bool {
        self.webhook.events.iter().any(|name| name == ALL_EVENTS)
    }
}

async fn list(request: Request<List>) -> PageResult {
    let browser = request.browser;
    // All webhooks fit on one page.
    let limit = u32::try_from(MAX_SUBSCRIPTIONS).unwrap_or(u32::MAX);
    let (all, first) = (CreatedFilter::default(), PageRequest::first(limit));
    let page = webhooks::list(&request.ports, &request.permit, all, first).await?;
    let shell = browser.shell(text("settings-webhooks"));
    let may_create = browser.may::<CreateWebhooks>();
    responses::page(&browser, ListPage { shell, modules: by_module(page.items), may_create })
}

fn by_module(webhooks: Vec<SubscriptionView>) -> Vec<ModuleView> {
    let mut modules: Vec<ModuleView> = Vec::new();
    for webhook in webhooks {
        let label = label("module", webhook.module.as_str());
        let row = Row { badge: Badge::of_webhook(&webhook), webhook };
        match modules.iter_mut().find(|module| module.label == label) {
            Some(module) => module.webhooks.push(row),
            None => modules.push(ModuleView { label, webhooks: vec![row] }),
        }
    }
    modules.sort_by(|one, other| one.label.cmp(&other.label));
    modules
}
