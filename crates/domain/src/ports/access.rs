//! Repositories of access control and usage.

use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::StoreError;
use crate::identity::accounts::{Session, SignInChallenge, SignInLink, SignInPlace};
use crate::identity::api_keys::ApiKey;
use crate::identity::audit::{AuditEntry, AuditFilter, LeftOutCount};
use crate::identity::members::{Invitation, Member, MemberRecord};
use crate::identity::notifications::{NotificationChoices, Recipient};
use crate::identity::workspaces::{FirstSteps, PasswordHash, Role, User, Workspace};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::PageRequest;
use crate::{ApiKeyId, SessionId, UserId};

pub trait WorkspaceRepo {
    /// Adds the workspace of the transaction; [`StoreError::Duplicate`] of `slug`.
    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError>;
    fn get(&mut self) -> Result<Workspace, StoreError>;
    /// The workspace, locked until the transaction ends.
    fn get_for_update(&mut self) -> Result<Workspace, StoreError>;
    /// Writes all members of the workspace that was locked before; slug and id never change.
    fn save(&mut self, workspace: &Workspace) -> Result<(), StoreError>;
    /// Consumes the set-up code with this look-up id, and all other codes, if it has not expired and there is no workspace yet;
    /// returns whether it did. Concurrent set-ups wait until the transaction ends.
    fn use_set_up_code(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Marks everything created in the workspace up to `made_at` as sample data.
    fn mark_as_demo(&mut self, made_at: OffsetDateTime) -> Result<(), StoreError>;
    /// Which first steps are done, for a member. One statement.
    fn first_steps(&mut self, user: UserId) -> Result<FirstSteps, StoreError>;
}

pub trait MemberRepo {
    /// Members in every state, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<MemberRecord>, StoreError>;
    /// Members who have joined, including removed ones, newest first, one more than the limit. An address in lower case limits the
    /// list to its member. One statement.
    fn list_joined(
        &mut self,
        email_key: Option<&str>,
        created: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<MemberRecord>, StoreError>;
    /// The members in any state with these addresses in lower case, in no particular order. One statement.
    fn ids_of(&mut self, email_keys: &[String]) -> Result<Vec<(String, UserId)>, StoreError>;
    /// The names of the members, as [`MemberRecord::to_view`] shows them, and of the API keys with these ids, in no
    /// particular order. One statement.
    fn names_of(&mut self, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError>;
    /// A member in any state, locked until the transaction ends.
    fn get_for_update(&mut self, id: UserId) -> Result<Option<MemberRecord>, StoreError>;
    /// A member in any state by the address in lower case, locked until the transaction ends.
    fn find_by_email(&mut self, email_key: &str) -> Result<Option<MemberRecord>, StoreError>;
    /// The active owners, locked until the transaction ends.
    fn owners_for_update(&mut self) -> Result<Vec<UserId>, StoreError>;
    /// The addresses of the active owners who joined first, at most [`MAX_NOTIFIED`](crate::identity::members::MAX_NOTIFIED).
    fn owner_addresses(&mut self) -> Result<Vec<String>, StoreError>;
    /// Makes a member an operator of the service.
    fn make_operator(&mut self, id: UserId) -> Result<(), StoreError>;
    /// Whether a member is an operator of the service. This cannot be revoked until the transaction ends.
    fn is_operator(&mut self, id: UserId) -> Result<bool, StoreError>;
    /// The addresses of the active owners and then of the active admins, each by time of joining; at most
    /// [`MAX_NOTIFIED`](crate::identity::members::MAX_NOTIFIED).
    fn administrator_addresses(&mut self) -> Result<Vec<String>, StoreError>;
    /// Creates the user unless the address has one, and adds the membership; an existing membership is
    /// [`StoreError::Duplicate`] of `email`.
    fn add(&mut self, user: &User, member: &Member) -> Result<MemberRecord, StoreError>;
    /// Writes all members of a membership that was locked before.
    fn save(&mut self, member: &Member) -> Result<(), StoreError>;
    /// Sets a member's name and password, unless the member has a password already; returns whether it did.
    fn set_profile(&mut self, user: &User) -> Result<bool, StoreError>;
    /// Changes the name of a user in all their workspaces, and the choice of e-mails about their work.
    fn save_account(&mut self, id: UserId, name: &str, choices: NotificationChoices) -> Result<(), StoreError>;
    /// The active members among these users, in no particular order. One statement.
    fn recipients(&mut self, ids: &[UserId]) -> Result<Vec<Recipient>, StoreError>;
    /// Stores a member's invitation and returns `None`. An earlier one is replaced unless it is unused and expires after
    /// `unless_after`; then nothing is stored, and its expiry is returned. Exact under parallel calls.
    fn put_invitation(
        &mut self,
        invitation: &Invitation,
        unless_after: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError>;
    /// Consumes the member's invitation if it is this one and unused; returns whether it did.
    fn use_invitation(&mut self, id: UserId, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Withdraws the member's invitation, if there is one.
    fn withdraw_invitation(&mut self, id: UserId) -> Result<(), StoreError>;
}

pub trait SessionRepo {
    /// Adds a session, unless the user is not active in the workspace or the password has changed since it was read (`None`: the
    /// user had none); returns whether it did. Until the transaction ends, no other transaction can end all sessions of the user or
    /// change the password.
    fn insert(&mut self, session: &Session, password: Option<&PasswordHash>) -> Result<bool, StoreError>;
    /// Whether the user has this live session in any workspace. No other transaction can end it until this one ends.
    fn is_alive(&mut self, user: UserId, id: SessionId, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// Stores a link that signs the member in. It replaces the member's previous link.
    fn put_link(&mut self, link: &SignInLink) -> Result<(), StoreError>;
    /// Consumes an unused link that has not expired; returns whether there was one. One statement, exact under concurrent uses.
    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError>;
    /// The current role of a session's user; `None` if the session has ended, or the user or the workspace is not active. No other
    /// transaction can end the session until this one ends.
    fn role_now(&mut self, id: SessionId, now: OffsetDateTime) -> Result<Option<Role>, StoreError>;
    /// Records where a user signed in from, and returns earlier locations in any workspace, latest first. Keeps at most the
    /// `keep` latest.
    fn note_sign_in(
        &mut self,
        user: UserId,
        here: &SignInPlace,
        keep: u32,
        now: OffsetDateTime,
    ) -> Result<Vec<SignInPlace>, StoreError>;
    /// Ends a session, if it exists.
    fn end(&mut self, id: SessionId) -> Result<(), StoreError>;
    /// Ends all sessions of a user in this workspace except the `most` last used; returns the ended ones.
    fn end_all_but(&mut self, user: UserId, most: u32) -> Result<Vec<SessionId>, StoreError>;
    /// Ends all sessions of a user in this workspace.
    fn end_all_of(&mut self, user: UserId) -> Result<(), StoreError>;
}

/// Sign-ins that wait for the choice of a workspace or for a code.
pub trait ChallengeRepo {
    /// Adds a challenge under the conditions of [`SessionRepo::insert`], and ends all challenges of the user in this workspace
    /// except the `most` that expire last; returns whether it did.
    fn insert(
        &mut self,
        challenge: &SignInChallenge,
        password: Option<&PasswordHash>,
        most: u32,
    ) -> Result<bool, StoreError>;
    /// Counts one more attempt, unless the challenge has expired or had `most` attempts; returns whether it did. One statement,
    /// exact under concurrent attempts.
    fn take_try(&mut self, lookup_id: &str, now: OffsetDateTime, most: u32) -> Result<bool, StoreError>;
    /// Removes a challenge; returns whether there was one.
    fn remove(&mut self, lookup_id: &str) -> Result<bool, StoreError>;
}

pub trait ApiKeyRepo {
    /// A key in any state.
    fn get(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError>;
    /// Counts one more call of a trial, unless its calls are used up; returns whether it was counted. One statement,
    /// exact under concurrent calls.
    fn take_trial_call(&mut self, id: ApiKeyId) -> Result<bool, StoreError>;
    /// The number of keys that are neither revoked nor expired. Concurrent callers wait until this transaction ends, so the number
    /// is still correct when a key is added.
    fn count_active_for_update(&mut self, now: OffsetDateTime) -> Result<u64, StoreError>;
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError>;
    /// Keys in every state, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<ApiKey>, StoreError>;
    /// The active keys that a user created, newest first. One statement.
    fn active_of(&mut self, user: UserId, now: OffsetDateTime, limit: u32) -> Result<Vec<ApiKey>, StoreError>;
    /// Revokes the active keys that a user created; returns them. One statement.
    fn revoke_all_of(&mut self, user: UserId, now: OffsetDateTime) -> Result<Vec<ApiKey>, StoreError>;
    /// A key, locked until the transaction ends.
    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError>;
    /// Writes name, networks, whether permissions narrow REST, revocation and version of a key that was locked before; the rest never changes.
    fn save(&mut self, key: &ApiKey) -> Result<(), StoreError>;
}

/// The audit log of the workspace. Entries cannot be changed.
pub trait AuditRepo {
    /// Adds an entry and counts it against the limit of its action ([`AuditEntry::counted`]). A routine entry above the limit is
    /// only counted.
    ///
    /// # Errors
    /// [`StoreError::AuditBound`] for a protected entry above the limit.
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError>;
    /// Takes at most `limit` counts of entries that were left out in past hours.
    fn take_left_out(&mut self, before: OffsetDateTime, limit: u32) -> Result<Vec<LeftOutCount>, StoreError>;
    /// Entries that match, newest first, one more than the limit. One statement.
    fn list(&mut self, filter: &AuditFilter, page: &PageRequest) -> Result<Vec<AuditEntry>, StoreError>;
}

/// The result of taking from the monthly quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaResult {
    /// One more record was counted.
    Counted,
    /// The month's quota is used up.
    Exhausted,
    /// The workspace has changed since it was read, so its limit may have changed.
    StaleVersion,
}

/// The result of taking several from the monthly quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaGrant {
    /// This many records were counted.
    Counted(u64),
    /// As for [`QuotaResult`].
    StaleVersion,
}

/// The usage of the workspace. Months are identified by their first day.
pub trait QuotaRepo {
    /// Counts one more record, if the month is below `limit` and the workspace is at this version. Rolled back with
    /// the transaction. Never exceeds the limit, and makes transactions wait for each other only close to it.
    fn take(&mut self, month: Date, limit: u64, version: i64) -> Result<QuotaResult, StoreError>;
    /// Like `take`, for up to `wanted` records: counts as many as the limit allows. Transactions that cannot use already allocated
    /// quota wait for each other until they end.
    fn take_many(&mut self, month: Date, wanted: u64, limit: u64, version: i64) -> Result<QuotaGrant, StoreError>;
    /// The number of records counted in the month.
    fn used(&mut self, month: Date) -> Result<u64, StoreError>;
    /// Prepares the count of a month in advance, so that its first create need not.
    fn begin(&mut self, month: Date) -> Result<(), StoreError>;
    /// The requests recorded for a day, and since the first of a month.
    fn requests(&mut self, today: Date, month: Date) -> Result<(u64, u64), StoreError>;
}
