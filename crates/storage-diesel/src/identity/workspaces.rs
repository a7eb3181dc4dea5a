//! The workspace of a transaction.

use diesel::prelude::*;
use domain::identity::workspaces::{Erasure, FirstSteps, Workspace, WorkspaceStatus};
use domain::kernel::KbLanguage;
use domain::limits::{Plan, WorkspaceLimits};
use domain::ports::{StoreError, WorkspaceRepo};
use domain::{UserId, WorkspaceId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::set_up;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::store::NO_WORKSPACE;
use crate::engine::tx::PgTx;
use crate::schema::{array_to_tsvector, workspaces};
use crate::support::lexemes::Prefix;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = workspaces, primary_key(id, slug, created_at))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
#[expect(clippy::struct_excessive_bools, reason = "one for each column")]
pub(crate) struct WorkspaceRow {
    id: Uuid,
    slug: String,
    name: String,
    plan: String,
    status: String,
    default_currency: String,
    created_at: OffsetDateTime,
    version: i64,
    updated_at: OffsetDateTime,
    widget_enabled: bool,
    widget_origins: Vec<String>,
    help_centre_enabled: bool,
    help_centre_pictures: bool,
    time_zone: String,
    time_locked_until: Option<Date>,
    time_overlaps_allowed: bool,
    requests_per_minute: Option<i64>,
    crm_quota_per_month: Option<i64>,
    public_tickets_per_hour: Option<i64>,
    public_fetches_per_minute: Option<i64>,
    public_kb_searches_per_minute: Option<i64>,
    kb_language: String,
    allowed_networks: Vec<String>,
    require_second_factor: bool,
    emails_per_hour: Option<i64>,
    event_bytes_per_day: Option<i64>,
    notify_requesters: Option<bool>,
    erase_at: Option<OffsetDateTime>,
    erasing: bool,
}

impl WorkspaceRow {
    pub(crate) fn of(workspace: &Workspace) -> Self {
        let (workspace, limits) = (workspace.clone(), workspace.limits);
        Self {
            id: workspace.id.0,
            slug: workspace.slug,
            name: workspace.name,
            plan: workspace.plan.as_str().to_owned(),
            status: workspace.status.as_str().to_owned(),
            default_currency: workspace.default_currency,
            created_at: workspace.created_at,
            version: workspace.version,
            updated_at: workspace.updated_at,
            widget_enabled: workspace.widget_enabled,
            widget_origins: workspace.widget_origins,
            help_centre_enabled: workspace.help_centre_enabled,
            help_centre_pictures: workspace.help_centre_pictures,
            time_zone: workspace.time_zone,
            time_locked_until: workspace.time_locked_until,
            time_overlaps_allowed: workspace.time_overlaps_allowed,
            requests_per_minute: limits.requests_per_minute.map(i64::from),
            crm_quota_per_month: limits.crm_quota_per_month.map(i64::from),
            public_tickets_per_hour: limits.public_tickets_per_hour.map(i64::from),
            public_fetches_per_minute: limits.public_fetches_per_minute.map(i64::from),
            public_kb_searches_per_minute: limits.public_kb_searches_per_minute.map(i64::from),
            kb_language: workspace.kb_language.as_str().to_owned(),
            allowed_networks: workspace.allowed_networks.to_strings(),
            require_second_factor: workspace.require_second_factor,
            emails_per_hour: limits.emails_per_hour.map(i64::from),
            event_bytes_per_day: limits.event_bytes_per_day.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX)),
            notify_requesters: workspace.notify_requesters,
            erase_at: workspace.erasure.map(|erasure| erasure.due_at),
            erasing: workspace.erasure.is_some_and(|erasure| erasure.has_begun),
        }
    }

    pub(crate) fn into_workspace(self) -> Result<Workspace, StoreError> {
        Ok(Workspace {
            id: WorkspaceId(self.id),
            slug: self.slug,
            name: self.name,
            plan: convert::parse_stored(&self.plan, Plan::parse)?,
            status: convert::parse_stored(&self.status, WorkspaceStatus::parse)?,
            erasure: self.erase_at.map(|due_at| Erasure { due_at, has_begun: self.erasing }),
            default_currency: self.default_currency,
            kb_language: convert::parse_stored(&self.kb_language, KbLanguage::parse)?,
            widget_enabled: self.widget_enabled,
            widget_origins: self.widget_origins,
            help_centre_enabled: self.help_centre_enabled,
            help_centre_pictures: self.help_centre_pictures,
            time_zone: self.time_zone,
            time_locked_until: self.time_locked_until,
            time_overlaps_allowed: self.time_overlaps_allowed,
            require_second_factor: self.require_second_factor,
            notify_requesters: self.notify_requesters,
            allowed_networks: convert::networks(&self.allowed_networks)?,
            limits: WorkspaceLimits {
                requests_per_minute: limit(self.requests_per_minute)?,
                crm_quota_per_month: limit(self.crm_quota_per_month)?,
                public_tickets_per_hour: limit(self.public_tickets_per_hour)?,
                public_fetches_per_minute: limit(self.public_fetches_per_minute)?,
                public_kb_searches_per_minute: limit(self.public_kb_searches_per_minute)?,
                emails_per_hour: limit(self.emails_per_hour)?,
                event_bytes_per_day: self.event_bytes_per_day.map(convert::count).transpose()?,
            },
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

fn limit(stored: Option<i64>) -> Result<Option<u32>, StoreError> {
    let fault = |stored: i64| StoreError::Internal(format!("{stored} is not a limit"));
    stored.map(|stored| u32::try_from(stored).map_err(|_| fault(stored))).transpose()
}

fn found(row: Option<WorkspaceRow>) -> Result<Workspace, StoreError> {
    row.ok_or_else(|| StoreError::Internal("the workspace of a transaction is gone".to_owned()))?.into_workspace()
}

/// The search words of a workspace, for operators. All workspaces form one collection.
pub(crate) fn search_lexemes(workspace: &Workspace) -> Vec<String> {
    Prefix::of(NO_WORKSPACE.0).lexemes(&workspace.search_words())
}

/// Adds a workspace, regardless of the transaction's workspace.
pub(crate) fn insert(tx: &mut PgTx<'_>, workspace: &Workspace) -> Result<(), StoreError> {
    let search = workspaces::search.eq(array_to_tsvector(search_lexemes(workspace)));
    tx.execute(diesel::insert_into(workspaces::table).values((WorkspaceRow::of(workspace), search))).map(drop)
}

impl WorkspaceRepo for PgTx<'_> {
    fn use_set_up_code(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        set_up::use_code(self, lookup_id, now)
    }

    fn mark_as_demo(&mut self, made_at: OffsetDateTime) -> Result<(), StoreError> {
        set_up::mark_as_demo(self, made_at)
    }

    fn first_steps(&mut self, user: UserId) -> Result<FirstSteps, StoreError> {
        set_up::first_steps(self, user)
    }

    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        insert(self, workspace)
    }

    fn get(&mut self) -> Result<Workspace, StoreError> {
        found(self.first(workspaces::table.find(self.workspace).select(WorkspaceRow::as_select()))?)
    }

    fn get_for_update(&mut self) -> Result<Workspace, StoreError> {
        let query = workspaces::table.find(self.workspace).select(WorkspaceRow::as_select()).for_no_key_update();
        found(self.first(query)?)
    }

    fn save(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        let search = workspaces::search.eq(array_to_tsvector(search_lexemes(workspace)));
        let row = (WorkspaceRow::of(workspace), search);
        let affected = self.execute(diesel::update(workspaces::table.find(self.workspace)).set(row))?;
        expect_rows(affected, 1)
    }
}
