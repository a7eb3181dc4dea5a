//! A project's status: its keys, the legacy ones, and its moves.

use crate::Error;
use crate::input::{Problems, Read, Value, choices, read_word};

choices! {
    /// Where a project stands.
    pub enum ProjectStatus {
        /// Not begun.
        Planning = "planning",
        /// Worked on.
        Active = "active",
        /// Resting.
        OnHold = "on_hold",
        /// Done.
        Completed = "completed",
        /// Given up.
        Cancelled = "cancelled",
        /// Put away.
        Archived = "archived",
    }
}

impl ProjectStatus {
    /// The status for a current or a legacy key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::from_word(key).or(match key {
            "planned" | "not_started" | "draft" => Some(Self::Planning),
            "in_progress" | "open" | "started" => Some(Self::Active),
            "paused" | "blocked" => Some(Self::OnHold),
            "done" | "complete" | "closed" => Some(Self::Completed),
            "canceled" => Some(Self::Cancelled),
            _ => None,
        })
    }

    /// Whether a project may go from here to there.
    const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Archived => matches!(next, Self::Archived | Self::Active),
            Self::Cancelled => matches!(next, Self::Cancelled | Self::Planning | Self::Active),
            _ => true,
        }
    }

    /// The status after a move.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`].
    pub(super) fn moved(self, next: Self) -> Result<Self, Error> {
        if self.may_become(next) {
            return Ok(next);
        }
        let ways = if self == Self::Archived { "active" } else { "planning or active" };
        Err(Error::InvalidStateChange(format!("a project that is {self} cannot become {next}, only {ways}")))
    }
}

impl Value for ProjectStatus {
    fn read(json: serde_json::Value, at: &str, problems: &mut Problems) -> Read<Self> {
        read_word(&json, at, problems, Self::from_key, Self::words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move() {
        for from in ProjectStatus::ALL.iter().copied() {
            for to in ProjectStatus::ALL.iter().copied() {
                let allowed = from == to
                    || match from {
                        ProjectStatus::Archived => to == ProjectStatus::Active,
                        ProjectStatus::Cancelled => matches!(to, ProjectStatus::Planning | ProjectStatus::Active),
                        _ => true,
                    };
                assert_eq!(from.moved(to).is_ok(), allowed, "{from} -> {to}");
            }
        }
    }

    #[test]
    fn every_legacy_key() {
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
