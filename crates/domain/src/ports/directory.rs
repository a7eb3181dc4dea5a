//! What crosses workspaces, by name: finding a credential or a person, and the operator's work.

use std::time::Duration;

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::email::link_requests::LinkRequest;
use crate::email::{EmailFilter, EmailSummary};
use crate::identity::accounts::{
    InvitationLookup, PasswordChange, PasswordReset, ResetEmail, SessionLookup, UserAccount,
};
use crate::identity::api_keys::ApiKeyLookup;
use crate::identity::audit::AuditEntry;
use crate::identity::usage::CredentialUsage;
use crate::identity::workspaces::{PasswordHash, Workspace};
use crate::support::{PortalSessionLookup, TrackingLinkLookup};
use crate::{EmailId, LinkRequestId, UserId, WorkspaceId};

/// What crosses workspaces.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The key with this look-up id and its workspace, whatever their states.
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<ApiKeyLookup>, StoreError>;
    /// The session with this look-up id, of a person who is active in its workspace, whatever the workspace's state.
    async fn find_session(&self, lookup_id: &str) -> Result<Option<SessionLookup>, StoreError>;
    /// The workspaces, keys, sessions and people that changed over the last `within`, by the store's own clock.
    async fn credential_changes(&self, within: Duration) -> Result<Vec<Uuid>, StoreError>;
    /// The person with this address in lower case, and where they are active.
    async fn find_account(&self, email_key: &str) -> Result<Option<UserAccount>, StoreError>;
    /// A person's password, if they have one.
    async fn find_password(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError>;
    /// Sets a password, ends all sessions of the person in all workspaces, and tells the audit logs; nothing of that
    /// when what entitles to it is not there any more. Another reset that is open is taken back. Says whether it was
    /// done.
    async fn change_password(&self, change: PasswordChange) -> Result<bool, StoreError>;
    /// Keeps a person's reset, in place of a former one that was used or ends no later than `unless_after`; says whether
    /// it was done. What it answers is over in the same transaction, whether or not a former one stays, and the letter is
    /// queued in it where none does; nothing at all is done where the request is over already.
    async fn put_password_reset(
        &self,
        reset: &PasswordReset,
        unless_after: OffsetDateTime,
        answer: Option<&ResetEmail>,
    ) -> Result<bool, StoreError>;
    /// The reset with this look-up id, and the person, whatever its state.
    async fn find_password_reset(&self, lookup_id: &str) -> Result<Option<(PasswordReset, UserAccount)>, StoreError>;
    /// The invitation with this look-up id, whatever its state.
    async fn find_invitation(&self, lookup_id: &str) -> Result<Option<InvitationLookup>, StoreError>;
    /// The link to a ticket with this look-up id, whatever its state; none once the ticket is deleted.
    async fn find_tracking_link(&self, lookup_id: &str) -> Result<Option<TrackingLinkLookup>, StoreError>;
    /// The customer's session with this look-up id, whatever its state; none once the ticket is deleted.
    async fn find_portal_session(&self, lookup_id: &str) -> Result<Option<PortalSessionLookup>, StoreError>;
    /// The workspace with this slug or id.
    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError>;
    /// Workspaces in the order of their slugs, from behind one.
    async fn list_workspaces(&self, after_slug: &str, limit: u32) -> Result<Vec<Workspace>, StoreError>;
    /// Whether there is any workspace.
    async fn has_workspaces(&self) -> Result<bool, StoreError>;
    /// Makes a workspace, and the first entry of its audit log; a taken slug is [`StoreError::Duplicate`].
    async fn create_workspace(&self, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError>;
    /// Letters, the newest first.
    async fn list_emails(&self, filter: EmailFilter) -> Result<Vec<EmailSummary>, StoreError>;
    /// A letter of a workspace.
    async fn find_email(&self, workspace: WorkspaceId, id: EmailId) -> Result<Option<EmailSummary>, StoreError>;
    /// Makes a letter due now, if it waits for a later time and nobody has it in hand; says whether it did.
    async fn retry_email(&self, workspace: WorkspaceId, id: EmailId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// The same for at most `limit` letters of a workspace; says how many they were.
    async fn retry_emails(&self, workspace: WorkspaceId, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Adds up requests by workspace and day, and moves the times of last use of keys on, of each at most once a minute.
    async fn record_activity(&self, seen: &[CredentialUsage]) -> Result<(), StoreError>;
    /// Forgets at most `limit` kept answers made before `before`; says how many they were.
    async fn prune_idempotency(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Forgets what nobody asks for any more: at most `limit` each of sessions, resets, links to
    /// tickets and customers' sessions that ended before `now`, and
    /// of changes older than an hour. Says how many they were.
    async fn prune_credentials(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Brings what articles are found by to the language of their workspace, and to the way it is made now, in at most
    /// `limit` articles of any workspaces; says of how many. What others have in hand is left to them, so that any number
    /// of instances may do it at once.
    async fn reindex_articles(&self, limit: u32) -> Result<u64, StoreError>;
    /// Writes down a request for a link, due at once. Where `room` wait already, it is dropped, which is logged and
    /// counted. The same one statement whatever is asked for.
    async fn put_link_request(&self, request: &LinkRequest, room: u32) -> Result<(), StoreError>;
    /// The request that has been due for the longest time, if any is; it is due again at `again_at`. No two callers are
    /// told of one at the same time.
    async fn take_link_request(
        &self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
    ) -> Result<Option<LinkRequest>, StoreError>;
    /// Ends a request that nothing answers.
    async fn drop_link_request(&self, id: LinkRequestId) -> Result<(), StoreError>;
    /// Whether the store answers.
    async fn ping(&self) -> Result<(), StoreError>;
}
