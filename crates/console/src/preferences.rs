//! What a browser prefers: colours and time zone.

use actix_web::HttpRequest;
use jiff::tz::TimeZone;

use crate::cookies::Cookie;

/// The colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Theme {
    /// The one of the system.
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

/// What a browser prefers.
#[derive(Debug, Clone)]
pub(crate) struct Preferences {
    pub(crate) theme: Theme,
    pub(crate) zone: TimeZone,
}

impl Preferences {
    /// Those of the browser's cookies: the system's theme and UTC where they say nothing.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let theme = Cookie::Theme.of(request, false).map(|text| Theme::parse(&text)).unwrap_or_default();
        // Slashes are percent-encoded by browsers' scripts.
        let zone = Cookie::TimeZone.of(request, false).map(|name| name.replace("%2F", "/"));
        let zone = zone.and_then(|name| TimeZone::get(&name).ok()).unwrap_or(TimeZone::UTC);
        Self { theme, zone }
    }
}
