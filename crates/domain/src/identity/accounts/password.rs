//! Passwords as entered, which are never trimmed, logged or returned, and the order in which they are hashed.

use std::net::IpAddr;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::common_password::is_common;
use crate::kernel::hidden_debug;
use crate::kernel::input::{Problems, Read, Value};
use crate::limits::AddressGroup;

const MIN_LENGTH: usize = 12;
const MAX_LENGTH: usize = 200;

/// A password of any form, for comparison. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A password to set: 12 to 200 characters, and not one of the most common. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl Password {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl NewPassword {
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn as_typed(&self) -> Password {
        Password(self.0.clone())
    }

    /// Validates a password that is not JSON.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] naming `password`.
    pub fn parse(text: &str) -> Result<Self, crate::Error> {
        Self::from_text(text, "password", "must not be empty")
    }
}

hidden_debug!(Password, NewPassword);

impl Value for Password {
    fn schema() -> Json {
        json!({ "type": "string" })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else { return problems.malformed(at, "invalid_type", "must be a string") };
        if text.is_empty() { Read::Empty } else { Read::Value(Self(text)) }
    }
}

impl Value for NewPassword {
    fn schema() -> Json {
        json!({ "type": "string", "minLength": MIN_LENGTH, "maxLength": MAX_LENGTH })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        Password::read(json, at, problems).and_then(|Password(text)| {
            let length = text.chars().count();
            if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
                let code = if length < MIN_LENGTH { "too_short" } else { "too_long" };
                problems.rule(at, code, format!("must be {MIN_LENGTH} to {MAX_LENGTH} characters long"));
            } else if is_common(&text) {
                problems.rule(at, "too_common", "is one of the most common passwords: choose another");
            } else {
                return Read::Value(Self(text));
            }
            Read::Invalid
        })
    }
}

/// How long a [`Precedence::Suspect`] waits before it is queued.
pub const SUSPECT_DELAY: Duration = Duration::from_secs(2);

/// Whose password is hashed first. A hash occupies a core for a while, so a flood of failed logins must not lock out known users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// A client that has signed in to this account from this network before, or has a session or a one-time link.
    Known,
    /// Any other client.
    Unknown,
    /// A client of an account with far too many attempts; it waits for [`SUSPECT_DELAY`] first.
    Suspect,
}

/// The position of a password in the queue: first by precedence, then by network in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashTurn {
    pub precedence: Precedence,
    /// The network that shares the turn; networks cannot take each other's turns.
    pub network: AddressGroup,
}

impl HashTurn {
    pub fn new(precedence: Precedence, address: Option<IpAddr>) -> Self {
        Self { precedence, network: AddressGroup::from(address) }
    }

    /// The turn of a client with a session or a one-time link, and of the command line.
    pub fn known(address: Option<IpAddr>) -> Self {
        Self::new(Precedence::Known, address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_password_has_its_length_and_is_never_trimmed() {
        for (length, good) in [(0, false), (11, false), (12, true), (200, true), (201, false)] {
            let text: String = "ünüsüäl wörds".chars().cycle().take(length).collect();
            assert_eq!(NewPassword::parse(&text).is_ok(), good, "{length}");
        }
        assert!(NewPassword::parse("password1234").is_err());
        let spaced = " correct horse ";
        assert_eq!(NewPassword::parse(spaced).unwrap().reveal(), spaced);
        assert_eq!(format!("{:?}", NewPassword::parse(spaced).unwrap()), "NewPassword(…)");
        assert_eq!(format!("{:?}", NewPassword::parse(spaced).unwrap().as_typed()), "Password(…)");
    }
}
