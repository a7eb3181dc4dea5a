//! The settings of a workspace, for its owners and admins: one file per page, with a navigation of their own.
//!
//! A page's template extends `tabs.html` and has `tabs: Vec<Section>` of [`tabs`] beside its shell.

pub(crate) mod audit_log;
pub(crate) mod erasures;
pub(crate) mod events;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod support;
pub(crate) mod usage;
pub(crate) mod workspace;

use domain::identity::access::{EraseContacts, ManageKeys, ManageMembers, ManageWorkspace, ReadAuditLog, ReadWebhooks};

use crate::layout::Browser;
use crate::navigation::{Entry, Section, entry};

/// The pages of the settings, each with the permission to open it.
pub(crate) const ENTRIES: &[Entry] = &[
    entry::<ManageWorkspace>("settings-workspace", "building", "/settings"),
    entry::<ManageMembers>("settings-members", "users", "/settings/members"),
    entry::<ManageKeys>("settings-keys", "plug", "/settings/keys"),
    entry::<ReadWebhooks>("settings-webhooks", "webhook", "/settings/webhooks"),
    entry::<ManageWorkspace>("settings-support", "lifebuoy", "/settings/support"),
    entry::<ManageWorkspace>("settings-usage", "chart-bar", "/settings/usage"),
    entry::<ReadAuditLog>("settings-audit-log", "history", "/settings/audit-log"),
    entry::<ManageWorkspace>("settings-events", "bell", "/settings/events"),
    entry::<EraseContacts>("settings-erasures", "trash", "/settings/erasures"),
];

/// The pages of the settings that the caller may open.
pub(crate) fn tabs(browser: &Browser) -> Vec<Section> {
    browser.entries(ENTRIES)
}
