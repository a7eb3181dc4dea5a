//! Reads the credentials that customers present.

use diesel::prelude::*;
use domain::ports::StoreError;
use domain::support::{PortalSessionLookup, TrackingLinkLookup};

use crate::engine::tx::PgTx;
use crate::identity::workspaces::WorkspaceRow;
use crate::schema::{issues, portal_sessions, tracking_links, workspaces};
use crate::support::tickets::{LinkRow, PortalSessionRow};

pub(super) fn find_tracking_link(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<TrackingLinkLookup>, StoreError> {
    let ticket = issues::workspace_id.eq(tracking_links::workspace_id).and(issues::id.eq(tracking_links::issue_id));
    let query = tracking_links::table
        .inner_join(issues::table.on(ticket))
        .inner_join(workspaces::table.on(workspaces::id.eq(tracking_links::workspace_id)))
        .filter(tracking_links::lookup_id.eq(lookup_id.to_owned()))
        .filter(issues::deleted_at.is_null())
        .select((LinkRow::as_select(), WorkspaceRow::as_select()));
    let row: Option<(LinkRow, WorkspaceRow)> = tx.first(query)?;
    row.map(|(link, workspace)| {
        Ok(TrackingLinkLookup { link: link.into_link()?, workspace: workspace.into_workspace()? })
    })
    .transpose()
}

pub(super) fn find_portal_session(
    tx: &mut PgTx<'_>,
    lookup_id: &str,
) -> Result<Option<PortalSessionLookup>, StoreError> {
    let ticket = issues::workspace_id.eq(portal_sessions::workspace_id).and(issues::id.eq(portal_sessions::issue_id));
    let query = portal_sessions::table
        .inner_join(issues::table.on(ticket))
        .inner_join(workspaces::table.on(workspaces::id.eq(portal_sessions::workspace_id)))
        .filter(portal_sessions::lookup_id.eq(lookup_id.to_owned()))
        .filter(issues::deleted_at.is_null())
        .select((PortalSessionRow::as_select(), WorkspaceRow::as_select()));
    let row: Option<(PortalSessionRow, WorkspaceRow)> = tx.first(query)?;
    row.map(|(session, workspace)| {
        Ok(PortalSessionLookup { session: session.into_session()?, workspace: workspace.into_workspace()? })
    })
    .transpose()
}
