//! The settings of a workspace, for its owners and admins.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::{Date, OffsetDateTime};

use super::manage::{DEFAULT_CURRENCY, DEFAULT_KB_LANGUAGE};
use super::{Origins, Role, Workspace, WorkspaceStatus};
use crate::identity::access::{ManageWorkspace, Permit};
use crate::identity::accounts::has_second_factor;
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject, differences};
use crate::kernel::input::schema::{OptionalDateText, TimestampText};
use crate::kernel::input::{Currency, Line, fields};
use crate::kernel::time_zone::{DEFAULT_TIME_ZONE, TimeZoneName};
use crate::kernel::versions::ExpectedVersion;
use crate::kernel::{KbLanguage, Networks};
use crate::kinds::TIMERS;
use crate::limits::Plan;
use crate::ports::{Ports, Settings, statement, transact};
use crate::{Error, WorkspaceId};

fields! {
    /// The body of a settings update.
    pub struct SettingsFields {
        /// Display name of the workspace.
        name: Line<120> = required,
        /// Default currency of deals.
        default_currency: Currency,
        /// Language of its articles.
        kb_language: KbLanguage,
        /// Whether its help page can create tickets without an API key.
        widget_enabled: bool,
        /// Origins of the pages that can use the widget.
        widget_origins: Origins,
        /// Whether its help centre shows published articles to everyone.
        help_centre_enabled: bool,
        /// Whether its help centre shows pictures from other sites. These sites then learn the IP addresses of readers.
        /// Contract: additional.
        help_centre_pictures: bool,
        /// IANA name of the time zone in which time entries have their days.
        /// Contract: additional.
        time_zone: TimeZoneName,
        /// The last day whose time entries are locked. Timers that began on a locked day are stopped. Only owners move it back or remove it.
        /// Contract: additional.
        time_locked_until: Date,
        /// Whether time entries of one member may overlap.
        /// Contract: additional.
        time_overlaps_allowed: bool,
        /// Whether owners and admins must have a second factor.
        require_second_factor: bool,
        /// Whether customers get an e-mail when their ticket is received and when it is resolved.
        /// Contract: additional.
        notify_requesters: bool,
        /// Networks from which keys and users can send requests; empty for any.
        allowed_networks: Networks,
    }
}

/// A workspace as shown in its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Workspace")]
#[expect(clippy::struct_excessive_bools, reason = "settings that are independent of each other")]
pub struct WorkspaceView {
    pub id: WorkspaceId,
    pub slug: String,
    pub name: String,
    pub plan: Plan,
    pub status: WorkspaceStatus,
    pub default_currency: String,
    pub kb_language: KbLanguage,
    pub widget_enabled: bool,
    pub widget_origins: Vec<String>,
    pub help_centre_enabled: bool,
    #[schemars(extend("x-contract" = "additional"))]
    pub help_centre_pictures: bool,
    #[schemars(extend("x-contract" = "additional"))]
    pub time_zone: String,
    #[serde(with = "OptionalDateText")]
    #[schemars(extend("x-contract" = "additional"))]
    pub time_locked_until: Option<Date>,
    #[schemars(extend("x-contract" = "additional"))]
    pub time_overlaps_allowed: bool,
    pub require_second_factor: bool,
    #[schemars(extend("x-contract" = "additional"))]
    pub notify_requesters: bool,
    pub allowed_networks: Networks,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
}

impl WorkspaceView {
    fn new(workspace: Workspace, settings: &Settings) -> Self {
        Self {
            notify_requesters: workspace.notifies_requesters(settings),
            id: workspace.id,
            slug: workspace.slug,
            name: workspace.name,
            plan: workspace.plan,
            status: workspace.status,
            default_currency: workspace.default_currency,
            kb_language: workspace.kb_language,
            widget_enabled: workspace.widget_enabled,
            widget_origins: workspace.widget_origins,
            help_centre_enabled: workspace.help_centre_enabled,
            help_centre_pictures: workspace.help_centre_pictures,
            time_zone: workspace.time_zone,
            time_locked_until: workspace.time_locked_until,
            time_overlaps_allowed: workspace.time_overlaps_allowed,
            require_second_factor: workspace.require_second_factor,
            allowed_networks: workspace.allowed_networks,
            version: workspace.version,
            created_at: workspace.created_at,
            updated_at: workspace.updated_at,
        }
    }
}

/// Reads the stored settings.
pub async fn read(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<WorkspaceView, Error> {
    let workspace = statement(ports, permit, |tx| Ok(tx.workspace().get()?)).await?;
    Ok(WorkspaceView::new(workspace, &ports.settings))
}

/// Changes the settings. After a change of language, articles are re-indexed one by one in the background. Timers that began on a
/// newly locked day are stopped.
///
/// # Errors
/// [`Error::ConcurrentUpdate`]; [`Error::Forbidden`] for unlocking time entries without being an owner; [`Error::Invalid`] for
/// networks that exclude the caller, or for demanding a second factor without having one.
pub async fn update(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    expected: ExpectedVersion,
    fields: SettingsFields,
) -> Result<WorkspaceView, Error> {
    check_own_second_factor(ports, permit, &fields).await?;
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let subject = AuditSubject::workspace(id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::WorkspaceUpdated, subject, json!({}));
    let (acting, owned_ports) = (permit.clone(), ports.clone());
    let workspace = transact(ports, permit, move |tx| {
        let role = acting.confirm(tx, now)?;
        let stored = tx.workspace().get_for_update()?;
        let mut workspace = stored.clone();
        workspace.apply(fields.clone());
        if role != Role::Owner && workspace.time_locked_until < stored.time_locked_until {
            let message = "only owners unlock time entries: the last locked day can only be moved forward";
            return Err(Error::Forbidden(message.to_owned()));
        }
        if workspace.allowed_networks != stored.allowed_networks {
            check_includes_caller(&acting, &workspace.allowed_networks)?;
        }
        expected.check(stored.version)?;
        if workspace != stored {
            workspace.touch(now);
            tx.workspace().save(&workspace)?;
            if workspace.time_locked_until > stored.time_locked_until {
                TIMERS.stop_in_locked_period(&owned_ports, &workspace, tx, &acting.principal(), now)?;
            }
            tx.credential_changed(id.0)?;
            tx.audit().append(&entry.with(changes(&stored, &workspace)))?;
        }
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(WorkspaceView::new(workspace, &ports.settings))
}

/// Allows keys and users from every network again, for a workspace that has locked itself out. The networks of its keys stay.
pub async fn allow_all_networks(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Workspace, Error> {
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let subject = AuditSubject::workspace(id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::WorkspaceUpdated, subject, json!({}));
    let workspace = transact(ports, permit, move |tx| {
        let mut workspace = tx.workspace().get_for_update()?;
        let former = std::mem::take(&mut workspace.allowed_networks);
        if former != Networks::default() {
            workspace.touch(now);
            tx.workspace().save(&workspace)?;
            tx.credential_changed(id.0)?;
            tx.audit().append(&entry.with(json!({ "allowed_networks": { "from": former, "to": [] } })))?;
        }
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(workspace)
}

impl Workspace {
    fn apply(&mut self, fields: SettingsFields) {
        fields.name.store_or(self.name.clone(), &mut self.name);
        fields.default_currency.store_or(DEFAULT_CURRENCY.to_owned(), &mut self.default_currency);
        fields.kb_language.store_or(DEFAULT_KB_LANGUAGE, &mut self.kb_language);
        fields.widget_enabled.store_or(false, &mut self.widget_enabled);
        fields.widget_origins.store_or(Vec::new(), &mut self.widget_origins);
        fields.help_centre_enabled.store_or(true, &mut self.help_centre_enabled);
        fields.help_centre_pictures.store_or(false, &mut self.help_centre_pictures);
        fields.time_zone.store_or(DEFAULT_TIME_ZONE.to_owned(), &mut self.time_zone);
        fields.time_locked_until.store(&mut self.time_locked_until);
        fields.time_overlaps_allowed.store_or(false, &mut self.time_overlaps_allowed);
        fields.require_second_factor.store_or(false, &mut self.require_second_factor);
        fields.notify_requesters.store(&mut self.notify_requesters);
        fields.allowed_networks.store_or(Networks::default(), &mut self.allowed_networks);
    }
}

/// Only callers with a second factor can require one of others.
async fn check_own_second_factor(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    fields: &SettingsFields,
) -> Result<(), Error> {
    if let (Some(true), Some((_, user))) = (fields.require_second_factor.set(), permit.session())
        && !has_second_factor(ports, user).await?
    {
        let message = "requires that you have a second factor yourself: set one up first";
        return Err(Error::invalid("require_second_factor", "needs_second_factor", message));
    }
    Ok(())
}

/// The networks must contain the caller's own address, so that callers cannot lock themselves out.
fn check_includes_caller(permit: &Permit<ManageWorkspace>, networks: &Networks) -> Result<(), Error> {
    let address = permit.principal().address;
    if permit.session().is_none() || networks.allow(address) {
        return Ok(());
    }
    let text = address.map_or_else(|| "which is unknown".to_owned(), |address| address.to_canonical().to_string());
    let message = format!("must include the address that this request comes from, {text}: you would lock yourself out");
    Err(Error::invalid("allowed_networks", "excludes_caller", message))
}

/// The settings that differ, each with its old and new value.
fn changes(from: &Workspace, to: &Workspace) -> serde_json::Value {
    let settings = |workspace: &Workspace| {
        json!({
            "name": workspace.name,
            "default_currency": workspace.default_currency,
            "kb_language": workspace.kb_language,
            "widget_enabled": workspace.widget_enabled,
            "widget_origins": workspace.widget_origins,
            "help_centre_enabled": workspace.help_centre_enabled,
            "help_centre_pictures": workspace.help_centre_pictures,
            "time_zone": workspace.time_zone,
            "time_locked_until": workspace.time_locked_until.map(|day| day.to_string()),
            "time_overlaps_allowed": workspace.time_overlaps_allowed,
            "require_second_factor": workspace.require_second_factor,
            "notify_requesters": workspace.notify_requesters,
            "allowed_networks": workspace.allowed_networks,
        })
    };
    differences(&settings(from), &settings(to))
}
