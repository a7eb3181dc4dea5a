//! Support: ticket keys, the widget and the sites that may embed it, the help centre, and messages to customers.

use domain::identity::access::{ManageKeys, ManageWorkspace};
use domain::identity::api_keys::{self, ApiKeyView, KeyFields};
use domain::identity::workspaces::{self, SettingsFields, WorkspaceView};
use domain::kernel::idempotency::IdempotentResult;

use super::{keys, save_settings};
use crate::prelude::*;
use crate::secret::SecretPage;

pages! {
    Show = "GET /settings/support", access: ManageWorkspace => show;
    Update = "POST /settings/support", access: ManageWorkspace => update;
    CreateKey = "POST /settings/support/keys", class: Class::Critical, access: ManageKeys => create_key;
}

/// The workspace settings on this page.
const FIELDS: &[&str] = &[
    "widget_enabled",
    "widget_origins",
    "help_centre_enabled",
    "help_centre_pictures",
    "kb_language",
    "notify_requesters",
];
const KEY_FIELDS: &[&str] = &["name", "expires_at"];

#[derive(Template)]
#[template(path = "settings/support.html")]
struct SupportPage {
    shell: Shell,
    form: FormView,
    workspace: WorkspaceView,
    /// The HTML that lets another site open tickets.
    snippet: String,
    help_centre: String,
    keys: Vec<ApiKeyView>,
    key_form: FormView,
    /// Whether the new key is read-only.
    reads_only: bool,
    may_make_keys: bool,
}

/// The rejected form of the page.
#[derive(Default)]
struct Rejection {
    settings: Option<(Form, Error)>,
    key: Option<(Form, Error)>,
}

async fn support_page(ports: &Ports, browser: &Browser, rejection: Rejection) -> Result<SupportPage, Error> {
    let caller = browser.caller.as_ref().ok_or(Error::Unauthorized)?;
    let workspace = workspaces::read(ports, &caller.permit()?).await?;
    let keys = match caller.permit::<ManageKeys>() {
        Ok(permit) => api_keys::list_for_tickets(ports, &permit).await?,
        Err(_) => Vec::new(),
    };
    let mut form =
        FormView::new::<SettingsFields>().only(FIELDS).with_record(&json!(workspace), &browser.preferences.zone);
    if let Some((typed, error)) = rejection.settings {
        form = form.with_input(&typed).with_error(error)?;
    }
    let key_form = FormView::new::<KeyFields>().only(KEY_FIELDS).once(ports.ids.new_id());
    let mut key_form = key_form.in_zone(&browser.preferences.zone);
    let mut reads_only = false;
    if let Some((typed, error)) = rejection.key {
        reads_only = typed.value("access") == Some("read");
        key_form = key_form.with_input(&typed).with_error(error)?;
    }
    let public_url = &ports.settings.public_url;
    Ok(SupportPage {
        shell: browser.shell(text("settings-support")),
        form,
        snippet: snippet(public_url, &workspace),
        help_centre: format!("{public_url}/kb/{}", workspace.slug),
        workspace,
        keys,
        key_form,
        reads_only,
        may_make_keys: browser.may::<ManageKeys>(),
    })
}

/// The HTML for the customer's own site: a form, and the few lines that send it.
fn snippet(public_url: &str, workspace: &WorkspaceView) -> String {
    format!(
        r#"<form id="support">
  <label>Name <input name="name" required maxlength="120"></label>
  <label>E-mail <input name="email" type="email" required></label>
  <label>Subject <input name="subject" required maxlength="500"></label>
  <label>Message <textarea name="description"></textarea></label>
  <button>Send</button>
  <output></output>
</form>
<script type="module">
  const form = document.getElementById("support");
  form.addEventListener("submit", async (event) => {{
    event.preventDefault();
    const answer = await fetch("{public_url}/api/widget/{id}/tickets", {{
      method: "POST",
      headers: {{ "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() }},
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    }}).catch(() => ({{ ok: false }}));
    const said = answer.ok ? "Thank you, we will answer by e-mail." : "That did not work. Please try again.";
    form.querySelector("output").textContent = said;
    if (answer.ok) form.reset();
  }});
</script>"#,
        id = workspace.id,
    )
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let page = support_page(&request.ports, &request.browser, Rejection::default()).await?;
    responses::page(&request.browser, page)
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    match save_settings(&ports, &permit, &browser, &form, ("settings-support", "/settings/support")).await {
        Ok(response) => response,
        Err(error) => {
            let rejection = Rejection { settings: Some((form, error)), key: None };
            responses::unprocessable(&browser, support_page(&ports, &browser, rejection).await?)
        }
    }
}

async fn create_key(request: PageRequest<CreateKey>) -> PageResult {
    let form = request.form.clone();
    let scopes = if form.value("access") == Some("read") { "tickets.read" } else { "tickets.read, tickets.write" };
    let mut members = form.clone();
    members.set("scopes", scopes);
    let result = keys::create::make(&request, &members).await;
    let PageRequest { ports, browser, .. } = request;
    match result {
        Ok(IdempotentResult::Replayed(response)) => keys::create::already_created(&browser, &response),
        Ok(IdempotentResult::Fresh(created)) => {
            let url = format!("{}/api/public/tickets", ports.settings.public_url);
            let key = created.plain.reveal();
            let page = SecretPage {
                shell: browser.shell(created.key.name.clone()),
                message: text("ticket-key-hint"),
                label: text("ticket-key"),
                secret: key.to_owned(),
                example: format!("curl {url} -H 'Authorization: Bearer {key}'"),
                next: "/settings/support".to_owned(),
            };
            responses::page(&browser, page)
        }
        Err(error) => {
            let rejection = Rejection { settings: None, key: Some((form, error)) };
            responses::unprocessable(&browser, support_page(&ports, &browser, rejection).await?)
        }
    }
}
