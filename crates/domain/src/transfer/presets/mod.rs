//! Columns and values of other systems' exports (docs/import-export.md names the sources), one file per system.
//!
//! A column maps to a member, or to a [`Fact`]. [`rules`] turn facts into members after a whole row is read, because a date, for
//! example, is the closing date of a deal only if other cells say that it is closed. If several columns map to a member, the
//! first with a value is used, in the order of the tables, and the values of the others are kept in other fields.

mod harvest;
mod hubspot;
mod jira;
mod pipedrive;
pub(super) mod rules;
mod toggl;
mod trello;
mod zammad;
mod zendesk;

use super::TransferKind;
use super::links::MEMBER_BY_NAME;
use crate::kernel::input::choices;

choices! {
    /// A system whose exports are known.
    pub enum PresetName {
        /// `HubSpot`: contacts, companies and deals.
        Hubspot = "hubspot",
        /// Pipedrive: people, organisations and deals.
        Pipedrive = "pipedrive",
        /// Jira: issues, as tasks.
        Jira = "jira",
        /// Trello: cards, as tasks.
        Trello = "trello",
        /// Zendesk: tickets.
        Zendesk = "zendesk",
        /// Zammad: tickets.
        Zammad = "zammad",
        /// Toggl Track: time entries.
        Toggl = "toggl",
        /// Harvest: time entries.
        Harvest = "harvest",
    }
}

/// Column names of another system and what they map to: a member, a link or a [`Fact`]. Empty for columns that have the name of a
/// member but a different meaning.
type ColumnNames = &'static [(&'static str, &'static str)];
/// Members, cell values of another system, and the values that these mean.
type CellValues = &'static [(&'static str, &'static str, &'static str)];

/// A column that does not map to a member directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// When an open deal is expected to close, or when a closed deal was closed.
    CloseDate,
    WonAt,
    LostAt,
    /// When the record was won, lost, finished or resolved.
    ClosedAt,
    /// The time of the last change; a closed record was closed no later than that.
    ModifiedAt,
    /// Determines the status if the status itself is unknown.
    StatusCategory,
    /// Why an issue is finished: some issues were abandoned.
    Resolution,
    /// Whether a card is done, regardless of its list.
    IsComplete,
    IsArchived,
    /// The customer of a ticket: an e-mail address, or a name.
    Requester,
    /// How long something took, in hours.
    Hours,
    /// The names of the person who worked.
    FirstName,
    LastName,
    /// Whether the time is on an invoice.
    IsInvoiced,
}

impl Fact {
    const NAMES: [(&'static str, Self); 14] = [
        ("~close_date", Self::CloseDate),
        ("~won", Self::WonAt),
        ("~lost", Self::LostAt),
        ("~closed", Self::ClosedAt),
        ("~modified", Self::ModifiedAt),
        ("~category", Self::StatusCategory),
        ("~resolution", Self::Resolution),
        ("~complete", Self::IsComplete),
        ("~archived", Self::IsArchived),
        ("~requester", Self::Requester),
        ("~hours", Self::Hours),
        ("~first_name", Self::FirstName),
        ("~last_name", Self::LastName),
        ("~invoiced", Self::IsInvoiced),
    ];

    /// Looks up a fact by its name in the tables of presets.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, fact)| *fact)
    }

    /// The member that the fact most likely becomes, which the console shows.
    pub(super) const fn member(self, kind: TransferKind) -> &'static str {
        match (self, kind) {
            (Self::CloseDate, _) => "expected_close_date",
            (Self::WonAt | Self::LostAt | Self::ClosedAt | Self::ModifiedAt, TransferKind::Tasks) => "completed_at",
            (Self::WonAt | Self::LostAt | Self::ClosedAt | Self::ModifiedAt, TransferKind::Tickets) => "resolved_at",
            (Self::WonAt | Self::LostAt | Self::ClosedAt | Self::ModifiedAt, _) => "actual_close_date",
            (Self::StatusCategory | Self::Resolution | Self::IsComplete | Self::IsArchived, _) => "status",
            (Self::Requester, _) => "requester_email",
            (Self::Hours, _) => "seconds",
            (Self::FirstName | Self::LastName, _) => MEMBER_BY_NAME,
            (Self::IsInvoiced, _) => "note+",
        }
    }
}

/// One export format of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    name: PresetName,
    columns: ColumnNames,
    values: CellValues,
}

impl Preset {
    /// The preset for files of a kind; `None` if the system has no such records.
    pub const fn of(name: PresetName, kind: TransferKind) -> Option<Self> {
        use PresetName::{Harvest, Hubspot, Jira, Pipedrive, Toggl, Trello, Zammad, Zendesk};
        use TransferKind::{Companies, Contacts, Deals, Tasks, Tickets, TimeEntries};
        const NO_VALUES: CellValues = &[];
        let (columns, values) = match (name, kind) {
            (Hubspot, Contacts) => (hubspot::CONTACTS, hubspot::LIFECYCLE),
            (Hubspot, Companies) => (hubspot::COMPANIES, NO_VALUES),
            (Hubspot, Deals) => (hubspot::DEALS, hubspot::STAGES),
            (Pipedrive, Contacts) => (pipedrive::PEOPLE, NO_VALUES),
            (Pipedrive, Companies) => (pipedrive::ORGANIZATIONS, NO_VALUES),
            (Pipedrive, Deals) => (pipedrive::DEALS, pipedrive::STATUSES),
            (Jira, Tasks) => (jira::ISSUES, jira::VALUES),
            (Trello, Tasks) => (trello::CARDS, trello::LISTS),
            (Zendesk, Tickets) => (zendesk::TICKETS, zendesk::VALUES),
            (Zammad, Tickets) => (zammad::TICKETS, zammad::VALUES),
            (Toggl, TimeEntries) => (toggl::ENTRIES, NO_VALUES),
            (Harvest, TimeEntries) => (harvest::ENTRIES, NO_VALUES),
            _ => return None,
        };
        Some(Self { name, columns, values })
    }

    /// The member, link or fact of a column, ignoring case.
    pub(super) fn member_of(self, column: &str) -> Option<&'static str> {
        self.rank_of(column).map(|rank| self.columns[rank].1)
    }

    /// The rank of a column among columns for the same member.
    pub(super) fn rank_of(self, column: &str) -> Option<usize> {
        let folded = column.trim().to_lowercase();
        self.columns.iter().position(|(name, _)| name.to_lowercase() == folded)
    }

    pub(super) const fn values(self) -> CellValues {
        self.values
    }

    /// The separator between the items of a list.
    pub(super) const fn separator(self) -> char {
        match self.name {
            PresetName::Zendesk => ' ',
            PresetName::Pipedrive
            | PresetName::Trello
            | PresetName::Zammad
            | PresetName::Toggl
            | PresetName::Harvest => ',',
            PresetName::Hubspot | PresetName::Jira => ';',
        }
    }

    /// The variants of a choice's cell to look up, the cell itself first. A variant may leave out a pipeline, which must be kept.
    pub(super) fn forms<'c>(self, member: &str, cell: &'c str) -> Vec<(&'c str, Option<&'c str>)> {
        match (self.name, member) {
            (PresetName::Hubspot, "stage") => hubspot::stage_forms(cell),
            _ => vec![(cell.trim(), None)],
        }
    }

    /// The item of a list in the form in which it is stored.
    pub(super) fn item(self, item: &str) -> &str {
        if self.name == PresetName::Trello { trello::label(item) } else { item }
    }

    /// Whether a cell with text counts as empty.
    pub(super) fn is_blank(self, cell: &str) -> bool {
        matches!(self.name, PresetName::Zendesk | PresetName::Zammad) && cell.trim() == "-"
    }

    /// The prefix of description lines that keep cells of this system.
    pub(super) const fn title(self) -> &'static str {
        match self.name {
            PresetName::Hubspot => "HubSpot",
            PresetName::Pipedrive => "Pipedrive",
            PresetName::Jira => "Jira",
            PresetName::Trello => "Trello",
            PresetName::Zendesk => "Zendesk",
            PresetName::Zammad => "Zammad",
            PresetName::Toggl => "Toggl",
            PresetName::Harvest => "Harvest",
        }
    }

    /// The known columns, and what they map to.
    pub const fn columns(self) -> &'static [(&'static str, &'static str)] {
        self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::{Columns, Mapping};

    #[test]
    fn presets_map_to_members_of_their_kind_and_valid_values() {
        let mut presets = 0;
        for (name, kind) in PresetName::ALL.iter().flat_map(|name| TransferKind::ALL.iter().map(|kind| (*name, *kind)))
        {
            let Some(preset) = Preset::of(name, kind) else { continue };
            presets += 1;
            let mapping = Mapping { preset: Some(preset), ..Mapping::default() };
            for (column, member) in preset.columns().iter().filter(|(_, member)| !member.is_empty()) {
                let columns = Columns::of(kind, &[(*column).to_owned()], &mapping).unwrap();
                assert!(columns.ignored().is_empty(), "{name} {kind}: {column} for {member}");
            }
            for (rank, (column, _)) in preset.columns().iter().enumerate() {
                assert_eq!(preset.rank_of(column), Some(rank), "{name} {kind} has {column} twice");
            }
            for (member, cell, value) in preset.values() {
                let members = kind.members();
                let member = members.iter().find(|known| known.name == *member).unwrap();
                let known = member.schema["enum"].as_array().unwrap();
                assert!(known.contains(&(*value).into()), "{name} {kind}: {cell} is {value}");
            }
        }
        assert_eq!(presets, 12);
    }

    #[test]
    fn proposed_mappings_are_among_the_choices() {
        for (name, kind) in PresetName::ALL.iter().flat_map(|name| TransferKind::ALL.iter().map(|kind| (*name, *kind)))
        {
            let Some(preset) = Preset::of(name, kind) else { continue };
            let header: Vec<_> = preset.columns().iter().map(|(column, _)| (*column).to_owned()).collect();
            let choices = Columns::choices(kind);
            for (column, proposed) in header.iter().zip(Columns::proposed(kind, &header, Some(preset))) {
                let is_choice =
                    proposed.is_empty() || proposed.starts_with("custom_fields.") || choices.contains(&&*proposed);
                assert!(is_choice, "{name} {kind}: {column} becomes {proposed}");
            }
        }
    }

    #[test]
    fn ignored_columns_are_proposed_to_be_left_out() {
        let kind = TransferKind::TimeEntries;
        let header = ["First Name", "Last Name", "Hours", "Roles", "Billable Rate", "Currency"].map(str::to_owned);
        let proposed = Columns::proposed(kind, &header, Preset::of(PresetName::Harvest, kind));
        assert_eq!(proposed, ["member_by_name", "member_by_name", "seconds", "", "", ""]);
    }

    #[test]
    fn stages_are_known_without_their_number_and_pipeline() {
        for (stage, forms) in [
            (
                "5. Closed Won (Partners)",
                &[
                    ("5. Closed Won (Partners)", None),
                    ("5. Closed Won", Some("Partners")),
                    ("Closed Won (Partners)", None),
                    ("Closed Won", Some("Partners")),
                ][..],
            ),
            // The default pipeline.
            ("Closed Won (sales pipeline)", &[("Closed Won (sales pipeline)", None), ("Closed Won", None)]),
            (" 2025 renewals ", &[("2025 renewals", None)]),
            ("Won (a) (b)", &[("Won (a) (b)", None), ("Won (a)", Some("b"))]),
            ("Won ()", &[("Won ()", None), ("Won", None)]),
            ("(b)", &[("(b)", None)]),
        ] {
            assert_eq!(hubspot::stage_forms(stage), forms);
        }
    }

    #[test]
    fn labels_lose_only_their_colour() {
        for (label, expected) in [
            ("Urgent (red)", "Urgent"),
            ("Urgent (red_dark)", "Urgent"),
            ("Urgent (not so much)", "Urgent (not so much)"),
            ("(red)", "red"),
            ("red", "red"),
            ("Version (2) (blue)", "Version (2)"),
        ] {
            assert_eq!(trello::label(label), expected);
        }
    }
}
