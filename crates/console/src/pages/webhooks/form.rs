//! Creating and editing webhooks.

use std::cell::RefCell;

use domain::SubscriptionId;
use domain::console;
use domain::event_types;
use domain::events::{ALL_EVENTS, Module};
use domain::identity::access::{CreateWebhooks, ListEventTypes, OperateService, SearchRecords, UpdateWebhooks};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::Json;
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::{self, PlainSecret, Subscription, SubscriptionFields, SubscriptionView};

use super::input::{HeaderRow, SpecialFields, blank, only, typed_members};
use super::view::EventGroup;
use super::{path_of, stored};
use crate::form::{id_response, once_with};
use crate::prelude::*;
use crate::records::{ConflictPage, SaveOutcome, Target, save_to};
use crate::secret::SecretPage;

pages! {
    New = "GET /settings/webhooks/new", access: CreateWebhooks, query: ModulesQuery => new;
    Create = "POST /settings/webhooks", access: CreateWebhooks => create;
    Edit = "GET /settings/webhooks/{webhook_id}/edit", access: UpdateWebhooks, path: SubscriptionId => edit;
    Update = "POST /settings/webhooks/{webhook_id}", access: UpdateWebhooks, path: SubscriptionId => update;
}

/// The modules of a new webhook, which determine the rest of its form.
#[derive(Debug)]
pub(crate) struct ModulesQuery(Vec<Module>);

impl Query for ModulesQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(query.choices("module", Module::parse, Module::allowed_values))
    }
}

#[derive(Template)]
#[template(path = "webhooks/modules.html")]
struct ModulesPage {
    shell: Shell,
    modules: &'static [Module],
    /// Modules that can be combined, because their events can be selected from a list.
    own: Vec<Module>,
}

#[derive(Template)]
#[template(path = "webhooks/form.html")]
struct FormPage {
    shell: Shell,
    form: FormView,
    /// The name of the field with the modules: a single one, or several for new webhooks.
    module_field: &'static str,
    modules: Vec<Module>,
    action: String,
    back: String,
    /// The events that the service emits in these modules; empty if other systems define them.
    groups: Vec<EventGroup>,
    has_all_events: bool,
    /// The typed events, for a module whose events other systems define.
    typed_events: String,
    /// The member that limits webhooks of the module to a scope; empty if there is none.
    scope_column: &'static str,
    headers: Vec<HeaderRow>,
    stored_header_names: String,
    is_new: bool,
}

async fn form_page<P: PageRoute>(
    request: &PageRequest<P>,
    modules: &[Module],
    stored: Option<SubscriptionId>,
    mut form: FormView,
    special: SpecialFields,
) -> Result<FormPage, Error> {
    let types = match request.browser.permit::<ListEventTypes>() {
        Some(permit) => event_types::list(&request.ports, &permit).await?,
        None => Vec::new(),
    };
    if let Some(url) = form.field_mut("url") {
        url.help = text("webhook-url-help");
        if request.browser.may::<OperateService>() {
            url.help = format!("{} {}", url.help, text("webhook-url-help-operator"));
        }
    }
    let title = if stored.is_some() { text("webhook-edit") } else { text("webhook-new") };
    let path = stored.map_or_else(|| "/settings/webhooks".to_owned(), path_of);
    Ok(FormPage {
        shell: request.browser.shell(title),
        form,
        module_field: if modules.len() == 1 { "module" } else { "modules" },
        modules: modules.to_vec(),
        action: path.clone(),
        back: path,
        groups: modules.iter().flat_map(|module| EventGroup::all(&types, *module, &special.events)).collect(),
        has_all_events: special.events.iter().any(|name| name == ALL_EVENTS),
        typed_events: special.events.join(", "),
        scope_column: only(modules).and_then(Module::scope_column).unwrap_or_default(),
        headers: special.header_rows(),
        stored_header_names: special.stored_header_names(),
        is_new: stored.is_none(),
    })
}

async fn new(request: PageRequest<New>) -> PageResult {
    let modules = &request.query.0;
    if modules.is_empty() {
        let shell = request.browser.shell(text("webhook-new"));
        let own = Module::ALL.iter().copied().filter(|module| !module.events().is_empty()).collect();
        let page = ModulesPage { shell, modules: Module::ALL, own };
        return responses::page(&request.browser, page);
    }
    let special = SpecialFields { events: Vec::new(), header_names: Vec::new(), stored_headers: Vec::new() };
    let form = blank(modules).once(request.ports.ids.new_id());
    let page = form_page(&request, modules, None, form, special).await?;
    responses::page(&request.browser, page)
}

/// The modules that a form is for.
fn modules_of(form: &Form) -> Vec<Module> {
    form.values("module").chain(form.values("modules")).filter_map(Module::parse).collect()
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let modules = modules_of(&request.form);
    if modules.is_empty() {
        return Err(Error::malformed("module", "required", "must be chosen first").into());
    }
    let result = async {
        let typed = typed_members(&request, &modules).await?;
        let once = once_with(&request.form, Create::ROUTE, |webhook: &Subscription| id_response(&json!(webhook.id)));
        webhooks::create_once(&request.ports, &request.permit, once, typed.read_new(&request.browser)?).await
    };
    match result.await {
        Ok(IdempotentResult::Replayed(response)) => {
            responses::success(&request.browser, &path_of(response.body), text("webhook-made-already"))
        }
        Ok(IdempotentResult::Fresh(made)) => {
            secret_page(&request.browser, made.subscription.id, made.secret.reveal(), "webhook-secret-new")
        }
        Err(error) => {
            let view = blank(&modules).once(request.ports.ids.new_id()).with_input(&request.form).with_error(error)?;
            let special = SpecialFields::typed(&request.form, Vec::new());
            let page = form_page(&request, &modules, None, view, special).await?;
            responses::unprocessable(&request.browser, page)
        }
    }
}

/// Shows a secret, which no other page shows.
pub(super) fn secret_page(browser: &Browser, id: SubscriptionId, secret: &str, message: &str) -> PageResult {
    let page = SecretPage {
        shell: browser.shell(text("webhook-secret")),
        message: text(message),
        label: text("webhook-secret"),
        secret: secret.to_owned(),
        example: String::new(),
        next: path_of(id),
    };
    responses::page(browser, page)
}

/// The form of a stored webhook. Its scope has a separate field, with the name of the project.
async fn filled<P: PageRoute>(request: &PageRequest<P>, webhook: &SubscriptionView) -> Result<FormView, Error> {
    let mut record = json!(webhook);
    for (column, id) in webhook.scope.iter().flatten() {
        record[column] = id.clone();
    }
    let view = blank(&[webhook.module]).with_record(&record, &request.browser.preferences.zone);
    match request.browser.permit::<SearchRecords>().filter(|_| webhook.scope.is_some()) {
        Some(permit) => {
            let names = console::names_of(&request.ports, &permit, view.wanted_names()).await?;
            Ok(view.with_names(&names))
        }
        None => Ok(view),
    }
}

async fn edit(request: PageRequest<Edit>) -> PageResult {
    let webhook = stored(&request, request.path).await?;
    let view = filled(&request, &webhook).await?;
    let page = form_page(&request, &[webhook.module], Some(webhook.id), view, SpecialFields::stored(&webhook)).await?;
    responses::page(&request.browser, page)
}

/// The webhook that a form changes.
struct Webhook<'a> {
    request: &'a PageRequest<Update>,
    /// The new secret, if the change creates one.
    secret: RefCell<Option<PlainSecret>>,
}

impl Target for Webhook<'_> {
    type Fields = SubscriptionFields;

    async fn stored(&self) -> Result<Json, Error> {
        Ok(json!(stored(self.request, self.request.path).await?))
    }

    async fn update(&self, expected: ExpectedVersion, fields: SubscriptionFields) -> Result<Json, Error> {
        let PageRequest { ports, permit, path, .. } = self.request;
        let changed = webhooks::update(ports, permit, *path, expected, fields).await?;
        self.secret.replace(changed.secret);
        // The page reads the webhook again.
        Ok(Json::Null)
    }
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let id = request.path;
    // The module that the form was made for, which never changes.
    let module = request.form.value("module").and_then(Module::parse);
    let target = Webhook { request: &request, secret: RefCell::default() };
    let result = async {
        let mut form = match module {
            Some(module) => typed_members(&request, &[module]).await?,
            None => request.form.clone(),
        };
        save_to(&target, &request.browser, &mut form).await
    };
    match result.await {
        Ok(SaveOutcome::Conflict(_, merged)) => {
            let page = ConflictPage {
                changed: None,
                shell: request.browser.shell(text("webhook-edit")),
                merged: merged.with_names(&request.ports, &request.browser).await?,
                list: text("webhook"),
                list_path: path_of(id),
                action: path_of(id),
                next: None,
            };
            page.answer(&request.browser)
        }
        Ok(SaveOutcome::Done(_)) => {
            if let Some(secret) = target.secret.take() {
                return secret_page(&request.browser, id, secret.reveal(), "webhook-secret-moved");
            }
            let done = match request.form.value("enabled") {
                Some("true") if module.is_none() => text("webhook-is-enabled"),
                Some(_) if module.is_none() => text("webhook-is-disabled"),
                _ => text("webhook-saved"),
            };
            responses::success(&request.browser, &path_of(id), done)
        }
        Err(error) => {
            let webhook = stored(&request, id).await?;
            let view = filled(&request, &webhook).await?.with_input(&request.form);
            let current = SpecialFields::stored(&webhook);
            let special =
                if module.is_some() { SpecialFields::typed(&request.form, current.stored_headers) } else { current };
            let page = form_page(&request, &[webhook.module], Some(id), view.with_error(error)?, special).await?;
            responses::unprocessable(&request.browser, page)
        }
    }
}

impl ModulesPage {
    #[expect(clippy::unused_self, clippy::trivially_copy_pass_by_ref, reason = "templates call it with references")]
    fn label(&self, module: &Module) -> String {
        label("module", module.as_str())
    }

    #[expect(clippy::unused_self, clippy::trivially_copy_pass_by_ref, reason = "templates call it with references")]
    fn hint(&self, module: &Module) -> String {
        label("module-hint", module.as_str())
    }
}
