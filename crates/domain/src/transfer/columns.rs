//! What the columns of a file mean.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::cells::{Notation, SEPARATOR, formats_of, value_of};
use super::fixed::FixedValues;
use super::kind::DELETED_AT;
use super::links::{Link, links_of};
use super::names::is_name_beside;
use super::presets::Preset;
use super::{REASON, TransferKind};
use crate::Error;
use crate::kernel::input::{Problems, SchemaMember};
use crate::records::{ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportRow};

/// What a record is found by besides its members.
const OWN: [&str; 2] = ["id", "reference"];

/// What the operator says about a file beside its header.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    pub preset: Option<Preset>,
    /// Columns and the members that they are for; an empty one ignores the column.
    pub columns: Vec<(String, String)>,
    /// Members, what cells of theirs say, and what that means. What an empty cell means, a member has in all rows that say
    /// nothing of it: also in those of a file without a column for it.
    pub values: Vec<(String, String, String)>,
    /// Whether semicolons stand between the cells, as spreadsheets write where a comma begins the fraction of a number.
    pub has_semicolons: bool,
}

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
}

impl Target {
    /// The member that a row has in the end; `None` for a column that is ignored.
    fn name(&self) -> Option<String> {
        match self {
            Self::Ignored | Self::Unnamed => None,
            Self::Own(name) => Some((*name).to_owned()),
            Self::Member(member) => Some(member.name.to_owned()),
            Self::CustomField(name) => Some(format!("{ADDED_CUSTOM_FIELDS}{name}")),
            Self::Link(link) => Some(link.column.to_owned()),
        }
    }

    /// Whether its cells are ids of the service's own.
    fn is_id(&self) -> bool {
        match self {
            Self::Own(_) => true,
            Self::Member(member) => formats_of(&member.schema).any(|format| format == "uuid"),
            _ => false,
        }
    }

    /// Whether several columns may be for it.
    fn is_list(&self) -> bool {
        matches!(self, Self::Member(member) if member.schema["type"] == "array")
    }
}

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Columns {
    kind: TransferKind,
    targets: Vec<Target>,
    /// By member and folded cell.
    values: BTreeMap<(String, String), String>,
    fixed: FixedValues,
    notation: Notation,
    /// See [`Preset::when_closed`].
    when_closed: Option<(&'static str, &'static str)>,
    /// Columns that the preset does not know.
    ignored: Vec<String>,
}

impl Columns {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every column whose member is not known or has another column already, and with every value for
    /// all rows that its member refuses.
    pub fn of(kind: TransferKind, header: &[String], mapping: &Mapping) -> Result<Self, Error> {
        let mut problems = Problems::default();
        let known = Known::of(kind);
        let (mut targets, mut ignored): (Vec<Target>, Vec<String>) = (Vec::new(), Vec::new());
        for (column, _) in &mapping.columns {
            if !header.contains(column) {
                problems.rule("map", "unknown_column", format!("{column:?} is not among the columns {header:?}"));
            }
        }
        let cells = without_report(header);
        for column in cells {
            let target = match known.target_of(column, mapping) {
                Some(target) => target,
                None if mapped(column, mapping).is_none() && is_name_beside(kind, &as_member(column), header) => {
                    Target::Ignored
                }
                None if mapping.preset.is_some() => {
                    ignored.push(column.clone());
                    Target::Ignored
                }
                None => {
                    let message = match mapped(column, mapping) {
                        Some(member) => known.no_member(member),
                        None => known.unknown(column, problems.is_empty()),
                    };
                    problems.rule(column.as_str(), "unknown_column", message);
                    Target::Ignored
                }
            };
            let is_taken = target.name().is_some() && !target.is_list() && targets.contains(&target);
            if is_taken && !is_of_preset(column, mapping) {
                let message = if cells.iter().filter(|name| *name == column).count() > 1 {
                    "several columns have this name: rename them in the file, or remove all but one".to_owned()
                } else {
                    format!("another column is mapped to this member: ignore one of them with --map {column:?}=")
                };
                problems.rule(column.as_str(), "repeated_column", message);
            }
            targets.push(target);
        }
        targets.extend(header[cells.len()..].iter().map(|_| Target::Ignored));
        if targets.iter().all(|target| matches!(target, Target::Ignored | Target::Unnamed | Target::Own(_))) {
            problems.rule(
                "map",
                "no_columns",
                format!("no column maps to a member of {kind}; the members are {}", known.names().join(", ")),
            );
        }
        let values = values_of(&known, mapping, &mut problems);
        let separator = mapping.preset.map_or(SEPARATOR, Preset::separator);
        let notation = Notation { separator, has_decimal_commas: mapping.has_semicolons };
        // Values are written by the operator, not by a spreadsheet.
        let fixed = FixedValues::of(&known, mapping, Notation { has_decimal_commas: false, ..notation }, &mut problems);
        problems.into_result()?;
        let when_closed = mapping.preset.and_then(Preset::when_closed);
        Ok(Self { kind, targets, values, fixed, notation, when_closed, ignored })
    }

    /// What each column of a header would be for if nobody said it: the name of a member, or an empty text if none is known
    /// or another column is for it already.
    pub fn proposed(kind: TransferKind, header: &[String], preset: Option<Preset>) -> Vec<String> {
        let known = Known::of(kind);
        let mapping = Mapping { preset, ..Mapping::default() };
        let mut targets: Vec<Target> = Vec::new();
        for column in header {
            let target = known.target_of(column, &mapping).unwrap_or(Target::Ignored);
            let is_taken = !target.is_list() && targets.contains(&target);
            targets.push(if is_taken { Target::Ignored } else { target });
        }
        targets.iter().map(|target| target.name().unwrap_or_default()).collect()
    }

    /// The names that a column of a kind may be for, beside those of members that the workspace adds itself.
    pub fn choices(kind: TransferKind) -> Vec<&'static str> {
        let known = Known::of(kind);
        let own = OWN.iter().copied().filter(|name| matches!(known.named(name), Some(Target::Own(_))));
        own.chain(known.names()).collect()
    }

    /// The name by which a column is for a member that the workspace adds itself; `None` for kinds without them.
    pub fn custom_field(kind: TransferKind, column: &str) -> Option<String> {
        Known::of(kind).named(&format!("{ADDED_CUSTOM_FIELDS}{column}"))?.name()
    }

    pub const fn kind(&self) -> TransferKind {
        self.kind
    }

    /// Columns that nothing is known of, and that are ignored since the file is of another system.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// The members of a row. Empty cells are left out.
    ///
    /// # Errors
    /// What is wrong with a cell, and what would be right.
    pub(super) fn row(&self, cells: &[String]) -> Result<ImportRow, String> {
        if cells.len() != self.targets.len() {
            let (cells, columns) = (cells.len(), self.targets.len());
            return Err(format!(
                "the row has {cells} cells, but the header has {columns}: look for a missing quotation mark"
            ));
        }
        let mut row = ImportRow::new();
        let mut custom_fields = Map::new();
        for (target, cell) in self.targets.iter().zip(cells) {
            if cell.trim().is_empty() {
                continue;
            }
            match target {
                Target::Ignored => {}
                Target::Unnamed => {
                    return Err(format!("{cell:?} is in a column without a name: name the column in the first row"));
                }
                // Of several columns that a preset has for a member, the first with a value counts.
                Target::Member(member) if !target.is_list() && row.contains_key(member.name) => {}
                Target::Own(name) => drop(row.insert((*name).to_owned(), cell.as_str().into())),
                Target::CustomField(name) => drop(custom_fields.insert(name.clone(), cell.as_str().into())),
                Target::Link(link) => drop(row.insert(link.column.to_owned(), cell.as_str().into())),
                Target::Member(member) => {
                    let meant = self.values.get(&(member.name.to_owned(), folded(cell))).unwrap_or(cell);
                    let value = value_of(member, meant, self.notation)
                        .map_err(|message| format!("{}: {message}", member.name))?;
                    add(&mut row, member.name, value);
                }
            }
        }
        if !custom_fields.is_empty() {
            row.insert(ADDED_CUSTOM_FIELDS.to_owned(), custom_fields.into());
        }
        if row.is_empty() {
            return Err("the row is empty: remove it".to_owned());
        }
        if let Some((open, closed)) = self.when_closed
            && is_closed(&row)
            && !row.contains_key(closed)
            && let Some(value) = row.remove(open)
        {
            row.insert(closed.to_owned(), value);
        }
        self.fixed.fill(&mut row);
        Ok(row)
    }
}

/// Whether a row is a deal that is won or lost.
fn is_closed(row: &ImportRow) -> bool {
    let is_one =
        |member: &str| row.get(member).and_then(Json::as_str).is_some_and(|value| value.starts_with("closed_"));
    is_one("stage") || is_one("status")
}

/// Sets a member; lists and objects of several columns are put together.
pub(super) fn add(row: &mut ImportRow, name: &str, value: Json) {
    match (row.get_mut(name), value) {
        (Some(Json::Array(items)), Json::Array(more)) => items.extend(more),
        (Some(Json::Object(members)), Json::Object(more)) => members.extend(more),
        (_, value) => drop(row.insert(name.to_owned(), value)),
    }
}

fn values_of(known: &Known, mapping: &Mapping, problems: &mut Problems) -> BTreeMap<(String, String), String> {
    let of_preset = mapping.preset.map(Preset::values).unwrap_or_default();
    let of_preset =
        of_preset.iter().map(|(member, cell, value)| ((*member).to_owned(), folded(cell), (*value).to_owned()));
    let mut values: BTreeMap<_, _> = of_preset.map(|(member, cell, value)| ((member, cell), value)).collect();
    for (member, cell, value) in mapping.values.iter().filter(|(_, cell, _)| !cell.trim().is_empty()) {
        match known.members.iter().find(|known| known.name == member) {
            None => known.note_unknown_member(member, problems),
            Some(found) => {
                if let Some(Json::Array(choices)) = found.schema.get("enum")
                    && !choices.iter().any(|choice| choice == value)
                {
                    problems.rule(
                        "value",
                        "invalid_value",
                        format!("{member}: {value:?} must be one of {}", listed(choices)),
                    );
                }
            }
        }
        values.insert((member.clone(), folded(cell)), value.clone());
    }
    values
}

fn listed(choices: &[Json]) -> String {
    choices.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
}

/// The header without the last two columns of a report of refused rows.
fn without_report(header: &[String]) -> &[String] {
    match header {
        [rest @ .., line, reason] if line == super::LINE && reason == REASON => rest,
        whole => whole,
    }
}

/// A cell or column as it is compared.
fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// A column as the name of a member: `First Name` is `first_name`.
fn as_member(column: &str) -> String {
    folded(column).replace([' ', '-', '/'], "_")
}

/// The member that the operator says a column is for.
fn mapped<'a>(column: &str, mapping: &'a Mapping) -> Option<&'a str> {
    mapping.columns.iter().find(|(name, _)| name == column).map(|(_, member)| &**member)
}

/// Whether the preset alone says what a column is for.
fn is_of_preset(column: &str, mapping: &Mapping) -> bool {
    mapped(column, mapping).is_none() && mapping.preset.is_some_and(|preset| preset.member_of(column).is_some())
}

/// What columns of a kind may be for.
pub(super) struct Known {
    pub(super) kind: TransferKind,
    members: Vec<SchemaMember>,
    links: Vec<Link>,
}

impl Known {
    fn of(kind: TransferKind) -> Self {
        Self { kind, members: kind.members(), links: links_of(kind) }
    }

    fn names(&self) -> Vec<&'static str> {
        self.members.iter().map(|member| member.name).chain(self.links.iter().map(|link| link.column)).collect()
    }

    /// What a column is for: first what the operator says, then the preset, then its own name.
    fn target_of(&self, column: &str, mapping: &Mapping) -> Option<Target> {
        if let Some(member) = mapped(column, mapping) {
            return if member.is_empty() { Some(Target::Ignored) } else { self.named(member) };
        }
        if column.is_empty() {
            return Some(Target::Unnamed);
        }
        if let Some(name) = mapping.preset.and_then(|preset| preset.member_of(column)) {
            return self.named(name);
        }
        let by_name = self.named(column).or_else(|| self.named(&as_member(column)));
        // Other systems have ids of their own under the same names.
        by_name.filter(|target| mapping.preset.is_none() || !target.is_id())
    }

    pub(super) fn note_unknown_member(&self, member: &str, problems: &mut Problems) {
        problems.rule("value", "unknown_member", self.no_member(member));
    }

    fn no_member(&self, member: &str) -> String {
        format!("{member:?} must be one of {}", self.names().join(", "))
    }

    pub(super) fn named(&self, name: &str) -> Option<Target> {
        if let Some(custom) = name.strip_prefix(ADDED_CUSTOM_FIELDS).filter(|custom| !custom.is_empty()) {
            let has_them = self.members.iter().any(|member| member.name == CUSTOM_FIELDS);
            return has_them.then(|| Target::CustomField(custom.to_owned()));
        }
        if name == "id" {
            return Some(Target::Own("id"));
        }
        if name == "reference" && self.kind == TransferKind::Tickets {
            return Some(Target::Own("reference"));
        }
        if name == DELETED_AT || self.kind.read_only().any(|own| own == name) {
            return Some(Target::Ignored);
        }
        let member = self.members.iter().find(|member| member.name == name).cloned().map(Target::Member);
        member.or_else(|| self.links.iter().find(|link| link.column == name).copied().map(Target::Link))
    }

    /// What is said of a column without a member; which there are, for the first alone.
    fn unknown(&self, column: &str, is_first: bool) -> String {
        let names = if is_first { format!("; the members are {}", self.names().join(", ")) } else { String::new() };
        format!(
            "no member of {} has this name: map it with --map {column:?}=MEMBER, or ignore it with --map \
             {column:?}={names}",
            self.kind,
        )
    }
}
