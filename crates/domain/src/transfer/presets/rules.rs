//! Derives members from the cells of a whole row of another system.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{Fact, jira};
use crate::kernel::input::SchemaMember;
use crate::records::ImportRow;
use crate::transfer::TransferKind;
use crate::transfer::cells::{Notation, bool_of, value_of};
use crate::transfer::columns::folded;
use crate::transfer::links::MEMBER_BY_NAME;
use crate::transfer::side_values::SideValues;
use crate::work::time_entries::DurationText;

/// The name of a column, and its cell.
pub(in crate::transfer) type NamedCell = (String, String);

/// A row of another system that is being read.
pub(in crate::transfer) struct ForeignRow<'a> {
    pub(in crate::transfer) kind: TransferKind,
    pub(in crate::transfer) members: &'a [SchemaMember],
    /// The values of the preset and of the operator, by member and folded cell.
    pub(in crate::transfer) values: &'a BTreeMap<(String, String), String>,
    pub(in crate::transfer) notation: Notation,
    pub(in crate::transfer) row: &'a mut ImportRow,
    pub(in crate::transfer) facts: BTreeMap<Fact, Vec<NamedCell>>,
    pub(in crate::transfer) side_values: &'a mut SideValues,
    pub(in crate::transfer) notes: &'a mut Vec<String>,
    /// The name of the system.
    pub(in crate::transfer) title: &'static str,
}

impl ForeignRow<'_> {
    /// Turns the facts into members. `unknown` is a cell of `status` that is unknown, which other cells may make irrelevant.
    ///
    /// # Errors
    /// What is wrong with a cell, and how to correct it.
    pub(in crate::transfer) fn settle(&mut self, unknown: &mut Option<NamedCell>) -> Result<(), String> {
        self.status(unknown)?;
        self.requester()?;
        match self.kind {
            TransferKind::Deals => {
                self.stage_of_closed_deal()?;
                self.closed("actual_close_date", self.is_won() || self.is_lost())?;
                self.lost_reason()
            }
            TransferKind::Tasks => self.closed("completed_at", self.has("status", &["done"])),
            TransferKind::Tickets => self.closed("resolved_at", self.has("status", &["resolved", "closed"])),
            TransferKind::TimeEntries => {
                self.person();
                self.invoiced()?;
                self.hours()
            }
            _ => Ok(()),
        }
    }

    fn has(&self, member: &str, values: &[&str]) -> bool {
        self.row.get(member).and_then(Json::as_str).is_some_and(|value| values.contains(&value))
    }

    fn is_won(&self) -> bool {
        self.has("status", &["closed_won"]) || self.has("stage", &["closed_won"])
    }

    fn is_lost(&self) -> bool {
        self.has("status", &["closed_lost"]) || self.has("stage", &["closed_lost"])
    }

    fn first(&self, fact: Fact) -> Option<&NamedCell> {
        self.facts.get(&fact).and_then(|cells| cells.first())
    }

    /// Whether one of the cells is true.
    fn is_true(&mut self, fact: Fact) -> Result<bool, String> {
        let mut is_true = false;
        for (column, cell) in self.facts.remove(&fact).unwrap_or_default() {
            is_true |= bool_of(&cell).map_err(|message| format!("{column}: {cell:?} {message}"))?;
        }
        Ok(is_true)
    }

    /// Determines the status from other columns.
    fn status(&mut self, unknown: &mut Option<NamedCell>) -> Result<(), String> {
        for (column, cell) in self.facts.remove(&Fact::StatusCategory).unwrap_or_default() {
            self.category(&column, &cell, unknown);
        }
        for (column, cell) in self.facts.remove(&Fact::Resolution).unwrap_or_default() {
            let is_abandoned = jira::ABANDONED.contains(&cell.trim().to_lowercase().as_str());
            if is_abandoned && self.has("status", &["done"]) {
                self.decide_status("cancelled", unknown);
            }
            self.side_values.line(&column, &cell);
        }
        if self.is_true(Fact::IsComplete)? {
            self.decide_status("done", unknown);
        }
        if self.is_true(Fact::IsArchived)? {
            if !self.has("status", &["done"]) {
                self.decide_status("cancelled", unknown);
            }
            let labels = self.row.entry("labels").or_insert_with(|| Json::Array(Vec::new()));
            if let Json::Array(labels) = labels {
                labels.push("archived".into());
            }
        }
        Ok(())
    }

    /// Reads the category of a status, which decides if the status is empty or unknown. A category that contradicts the status is kept.
    /// An unknown category without a status is treated like an unknown status.
    fn category(&mut self, column: &str, cell: &str, unknown: &mut Option<NamedCell>) {
        let status = self.known_status(cell);
        if let Some(own) = self.row.get("status").and_then(Json::as_str) {
            let agrees = status.is_some_and(|status| jira::is_of_category(own, &status));
            if !agrees {
                self.side_values.line(column, cell);
            }
        } else if let Some(status) = status {
            self.decide_status(&status, unknown);
        } else if unknown.is_none() {
            *unknown = Some((column.to_owned(), cell.trim().to_owned()));
        } else {
            self.side_values.line(column, cell);
        }
    }

    fn known_status(&self, cell: &str) -> Option<String> {
        let translation = self.values.get(&("status".to_owned(), folded(cell)));
        let member = self.members.iter().find(|known| known.name == "status")?;
        let value = value_of(member, translation.map_or(cell, String::as_str), self.notation).ok()?;
        let is_choice = member.schema["enum"].as_array().is_some_and(|choices| choices.contains(&value));
        value.as_str().filter(|_| is_choice).map(str::to_owned)
    }

    /// Sets the status. A cell with an unknown status is kept as text.
    fn decide_status(&mut self, status: &str, unknown: &mut Option<NamedCell>) {
        self.row.insert("status".to_owned(), status.into());
        if let Some((column, cell)) = unknown.take() {
            self.side_values.line(&column, &cell);
        }
    }

    /// Sets the requester: the first address and the first name among the cells. A name alone cannot be a requester.
    fn requester(&mut self) -> Result<(), String> {
        for (column, cell) in self.facts.remove(&Fact::Requester).unwrap_or_default() {
            let (name, email) = name_and_email(&cell);
            for (member, value) in [("requester_email", email), ("requester_name", name)] {
                let Some(value) = value else { continue };
                let before = self.row.get(member).and_then(Json::as_str);
                match before {
                    None => drop(self.row.insert(member.to_owned(), value.into())),
                    Some(before) if before == value => {}
                    Some(_) => self.side_values.aside(&column, value)?,
                }
            }
        }
        if !self.row.contains_key("requester_email")
            && let Some(Json::String(name)) = self.row.remove("requester_name")
        {
            self.side_values.line("Requester", &name);
        }
        Ok(())
    }

    /// Sets the closing day or time, from the most reliable column. The values of the others are kept.
    fn closed(&mut self, member: &str, is_closed: bool) -> Result<(), String> {
        let own = if self.is_lost() { Fact::LostAt } else { Fact::WonAt };
        let mut order = vec![Fact::CloseDate, own, Fact::ClosedAt];
        order.extend([Fact::WonAt, Fact::LostAt].into_iter().filter(|other| *other != own));
        if !is_closed {
            self.expected()?;
        }
        for fact in order {
            for (column, cell) in self.facts.remove(&fact).unwrap_or_default() {
                let value = self.date(member, &cell)?;
                match self.row.get(member) {
                    None if is_closed && (fact == own || !matches!(fact, Fact::WonAt | Fact::LostAt)) => {
                        self.row.insert(member.to_owned(), value);
                    }
                    Some(known) if is_closed && *known == value => {}
                    _ => self.side_values.aside(&column, &cell)?,
                }
            }
        }
        if is_closed
            && !self.row.contains_key(member)
            && let Some((_, cell)) = self.first(Fact::ModifiedAt)
        {
            let value = self.date(member, cell)?;
            self.row.insert(member.to_owned(), value);
        }
        Ok(())
    }

    /// Sets the day on which an open deal is expected to close. Other days are kept.
    fn expected(&mut self) -> Result<(), String> {
        const MEMBER: &str = "expected_close_date";
        for (column, cell) in self.facts.remove(&Fact::CloseDate).unwrap_or_default() {
            let value = self.date(MEMBER, &cell)?;
            match self.row.get(MEMBER) {
                None => drop(self.row.insert(MEMBER.to_owned(), value)),
                Some(known) if *known == value => {}
                Some(_) => self.side_values.aside(&column, &cell)?,
            }
        }
        Ok(())
    }

    /// Names the member who worked, by first and last name.
    fn person(&mut self) {
        let names = [Fact::FirstName, Fact::LastName].map(|fact| self.facts.remove(&fact).unwrap_or_default());
        let names: Vec<_> = names.iter().flatten().map(|(_, cell)| cell.trim()).collect();
        if !names.is_empty() {
            self.row.entry(MEMBER_BY_NAME).or_insert_with(|| names.join(" ").into());
        }
    }

    /// Notes that time is on an invoice of the other system. An import does not set the status of an entry.
    fn invoiced(&mut self) -> Result<(), String> {
        for (column, cell) in self.facts.remove(&Fact::IsInvoiced).unwrap_or_default() {
            if bool_of(&cell).map_err(|message| format!("{column}: {cell:?} {message}"))? {
                self.side_values.line(&column, &cell);
                self.notes.push(format!(
                    "already invoiced in {}: approve these entries and mark them as exported, so that they are not \
                     invoiced again",
                    self.title
                ));
            }
        }
        Ok(())
    }

    /// Sets how long the work took.
    fn hours(&mut self) -> Result<(), String> {
        for (column, cell) in self.facts.remove(&Fact::Hours).unwrap_or_default() {
            let duration = DurationText::parse(&format!("{}h", cell.trim())).or_else(|| DurationText::parse(&cell));
            let duration = duration.ok_or_else(|| format!("{column}: {cell:?} must be a number of hours up to 24"))?;
            self.row.insert("seconds".to_owned(), duration.seconds().into());
        }
        Ok(())
    }

    fn date(&self, member: &str, cell: &str) -> Result<Json, String> {
        let known = self.members.iter().find(|known| known.name == member);
        let Some(known) = known else { return Ok(cell.into()) };
        value_of(known, cell, self.notation).map_err(|message| format!("{member}: {message}"))
    }

    /// Removes the stage of a closed deal, which has the stage of its status. The previous stage is kept as text.
    fn stage_of_closed_deal(&mut self) -> Result<(), String> {
        let status = self.row.get("status").and_then(Json::as_str).unwrap_or_default().to_owned();
        if status.starts_with("closed_")
            && let Some(stage) = self.row.get("stage").and_then(Json::as_str).map(str::to_owned)
            && stage != status
        {
            self.row.remove("stage");
            self.side_values.aside("stage", &stage)?;
        }
        Ok(())
    }

    /// A deal that was lost in the past and is now open or won cannot have a lost reason, so the reason is kept.
    fn lost_reason(&mut self) -> Result<(), String> {
        if !self.is_lost()
            && let Some(Json::String(reason)) = self.row.remove("lost_reason")
        {
            self.side_values.aside("lost_reason", &reason)?;
        }
        Ok(())
    }
}

/// Splits `Mia Lantern (mia@x.example)` or `Mia <mia@x.example>` into name and address; the text may have only one of them.
pub(in crate::transfer) fn name_and_email(cell: &str) -> (Option<&str>, Option<&str>) {
    let cell = cell.trim();
    if !cell.contains('@') {
        return (Some(cell), None);
    }
    let in_brackets = cell.strip_suffix([')', '>']).and_then(|rest| rest.rsplit_once(['(', '<']));
    match in_brackets {
        Some((name, email)) if email.contains('@') => {
            let name = name.trim();
            ((!name.is_empty()).then_some(name), Some(email.trim()))
        }
        _ => (None, Some(cell)),
    }
}
