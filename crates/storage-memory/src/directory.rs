//! Operations that cross workspaces.

use std::time::Duration;

use async_trait::async_trait;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::accounts::{account_of, change_password};
use super::not_in_memory::not_in_memory;
use super::{MemoryStore, activity, email, second_factors, sessions, set_up, time_entries};
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
use domain::kernel::input::parse_uuid;
use domain::kernel::paging::PageRequest;
use domain::limits::{AddressGroup, EventBytesOfDay, EventBytesUsed};
use domain::ports::{Clock, Directory, StoreError};
use domain::support::{PortalSessionLookup, TrackingLinkLookup};
use domain::work::issues::Issue;
use domain::{EmailId, LinkRequestId, SessionId, UserId, WorkspaceId};

#[async_trait]
impl Directory for MemoryStore {
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<ApiKeyLookup>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let key = records.api_keys.values().find(|key| key.lookup_id == lookup_id)?;
                Some(ApiKeyLookup { key: key.clone(), workspace: state.shared.workspaces.get(workspace)?.clone() })
            })
        }))
    }

    async fn find_session(&self, lookup_id: &str) -> Result<Option<SessionLookup>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let session = records.sessions.values().find(|session| session.lookup_id == lookup_id)?;
                Some(SessionLookup {
                    session: session.clone(),
                    workspace: state.shared.workspaces.get(workspace)?.clone(),
                    role: records.active_member(session.user_id)?.role,
                    user_name: state.shared.users.get(&session.user_id)?.name.clone(),
                    second_factor_since: state
                        .shared
                        .second_factors
                        .get(&session.user_id)
                        .and_then(|factor| factor.confirmed_at),
                    is_operator: state.shared.operators.contains(&session.user_id),
                })
            })
        }))
    }

    async fn credential_changes(&self, within: Duration) -> Result<Vec<Uuid>, StoreError> {
        let oldest = self.clock.elapsed().checked_sub(within);
        Ok(self.with(|state| {
            let young = state.shared.changes.iter().filter(|(at, _)| oldest.is_none_or(|oldest| *at > oldest));
            let ids: std::collections::BTreeSet<_> = young.map(|(_, id)| *id).collect();
            ids.into_iter().collect()
        }))
    }

    async fn find_account(&self, email_key: &str) -> Result<Option<UserAccount>, StoreError> {
        Ok(self.with(|state| {
            let user = state.shared.users.values().find(|user| user.email_key() == email_key)?;
            Some(account_of(state, user))
        }))
    }

    async fn find_user(&self, id: UserId) -> Result<Option<UserAccount>, StoreError> {
        Ok(self.with(|state| state.shared.users.get(&id).map(|user| account_of(state, user))))
    }

    async fn list_sessions(
        &self,
        user: UserId,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<(Session, Workspace)>, StoreError> {
        Ok(self.with(|state| sessions::list(state, user, now, limit)))
    }

    async fn end_session(&self, user: UserId, id: SessionId, entry: &AuditEntry) -> Result<bool, StoreError> {
        let at = self.clock.elapsed();
        Ok(self.with(|state| sessions::end(state, user, id, entry, at)))
    }

    async fn end_all_sessions(&self, user: UserId, entries: Vec<(WorkspaceId, AuditEntry)>) -> Result<(), StoreError> {
        let at = self.clock.elapsed();
        self.with(|state| sessions::end_all(state, user, &entries, at));
        Ok(())
    }

    async fn find_sign_in_link(&self, lookup_id: &str) -> Result<Option<SignInLinkLookup>, StoreError> {
        Ok(self.with(|state| set_up::find_link(state, lookup_id)))
    }

    async fn put_set_up_code(&self, code: &SetUpCode, keep: u32) -> Result<bool, StoreError> {
        Ok(self.with(|state| set_up::put_code(state, code, keep)))
    }

    async fn find_set_up_code(&self, lookup_id: &str) -> Result<Option<SetUpCode>, StoreError> {
        Ok(self.with(|state| state.shared.set_up_codes.values().find(|code| code.lookup_id == lookup_id).cloned()))
    }

    async fn find_second_factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        Ok(self.with(|state| state.shared.second_factors.get(&user).cloned()))
    }

    async fn change_second_factor(&self, change: SecondFactorChange) -> Result<bool, StoreError> {
        let at = self.clock.elapsed();
        Ok(self.with(|state| second_factors::change(state, change, at)))
    }

    async fn find_challenge(&self, _: &str) -> Result<Option<ChallengeLookup>, StoreError> {
        not_in_memory("Directory::find_challenge")
    }

    async fn find_login(&self, email_key: &str, network: AddressGroup) -> Result<Option<LoginLookup>, StoreError> {
        Ok(self.with(|state| {
            let user = state.shared.users.values().find(|user| user.email_key() == email_key)?;
            let known = state.shared.sign_ins.get(&user.id);
            let is_known_network = known.is_some_and(|known| known.iter().any(|one| one.network == network));
            Some(LoginLookup { account: account_of(state, user), is_known_network })
        }))
    }

    async fn find_password(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError> {
        Ok(self.with(|state| state.shared.users.get(&user)?.password.clone()))
    }

    async fn change_password(&self, change: PasswordChange) -> Result<bool, StoreError> {
        let at = self.clock.elapsed();
        self.with(|state| change_password(state, change, at))
    }

    async fn put_password_reset(
        &self,
        reset: &PasswordReset,
        unless_after: OffsetDateTime,
        answer: Option<&ResetEmail>,
    ) -> Result<bool, StoreError> {
        Ok(self.with(|state| {
            if answer.is_some_and(|answer| state.shared.link_requests.remove(&answer.request).is_none()) {
                return false;
            }
            if answer.is_some_and(|answer| !email::has_room(&state.shared, &answer.queued_email)) {
                return false;
            }
            let previous = state.shared.resets.get(&reset.user_id);
            let replaces =
                previous.is_none_or(|previous| previous.used_at.is_some() || previous.expires_at <= unless_after);
            if replaces {
                state.shared.resets.insert(reset.user_id, reset.clone());
                if let Some(ResetEmail { queued_email, .. }) = answer {
                    let records = state.records.entry(queued_email.workspace).or_default();
                    email::queue_email(&mut state.shared, records, queued_email);
                }
            }
            replaces
        }))
    }

    async fn find_password_reset(&self, lookup_id: &str) -> Result<Option<(PasswordReset, UserAccount)>, StoreError> {
        Ok(self.with(|state| {
            let reset = state.shared.resets.values().find(|reset| reset.lookup_id == lookup_id)?;
            Some((reset.clone(), account_of(state, state.shared.users.get(&reset.user_id)?)))
        }))
    }

    async fn find_invitation(&self, lookup_id: &str) -> Result<Option<InvitationLookup>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let invitation = records.invitations.values().find(|one| one.lookup_id == lookup_id)?;
                Some(InvitationLookup {
                    invitation: invitation.clone(),
                    workspace: state.shared.workspaces.get(workspace)?.clone(),
                    user: state.shared.users.get(&invitation.user_id)?.clone(),
                    member: records.members.get(&invitation.user_id)?.clone(),
                    inviter: invitation.invited_by.and_then(|id| Some(state.shared.users.get(&id)?.name.clone())),
                })
            })
        }))
    }

    async fn find_tracking_link(&self, lookup_id: &str) -> Result<Option<TrackingLinkLookup>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let link = records.links.get(lookup_id).filter(|link| records.of::<Issue>().has(link.issue_id))?;
                Some(TrackingLinkLookup {
                    link: link.clone(),
                    workspace: state.shared.workspaces.get(workspace)?.clone(),
                })
            })
        }))
    }

    async fn find_portal_session(&self, lookup_id: &str) -> Result<Option<PortalSessionLookup>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let mut sessions = records.portal_sessions.values();
                let session = sessions.find(|session| session.lookup_id == lookup_id)?;
                let workspace = state.shared.workspaces.get(workspace)?.clone();
                records
                    .of::<Issue>()
                    .has(session.issue_id)
                    .then(|| PortalSessionLookup { session: session.clone(), workspace })
            })
        }))
    }

    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
        let id = parse_uuid(slug_or_id).map(WorkspaceId);
        Ok(self.with(|state| {
            let mut all = state.shared.workspaces.values();
            all.find(|workspace| Some(workspace.id) == id || workspace.slug == slug_or_id).cloned()
        }))
    }

    async fn list_workspaces(&self, _: &str, _: u32) -> Result<Vec<Workspace>, StoreError> {
        not_in_memory("Directory::list_workspaces")
    }

    async fn search_workspaces(&self, _: &WorkspaceFilter, _: &PageRequest) -> Result<Vec<Workspace>, StoreError> {
        not_in_memory("Directory::search_workspaces")
    }

    async fn erase_workspaces(&self, _: OffsetDateTime, _: u32) -> Result<ErasureStep, StoreError> {
        not_in_memory("Directory::erase_workspaces")
    }

    async fn erase_deleted_records(&self, _: OffsetDateTime, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::erase_deleted_records")
    }

    async fn set_operator(&self, _: OperatorFlag) -> Result<(), StoreError> {
        not_in_memory("Directory::set_operator")
    }

    async fn list_operators(&self, _: u32) -> Result<Vec<User>, StoreError> {
        not_in_memory("Directory::list_operators")
    }

    async fn has_users(&self) -> Result<bool, StoreError> {
        Ok(self.with(|state| state.shared.users.values().any(|user| user.password.is_some())))
    }

    async fn has_workspaces(&self) -> Result<bool, StoreError> {
        Ok(self.with(|state| !state.shared.workspaces.is_empty()))
    }

    async fn create_workspace(&self, workspace: &Workspace, entry: &AuditEntry) -> Result<(), StoreError> {
        self.with(|state| {
            if state.shared.workspaces.values().any(|other| other.slug == workspace.slug) {
                return Err(StoreError::Duplicate { field: "slug" });
            }
            state.shared.workspaces.insert(workspace.id, workspace.clone());
            state.records.entry(workspace.id).or_default().audit.append(entry);
            Ok(())
        })
    }

    async fn list_emails(&self, _: EmailFilter) -> Result<Vec<EmailSummary>, StoreError> {
        not_in_memory("Directory::list_emails")
    }

    async fn find_email(&self, _: WorkspaceId, _: EmailId) -> Result<Option<EmailSummary>, StoreError> {
        not_in_memory("Directory::find_email")
    }

    async fn retry_email(&self, _: WorkspaceId, _: EmailId, _: OffsetDateTime) -> Result<bool, StoreError> {
        not_in_memory("Directory::retry_email")
    }

    async fn retry_emails(&self, _: WorkspaceId, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::retry_emails")
    }

    async fn record_activity(&self, seen: &[CredentialUsage]) -> Result<(), StoreError> {
        self.with(|state| activity::record(state, seen));
        Ok(())
    }

    async fn add_event_bytes(&self, _: &[EventBytesOfDay]) -> Result<Vec<EventBytesUsed>, StoreError> {
        not_in_memory("Directory::add_event_bytes")
    }

    async fn largest_event_logs(&self, _: Date, _: u32) -> Result<Vec<EventBytesUsed>, StoreError> {
        not_in_memory("Directory::largest_event_logs")
    }

    async fn prune_idempotency(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::prune_idempotency")
    }

    async fn prune_credentials(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::prune_credentials")
    }

    async fn prune_presences(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::prune_presences")
    }

    async fn prune_undos(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::prune_undos")
    }

    async fn find_left_out(&self, _: OffsetDateTime, _: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        not_in_memory("Directory::find_left_out")
    }

    async fn prune_audit_counts(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::prune_audit_counts")
    }

    async fn reindex_articles(&self, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::reindex_articles")
    }

    async fn reindex_records(&self, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::reindex_records")
    }

    async fn renew_email_keys(&self, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::renew_email_keys")
    }

    async fn fold_deal_totals(&self, _: u32) -> Result<u64, StoreError> {
        not_in_memory("Directory::fold_deal_totals")
    }

    async fn maintain_audit_months(&self, _: OffsetDateTime, _: AuditRetention) -> Result<bool, StoreError> {
        not_in_memory("Directory::maintain_audit_months")
    }

    async fn put_link_request(
        &self,
        request: &LinkRequest,
        _: AddressGroup,
        bounds: &QueueBounds,
    ) -> Result<(), StoreError> {
        self.with(|state| state.shared.put_link_request(request, bounds));
        Ok(())
    }

    async fn take_link_requests(
        &self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<LinkRequest>, StoreError> {
        Ok(self.with(|state| state.shared.take_link_requests(now, again_at, limit)))
    }

    async fn sift_link_requests(
        &self,
        ids: &[LinkRequestId],
        recent: RecentLinks,
    ) -> Result<Vec<LinkRequestId>, StoreError> {
        Ok(self.with(|state| state.sift_link_requests(ids, recent)))
    }

    async fn drop_link_request(&self, id: LinkRequestId) -> Result<(), StoreError> {
        self.with(|state| state.shared.link_requests.remove(&id));
        Ok(())
    }

    async fn workspaces_with_webhook_notices(
        &self,
        _: OffsetDateTime,
        _: OffsetDateTime,
        _: u32,
    ) -> Result<Vec<WorkspaceId>, StoreError> {
        not_in_memory("Directory::workspaces_with_webhook_notices")
    }

    async fn workspaces_with_erasures(&self, _: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        not_in_memory("Directory::workspaces_with_erasures")
    }

    async fn workspaces_with_cascades(&self, _: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        not_in_memory("Directory::workspaces_with_cascades")
    }

    async fn workspaces_with_timers(&self, since: OffsetDateTime, limit: u32) -> Result<Vec<WorkspaceId>, StoreError> {
        Ok(self.with(|state| time_entries::workspaces_with_timers(state, since, limit)))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
