//! The properties of a tool, as a row of the table declares them.

use super::ToolPermission;
use crate::kernel::input::{choices, readable_choices};
use crate::limits::Class;

choices! {
    /// A product area by which clients filter the tool list.
    pub enum Feature {
        /// Contacts, companies and deals.
        Crm = "crm",
        /// Projects, cycles and tasks.
        Projects = "projects",
        /// Tickets and the knowledge base.
        Support = "support",
        /// Webhook subscriptions and their deliveries.
        Webhooks = "webhooks",
    }
}

readable_choices!(Feature);

/// The effect of a call on the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Creates something; every call creates another.
    Adds,
    /// Updates something; repeating the call changes nothing more.
    Changes,
    /// Replaces something; every call replaces again.
    Replaces,
    /// Deletes something; repeating the call finds nothing.
    Deletes,
}

/// Which of a tool's permissions a caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PermissionRule {
    AnyOne,
    All,
    /// Any one. Granting the tool does not grant any of them.
    AnyReader,
}

/// A tool's row of the table.
pub(super) struct Facts {
    pub(super) features: &'static [Feature],
    pub(super) effect: Effect,
    pub(super) permissions: &'static [ToolPermission],
    pub(super) class: Class,
    pub(super) reaches_outside: bool,
    pub(super) shows_secret: bool,
    pub(super) has_outcomes: bool,
    pub(super) permission_rule: PermissionRule,
}

impl Facts {
    pub(super) const fn new(
        features: &'static [Feature],
        effect: Effect,
        permissions: &'static [ToolPermission],
    ) -> Self {
        let class = if matches!(effect, Effect::Reads) { Class::Read } else { Class::Write };
        Self {
            features,
            effect,
            permissions,
            class,
            reaches_outside: false,
            shows_secret: false,
            has_outcomes: false,
            permission_rule: PermissionRule::AnyOne,
        }
    }

    /// Counts in the bulk class, regardless of the effect.
    pub(super) const fn counts_as_bulk(self) -> Self {
        Self { class: Class::Bulk, ..self }
    }

    /// Creates or changes many records: needs all of its permissions, and each item has its own outcome.
    pub(super) const fn upserts(self) -> Self {
        Self { class: Class::Bulk, permission_rule: PermissionRule::All, has_outcomes: true, ..self }
    }

    /// Needs all of its permissions.
    pub(super) const fn needs_every(self) -> Self {
        Self { permission_rule: PermissionRule::All, ..self }
    }

    /// May send data outside the workspace.
    pub(super) const fn reaches_outside(self) -> Self {
        Self { reaches_outside: true, ..self }
    }

    /// For every caller who may read any kind of record. Granting the tool does not grant a kind; it covers the kinds that other
    /// permissions grant.
    pub(super) const fn for_any_reader(self) -> Self {
        Self { permission_rule: PermissionRule::AnyReader, ..self }
    }

    /// Returns a secret, which is never stored in a response.
    pub(super) const fn shows_secret(self) -> Self {
        Self { shows_secret: true, ..self }
    }
}
