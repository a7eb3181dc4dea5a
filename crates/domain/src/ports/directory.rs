//! Operations that cross workspaces: finding a credential or a user, the operator's commands, and maintenance.

use std::time::Duration;

use async_trait::async_trait;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::StoreError;
use crate::email::link_requests::{LinkRequest, QueueBounds, RecentLinks};
use crate::email::{EmailFilter, EmailSummary};
use crate::identity::accounts::{
    ChallengeLookup, InvitationLookup, LoginLookup, PasswordChange, PasswordReset, ResetEmail, SecondFactor,
    SecondFactorChange, Session, SessionLookup, SignInLinkLookup, UserAccount,
};
use crate::identity::api_keys::ApiKeyLookup;
use crate::identity::audit::{AuditEntry, AuditRetention};
use crate::identity::set_up::SetUpCode;
use crate::identity::usage::CredentialUsage;
use crate::identity::workspaces::{ErasureStep, OperatorFlag, PasswordHash, User, Workspace, WorkspaceFilter};
use crate::kernel::paging::PageRequest;
use crate::limits::{AddressGroup, EventBytesOfDay, EventBytesUsed};
use crate::support::{PortalSessionLookup, TrackingLinkLookup};
use crate::{EmailId, LinkRequestId, SessionId, UserId, WorkspaceId};

/// Operations that cross workspaces.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The key with this look-up id and its workspace, in any state.
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<ApiKeyLookup>, StoreError>;
    /// The session with this look-up id, if its user is active in its workspace; the workspace may be in any state.
    async fn find_session(&self, lookup_id: &str) -> Result<Option<SessionLookup>, StoreError>;
    /// The ids of workspaces, keys, sessions and users that changed within the last `within`, by the database's clock.
    async fn credential_changes(&self, within: Duration) -> Result<Vec<Uuid>, StoreError>;
    /// The user with this address in lower case, and the workspaces where they are active.
    async fn find_account(&self, email_key: &str) -> Result<Option<UserAccount>, StoreError>;
    /// The user, and the workspaces where they are active.
    async fn find_user(&self, id: UserId) -> Result<Option<UserAccount>, StoreError>;
    /// The live sessions of a user in all workspaces, last used first.
    async fn list_sessions(
        &self,
        user: UserId,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<(Session, Workspace)>, StoreError>;
    /// Ends a session of a user in any workspace, notifies the instances and adds an entry to that workspace's audit log;
    /// returns whether there was one.
    async fn end_session(&self, user: UserId, id: SessionId, entry: &AuditEntry) -> Result<bool, StoreError>;
    /// Ends all sessions and pending sign-ins of a user in all workspaces, notifies the instances and adds audit entries.
    async fn end_all_sessions(&self, user: UserId, entries: Vec<(WorkspaceId, AuditEntry)>) -> Result<(), StoreError>;
    /// The link with this look-up id, in any state, if its user is active in its workspace.
    async fn find_sign_in_link(&self, lookup_id: &str) -> Result<Option<SignInLinkLookup>, StoreError>;
    /// Stores a set-up code that replaces the previous one of its instance, unless there is a workspace; returns whether it did.
    /// Only the newest `keep` codes stay.
    async fn put_set_up_code(&self, code: &SetUpCode, keep: u32) -> Result<bool, StoreError>;
    /// The set-up code with this look-up id, expired or not.
    async fn find_set_up_code(&self, lookup_id: &str) -> Result<Option<SetUpCode>, StoreError>;
    /// The second factor of a user, confirmed or not.
    async fn find_second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError>;
    /// Stores or deletes a second factor if its version is still the expected one, adds audit entries, queues the e-mail, and
    /// notifies the instances if the factor was turned on or off. Returns whether it did.
    async fn change_second_factor(&self, change: SecondFactorChange) -> Result<bool, StoreError>;
    /// The pending sign-in with this look-up id, in any state, if its user is active in its workspace.
    async fn find_challenge(&self, lookup_id: &str) -> Result<Option<ChallengeLookup>, StoreError>;
    /// Like `find_account`, with whether the user has signed in from this network before. Timing-safe: the same
    /// statements whether or not there is such a user.
    async fn find_login(&self, email_key: &str, network: AddressGroup) -> Result<Option<LoginLookup>, StoreError>;
    /// A user's password, if they have one.
    async fn find_password(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError>;
    /// Sets a password, and an e-mail address if one is given. Ends all sessions and pending sign-ins of the user in all
    /// workspaces, lifts the block on codes of the second factor after wrong ones, withdraws another open reset, and adds audit
    /// entries. Does nothing if the proof that allows the change no longer exists. Returns whether it did. The address of another
    /// account is [`StoreError::Duplicate`] of `email`.
    async fn change_password(&self, change: PasswordChange) -> Result<bool, StoreError>;
    /// Stores a user's reset and queues its e-mail; returns whether it did. Does not if an earlier unused reset expires after
    /// `unless_after`, or if the mailbox has reached its limit, in which case the link in its last e-mail stays valid. The same
    /// transaction completes the link request in either case. If the request was already completed, nothing happens.
    async fn put_password_reset(
        &self,
        reset: &PasswordReset,
        unless_after: OffsetDateTime,
        answer: Option<&ResetEmail>,
    ) -> Result<bool, StoreError>;
    /// The reset with this look-up id, in any state, and its user.
    async fn find_password_reset(&self, lookup_id: &str) -> Result<Option<(PasswordReset, UserAccount)>, StoreError>;
    /// The invitation with this look-up id, in any state.
    async fn find_invitation(&self, lookup_id: &str) -> Result<Option<InvitationLookup>, StoreError>;
    /// The ticket link with this look-up id, in any state; `None` once the ticket is deleted.
    async fn find_tracking_link(&self, lookup_id: &str) -> Result<Option<TrackingLinkLookup>, StoreError>;
    /// The customer session with this look-up id, in any state; `None` once the ticket is deleted.
    async fn find_portal_session(&self, lookup_id: &str) -> Result<Option<PortalSessionLookup>, StoreError>;
    /// The workspace with this slug or id.
    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError>;
    /// Workspaces ordered by slug, starting after `after_slug`.
    async fn list_workspaces(&self, after_slug: &str, limit: u32) -> Result<Vec<Workspace>, StoreError>;
    /// Workspaces, newest first, one more than the limit.
    async fn search_workspaces(
        &self,
        filter: &WorkspaceFilter,
        page: &PageRequest,
    ) -> Result<Vec<Workspace>, StoreError>;
    /// Deletes about `limit` rows of one workspace that is due for erasure, in one transaction: its records first, and finally the
    /// workspace with those users who were never in another one and are not operators. Two callers never work on the same
    /// workspace.
    async fn erase_workspaces(&self, now: OffsetDateTime, limit: u32) -> Result<ErasureStep, StoreError>;
    /// Erases records that were deleted at or before `before`, oldest deletion first, at most `limit` rows in one transaction, as
    /// [`RecordErasureRepo::erase`](super::RecordErasureRepo::erase) does; returns how many rows it changed. Two callers never work
    /// on the same record.
    async fn erase_deleted_records(
        &self,
        before: OffsetDateTime,
        at: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError>;
    /// Sets or removes the operator flag, adds the audit entries, and notifies the instances.
    async fn set_operator(&self, change: OperatorFlag) -> Result<(), StoreError>;
    /// Operators, sorted by the bytes of their address in lower case, at most `limit`.
    async fn list_operators(&self, limit: u32) -> Result<Vec<User>, StoreError>;
    /// Whether there is any user with a password.
    async fn has_users(&self) -> Result<bool, StoreError>;
    /// Whether there is any workspace.
    async fn has_workspaces(&self) -> Result<bool, StoreError>;
    /// Creates a workspace and the first entry of its audit log; [`StoreError::Duplicate`] if the slug is in use.
    async fn create_workspace(&self, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError>;
    /// E-mails, newest first.
    async fn list_emails(&self, filter: EmailFilter) -> Result<Vec<EmailSummary>, StoreError>;
    /// An e-mail of a workspace.
    async fn find_email(&self, workspace: WorkspaceId, id: EmailId) -> Result<Option<EmailSummary>, StoreError>;
    /// Makes an e-mail due now if it waits for a later time and is not in flight; returns whether it did.
    async fn retry_email(&self, workspace: WorkspaceId, id: EmailId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Like `retry_email`, for at most `limit` e-mails of a workspace; returns how many.
    async fn retry_emails(&self, workspace: WorkspaceId, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Adds requests per workspace and day, and updates the last use of each key and session at most once a minute.
    async fn record_activity(&self, usages: &[CredentialUsage]) -> Result<(), StoreError>;
    /// Adds to the byte counts of event logs, and returns the sums of these days with the limits of the workspaces. Leaves out
    /// workspaces that no longer exist. One statement.
    async fn add_event_bytes(&self, counts: &[EventBytesOfDay]) -> Result<Vec<EventBytesUsed>, StoreError>;
    /// The workspaces that added most to their event logs on a day, largest first.
    async fn largest_event_logs(&self, day: Date, limit: u32) -> Result<Vec<EventBytesUsed>, StoreError>;
    /// Deletes at most `limit` stored responses created before `before`; returns how many.
    async fn prune_idempotency(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Prunes expired rows: at most `limit` each of sessions, resets, ticket links and customer sessions that ended
    /// before `now`, and of credential changes older than an hour. Returns how many.
    async fn prune_credentials(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Deletes at most `limit` presence entries that were written before `before`; returns how many.
    async fn prune_presences(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Deletes at most `limit` undos of the console that expired before `now`; returns how many.
    async fn prune_undos(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Workspaces with timers that have run since `since` or longer, at most `limit`.
    async fn workspaces_with_timers(&self, since: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// Workspaces with audit entries that were left out in past hours, at most `limit`.
    async fn find_left_out(&self, before: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// Deletes at most `limit` counts of audit entries of past hours in which nothing was left out; returns how many.
    async fn prune_audit_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Rebuilds the search index of at most `limit` articles, in any workspaces, whose language or index version is
    /// outdated; returns how many. Skips rows that other transactions have locked, so instances may call it
    /// concurrently.
    async fn reindex_articles(&self, limit: u32) -> Result<u64, StoreError>;
    /// Compares the stored words, tags and labels of at most `limit` records of a kind, in any workspaces, with those of this
    /// release, and reindexes those that differ; returns how many were compared, and 0 once all were. Does not wait for locks, so
    /// instances may call it concurrently.
    async fn reindex_records(&self, limit: u32) -> Result<u64, StoreError>;
    /// Updates at most `limit` keys of e-mail addresses per kind that an earlier release wrote, in all workspaces; returns how
    /// many. Contacts whose addresses become equal are all kept, and the oldest holds the key. Skips rows that other transactions
    /// have locked, so instances may call it concurrently.
    async fn renew_email_keys(&self, limit: u32) -> Result<u64, StoreError>;
    /// Folds at most `limit` recorded changes of deals into the totals of their workspaces, which the board shows; returns how
    /// many. Reads return the same totals before and after. Instances may call it concurrently.
    async fn fold_deal_totals(&self, limit: u32) -> Result<u64, StoreError>;
    /// Creates future months of the audit log, and drops those past their retention. Returns false if another transaction holds a
    /// lock, in which case the caller should retry. Instances may call it concurrently.
    async fn maintain_audit_months(&self, now: OffsetDateTime, keep: AuditRetention) -> Result<bool, StoreError>;
    /// Queues a link request of a client in this network, due immediately. If the queue has reached one of the bounds, the request
    /// is dropped and counted. Each waiting request of the same site delays it by a second. Timing-safe: always the same single
    /// statement.
    async fn put_link_request(
        &self,
        request: &LinkRequest,
        network: AddressGroup,
        bounds: &QueueBounds,
    ) -> Result<(), StoreError>;
    /// Claims at most `limit` requests in order; they become due again at `again_at`, after the others. Two callers never claim the
    /// same request.
    async fn take_link_requests(
        &self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<LinkRequest>, StoreError>;
    /// Deletes the requests that do not get an e-mail, because no user with a password and no ticket has the address, because a
    /// recent link is unused, or because the list has an equal request. Returns the others in order, with those from a network
    /// where the user has signed in before first.
    async fn sift_link_requests(
        &self,
        ids: &[LinkRequestId],
        recent: RecentLinks,
    ) -> Result<Vec<LinkRequestId>, StoreError>;
    /// Deletes a request that needs no e-mail.
    async fn drop_link_request(&self, id: LinkRequestId) -> Result<(), StoreError>;
    /// At most three times `limit` workspaces with due notices about webhooks: one has failed since before `failing_before`, the
    /// service has disabled it, or its maker is no longer active at `now`.
    async fn workspaces_with_webhook_notices(
        &self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<WorkspaceId>, StoreError>;
    /// At most `limit` workspaces with unfinished erasures of people's data.
    async fn workspaces_with_erasures(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// At most `limit` workspaces with pending events about records that were deleted or restored with their project.
    async fn workspaces_with_cascades(&self, limit: u32) -> Result<Vec<WorkspaceId>, StoreError>;
    /// Whether the database is available.
    async fn ping(&self) -> Result<(), StoreError>;
}
