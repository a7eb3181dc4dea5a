//! What a column of a file can be for.

use super::TransferKind;
use super::cells::formats_of;
use super::links::Link;
use super::presets::Fact;
use crate::kernel::input::SchemaMember;
use crate::records::ADDED_CUSTOM_FIELDS;

/// What one column is for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Ignored,
    /// A column without a name, whose cells must be empty.
    Unnamed,
    /// The id or reference of the record itself.
    Own(&'static str),
    Member(SchemaMember),
    CustomField(String),
    Link(Link),
    /// A further line of the long text of this name.
    Line(&'static str),
    /// The given name and the family name in one.
    FullName,
    /// What the row of another system says beside its members.
    Fact(Fact),
}

/// How a column that adds a line names the member: `description+`.
pub(super) const ADDS_LINE: char = '+';
pub(super) const FULL_NAME: &str = "full_name";

impl Target {
    /// The member that a row has in the end; `None` for a column that is ignored.
    pub(super) fn name(&self, kind: TransferKind) -> Option<String> {
        match self {
            Self::Ignored | Self::Unnamed => None,
            Self::Line(member) => Some(format!("{member}{ADDS_LINE}")),
            Self::FullName => Some(FULL_NAME.to_owned()),
            Self::Fact(fact) => Some(fact.member(kind).to_owned()),
            Self::Own(name) => Some((*name).to_owned()),
            Self::Member(member) => Some(member.name.to_owned()),
            Self::CustomField(name) => Some(format!("{ADDED_CUSTOM_FIELDS}{name}")),
            Self::Link(link) => Some(link.column.to_owned()),
        }
    }

    /// Whether its cells are ids of the service's own.
    pub(super) fn is_id(&self) -> bool {
        match self {
            Self::Own(_) => true,
            Self::Member(member) => formats_of(&member.schema).any(|format| format == "uuid"),
            _ => false,
        }
    }

    /// Whether several columns may be for it.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Member(member) => member.schema["type"] == "array",
            Self::Line(_) => true,
            _ => false,
        }
    }
}
