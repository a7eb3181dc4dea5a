//! The settings of a workspace, for owners and admins. One file per page, with their own navigation.
//!
//! A page's template extends `tabs.html`.

pub(crate) mod audit_log;
pub(crate) mod erasures;
pub(crate) mod events;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod support;
pub(crate) mod time;
pub(crate) mod usage;
pub(crate) mod workspace;

use domain::identity::access::{
    EraseContacts, ManageKeys, ManageMembers, ManageWorkspace, Permit, ReadAuditLog, ReadWebhooks,
};
use domain::identity::workspaces::{self, SettingsFields};
use domain::kernel::input::json::Json;
use domain::kernel::versions::ExpectedVersion;

use crate::navigation::{Entry, entry};
use crate::prelude::*;
use crate::records::{ConflictPage, SaveOutcome, Target, save_to};

/// The pages of the settings, each with the permission to open it.
pub(crate) const ENTRIES: &[Entry] = &[
    entry::<ManageWorkspace>("settings-workspace", "building", "/settings"),
    entry::<ManageMembers>("settings-members", "users", "/settings/members"),
    entry::<ManageKeys>("settings-keys", "plug", "/settings/keys"),
    entry::<ReadWebhooks>("settings-webhooks", "webhook", "/settings/webhooks"),
    entry::<ManageWorkspace>("settings-support", "lifebuoy", "/settings/support"),
    entry::<ManageWorkspace>("settings-time", "clock", "/settings/time"),
    entry::<ManageWorkspace>("settings-usage", "chart-bar", "/settings/usage"),
    entry::<ReadAuditLog>("settings-audit-log", "history", "/settings/audit-log"),
    entry::<ManageWorkspace>("settings-events", "bell", "/settings/events"),
    entry::<EraseContacts>("settings-erasures", "trash", "/settings/erasures"),
];

/// The settings of the workspace, which several people may change at once.
struct Settings<'a> {
    ports: &'a Ports,
    permit: &'a Permit<ManageWorkspace>,
}

impl Target for Settings<'_> {
    type Fields = SettingsFields;

    async fn stored(&self) -> Result<Json, Error> {
        Ok(json!(workspaces::read(self.ports, self.permit).await?))
    }

    async fn update(&self, expected: ExpectedVersion, fields: SettingsFields) -> Result<Json, Error> {
        Ok(json!(workspaces::update(self.ports, self.permit, expected, fields).await?))
    }
}

/// Saves what was changed in a form with some of the workspace's settings. Responds with its page, which has this title
/// and path, or with the choice between conflicting changes.
///
/// # Errors
/// The errors that the form shows.
async fn save_settings(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    browser: &Browser,
    form: &Form,
    (title, path): (&str, &str),
) -> Result<PageResult, Error> {
    match save_to(&Settings { ports, permit }, browser, &mut form.clone()).await? {
        SaveOutcome::Done(_) => Ok(responses::success(browser, path, text("settings-saved"))),
        SaveOutcome::Conflict(_, merged) => {
            let page = ConflictPage {
                changed: None,
                shell: browser.shell(text(title)),
                merged: merged.with_names(ports, browser).await?,
                list: text(title),
                list_path: path.to_owned(),
                action: path.to_owned(),
                next: None,
            };
            Ok(page.answer(browser))
        }
    }
}
