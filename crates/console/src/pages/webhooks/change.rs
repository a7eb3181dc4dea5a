//! Testing a webhook, rotating its secret and deleting it.

use domain::SubscriptionId;
use domain::event_types;
use domain::identity::access::{DeleteWebhooks, ReadWebhooks, UpdateWebhooks};
use domain::kernel::idempotency::IdempotentResult;
use domain::webhooks::{self, RotateFields, Subscription};

use super::form::secret_page;
use super::{path_of, stored};
use crate::form::{id_response, once_with};
use crate::prelude::*;

pages! {
    Test = "POST /settings/webhooks/{webhook_id}/test", access: UpdateWebhooks, path: SubscriptionId => test;
    AskForSecret = "GET /settings/webhooks/{webhook_id}/secret", access: UpdateWebhooks, path: SubscriptionId
    => ask_for_secret;
    RotateSecret = "POST /settings/webhooks/{webhook_id}/secret", access: UpdateWebhooks, path: SubscriptionId
    => rotate_secret;
    AskToDelete = "GET /settings/webhooks/{webhook_id}/delete", access: DeleteWebhooks, path: SubscriptionId
    => ask_to_delete;
    Delete = "POST /settings/webhooks/{webhook_id}/delete", access: DeleteWebhooks, path: SubscriptionId => delete;
    AskToDeleteGroup = "GET /settings/webhooks/{webhook_id}/delete-group", access: DeleteWebhooks, path: SubscriptionId
    => ask_to_delete_group;
    DeleteGroup = "POST /settings/webhooks/{webhook_id}/delete-group", access: DeleteWebhooks, path: SubscriptionId
    => delete_group;
}

#[derive(Template)]
#[template(path = "webhooks/secret.html")]
struct SecretFormPage {
    shell: Shell,
    form: FormView,
    path: String,
}

/// Asks for confirmation before something that cannot be undone.
#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    shell: Shell,
    /// What will happen.
    message: String,
    button: String,
    action: String,
    /// The version that the page shows.
    version: i64,
    /// The page to return to without doing anything.
    back: String,
}

/// The overlaps to choose from, in seconds, with the keys of their texts.
const OVERLAPS: [(&str, &str); 4] =
    [("86400", "overlap-day"), ("3600", "overlap-hour"), ("604800", "overlap-week"), ("0", "overlap-none")];

/// Sends a test and redirects to its delivery, which shows the response as soon as there is one. Scripts show it on the
/// webhook's page.
async fn test(request: PageRequest<Test>) -> PageResult {
    let fields = request.form.read_new(&request.browser)?;
    let result = event_types::send_test(&request.ports, &request.permit, None, request.path, fields).await?;
    let delivery = result.made_now()?;
    if request.browser.is_htmx
        && let Some(permit) = request.browser.permit::<ReadWebhooks>()
    {
        let history = webhooks::read_history(&request.ports, &permit, (request.path, delivery.id)).await?;
        return super::deliveries::answer(&request.browser, history);
    }
    let path = format!("{}/deliveries/{}", path_of(request.path), delivery.id);
    responses::success(&request.browser, &path, text("webhook-test-sent"))
}

fn secret_form(browser: &Browser, id: SubscriptionId, form: FormView) -> SecretFormPage {
    let form = form.with_choices("overlap_seconds", OVERLAPS.map(|(value, key)| (value.to_owned(), text(key))));
    SecretFormPage { shell: browser.shell(text("webhook-secret-rotate")), form, path: path_of(id) }
}

async fn ask_for_secret(request: PageRequest<AskForSecret>) -> PageResult {
    // The page asks only for existing webhooks.
    stored(&request, request.path).await?;
    let form = FormView::new::<RotateFields>().once(request.ports.ids.new_id());
    let page = secret_form(&request.browser, request.path, form);
    responses::page(&request.browser, page)
}

async fn rotate_secret(request: PageRequest<RotateSecret>) -> PageResult {
    let PageRequest { ports, permit, path: id, form, browser, .. } = request;
    let result = async {
        let once = once_with(&form, RotateSecret::ROUTE, |webhook: &Subscription| id_response(&json!(webhook.id)));
        webhooks::rotate_secret_once(&ports, &permit, id, once, form.read_new(&browser)?).await
    };
    match result.await {
        Ok(IdempotentResult::Replayed(response)) => {
            responses::success(&browser, &path_of(response.body), text("webhook-secret-made-already"))
        }
        Ok(IdempotentResult::Fresh(rotated)) => {
            secret_page(&browser, id, rotated.secret.reveal(), "webhook-secret-rotated")
        }
        Err(error) => {
            let view = FormView::new::<RotateFields>().once(ports.ids.new_id()).with_input(&form).with_error(error)?;
            responses::unprocessable(&browser, secret_form(&browser, id, view))
        }
    }
}

async fn ask_to_delete(request: PageRequest<AskToDelete>) -> PageResult {
    confirm(request, "delete", "webhook-delete", "webhook-delete-hint").await
}

async fn ask_to_delete_group(request: PageRequest<AskToDeleteGroup>) -> PageResult {
    confirm(request, "delete-group", "webhook-delete-group", "webhook-delete-group-hint").await
}

/// Asks for confirmation. The form is sent to a path below the webhook's page.
async fn confirm<P: PageRoute<Path = SubscriptionId>>(
    request: PageRequest<P>,
    address: &str,
    title: &str,
    hint: &str,
) -> PageResult {
    let webhook = stored(&request, request.path).await?;
    let browser = request.browser;
    let page = ConfirmPage {
        shell: browser.shell(text(title)),
        message: text_with(hint, [("url", webhook.url.as_str().into())]),
        button: text(title),
        action: format!("{}/{address}", path_of(webhook.id)),
        version: webhook.version,
        back: path_of(webhook.id),
    };
    responses::page(&browser, page)
}

async fn delete_group(request: PageRequest<DeleteGroup>) -> PageResult {
    webhooks::delete_group(&request.ports, &request.permit, request.path, request.form.version()?).await?;
    responses::success(&request.browser, "/settings/webhooks", text("webhook-group-deleted"))
}

async fn delete(request: PageRequest<Delete>) -> PageResult {
    webhooks::delete(&request.ports, &request.permit, request.path, request.form.version()?).await?;
    responses::success(&request.browser, "/settings/webhooks", text("webhook-deleted"))
}
