//! Reads the cells of a row as the members of a request.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::TransferKind;
use super::columns::{Columns, folded};
use super::links::{CLIENT_BY_NAME, Link, MEMBER_BY_NAME, PROJECT_BY_NAME};
use super::mangled::{Suspect, check_key};
use super::presets::Fact;
use super::presets::rules::{ForeignRow, NamedCell};
use super::side_values::{SideValues, field_name};
use super::targets::Target;
use crate::kernel::input::SchemaMember;
use crate::records::{ADDED_CUSTOM_FIELDS, ImportRow};

/// The minimum number of digits in each part of a cell with several phone numbers.
const MIN_PHONE_DIGITS: usize = 5;
/// Columns that identify what a time entry is for.
const TARGETS: [&str; 6] = ["task_id", "ticket_id", "project_id", "project_external_id", "deal_id", "deal_external_id"];

/// The values of the cells of a row.
#[derive(Debug)]
pub(super) struct ReadCells {
    pub(super) row: ImportRow,
    /// The cells that look damaged.
    pub(super) suspects: Vec<Suspect>,
    /// Notes for the user, if the row is written.
    pub(super) notes: Vec<String>,
}

/// Reads the cells of a row, which must be passed in order of precedence.
pub(super) struct RowReader<'a> {
    columns: &'a Columns,
    suspects: Vec<Suspect>,
    notes: Vec<String>,
    row: ImportRow,
    side_values: SideValues,
    facts: BTreeMap<Fact, Vec<NamedCell>>,
    full_name: Option<NamedCell>,
    /// An unknown status, with its column.
    unknown: Option<NamedCell>,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(columns: &'a Columns) -> Self {
        Self {
            columns,
            suspects: Vec::new(),
            notes: Vec::new(),
            row: ImportRow::new(),
            side_values: SideValues::new(columns.kind(), columns.title()),
            facts: BTreeMap::new(),
            full_name: None,
            unknown: None,
        }
    }

    /// Reads a non-empty cell.
    ///
    /// # Errors
    /// What is wrong with it, and how to correct it.
    pub(super) fn take(&mut self, target: &Target, column: &str, cell: &str) -> Result<(), String> {
        if self.columns.preset.is_some_and(|preset| preset.is_blank(cell)) {
            return Ok(());
        }
        match target {
            Target::Ignored => {}
            Target::Unnamed => {
                return Err(format!("{cell:?} is in a column without a name: name the column in the first row"));
            }
            Target::Identity(name) => drop(self.row.insert((*name).to_owned(), cell.into())),
            Target::CustomField(name) => self.side_values.custom_field(name, cell),
            Target::Line(_) => self.side_values.line(column, cell),
            Target::FullName => self.full_name(column, cell)?,
            Target::Fact(fact) => self.facts.entry(*fact).or_default().push((column.to_owned(), cell.to_owned())),
            Target::Link(link) => self.link(*link, column, cell)?,
            Target::Member(member) => self.member(member, column, cell)?,
        }
        Ok(())
    }

    /// Reads a full name. A second, different name is kept.
    fn full_name(&mut self, column: &str, cell: &str) -> Result<(), String> {
        match &self.full_name {
            None => self.full_name = Some((column.to_owned(), cell.trim().to_owned())),
            Some((_, known)) if folded(known) == folded(cell) => {}
            Some(_) => self.side_values.aside(column, cell)?,
        }
        Ok(())
    }

    /// Reads a reference to a record. If another system lists several, the first is used, and the whole cell is kept.
    fn link(&mut self, link: Link, column: &str, cell: &str) -> Result<(), String> {
        let is_foreign = self.columns.preset.is_some() && !link.is_owner() && !link.is_name_in_entry();
        let first = cell.split(';').next().unwrap_or_default().trim();
        let value = if is_foreign { first } else { cell };
        if !link.is_name_in_entry() {
            self.suspects.extend(check_key(link.column, value));
        }
        match self.row.get(link.column).and_then(Json::as_str) {
            None if value.trim().is_empty() => {}
            None => {
                self.row.insert(link.column.to_owned(), value.into());
                if is_foreign && first != cell.trim() {
                    self.side_values.aside(column, cell)?;
                }
            }
            Some(known) if folded(known) == folded(cell) => {}
            Some(_) => self.side_values.aside(column, cell)?,
        }
        Ok(())
    }

    fn member(&mut self, member: &SchemaMember, column: &str, cell: &str) -> Result<(), String> {
        let several = self.several(member, cell);
        let (cell, rest) = several.split_first().map_or((cell, &[] as &[&str]), |(first, rest)| (*first, rest));
        self.suspects.extend(self.columns.suspect(member, cell));
        if let Some(value) = self.value(member, column, cell)? {
            match self.row.get(member.name) {
                Some(known) if self.columns.preset.is_some() && member.schema["type"] != "array" => {
                    if !is_same(known, &value) {
                        self.side_values.aside(column, cell)?;
                    }
                }
                _ => add(&mut self.row, member.name, value),
            }
        }
        let others: Vec<_> = rest.iter().filter(|other| folded(other) != folded(cell)).collect();
        if !others.is_empty() {
            let (name, field) = (member.name, format!("additional_{}s", member.name));
            self.notes.push(format!(
                "{name}: of several in a cell, all but the first are kept in {ADDED_CUSTOM_FIELDS}{field}"
            ));
            for other in others {
                self.side_values.custom_field(&field, other);
            }
        }
        Ok(())
    }

    /// The parts of a cell with several e-mail addresses, or with several phone numbers in a file of another system.
    fn several<'c>(&self, member: &SchemaMember, cell: &'c str) -> Vec<&'c str> {
        if self.columns.kind() != TransferKind::Contacts || self.columns.translation(member, cell).is_some() {
            return Vec::new();
        }
        let parts: Vec<_> = cell.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
        let digits = |part: &&str| part.chars().filter(char::is_ascii_digit).count() >= MIN_PHONE_DIGITS;
        let is_several = match member.name {
            "email" => parts.iter().all(|part| part.contains('@')),
            // In other files, characters between numbers may have another meaning, such as an extension.
            "phone" => self.columns.preset.is_some() && parts.iter().all(digits),
            _ => false,
        };
        if is_several && parts.len() > 1 { parts } else { Vec::new() }
    }

    /// The value of a cell; `None` for an unknown status, which other cells may determine.
    fn value(&mut self, member: &SchemaMember, column: &str, cell: &str) -> Result<Option<Json>, String> {
        let preset = self.columns.preset;
        let Some(Json::Array(choices)) = member.schema.get("enum") else {
            return Ok(Some(self.items(self.columns.value(member, cell)?)));
        };
        let forms = preset.map_or_else(|| vec![(cell, None)], |preset| preset.forms(member.name, cell));
        for (form, pipeline) in forms {
            let value = self.columns.value(member, form)?;
            if choices.contains(&value) {
                if let Some(pipeline) = pipeline {
                    self.side_values.custom_field("pipeline", pipeline);
                }
                return Ok(Some(value));
            }
        }
        if member.name == "status" && preset.is_some() && self.unknown.is_none() {
            self.unknown = Some((column.to_owned(), cell.trim().to_owned()));
            return Ok(None);
        }
        Err(self.unknown_choice(member.name, cell))
    }

    /// The items of a list in the form in which they are stored.
    fn items(&self, value: Json) -> Json {
        let (Some(preset), Json::Array(items)) = (self.columns.preset, &value) else { return value };
        items.iter().filter_map(Json::as_str).map(|item| preset.item(item).to_owned()).collect()
    }

    /// Why a choice is refused, and what to do.
    fn unknown_choice(&self, member: &str, cell: &str) -> String {
        let choices = self.columns.choices_of(member);
        let (cell, example) = (cell.trim(), choices.split(", ").next().unwrap_or_default());
        format!(
            "{member}: {cell:?} must be one of {choices}: correct the cell, or say what it means with --value \
             \"{member}:{cell}={example}\""
        )
    }

    /// Completes the row after all its cells were read.
    ///
    /// # Errors
    /// What is wrong with a cell, and how to correct it.
    pub(super) fn finish(mut self) -> Result<ReadCells, String> {
        if self.columns.preset.is_some() {
            let mut foreign = ForeignRow {
                kind: self.columns.kind(),
                members: &self.columns.members,
                values: &self.columns.values,
                notation: self.columns.notation,
                row: &mut self.row,
                facts: std::mem::take(&mut self.facts),
                side_values: &mut self.side_values,
                notes: &mut self.notes,
                title: self.columns.title(),
            };
            foreign.settle(&mut self.unknown)?;
        }
        if let Some((_, cell)) = &self.unknown {
            return Err(self.unknown_choice("status", cell));
        }
        self.split_full_name()?;
        self.name_company();
        self.prefer_keys();
        self.side_values.check_one_value(&self.row)?;
        self.side_values.store(&mut self.row);
        Ok(ReadCells { row: self.row, suspects: self.suspects, notes: self.notes })
    }

    /// Splits a full name: the last word is the last name. If the row has the first or the last name, the rest of the full name is the
    /// other one. A full name that contradicts these names is kept.
    fn split_full_name(&mut self) -> Result<(), String> {
        let Some((column, name)) = self.full_name.take() else { return Ok(()) };
        let words_of = |member: &str| words(self.row.get(member).and_then(Json::as_str).unwrap_or_default());
        let (first, last, all) = (words_of("first_name"), words_of("last_name"), words(&name));
        let (member, rest) = match (first.is_empty(), last.is_empty()) {
            (true, true) => {
                let (first, last) = name.rsplit_once(char::is_whitespace).unwrap_or((&name, ""));
                self.row.insert("first_name".to_owned(), first.trim().into());
                ("last_name", Some(last.to_owned()))
            }
            (false, true) => ("last_name", without_start(&all, &first)),
            (true, false) => ("first_name", without_end(&all, &last)),
            (false, false) => {
                let is_same = without_start(&all, &first).is_some_and(|rest| is_same_name(&words(&rest), &last));
                ("last_name", is_same.then(String::new))
            }
        };
        match rest {
            None => self.side_values.aside(&column, &name),
            Some(rest) => {
                if !rest.is_empty() {
                    self.row.insert(member.to_owned(), rest.into());
                }
                Ok(())
            }
        }
    }

    /// Leaves out names in a time entry whose member or target is identified by another column. The name of a project is kept.
    fn prefer_keys(&mut self) {
        if self.columns.kind() != TransferKind::TimeEntries {
            return;
        }
        let has = |row: &ImportRow, names: &[&str]| names.iter().any(|name| row.contains_key(*name));
        if has(&self.row, &["member_id", "member_email"]) {
            self.row.remove(MEMBER_BY_NAME);
        }
        if has(&self.row, &TARGETS) {
            for (label, column) in [("Client", CLIENT_BY_NAME), ("Project", PROJECT_BY_NAME)] {
                if let Some(Json::String(name)) = self.row.remove(column) {
                    self.side_values.line(label, &name);
                }
            }
        }
    }

    /// Finds the company of a contact from another system by name, and gives the contact the name of its company.
    fn name_company(&mut self) {
        if self.columns.kind() != TransferKind::Contacts {
            return;
        }
        let (text, link) = ("company_name", super::links::COMPANY_BY_NAME);
        if self.columns.preset.is_some()
            && let Some(name) = self.row.get(text).cloned()
        {
            self.row.entry(link).or_insert(name);
        }
        if let Some(name) = self.row.get(link).cloned() {
            self.row.entry(text).or_insert(name);
        }
    }
}

/// Sets a member. Lists and objects from several columns are merged.
pub(super) fn add(row: &mut ImportRow, name: &str, value: Json) {
    match (row.get_mut(name), value) {
        (Some(Json::Array(items)), Json::Array(more)) => items.extend(more),
        (Some(Json::Object(members)), Json::Object(more)) => members.extend(more),
        (_, value) => drop(row.insert(name.to_owned(), value)),
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn is_same_name(one: &[&str], other: &[&str]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| folded(one) == folded(other))
}

/// The rest of a name that begins with these words; `None` if it does not.
fn without_start(name: &[&str], start: &[&str]) -> Option<String> {
    let (found, rest) = name.split_at_checked(start.len())?;
    is_same_name(found, start).then(|| rest.join(" "))
}

/// The rest of a name that ends with these words; `None` if it does not.
fn without_end(name: &[&str], end: &[&str]) -> Option<String> {
    let (rest, found) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
    is_same_name(found, end).then(|| rest.join(" "))
}

/// Whether two values are the same, ignoring differences in how addresses and numbers are written.
fn is_same(one: &Json, other: &Json) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match (one, other) {
        (Json::String(one), Json::String(other)) => {
            folded(one) == folded(other)
                || (field_name(one).chars().all(|character| character.is_ascii_digit() || character == '_')
                    && digits(one).len() >= MIN_PHONE_DIGITS
                    && digits(one) == digits(other))
        }
        _ => one == other,
    }
}
