//! Members of an update.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A member of an update: absent members stay unchanged, and `null` clears a member.
///
/// Values convert into it: `stage: DealStage::Proposal.into()`, `title: "40 seats".into()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Leaves the member unchanged; nothing is sent.
    #[default]
    Keep,
    /// Clears the member: `null`.
    Clear,
    /// Sets the member.
    Set(T),
}

impl<T> Patch<T> {
    pub fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

impl From<&str> for Patch<String> {
    fn from(text: &str) -> Self {
        Self::Set(text.to_owned())
    }
}

/// Converts a value that was read: `None` clears the member.
impl<T> From<Option<T>> for Patch<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Clear, Self::Set)
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => serializer.serialize_some(value),
            Self::Keep | Self::Clear => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}
