//! The ports that cross workspaces, one file per concern.

pub(crate) mod activity;
mod credentials;
mod customers;
pub(crate) mod email_keys;
pub(crate) mod emails;
mod erasure;
pub(crate) mod event_bytes;
pub(crate) mod link_requests;
mod operators;
pub(crate) mod queue_depths;
pub(crate) mod records_erasure;
pub(crate) mod search_reindex;
mod second_factors;
mod users;

#[cfg(test)]
pub(crate) use erasure::{due_query, erased, statements as erasure_statements};
pub(crate) use {credentials::note_change, erasure::erase_sql, operators::find_workspace_by_name};
#[cfg(test)]
pub(crate) use {credentials::sessions_query, operators::search_query as workspaces_query, users::operators_query};

use std::time::Duration;

use async_trait::async_trait;
use diesel::sql_types::BigInt;
use domain::email::link_requests::{LinkRequest, QueueBounds, RecentLinks};
use domain::email::{EmailFilter, EmailSummary};
use domain::identity::accounts::{
    ChallengeLookup, InvitationLookup, LoginLookup, PasswordChange, PasswordReset, ResetEmail, SecondFactor,
    SecondFactorChange, Session, SessionLookup, SignInLinkLookup, UserAccount,
};
use domain::identity::api_keys::ApiKeyLookup;
use domain::identity::audit::{AuditEntry, AuditRetention};
use domain::identity::set_up::SetUpCode;
use domain::identity::usage::CredentialUsage;
use domain::identity::workspaces::{ErasureStep, OperatorFlag, PasswordHash, User, Workspace, WorkspaceFilter};
use domain::kernel::paging::PageRequest;
use domain::limits::{AddressGroup, EventBytesOfDay, EventBytesUsed};
use domain::ports::{Abort, Directory, StoreError};
use domain::support::{PortalSessionLookup, TrackingLinkLookup};
use domain::{EmailId, LinkRequestId, SessionId, UserId, WorkspaceId};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::crm::board;
use crate::engine::statement::sql;
use crate::engine::store::{NO_WORKSPACE, PgStore};
use crate::identity::{audit, set_up};
use crate::work::{cascades, presence, time_entries};
use crate::{console, support::kb_reindex, webhooks::notices};

/// Rolls the transaction back if the change was rejected.
fn unless_rejected(is_made: Result<bool, StoreError>) -> Result<(), Abort> {
    if is_made.map_err(Abort::Store)? { Ok(()) } else { Err(Abort::Rule) }
}

#[async_trait]
impl Directory for PgStore {
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<ApiKeyLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| credentials::find_api_key(tx, &lookup_id)).await
    }

    async fn find_session(&self, lookup_id: &str) -> Result<Option<SessionLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| credentials::find_session(tx, &lookup_id)).await
    }

    async fn credential_changes(&self, within: Duration) -> Result<Vec<Uuid>, StoreError> {
        self.run_autocommit(move |tx| credentials::changes(tx, within)).await
    }

    async fn find_account(&self, email_key: &str) -> Result<Option<UserAccount>, StoreError> {
        let email_key = email_key.to_owned();
        self.run_autocommit(move |tx| users::find_by_email(tx, &email_key)).await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<UserAccount>, StoreError> {
        self.run_autocommit(move |tx| users::find(tx, id)).await
    }

    async fn list_sessions(
        &self,
        user: UserId,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<(Session, Workspace)>, StoreError> {
        self.run_autocommit(move |tx| credentials::list_sessions(tx, user, now, limit)).await
    }

    async fn end_session(&self, user: UserId, id: SessionId, entry: &AuditEntry) -> Result<bool, StoreError> {
        let entry = entry.clone();
        self.run_transaction(move |tx| credentials::end_session(tx, user, id, &entry)).await
    }

    async fn end_all_sessions(&self, user: UserId, entries: Vec<(WorkspaceId, AuditEntry)>) -> Result<(), StoreError> {
        self.run_transaction(move |tx| credentials::end_all_sessions(tx, user, &entries)).await
    }

    async fn find_sign_in_link(&self, lookup_id: &str) -> Result<Option<SignInLinkLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| credentials::find_sign_in_link(tx, &lookup_id)).await
    }

    async fn put_set_up_code(&self, code: &SetUpCode, keep: u32) -> Result<bool, StoreError> {
        let code = code.clone();
        self.run_transaction(move |tx| set_up::put(tx, &code, keep)).await
    }

    async fn find_set_up_code(&self, lookup_id: &str) -> Result<Option<SetUpCode>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| set_up::find(tx, &lookup_id)).await
    }

    async fn find_second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        self.run_autocommit(move |tx| second_factors::find(tx, user)).await
    }

    async fn change_second_factor(&self, change: SecondFactorChange) -> Result<bool, StoreError> {
        let committed = self.transact(NO_WORKSPACE, move |tx| unless_rejected(second_factors::change(tx, &change)));
        Ok(committed.await?.is_some())
    }

    async fn find_challenge(&self, lookup_id: &str) -> Result<Option<ChallengeLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| second_factors::find_challenge(tx, &lookup_id)).await
    }

    async fn find_login(&self, email_key: &str, network: AddressGroup) -> Result<Option<LoginLookup>, StoreError> {
        let email_key = email_key.to_owned();
        self.run_autocommit(move |tx| users::find_login(tx, &email_key, network)).await
    }

    async fn find_password(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError> {
        self.run_autocommit(move |tx| users::find_password(tx, user)).await
    }

    async fn change_password(&self, change: PasswordChange) -> Result<bool, StoreError> {
        let committed = self.transact(NO_WORKSPACE, move |tx| unless_rejected(users::change_password(tx, &change)));
        Ok(committed.await?.is_some())
    }

    async fn put_password_reset(
        &self,
        reset: &PasswordReset,
        unless_after: OffsetDateTime,
        reset_email: Option<&ResetEmail>,
    ) -> Result<bool, StoreError> {
        let (reset, reset_email) = (reset.clone(), reset_email.cloned());
        let committed = self.transact(NO_WORKSPACE, move |tx| {
            if let Some(reset_email) = &reset_email
                && !link_requests::drop_one(tx, reset_email.request).map_err(Abort::Store)?
            {
                return Err(Abort::Rule);
            }
            let queued_email = reset_email.as_ref().map(|reset_email| &reset_email.queued_email);
            users::put_reset(tx, &reset, unless_after, queued_email).map_err(Abort::Store)
        });
        Ok(committed.await? == Some(true))
    }

    async fn find_password_reset(&self, lookup_id: &str) -> Result<Option<(PasswordReset, UserAccount)>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| users::find_reset(tx, &lookup_id)).await
    }

    async fn find_invitation(&self, lookup_id: &str) -> Result<Option<InvitationLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| users::find_invitation(tx, &lookup_id)).await
    }

    async fn find_tracking_link(&self, lookup_id: &str) -> Result<Option<TrackingLinkLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| customers::find_tracking_link(tx, &lookup_id)).await
    }

    async fn find_portal_session(&self, lookup_id: &str) -> Result<Option<PortalSessionLookup>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        self.run_autocommit(move |tx| customers::find_portal_session(tx, &lookup_id)).await
    }

    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
        let name = slug_or_id.to_owned();
        self.run_autocommit(move |tx| find_workspace_by_name(tx, &name)).await
    }

    async fn list_workspaces(&self, after_slug: &str, limit: u32) -> Result<Vec<Workspace>, StoreError> {
        let after = after_slug.to_owned();
        self.run_autocommit(move |tx| operators::list_workspaces(tx, &after, limit)).await
    }

    async fn search_workspaces(
        &self,
        filter: &WorkspaceFilter,
        page: &PageRequest,
    ) -> Result<Vec<Workspace>, StoreError> {
        let (filter, page) = (filter.clone(), *page);
        self.run_autocommit(move |tx| operators::search(tx, &filter, &page)).await
    }

    async fn erase_workspaces(&self, now: OffsetDateTime, limit: u32) -> Result<ErasureStep, StoreError> {
        self.run_transaction(move |tx| erasure::step(tx, now, limit)).await
    }

    async fn erase_deleted_records(
        &self,
        before: OffsetDateTime,
        at: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError> {
        self.run_transaction(move |tx| records_erasure::step(tx, before, at, limit)).await
    }

    async fn set_operator(&self, change: OperatorFlag) -> Result<(), StoreError> {
        self.run_transaction(move |tx| operators::set_operator(tx, &change)).await
    }

    async fn list_operators(&self, limit: u32) -> Result<Vec<User>, StoreError> {
        self.run_autocommit(move |tx| users::list_operators(tx, limit)).await
    }

    async fn has_users(&self) -> Result<bool, StoreError> {
        self.run_autocommit(operators::has_users).await
    }

    async fn has_workspaces(&self) -> Result<bool, StoreError> {
        self.run_autocommit(operators::has_workspaces).await
    }

    async fn create_workspace(&self, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError> {
        let (workspace, entry) = (workspace.clone(), entry.clone());
        let transaction = self.transact(workspace.id, move |tx| {
            operators::create_workspace(tx, &workspace, &entry).map_err(Abort::Store)
        });
        transaction.await.map(drop)
    }

    async fn list_emails(&self, filter: EmailFilter) -> Result<Vec<EmailSummary>, StoreError> {
        self.run_autocommit(move |tx| emails::list(tx, filter)).await
    }

    async fn find_email(&self, workspace: WorkspaceId, id: EmailId) -> Result<Option<EmailSummary>, StoreError> {
        self.run_autocommit(move |tx| emails::find(tx, workspace, id)).await
    }

    async fn retry_email(&self, workspace: WorkspaceId, id: EmailId, now: OffsetDateTime) -> Result<bool, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(emails::retry_query(workspace, id, now))? > 0)).await
    }

    async fn retry_emails(&self, workspace: WorkspaceId, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(emails::retry_all_query(workspace, now, limit))? as u64)).await
    }

    async fn record_activity(&self, usage: &[CredentialUsage]) -> Result<(), StoreError> {
        let usage = activity::Sums::of(usage);
        self.run_transaction(move |tx| usage.write(tx)).await
    }

    async fn add_event_bytes(&self, days: &[EventBytesOfDay]) -> Result<Vec<EventBytesUsed>, StoreError> {
        let days = days.to_vec();
        self.run_transaction(move |tx| event_bytes::add(tx, &days)).await
    }

    async fn largest_event_logs(&self, day: Date, limit: u32) -> Result<Vec<EventBytesUsed>, StoreError> {
        self.run_autocommit(move |tx| event_bytes::largest(tx, day, limit)).await
    }

    async fn prune_idempotency(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| activity::prune_idempotency(tx, before, limit)).await
    }

    async fn prune_credentials(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| credentials::prune(tx, now, limit)).await
    }

    async fn prune_presences(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(presence::prune_query(before, limit))? as u64)).await
    }

    async fn prune_undos(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(console::undos::prune_query(now, limit))? as u64)).await
    }

    async fn find_left_out(&self, before: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| audit::counts::find_left_out(tx, before, limit)).await
    }

    async fn prune_audit_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| Ok(tx.execute(audit::counts::prune_query(before, limit))? as u64)).await
    }

    async fn reindex_articles(&self, limit: u32) -> Result<u64, StoreError> {
        self.run_transaction(move |tx| kb_reindex::reindex(tx, limit)).await
    }

    async fn reindex_records(&self, limit: u32) -> Result<u64, StoreError> {
        self.run_transaction(move |tx| search_reindex::reindex(tx, limit)).await
    }

    async fn renew_email_keys(&self, limit: u32) -> Result<u64, StoreError> {
        self.run_transaction(move |tx| email_keys::renew(tx, limit)).await
    }

    async fn fold_deal_totals(&self, limit: u32) -> Result<u64, StoreError> {
        self.run_autocommit(move |tx| board::fold(tx, limit)).await
    }

    async fn maintain_audit_months(&self, now: OffsetDateTime, keep: AuditRetention) -> Result<bool, StoreError> {
        self.run_autocommit(move |tx| audit::maintain_months(tx, now, keep)).await
    }

    async fn put_link_request(
        &self,
        request: &LinkRequest,
        network: AddressGroup,
        bounds: &QueueBounds,
    ) -> Result<(), StoreError> {
        let (request, bounds) = (request.clone(), *bounds);
        // An autocommit statement would be retried after a broken connection, which could process the request twice.
        let is_kept = self.run_transaction(move |tx| link_requests::put(tx, &request, network, &bounds)).await?;
        self.notify_link_request(is_kept);
        Ok(())
    }

    async fn take_link_requests(
        &self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<LinkRequest>, StoreError> {
        self.run_autocommit(move |tx| link_requests::take(tx, now, again_at, limit)).await
    }

    async fn sift_link_requests(
        &self,
        ids: &[LinkRequestId],
        recent: RecentLinks,
    ) -> Result<Vec<LinkRequestId>, StoreError> {
        let ids = ids.to_vec();
        self.run_autocommit(move |tx| link_requests::sift(tx, &ids, recent)).await
    }

    async fn drop_link_request(&self, id: LinkRequestId) -> Result<(), StoreError> {
        self.run_autocommit(move |tx| link_requests::drop_one(tx, id).map(drop)).await
    }

    async fn workspaces_with_webhook_notices(
        &self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| notices::workspaces(tx, now, failing_before, limit)).await
    }

    async fn workspaces_with_erasures(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| {
            let rows: Vec<Uuid> = tx.load(crate::support::erasure::workspaces_query(limit, tx.is_cluster))?;
            Ok(rows.into_iter().map(WorkspaceId).collect())
        })
        .await
    }

    async fn workspaces_with_cascades(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| cascades::workspaces(tx, limit)).await
    }

    async fn workspaces_with_timers(&self, since: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        self.run_autocommit(move |tx| time_entries::workspaces(tx, since, limit)).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        // Reads a table, as requests do: a bare SELECT 1 can succeed when no job does. Nothing locks this table: with any other
        // one, a lock would make all instances unready.
        let sql =
            || sql!("SELECT count(*) FROM (SELECT FROM __diesel_schema_migrations LIMIT 1) AS one").returns::<BigInt>();
        self.run_autocommit(move |tx| tx.value::<_, i64>(sql()).map(drop)).await?;
        self.check_disk().await
    }
}
