//! What surrounds every page: the caller, the navigation and notices.

mod html;

use std::sync::Arc;

use actix_web::HttpRequest;
use domain::UserId;
use domain::identity::access::{Caller, CreateTimeEntries, Credential, ManageWorkspace, Permission, Permit};
use domain::identity::workspaces::Role;
use domain::kernel::input::{Problem, format_timestamp};
use domain::ports::Ports;
use http_core::AppState;
use jiff::Zoned;
use jiff::tz::TimeZone;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cookies::Cookie;
use crate::filters::timestamp_of;
use crate::navigation::{self, Section};
use crate::page::is_https;
use crate::preferences::Preferences;
use crate::responses::Notice;
use crate::sessions::{self, Workspaces};
use crate::texts::text;
use crate::{addresses, same_site};

/// The browser that sent a request.
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a request")]
pub(crate) struct Browser {
    /// The signed-in caller; `None` on pages that need no session.
    pub(crate) caller: Option<Caller>,
    pub(crate) preferences: Preferences,
    /// The secret behind form tokens: that of the session, or of a visit without one.
    pub(crate) secret: String,
    /// Whether `secret` is new, so that the cookie must be set.
    pub(crate) is_new_visit: bool,
    pub(crate) notice: Option<Notice>,
    /// The workspaces whose next steps are hidden in this browser.
    pub(crate) hidden_steps: Option<String>,
    /// Path and query of the page, without the workspace.
    pub(crate) address: String,
    /// The slug of the workspace in the URL; empty outside of workspaces.
    pub(crate) slug: String,
    /// The workspaces for which the browser has a session.
    pub(crate) workspaces: Workspaces,
    /// Whether the session's cookie is from before URLs contained the workspace. It is renamed then.
    pub(crate) is_old_session: bool,
    /// Whether the browser used another workspace last.
    pub(crate) used_other_workspace: bool,
    pub(crate) is_https: bool,
    pub(crate) accepts_gzip: bool,
    /// The entity tags that the browser has of the page.
    pub(crate) known_etags: String,
    /// Invalid filters of a list, whose errors the page shows next to their fields.
    pub(crate) wrong: Vec<Problem>,
    /// Whether htmx sent the request. Redirects of the whole page then need a special header.
    pub(crate) is_htmx: bool,
    /// The number of the submitted form, which its page keeps if it is shown again.
    pub(crate) once: Option<Uuid>,
    pub(crate) ports: Arc<Ports>,
}

impl Browser {
    /// The browser for a page that is the same for everybody.
    pub(crate) fn without_cookies(request: &HttpRequest, state: &AppState) -> Self {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            caller: None,
            preferences: Preferences::default(),
            secret: String::new(),
            is_new_visit: false,
            notice: None,
            hidden_steps: None,
            address: request.uri().to_string(),
            slug: String::new(),
            workspaces: Workspaces::default(),
            is_old_session: false,
            used_other_workspace: false,
            is_https: is_https(state),
            accepts_gzip: assets::accepts_gzip(request),
            known_etags: header("if-none-match").unwrap_or_default().to_owned(),
            wrong: Vec::new(),
            is_htmx: false,
            once: None,
            ports: Arc::clone(&state.ports),
        }
    }

    pub(crate) fn of(request: &HttpRequest, state: &AppState, caller: Option<Caller>) -> Self {
        let is_https = is_https(state);
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let slug = caller.as_ref().map(|caller| caller.workspace().slug.clone()).or_else(|| sessions::slug_of(request));
        let slug = slug.unwrap_or_default();
        let session = sessions::token_of(request, &slug, is_https).filter(|_| caller.is_some());
        let is_signed_in = session.is_some();
        let workspaces = Workspaces::of(request, is_https);
        let known = session.or_else(|| sessions::visit_of(request, is_https));
        let is_new_visit = known.is_none();
        let last_used = Cookie::LastWorkspaces.of(request, is_https).unwrap_or_default();
        let last_used = last_used.split('.').next().unwrap_or_default();
        Self {
            caller,
            preferences: Preferences::of(request),
            secret: known.unwrap_or_else(|| new_secret(&state.ports)),
            is_new_visit,
            notice: Cookie::Notice(&slug).of(request, is_https).and_then(|text| Notice::parse(&text)),
            hidden_steps: Cookie::HiddenSteps.of(request, is_https),
            is_htmx: header("hx-request").is_some(),
            is_old_session: is_signed_in && !workspaces.has(&slug),
            used_other_workspace: is_signed_in && last_used != slug,
            workspaces,
            slug,
            ..Self::without_cookies(request, state)
        }
    }

    pub(crate) fn path(&self) -> &str {
        self.address.split('?').next().unwrap_or_default()
    }

    /// The base path of the workspace's pages; empty outside of workspaces.
    pub(crate) fn base(&self) -> String {
        if self.slug.is_empty() { String::new() } else { addresses::base_of(&self.slug) }
    }

    /// The shell of a page with this title.
    pub(crate) fn shell(&self, title: impl Into<String>) -> Shell {
        let caller = self.caller.as_ref();
        Shell {
            title: title.into(),
            part: None,
            address: self.address.clone(),
            base: self.base(),
            sections: caller.map(|caller| navigation::sections(caller, self.path())).unwrap_or_default(),
            tabs: caller.map(|caller| navigation::tabs(caller, self.path())).unwrap_or_default(),
            has_timer: self.may::<CreateTimeEntries>(),
            user: caller.map(|caller| caller.name().to_owned()).unwrap_or_default(),
            user_id: self.user().map(|id| id.0.to_string()).unwrap_or_default(),
            workspace: caller.map(|caller| caller.workspace().name.clone()).unwrap_or_default(),
            preferences: self.preferences.clone(),
            token: self.token_for(self.user()),
            notice: self.notice.clone(),
            now: self.ports.clock.now(),
            once: self.once.unwrap_or_else(|| self.ports.ids.new_id()),
        }
    }

    /// A form token for this user in this browser.
    pub(crate) fn token_for(&self, person: Option<UserId>) -> String {
        same_site::new_token(&self.secret, person, &*self.ports.random)
    }

    /// The caller's permit, if they have the permission.
    pub(crate) fn permit<P: Permission>(&self) -> Option<Permit<P>> {
        self.caller.as_ref().and_then(|caller| caller.permit::<P>().ok())
    }

    /// Today's date in the reader's zone, such as `2026-11-22`.
    pub(crate) fn today(&self) -> String {
        timestamp_of(self.ports.clock.now()).to_zoned(self.preferences.zone.clone()).date().to_string()
    }

    /// Whether the page is the same for everybody, so that nothing is known about the browser.
    pub(crate) const fn is_public(&self) -> bool {
        self.secret.is_empty()
    }

    pub(crate) fn user(&self) -> Option<UserId> {
        match self.caller.as_ref()?.credential() {
            Credential::Session { user, .. } => Some(user),
            Credential::Key(_) => None,
        }
    }

    /// Whether the caller is an owner or an admin, who may change what others wrote.
    pub(crate) fn administers(&self) -> bool {
        self.may::<ManageWorkspace>()
    }

    /// The caller's role in the workspace; `None` for visitors.
    pub(crate) fn role(&self) -> Option<Role> {
        match self.caller.as_ref()?.credential() {
            Credential::Session { role, .. } => Some(role),
            Credential::Key(_) => None,
        }
    }

    /// Whether the caller has a permission, to decide what a page offers. Use cases check again.
    pub(crate) fn may<P: Permission>(&self) -> bool {
        self.permit::<P>().is_some()
    }
}

/// Formats a time in a zone, such as `22 Nov 2026, 14:05`. If clocks are set back and the hour occurs twice, the zone
/// abbreviation follows: `25 Oct 2026, 02:30 CET`.
pub(crate) fn time_in_words(time: OffsetDateTime, zone: &TimeZone) -> String {
    let local = timestamp_of(time).to_zoned(zone.clone());
    let comes_twice = zone.to_ambiguous_timestamp(local.datetime()).is_ambiguous();
    local.strftime(if comes_twice { "%-d %b %Y, %H:%M %Z" } else { "%-d %b %Y, %H:%M" }).to_string()
}

fn new_secret(ports: &Ports) -> String {
    use base64::Engine;
    let mut bytes = [0; 24];
    ports.random.fill(&mut bytes);
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// What surrounds a page, as templates show it.
pub(crate) struct Shell {
    pub(crate) title: String,
    /// Suffix that tells this page's title apart in tabs and browser history.
    pub(crate) part: Option<String>,
    /// Path and query of the page.
    pub(crate) address: String,
    /// The base path of the workspace, for scripts.
    pub(crate) base: String,
    pub(crate) sections: Vec<Section>,
    /// The sub-navigation of settings and account pages.
    pub(crate) tabs: Vec<Section>,
    /// Whether there is a timer above the navigation.
    pub(crate) has_timer: bool,
    pub(crate) user: String,
    pub(crate) user_id: String,
    pub(crate) workspace: String,
    pub(crate) preferences: Preferences,
    /// The token of the page's forms.
    pub(crate) token: String,
    pub(crate) notice: Option<Notice>,
    pub(crate) now: OffsetDateTime,
    /// The number of the page's forms that create something. A form that is sent twice creates it once.
    pub(crate) once: Uuid,
}

impl Shell {
    /// Adds a suffix to the title, for example to tell a record's history from the record.
    pub(crate) fn part(self, key: &str) -> Self {
        Self { part: Some(text(key)), ..self }
    }

    /// The URL of an asset.
    #[expect(clippy::unused_self, reason = "templates call it as a method")]
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address_of(name)
    }

    /// When the page was rendered. Live updates start from then.
    pub(crate) fn since(&self) -> String {
        format_timestamp(self.now)
    }

    /// A time in the reader's zone.
    pub(crate) fn local(&self, time: OffsetDateTime) -> Zoned {
        timestamp_of(time).to_zoned(self.preferences.zone.clone())
    }

    pub(crate) fn zone_name(&self) -> String {
        crate::form::name_of(&self.preferences.zone).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn repeated_hours_show_their_zone_abbreviation() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        for (time, words) in [
            (datetime!(2026-11-22 13:05 UTC), "22 Nov 2026, 14:05"),
            (datetime!(2026-10-24 23:59 UTC), "25 Oct 2026, 01:59"),
            (datetime!(2026-10-25 00:30 UTC), "25 Oct 2026, 02:30 CEST"),
            (datetime!(2026-10-25 01:30 UTC), "25 Oct 2026, 02:30 CET"),
            (datetime!(2026-10-25 02:00 UTC), "25 Oct 2026, 03:00"),
        ] {
            assert_eq!(time_in_words(time, &berlin), words);
        }
        assert_eq!(time_in_words(datetime!(2026-10-25 00:30 UTC), &TimeZone::UTC), "25 Oct 2026, 00:30");
    }
}
