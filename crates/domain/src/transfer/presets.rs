//! Columns and values of the exports of other systems, as far as their makers document them (docs/import-export.md).

use super::TransferKind;
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
    }
}

/// Columns of another system with the members that they are for; empty for those that mean nothing here although a member
/// has their name.
type ColumnNames = &'static [(&'static str, &'static str)];
/// Members, cells of another system, and what they mean.
type CellValues = &'static [(&'static str, &'static str, &'static str)];

/// What is known of one export of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    columns: ColumnNames,
    values: CellValues,
    /// Between the items of a list.
    separator: char,
    /// See [`Preset::when_closed`].
    when_closed: Option<(&'static str, &'static str)>,
}

impl Preset {
    /// The preset for files of a kind; `None` if the system has no such records.
    pub fn of(name: PresetName, kind: TransferKind) -> Option<Self> {
        use PresetName::{Hubspot, Jira, Pipedrive, Trello, Zammad, Zendesk};
        use TransferKind::{Companies, Contacts, Deals, Tasks, Tickets};
        let (columns, values) = match (name, kind) {
            (Hubspot, Contacts) => (HUBSPOT_CONTACTS, HUBSPOT_LIFECYCLE),
            (Hubspot, Companies) => (HUBSPOT_COMPANIES, &[] as CellValues),
            (Hubspot, Deals) => (HUBSPOT_DEALS, HUBSPOT_STAGES),
            (Pipedrive, Contacts) => (PIPEDRIVE_PEOPLE, &[] as CellValues),
            (Pipedrive, Companies) => (PIPEDRIVE_ORGANIZATIONS, &[] as CellValues),
            (Pipedrive, Deals) => (PIPEDRIVE_DEALS, PIPEDRIVE_STATUSES),
            (Jira, Tasks) => (JIRA_ISSUES, JIRA_VALUES),
            (Trello, Tasks) => (TRELLO_CARDS, TRELLO_LISTS),
            (Zendesk, Tickets) => (ZENDESK_TICKETS, ZENDESK_VALUES),
            (Zammad, Tickets) => (ZAMMAD_TICKETS, ZAMMAD_VALUES),
            _ => return None,
        };
        let separator = match name {
            Zendesk => ' ',
            Pipedrive | Trello | Zammad => ',',
            Hubspot | Jira => ';',
        };
        // HubSpot has one date for when a deal is expected to close and for when it did.
        let when_closed = (name == Hubspot && kind == Deals).then_some(("expected_close_date", "actual_close_date"));
        Some(Self { columns, values, separator, when_closed })
    }

    /// The member of a column, without regard to case.
    pub(super) fn member_of(self, column: &str) -> Option<&'static str> {
        let folded = column.trim().to_lowercase();
        self.columns.iter().find(|(name, _)| name.to_lowercase() == folded).map(|(_, member)| *member)
    }

    pub(super) const fn values(self) -> CellValues {
        self.values
    }

    pub(super) const fn separator(self) -> char {
        self.separator
    }

    /// A member of an open record, and the one that the same column is for in a closed one.
    pub(super) const fn when_closed(self) -> Option<(&'static str, &'static str)> {
        self.when_closed
    }

    /// The columns that it knows, with their members.
    pub const fn columns(self) -> ColumnNames {
        self.columns
    }
}

const HUBSPOT_CONTACTS: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Contact ID", "external_id"),
    ("Email", "email"),
    ("Email address", "email"),
    ("First Name", "first_name"),
    ("Last Name", "last_name"),
    ("Phone Number", "phone"),
    ("Job Title", "job_title"),
    ("Company Name", "company_name"),
    ("Lifecycle Stage", "contact_type"),
    ("Original Source", "lead_source"),
    ("Industry", "industry"),
    ("City", "city"),
    ("State/Region", "state"),
    ("Country/Region", "country"),
    ("Associated Company IDs (Primary)", "company_external_id"),
];

const HUBSPOT_LIFECYCLE: CellValues = &[
    ("contact_type", "Subscriber", "new"),
    ("contact_type", "Lead", "lead"),
    ("contact_type", "Marketing Qualified Lead", "qualified"),
    ("contact_type", "Sales Qualified Lead", "qualified"),
    ("contact_type", "Opportunity", "prospect"),
    ("contact_type", "Customer", "customer"),
    ("contact_type", "Evangelist", "customer"),
    ("contact_type", "Other", "new"),
];

const HUBSPOT_COMPANIES: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Company ID", "external_id"),
    ("Company name", "name"),
    ("Name", "name"),
    ("Company Domain Name", "domain"),
    ("Industry", "industry"),
    ("Phone Number", "phone"),
    ("Website URL", "website"),
    ("Description", "notes"),
];

const HUBSPOT_DEALS: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Deal ID", "external_id"),
    ("Deal Name", "title"),
    ("Deal Description", "description"),
    ("Deal Stage", "stage"),
    ("Amount", "value"),
    ("Currency", "currency"),
    ("Close Date", "expected_close_date"),
    ("Closed Lost Reason", "lost_reason"),
    ("Original Source Type", "source"),
    ("Associated Contact IDs (Primary)", "contact_external_id"),
    ("Associated Company IDs (Primary)", "company_external_id"),
];

/// The stages of the pipeline that an account begins with.
const HUBSPOT_STAGES: CellValues = &[
    ("stage", "Appointment Scheduled", "discovery"),
    ("stage", "Qualified To Buy", "qualified"),
    ("stage", "Presentation Scheduled", "proposal"),
    ("stage", "Decision Maker Bought-In", "negotiation"),
    ("stage", "Contract Sent", "negotiation"),
    ("stage", "Closed Won", "closed_won"),
    ("stage", "Closed Lost", "closed_lost"),
];

const PIPEDRIVE_PEOPLE: ColumnNames = &[
    ("Person - ID", "external_id"),
    ("Person - First name", "first_name"),
    ("Person - Last name", "last_name"),
    ("Person - Email", "email"),
    ("Person - Email - Work", "email"),
    ("Person - Phone", "phone"),
    ("Person - Phone - Work", "phone"),
    ("Person - Job title", "job_title"),
    ("Person - Organization", "company_name"),
    ("Person - Label", "tags"),
    ("Person - Labels", "tags"),
    ("Person - Note", "notes"),
    ("Organization - ID", "company_external_id"),
];

const PIPEDRIVE_ORGANIZATIONS: ColumnNames = &[
    ("Organization - ID", "external_id"),
    ("Organization - Name", "name"),
    ("Organization - Industry", "industry"),
    ("Organization - Website", "website"),
    ("Organization - Note", "notes"),
];

const PIPEDRIVE_DEALS: ColumnNames = &[
    ("Deal - ID", "external_id"),
    ("Deal - Title", "title"),
    ("Deal - Value", "value"),
    ("Deal - Currency of Value", "currency"),
    ("Deal - Currency", "currency"),
    ("Deal - Status", "status"),
    ("Deal - Probability", "probability"),
    ("Deal - Expected close date", "expected_close_date"),
    ("Deal - Deal closed on", "actual_close_date"),
    ("Deal - Lost reason", "lost_reason"),
    ("Deal - Label", "tags"),
    ("Person - ID", "contact_external_id"),
    ("Organization - ID", "company_external_id"),
];

const PIPEDRIVE_STATUSES: CellValues =
    &[("status", "Open", "open"), ("status", "Won", "closed_won"), ("status", "Lost", "closed_lost")];

const JIRA_ISSUES: ColumnNames = &[
    ("Summary", "title"),
    ("Description", "description"),
    ("Status", "status"),
    ("Priority", "priority"),
    ("Due date", "due_at"),
    ("Due", "due_at"),
    ("Labels", "labels"),
];

const JIRA_VALUES: CellValues = &[
    ("priority", "Highest", "urgent"),
    ("priority", "High", "high"),
    ("priority", "Medium", "medium"),
    ("priority", "Low", "low"),
    ("priority", "Lowest", "low"),
    ("status", "To Do", "todo"),
    ("status", "Open", "todo"),
    ("status", "Reopened", "todo"),
    ("status", "In Progress", "in_progress"),
    ("status", "In Review", "in_review"),
    ("status", "Resolved", "done"),
    ("status", "Closed", "done"),
    ("status", "Done", "done"),
];

const TRELLO_CARDS: ColumnNames = &[
    ("Card Name", "title"),
    ("Card Description", "description"),
    ("List Name", "status"),
    ("Labels", "labels"),
    ("Start Date", "start_date"),
    ("Due Date", "due_at"),
];

/// The lists that a new board begins with.
const TRELLO_LISTS: CellValues =
    &[("status", "To Do", "todo"), ("status", "Doing", "in_progress"), ("status", "Done", "done")];

const ZENDESK_TICKETS: ColumnNames = &[
    ("Subject", "title"),
    ("Description", "description"),
    ("Status", "status"),
    ("Priority", "priority"),
    ("Requester", "requester_name"),
    ("Requester name", "requester_name"),
    ("Requester email", "requester_email"),
    ("Tags", "labels"),
    ("Due date", "due_at"),
    ("Id", ""),
];

const ZENDESK_VALUES: CellValues = &[
    ("status", "New", "open"),
    ("status", "Open", "open"),
    ("status", "Pending", "pending"),
    ("status", "On-hold", "on_hold"),
    ("status", "Hold", "on_hold"),
    ("status", "Solved", "resolved"),
    ("status", "Closed", "closed"),
    ("priority", "Normal", "medium"),
    ("priority", "-", "medium"),
];

const ZAMMAD_TICKETS: ColumnNames = &[
    ("Title", "title"),
    ("State", "status"),
    ("Priority", "priority"),
    ("Customer", "requester_email"),
    ("Tags", "labels"),
    ("#", ""),
];

/// The states and priorities that an installation begins with.
const ZAMMAD_VALUES: CellValues = &[
    ("status", "new", "open"),
    ("status", "open", "open"),
    ("status", "pending reminder", "pending"),
    ("status", "pending close", "pending"),
    ("status", "merged", "closed"),
    ("status", "closed", "closed"),
    ("priority", "1 low", "low"),
    ("priority", "2 normal", "medium"),
    ("priority", "3 high", "high"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::{Columns, Mapping};

    #[test]
    fn every_preset_names_members_of_its_kind_and_their_values() {
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
            for (member, cell, value) in preset.values() {
                let members = kind.members();
                let member = members.iter().find(|known| known.name == *member).unwrap();
                let known = member.schema["enum"].as_array().unwrap();
                assert!(known.contains(&(*value).into()), "{name} {kind}: {cell} is {value}");
            }
        }
        assert_eq!(presets, 10);
    }
}
