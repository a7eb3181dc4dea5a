//! Preferences that a browser keeps: theme and time zone.

use actix_web::HttpRequest;
use jiff::tz::TimeZone;

use crate::cookies::Cookie;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    /// Follows the system.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        match text {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Preferences {
    pub(crate) theme: Theme,
    pub(crate) zone: TimeZone,
    /// The zone that the user chose instead of the browser's own.
    pub(crate) chosen_zone: Option<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { theme: Theme::default(), zone: TimeZone::UTC, chosen_zone: None }
    }
}

impl Preferences {
    /// Reads the cookies. The defaults are the system's theme and UTC.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let theme = Cookie::Theme.of(request, false).map(|text| Theme::parse(&text)).unwrap_or_default();
        // Scripts in browsers percent-encode slashes.
        let named = |cookie: Cookie<'_>| cookie.of(request, false).map(|name| name.replace("%2F", "/"));
        let is_known = |name: &String| TimeZone::get(name).is_ok();
        let chosen_zone = named(Cookie::ChosenZone).filter(is_known);
        let zone = chosen_zone.clone().or_else(|| named(Cookie::TimeZone));
        let zone = zone.and_then(|name| TimeZone::get(&name).ok()).unwrap_or(TimeZone::UTC);
        Self { theme, zone, chosen_zone }
    }
}

/// The names of the zones to choose from: those named after places, and UTC.
pub(crate) fn zones() -> impl Iterator<Item = String> {
    let all = jiff::tz::db().available().map(|name| name.as_str().to_owned());
    let mut names: Vec<_> = all.filter(|name| is_named_after_place(name) || name == "UTC").collect();
    names.sort_unstable();
    names.into_iter()
}

fn is_named_after_place(name: &str) -> bool {
    const AREAS: [&str; 9] =
        ["Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
    name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area))
}
