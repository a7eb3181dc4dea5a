//! The user's own account: name, notifications, appearance and security.

mod qr_code;
pub(crate) mod second_factor;
pub(crate) mod security;

use actix_web::HttpResponseBuilder;
use domain::identity::access::{Caller, ManageOwnAccount, Permit};
use domain::identity::accounts::{self, AccountFields, AccountView};

use crate::cookies::Cookie;
use crate::form::Choice;
use crate::navigation::{self, Entry, Section, entry};
use crate::preferences::{Theme, zones};
use crate::prelude::*;

pages! {
    Show = "GET /account", access: ManageOwnAccount => show;
    Update = "POST /account", class: Class::Critical, access: ManageOwnAccount => update;
    /// Sets preferences, which the browser keeps.
    Prefer = "POST /account/appearance", access: ManageOwnAccount => prefer;
}

const PROFILE: &str = "/account";

/// The pages of the account.
const ENTRIES: &[Entry] = &[
    entry::<ManageOwnAccount>("account-profile", "user", PROFILE),
    entry::<ManageOwnAccount>("account-security", "shield", "/account/security"),
];

/// The tabs. Every page other than the profile belongs to security, even if its path does not say so.
pub(crate) fn tabs(caller: &Caller, path: &str) -> Vec<Section> {
    let tabs = navigation::open_to(ENTRIES, caller, path).into_iter();
    tabs.map(|tab| Section { is_current: (tab.path == PROFILE) == (path == PROFILE), ..tab }).collect()
}

/// How long a browser keeps preferences, in seconds: a year.
const PREFERENCE_SECONDS: i64 = 31_536_000;

#[derive(Template)]
#[template(path = "account/profile.html")]
struct ProfilePage {
    shell: Shell,
    account: AccountView,
    form: FormView,
    themes: Vec<Choice>,
    zones: Vec<Choice>,
}

fn themes(chosen: Theme) -> Vec<Choice> {
    let choice = |theme: Theme| Choice::new(theme.as_str(), label("theme", theme.as_str()), theme == chosen);
    [Theme::System, Theme::Light, Theme::Dark].map(choice).into()
}

/// All zones, after the choice to use the browser's zone.
fn zone_choices(chosen: Option<&str>) -> Vec<Choice> {
    let own = Choice::new("", text("account-zone-own"), chosen.is_none());
    let named = zones().map(|name| Choice::new(&*name, name.replace('_', " "), chosen == Some(&*name)));
    std::iter::once(own).chain(named).collect()
}

async fn profile_page(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    browser: &Browser,
    form: Option<FormView>,
) -> Result<ProfilePage, Error> {
    let account = accounts::read(ports, permit).await?;
    let zone = &browser.preferences.zone;
    Ok(ProfilePage {
        shell: browser.shell(text("account-title")),
        form: form.unwrap_or_else(|| FormView::new::<AccountFields>().with_record(&json!(account), zone)),
        themes: themes(browser.preferences.theme),
        zones: zone_choices(browser.preferences.chosen_zone.as_deref()),
        account,
    })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    responses::page(&browser, profile_page(&ports, &permit, &browser, None).await?)
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async { accounts::update(&ports, &permit, form.read_patch(&browser)?).await };
    match result.await {
        Ok(_) => responses::success(&browser, "/account", text("account-saved")),
        Err(error) => {
            let view = FormView::new::<AccountFields>().with_input(&form).with_error(error)?;
            responses::unprocessable(&browser, profile_page(&ports, &permit, &browser, Some(view)).await?)
        }
    }
}

async fn prefer(request: PageRequest<Prefer>) -> PageResult {
    let PageRequest { form, browser, .. } = request;
    let mut response = responses::redirect_to(&browser, "/account");
    let theme = Theme::parse(form.value("theme").unwrap_or_default());
    set_preference(&mut response, &browser, Cookie::Theme, theme.as_str());
    // Anything that is not a zone means the browser's zone.
    let zone = form.value("zone").filter(|name| zones().any(|known| known == *name)).unwrap_or_default();
    set_preference(&mut response, &browser, Cookie::ChosenZone, &zone.replace('/', "%2F"));
    let notice = Notice::new(text("account-appearance-saved"));
    responses::append_notice(&mut response, &browser, &browser.slug, &notice);
    Ok(response.finish())
}

fn set_preference(response: &mut HttpResponseBuilder, browser: &Browser, cookie: Cookie<'_>, value: &str) {
    let is_usual = value.is_empty() || value == Theme::System.as_str();
    let header = if is_usual {
        cookie.remove(browser.is_https)
    } else {
        cookie.set(value, Some(PREFERENCE_SECONDS), browser.is_https)
    };
    responses::append_cookie(response, header);
}
