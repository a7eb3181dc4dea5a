//! How a file is mapped, and the targets that its columns can map to.

use super::TransferKind;
use super::cells::formats_of;
use super::links::Link;
use super::numbers::DecimalSign;
use super::presets::{Fact, Preset};
use crate::kernel::input::SchemaMember;
use crate::records::ADDED_CUSTOM_FIELDS;

/// What the user says about a file in addition to its header, and what its rows show.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    pub preset: Option<Preset>,
    /// Columns and the members that they are for; an empty one ignores the column.
    pub columns: Vec<(String, String)>,
    /// Members, cell texts, and the values that these mean. The value for an empty cell applies to all rows without a value, even
    /// if the file has no column for the member.
    pub values: Vec<(String, String, String)>,
    /// Whether the separator is not a comma. Then the file does not show whether the decimal separator is a point or a comma.
    pub has_other_separator: bool,
    /// The decimal separator; `None` if it only follows from the separator of cells.
    pub decimal: Option<DecimalSign>,
    /// Whether the rows, as far as they are known, look like those of a report of refused rows (see
    /// [`is_report_row`](super::is_report_row)).
    pub is_report: bool,
}

/// The target of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    Ignored,
    /// A column without a name; its cells must be empty.
    Unnamed,
    /// The id or reference of the record itself.
    Identity(&'static str),
    Member(SchemaMember),
    CustomField(String),
    Link(Link),
    /// An additional line of the long text of this name.
    Line(&'static str),
    /// First and last name in one cell.
    FullName,
    /// A fact of another system's row.
    Fact(Fact),
}

/// The suffix of a member's name that adds a line: `description+`.
pub(super) const ADDS_LINE: char = '+';
pub(super) const FULL_NAME: &str = "full_name";

impl Target {
    /// The member that the column sets; `None` for an ignored column.
    pub(super) fn name(&self, kind: TransferKind) -> Option<String> {
        match self {
            Self::Ignored | Self::Unnamed => None,
            Self::Line(member) => Some(format!("{member}{ADDS_LINE}")),
            Self::FullName => Some(FULL_NAME.to_owned()),
            Self::Fact(fact) => Some(fact.member(kind).to_owned()),
            Self::Identity(name) => Some((*name).to_owned()),
            Self::Member(member) => Some(member.name.to_owned()),
            Self::CustomField(name) => Some(format!("{ADDED_CUSTOM_FIELDS}{name}")),
            Self::Link(link) => Some(link.column.to_owned()),
        }
    }

    /// Whether its cells are ids that the service assigned.
    pub(super) fn is_id(&self) -> bool {
        match self {
            Self::Identity(_) => true,
            Self::Member(member) => formats_of(&member.schema).any(|format| format == "uuid"),
            _ => false,
        }
    }

    /// Whether several columns may map to it.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Member(member) => member.schema["type"] == "array",
            Self::Line(_) => true,
            _ => false,
        }
    }
}
