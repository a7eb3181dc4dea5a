//! Repositories of who may do what, and of what they used.

use time::{Date, OffsetDateTime};

use super::StoreError;
use crate::identity::accounts::Session;
use crate::identity::api_keys::ApiKey;
use crate::identity::audit::AuditEntry;
use crate::identity::members::{Invitation, Member, MemberRecord};
use crate::identity::workspaces::{PasswordHash, Role, User, Workspace};
use crate::kernel::paging::PageRequest;
use crate::{ApiKeyId, SessionId, UserId};

/// The workspace of the transaction.
pub trait WorkspaceRepo {
    /// The workspace.
    fn get(&mut self) -> Result<Workspace, StoreError>;
    /// The workspace, locked until the transaction ends.
    fn get_for_update(&mut self) -> Result<Workspace, StoreError>;
    /// Writes all members of the workspace that was locked before; slug and id never change.
    fn save(&mut self, workspace: &Workspace) -> Result<(), StoreError>;
}

/// Members of the workspace.
pub trait MemberRepo {
    /// Members in every state, newest first, one more than the limit. One statement.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<MemberRecord>, StoreError>;
    /// A member in any state, locked until the transaction ends.
    fn get_for_update(&mut self, id: UserId) -> Result<Option<MemberRecord>, StoreError>;
    /// A member in any state by the address in lower case, locked until the transaction ends.
    fn find_by_email(&mut self, email_key: &str) -> Result<Option<MemberRecord>, StoreError>;
    /// The active owners, locked until the transaction ends.
    fn owners_for_update(&mut self) -> Result<Vec<UserId>, StoreError>;
    /// Makes the person unless the address is known, and the membership of whoever it is; an existing membership is
    /// [`StoreError::Duplicate`] of `email`.
    fn add(&mut self, user: &User, member: &Member) -> Result<MemberRecord, StoreError>;
    /// Writes all members of a membership that was locked before.
    fn save(&mut self, member: &Member) -> Result<(), StoreError>;
    /// Gives a member their name and password, unless they have a password already; says whether it was done.
    fn set_profile(&mut self, user: &User) -> Result<bool, StoreError>;
    /// Keeps a member's invitation, in place of a former one.
    fn put_invitation(&mut self, invitation: &Invitation) -> Result<(), StoreError>;
    /// Uses the member's invitation up if it is this one and still unused; says whether it was.
    fn use_invitation(&mut self, id: UserId, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Takes the member's invitation back, if there is one.
    fn withdraw_invitation(&mut self, id: UserId) -> Result<(), StoreError>;
}

/// Sessions in the workspace.
pub trait SessionRepo {
    /// Adds a session, unless the person is not active in the workspace or has another password than the verified one
    /// by now; says whether it was done.
    fn insert(&mut self, session: &Session, verified: &PasswordHash) -> Result<bool, StoreError>;
    /// What the person of a session may do right now: none when the session is over, the person no longer active, or the
    /// workspace not active. The session is kept from being ended by others until the transaction ends.
    fn role_now(&mut self, id: SessionId, now: OffsetDateTime) -> Result<Option<Role>, StoreError>;
    /// Ends a session, if it is there.
    fn end(&mut self, id: SessionId) -> Result<(), StoreError>;
    /// Ends all sessions that a person has in this workspace.
    fn end_all_of(&mut self, user: UserId) -> Result<(), StoreError>;
}

/// API keys of the workspace.
pub trait ApiKeyRepo {
    /// A key in any state.
    fn get(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError>;
    /// Counts one more call of a trial, unless it has had all of them; says whether it was counted. One statement, exact
    /// under parallel calls.
    fn take_trial_call(&mut self, id: ApiKeyId) -> Result<bool, StoreError>;
    /// Adds a key.
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError>;
    /// Keys in every state, newest first, one more than the limit. One statement.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<ApiKey>, StoreError>;
    /// The key, locked until the transaction ends.
    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError>;
    /// Writes name, revocation and version of a key that was locked before; the rest never changes.
    fn save(&mut self, key: &ApiKey) -> Result<(), StoreError>;
}

/// The audit log of the workspace. There is no way to change what is in it.
pub trait AuditRepo {
    /// Adds an act.
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError>;
    /// Acts, newest first, one more than the limit. One statement.
    fn list(&mut self, page: &PageRequest) -> Result<Vec<AuditEntry>, StoreError>;
}

/// What became of taking from the quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaResult {
    /// One more was counted.
    Counted,
    /// The month has had all.
    Exhausted,
    /// The workspace was changed: its limit may be another by now.
    StaleVersion,
}

/// What the workspace has used. Months are named by their first day.
pub trait QuotaRepo {
    /// Counts one record more, if the month has not had `limit` yet and the workspace is at this version. Undone with
    /// the transaction. Never lets the month have more than the limit, and makes transactions wait for each other only
    /// near it.
    fn take(&mut self, month: Date, limit: u64, version: i64) -> Result<QuotaResult, StoreError>;
    /// How many records the month has had.
    fn used(&mut self, month: Date) -> Result<u64, StoreError>;
    /// Counts the records of a month that nobody has asked for yet, so that no create has to.
    fn begin(&mut self, month: Date) -> Result<(), StoreError>;
    /// How many requests were recorded for a day, and since the first of a month.
    fn requests(&mut self, today: Date, month: Date) -> Result<(u64, u64), StoreError>;
}
