//! A project's status: current keys, legacy keys and allowed changes (interface 10.3, 10.4).

use crate::Error;
use crate::kernel::input::schema::{LEGACY, enum_schema};
use crate::kernel::input::{Problems, Read, Value, choices, filter_values, read_choice, stored_as_is};

choices! {
    /// The status of a project.
    pub enum ProjectStatus {
        /// Not started.
        Planning = "planning",
        Active = "active",
        OnHold = "on_hold",
        Completed = "completed",
        Cancelled = "cancelled",
        /// Kept for reference only.
        Archived = "archived",
    }
}

impl ProjectStatus {
    /// Whether work on the project remains.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Planning | Self::Active | Self::OnHold)
    }
}

/// Legacy keys, each with its current status.
const LEGACY_KEYS: &[(&str, ProjectStatus)] = &[
    ("planned", ProjectStatus::Planning),
    ("not_started", ProjectStatus::Planning),
    ("draft", ProjectStatus::Planning),
    ("in_progress", ProjectStatus::Active),
    ("open", ProjectStatus::Active),
    ("started", ProjectStatus::Active),
    ("paused", ProjectStatus::OnHold),
    ("blocked", ProjectStatus::OnHold),
    ("done", ProjectStatus::Completed),
    ("complete", ProjectStatus::Completed),
    ("closed", ProjectStatus::Completed),
    ("canceled", ProjectStatus::Cancelled),
];

impl ProjectStatus {
    /// The status for a current or a legacy key.
    pub fn from_key(key: &str) -> Option<Self> {
        let legacy = || LEGACY_KEYS.iter().find(|(legacy, _)| *legacy == key).map(|(_, status)| *status);
        Self::parse(key).or_else(legacy)
    }

    /// Whether a project may move from this status to `next`.
    const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Archived => matches!(next, Self::Archived | Self::Active),
            Self::Cancelled => matches!(next, Self::Cancelled | Self::Planning | Self::Active),
            _ => true,
        }
    }

    /// Returns `next` if the change is allowed.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`].
    pub(super) fn transition_to(self, next: Self) -> Result<Self, Error> {
        if self.may_become(next) {
            return Ok(next);
        }
        let ways = if self == Self::Archived { "active" } else { "planning or active" };
        Err(Error::InvalidStateChange(format!("a project that is {self} cannot become {next}, only {ways}")))
    }
}

stored_as_is!(ProjectStatus);
filter_values!(ProjectStatus);

impl Value for ProjectStatus {
    fn schema() -> serde_json::Value {
        let legacy: Vec<_> = LEGACY_KEYS.iter().map(|(key, _)| *key).collect();
        let mut schema = enum_schema(Self::ALL.iter().map(|status| status.as_str()).chain(legacy.iter().copied()));
        schema[LEGACY] = legacy.into();
        schema
    }

    fn read(json: serde_json::Value, at: &str, problems: &mut Problems) -> Read<Self> {
        read_choice(&json, at, problems, Self::from_key, Self::allowed_values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_change_only_as_allowed() {
        for from in ProjectStatus::ALL.iter().copied() {
            for to in ProjectStatus::ALL.iter().copied() {
                let allowed = from == to
                    || match from {
                        ProjectStatus::Archived => to == ProjectStatus::Active,
                        ProjectStatus::Cancelled => matches!(to, ProjectStatus::Planning | ProjectStatus::Active),
                        _ => true,
                    };
                assert_eq!(from.transition_to(to).is_ok(), allowed, "{from} -> {to}");
            }
        }
    }

    #[test]
    fn legacy_keys_have_current_statuses() {
        for (key, status) in [
            ("planned", "planning"),
            ("not_started", "planning"),
            ("draft", "planning"),
            ("in_progress", "active"),
            ("open", "active"),
            ("started", "active"),
            ("paused", "on_hold"),
            ("blocked", "on_hold"),
            ("done", "completed"),
            ("complete", "completed"),
            ("closed", "completed"),
            ("canceled", "cancelled"),
        ] {
            assert_eq!(ProjectStatus::from_key(key).map(ProjectStatus::as_str), Some(status), "{key}");
        }
        assert_eq!(ProjectStatus::from_key("Planned"), None);
    }
}
