//! Maps the columns of a file to members.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::TransferKind;
use super::cells::{Notation, value_of};
use super::defaults::DefaultValues;
use super::joined::check_joined;
use super::kind::DELETED_AT;
use super::links::{Link, links_of};
use super::mangled::{Suspect, check_key};
use super::presets::{Fact, Preset};
use super::reading::{ReadCells, RowReader};
use super::reference_names::is_redundant_name;
use super::report::{check_report_row, is_report};
use super::side_values::field_name;
use super::targets::{ADDS_LINE, FULL_NAME, Mapping, Target};
use crate::Error;
use crate::kernel::input::{Problems, SchemaMember};
use crate::records::{ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS};

/// Columns that identify a record but are not members.
const IDENTIFYING: [&str; 2] = ["id", "reference"];

/// Columns that spreadsheets change like keys, because they read them as numbers.
const LIKE_KEYS: [&str; 1] = ["phone"];

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Columns {
    kind: TransferKind,
    names: Vec<String>,
    targets: Vec<Target>,
    /// The column indexes in reading order: if several columns map to a member, the first with a value is used.
    order: Vec<usize>,
    pub(super) members: Vec<SchemaMember>,
    /// Translations of cells, by member and folded cell.
    pub(super) values: BTreeMap<(String, String), String>,
    defaults: DefaultValues,
    pub(super) notation: Notation,
    pub(super) preset: Option<Preset>,
    /// Columns that the preset does not know.
    ignored: Vec<String>,
    /// The separator of cells in the file, if it is known.
    separator: Option<char>,
    /// Whether the last two columns are those of a report of refused rows.
    is_report: bool,
}

impl Columns {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every column whose member is unknown or already has another column, and with every value for all rows
    /// that its member refuses.
    pub fn of(kind: TransferKind, header: &[String], mapping: &Mapping) -> Result<Self, Error> {
        let mut problems = Problems::default();
        let known = KnownTargets::of(kind);
        let (mut targets, mut ignored): (Vec<Target>, Vec<String>) = (Vec::new(), Vec::new());
        for (column, _) in &mapping.columns {
            if !header.contains(column) {
                problems.rule("map", "unknown_column", format!("{column:?} is not among the columns {header:?}"));
            }
        }
        let is_report = is_report(header, mapping);
        let cells = if is_report { &header[..header.len() - 2] } else { header };
        for column in cells {
            let target = match known.target_of(column, mapping) {
                Some(target) => target,
                None if mapped(column, mapping).is_none() && is_redundant_name(kind, &as_member(column), header) => {
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
            let is_own = |index: usize| !is_of_preset(&cells[index], mapping);
            let is_taken = target.name(kind).is_some() && !target.is_list();
            let is_taken = is_taken && (0..targets.len()).any(|index| targets[index] == target && is_own(index));
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
        if targets.iter().all(|target| matches!(target, Target::Ignored | Target::Unnamed | Target::Identity(_))) {
            problems.rule(
                "map",
                "no_columns",
                format!("no column maps to a member of {kind}; the members are {}", known.names().join(", ")),
            );
        }
        let values = values_of(&known, mapping, &mut problems);
        let notation = Notation::of(mapping);
        let defaults = DefaultValues::of(&known, mapping, notation.of_operator(), &mut problems);
        problems.into_result()?;
        let mut order: Vec<_> = (0..targets.len()).collect();
        order.sort_by_key(|index| rank_in_preset(&header[*index], mapping));
        let (names, members, preset) = (header.to_vec(), known.members, mapping.preset);
        let separator = None;
        Ok(Self {
            kind,
            names,
            targets,
            order,
            members,
            values,
            defaults,
            notation,
            preset,
            ignored,
            separator,
            is_report,
        })
    }

    /// The name of the system that the file comes from; empty if it is not known.
    pub(super) fn title(&self) -> &'static str {
        self.preset.map_or("", Preset::title)
    }

    /// Whether the file is a report of refused rows, whose last two columns are not imported.
    pub const fn is_report(&self) -> bool {
        self.is_report
    }

    /// Sets the separator, which is needed to detect rows that stray quotation marks join.
    #[must_use]
    pub fn separated_by(mut self, separator: char) -> Self {
        self.separator = Some(separator);
        self
    }

    /// The default mapping of a header: for each column the name of a member. The name is empty if no member is known, or if another
    /// column already maps to it. With a preset, the cells of such a second column are kept in another field.
    pub fn proposed(kind: TransferKind, header: &[String], preset: Option<Preset>) -> Vec<String> {
        let known = KnownTargets::of(kind);
        let mapping = Mapping { preset, ..Mapping::default() };
        let mut order: Vec<_> = (0..header.len()).collect();
        order.sort_by_key(|index| rank_in_preset(&header[*index], &mapping));
        let mut proposed = vec![String::new(); header.len()];
        let mut targets: Vec<Target> = Vec::new();
        for index in order {
            let target = known.target_of(&header[index], &mapping).unwrap_or(Target::Ignored);
            let is_single = !target.is_list() && !matches!(target, Target::Fact(_)) && target.name(kind).is_some();
            let is_second = is_single && targets.contains(&target);
            proposed[index] = match (is_second, preset) {
                (false, _) => target.name(kind).unwrap_or_default(),
                (true, None) => String::new(),
                (true, Some(_)) => known.fallback_target(&header[index]),
            };
            targets.push(target);
        }
        proposed
    }

    /// The names that a column of a kind can map to, except custom fields.
    pub fn choices(kind: TransferKind) -> Vec<&'static str> {
        let known = KnownTargets::of(kind);
        let identifying =
            IDENTIFYING.iter().copied().filter(|name| matches!(known.target_named(name), Some(Target::Identity(_))));
        identifying.chain(known.names()).chain(known.special_names()).collect()
    }

    /// The name with which a column maps to a custom field; `None` for kinds without custom fields.
    pub fn custom_field(kind: TransferKind, column: &str) -> Option<String> {
        KnownTargets::of(kind).target_named(&format!("{ADDED_CUSTOM_FIELDS}{column}"))?.name(kind)
    }

    pub const fn kind(&self) -> TransferKind {
        self.kind
    }

    /// The values of a choice, for messages.
    pub(super) fn choices_of(&self, member: &str) -> String {
        let schema = self.members.iter().find(|known| known.name == member).map(|known| &known.schema["enum"]);
        schema.and_then(Json::as_array).map(|choices| listed(choices)).unwrap_or_default()
    }

    /// Unknown columns of a file from another system, which are ignored.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Returns a cell of an identifying member that looks damaged, unless it has a translation.
    pub(super) fn suspect(&self, member: &SchemaMember, cell: &str) -> Option<Suspect> {
        let is_key = self.kind.keys().contains(&member.name) || LIKE_KEYS.contains(&member.name);
        if is_key && self.translation(member, cell).is_none() { check_key(member.name, cell) } else { None }
    }

    /// The translation of a cell.
    pub(super) fn translation(&self, member: &SchemaMember, cell: &str) -> Option<&String> {
        if self.values.is_empty() { None } else { self.values.get(&(member.name.to_owned(), folded(cell))) }
    }

    /// The value of a cell for a member.
    pub(super) fn value(&self, member: &SchemaMember, cell: &str) -> Result<Json, String> {
        let translation = self.translation(member, cell);
        let notation = if translation.is_some() { self.notation.of_operator() } else { self.notation };
        let value = value_of(member, translation.map_or(cell, String::as_str), notation);
        value.map_err(|message| format!("{}: {message}", member.name))
    }

    /// Reads a row. Empty cells are left out.
    ///
    /// # Errors
    /// What is wrong with a cell, and how to correct it.
    pub(super) fn row(&self, cells: &[String]) -> Result<ReadCells, String> {
        if cells.len() != self.targets.len() {
            let (cells, columns) = (cells.len(), self.targets.len());
            return Err(format!(
                "the row has {cells} cells, but the header has {columns}: look for a missing quotation mark"
            ));
        }
        if self.is_report {
            // A report may contain a row of several lines: by importing the report, the operator confirms that it is one row.
            check_report_row(cells)?;
        } else {
            check_joined(cells, &self.targets, self.separator)?;
        }
        let mut reading = RowReader::new(self);
        for index in &self.order {
            if !cells[*index].trim().is_empty() {
                reading.take(&self.targets[*index], &self.names[*index], &cells[*index])?;
            }
        }
        let mut read_cells = reading.finish()?;
        if read_cells.row.is_empty() {
            return Err("the row is empty: remove it".to_owned());
        }
        self.defaults.fill(&mut read_cells.row);
        Ok(read_cells)
    }
}

fn values_of(known: &KnownTargets, mapping: &Mapping, problems: &mut Problems) -> BTreeMap<(String, String), String> {
    let of_preset = mapping.preset.map(Preset::values).unwrap_or_default();
    let of_preset =
        of_preset.iter().map(|(member, cell, value)| (((*member).to_owned(), folded(cell)), (*value).to_owned()));
    let mut values: BTreeMap<_, _> = of_preset.collect();
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

/// A cell or column name in the form for comparison.
pub(super) fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

/// A column as the name of a member: `First Name` is `first_name`.
fn as_member(column: &str) -> String {
    folded(column).replace([' ', '-', '/'], "_")
}

/// The member to which the operator maps a column.
fn mapped<'a>(column: &str, mapping: &'a Mapping) -> Option<&'a str> {
    mapping.columns.iter().find(|(name, _)| name == column).map(|(_, member)| &**member)
}

/// Whether a column is mapped by the preset and not by the operator.
fn is_of_preset(column: &str, mapping: &Mapping) -> bool {
    mapped(column, mapping).is_none() && mapping.preset.is_some_and(|preset| preset.member_of(column).is_some())
}

/// The rank of a column: columns mapped by the operator come before those of a preset.
fn rank_in_preset(column: &str, mapping: &Mapping) -> Option<usize> {
    if mapped(column, mapping).is_some() { None } else { mapping.preset?.rank_of(column) }
}

/// The targets that columns of a kind can have.
pub(super) struct KnownTargets {
    pub(super) kind: TransferKind,
    members: Vec<SchemaMember>,
    links: Vec<Link>,
}

impl KnownTargets {
    fn of(kind: TransferKind) -> Self {
        Self { kind, members: kind.members(), links: links_of(kind) }
    }

    fn names(&self) -> Vec<&'static str> {
        self.members.iter().map(|member| member.name).chain(self.links.iter().map(|link| link.column)).collect()
    }

    /// Valid column names in addition to those of members.
    fn special_names(&self) -> impl Iterator<Item = &'static str> {
        let full_name = (self.kind == TransferKind::Contacts).then_some(FULL_NAME);
        let line = match self.kind.long_text() {
            Some("notes") => Some("notes+"),
            Some("description") => Some("description+"),
            Some("note") => Some("note+"),
            _ => None,
        };
        full_name.into_iter().chain(line)
    }

    /// Where the value of a column is kept if another column provides the value of its member.
    fn fallback_target(&self, column: &str) -> String {
        if self.members.iter().any(|member| member.name == CUSTOM_FIELDS) {
            return format!("{ADDED_CUSTOM_FIELDS}{}", field_name(column));
        }
        self.kind.long_text().map(|member| format!("{member}{ADDS_LINE}")).unwrap_or_default()
    }

    /// The target of a column: by the operator's mapping, else by the preset, else by its own name.
    fn target_of(&self, column: &str, mapping: &Mapping) -> Option<Target> {
        if let Some(member) = mapped(column, mapping) {
            return if member.is_empty() { Some(Target::Ignored) } else { self.target_named(member) };
        }
        if column.is_empty() {
            return Some(Target::Unnamed);
        }
        if let Some(name) = mapping.preset.and_then(|preset| preset.member_of(column)) {
            return Fact::from_name(name).map(Target::Fact).or_else(|| self.target_named(name));
        }
        let by_name = self.target_named(column).or_else(|| self.target_named(&as_member(column)));
        // Columns of other systems with these names hold their own ids and values, so they are reported as ignored.
        by_name.filter(|target| mapping.preset.is_none() || !(target.is_id() || *target == Target::Ignored))
    }

    pub(super) fn note_unknown_member(&self, member: &str, problems: &mut Problems) {
        problems.rule("value", "unknown_member", self.no_member(member));
    }

    fn no_member(&self, member: &str) -> String {
        format!("{member:?} must be one of {}", self.names().join(", "))
    }

    pub(super) fn target_named(&self, name: &str) -> Option<Target> {
        if let Some(custom) = name.strip_prefix(ADDED_CUSTOM_FIELDS).filter(|custom| !custom.is_empty()) {
            let has_them = self.members.iter().any(|member| member.name == CUSTOM_FIELDS);
            return has_them.then(|| Target::CustomField(custom.to_owned()));
        }
        if name == "id" {
            return Some(Target::Identity("id"));
        }
        if name == "reference" && self.kind == TransferKind::Tickets {
            return Some(Target::Identity("reference"));
        }
        if name == DELETED_AT || self.kind.read_only().any(|own| own == name) {
            return Some(Target::Ignored);
        }
        if let Some(member) = name.strip_suffix(ADDS_LINE) {
            return self.kind.long_text().filter(|known| *known == member).map(Target::Line);
        }
        if name == FULL_NAME && self.kind == TransferKind::Contacts {
            return Some(Target::FullName);
        }
        let member = self.members.iter().find(|member| member.name == name).cloned().map(Target::Member);
        member.or_else(|| self.links.iter().find(|link| link.column == name).copied().map(Target::Link))
    }

    /// The message about a column without a member. Only the first one lists the members.
    fn unknown(&self, column: &str, is_first: bool) -> String {
        let names = if is_first { format!("; the members are {}", self.names().join(", ")) } else { String::new() };
        format!(
            "no member of {} has this name: map it with --map {column:?}=MEMBER, or ignore it with --map \
             {column:?}={names}",
            self.kind,
        )
    }
}
