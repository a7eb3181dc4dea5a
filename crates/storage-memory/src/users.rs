//! The workspace itself, its members and their sessions.

use time::OffsetDateTime;

use super::not_in_memory::not_in_memory;
use super::state::MemoryTx;
use super::table::{Order, page};
use domain::identity::accounts::{Session, SignInLink, SignInPlace};
use domain::identity::members::{Invitation, Member, MemberRecord, MemberStatus};
use domain::identity::notifications::{NotificationChoices, Recipient};
use domain::identity::workspaces::{FirstSteps, PasswordHash, Role, User, Workspace, WorkspaceStatus};
use domain::kernel::input::{CreatedFilter, EmailKey};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{MemberRepo, SessionRepo, StoreError, WorkspaceRepo};
use domain::{SessionId, UserId};
use uuid::Uuid;

impl WorkspaceRepo for MemoryTx<'_> {
    fn use_set_up_code(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.use_code(lookup_id, now))
    }

    fn mark_as_demo(&mut self, made_at: OffsetDateTime) -> Result<(), StoreError> {
        self.records.demo_made_at = Some(made_at);
        Ok(())
    }

    fn first_steps(&mut self, user: UserId) -> Result<FirstSteps, StoreError> {
        Ok(self.steps(user))
    }

    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        if self.shared.workspaces.values().any(|other| other.slug == workspace.slug) {
            return Err(StoreError::Duplicate { field: "slug" });
        }
        self.shared.workspaces.insert(self.workspace, workspace.clone());
        Ok(())
    }

    fn get(&mut self) -> Result<Workspace, StoreError> {
        let found = self.shared.workspaces.get(&self.workspace).cloned();
        found.ok_or_else(|| StoreError::Internal("the workspace of a transaction is gone".to_owned()))
    }

    fn get_for_update(&mut self) -> Result<Workspace, StoreError> {
        WorkspaceRepo::get(self)
    }

    fn save(&mut self, workspace: &Workspace) -> Result<(), StoreError> {
        let stored = WorkspaceRepo::get(self)?;
        let saved = Workspace { slug: stored.slug, created_at: stored.created_at, ..workspace.clone() };
        self.shared.workspaces.insert(self.workspace, saved);
        Ok(())
    }
}

impl MemoryTx<'_> {
    fn record(&self, member: &Member) -> Option<MemberRecord> {
        let user = self.shared.users.get(&member.user_id)?;
        Some(MemberRecord { member: member.clone(), email: user.email.clone(), name: user.name.clone() })
    }
}

impl MemberRepo for MemoryTx<'_> {
    fn list(&mut self, filter: &CreatedFilter, request: &PageRequest) -> Result<Vec<MemberRecord>, StoreError> {
        let chosen = self.records.members.values().filter(|member| filter.accepts(member.created_at));
        let records: Vec<_> = chosen.filter_map(|member| self.record(member)).collect();
        Ok(page(records.iter(), MemberRecord::cursor_key, Order::NewestFirst, request))
    }

    fn list_joined(
        &mut self,
        _: Option<&str>,
        _: &CreatedFilter,
        _: &PageRequest,
    ) -> Result<Vec<MemberRecord>, StoreError> {
        not_in_memory("MemberRepo::list_joined")
    }

    fn ids_of(&mut self, email_keys: &[String]) -> Result<Vec<(String, UserId)>, StoreError> {
        let members = self.records.members.values().filter_map(|member| self.record(member));
        let found = members.map(|record| (String::from(EmailKey::of(&record.email)), record.member.user_id));
        Ok(found.filter(|(key, _)| email_keys.contains(key)).collect())
    }

    fn names_of(&mut self, _: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
        not_in_memory("MemberRepo::names_of")
    }

    fn get_for_update(&mut self, id: UserId) -> Result<Option<MemberRecord>, StoreError> {
        Ok(self.records.members.get(&id).and_then(|member| self.record(member)))
    }

    fn find_by_email(&mut self, email_key: &str) -> Result<Option<MemberRecord>, StoreError> {
        let user = self.shared.users.values().find(|user| user.email_key() == email_key);
        let member = user.and_then(|user| self.records.members.get(&user.id));
        Ok(member.and_then(|member| self.record(member)))
    }

    fn owners_for_update(&mut self) -> Result<Vec<UserId>, StoreError> {
        let members = self.records.members.values();
        let owners = members.filter(|member| member.role == Role::Owner && member.status() == MemberStatus::Active);
        Ok(owners.map(|member| member.user_id).collect())
    }

    fn owner_addresses(&mut self) -> Result<Vec<String>, StoreError> {
        not_in_memory("MemberRepo::owner_addresses")
    }

    fn administrator_addresses(&mut self) -> Result<Vec<String>, StoreError> {
        not_in_memory("MemberRepo::administrator_addresses")
    }

    fn make_operator(&mut self, id: UserId) -> Result<(), StoreError> {
        if self.records.members.contains_key(&id) {
            self.shared.operators.insert(id);
        }
        Ok(())
    }

    fn is_operator(&mut self, id: UserId) -> Result<bool, StoreError> {
        Ok(self.records.members.contains_key(&id) && self.shared.operators.contains(&id))
    }

    fn add(&mut self, user: &User, member: &Member) -> Result<MemberRecord, StoreError> {
        let email_key = user.email_key();
        let known = self.shared.users.values().find(|other| other.email_key() == email_key);
        let user = known.unwrap_or(user).clone();
        if self.records.members.contains_key(&user.id) {
            return Err(StoreError::Duplicate { field: "email" });
        }
        let member = Member { user_id: user.id, ..member.clone() };
        self.records.members.insert(user.id, member.clone());
        let record = MemberRecord { member, email: user.email.clone(), name: user.name.clone() };
        self.shared.users.insert(user.id, user);
        Ok(record)
    }

    fn save(&mut self, member: &Member) -> Result<(), StoreError> {
        let stored = self.records.members.get_mut(&member.user_id);
        *stored.ok_or_else(|| StoreError::Internal("there is no row to update".to_owned()))? = member.clone();
        Ok(())
    }

    fn set_profile(&mut self, profile: &User) -> Result<bool, StoreError> {
        let is_member = self.records.members.contains_key(&profile.id);
        let blank = self.shared.users.get_mut(&profile.id).filter(|user| is_member && user.password.is_none());
        Ok(blank.is_some_and(|user| {
            user.name.clone_from(&profile.name);
            user.password.clone_from(&profile.password);
            true
        }))
    }

    fn save_account(&mut self, id: UserId, name: &str, choices: NotificationChoices) -> Result<(), StoreError> {
        let is_member = self.records.members.contains_key(&id);
        if let Some(user) = self.shared.users.get_mut(&id).filter(|_| is_member) {
            name.clone_into(&mut user.name);
            user.notifications = choices;
        }
        Ok(())
    }

    fn recipients(&mut self, ids: &[UserId]) -> Result<Vec<Recipient>, StoreError> {
        let members = ids.iter().filter_map(|id| self.records.active_member(*id));
        let recipient = |member: &Member| {
            let user = self.shared.users.get(&member.user_id)?;
            let (user_id, email, role) = (user.id, user.email.clone(), member.role);
            Some(Recipient { user_id, email, role, choices: user.notifications })
        };
        Ok(members.filter_map(recipient).collect())
    }

    fn put_invitation(
        &mut self,
        invitation: &Invitation,
        unless_after: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError> {
        let former = self.records.invitations.get(&invitation.user_id);
        let open = former.filter(|former| former.accepted_at.is_none() && former.expires_at > unless_after);
        let ends_at = open.map(|former| former.expires_at);
        if ends_at.is_none() {
            self.records.invitations.insert(invitation.user_id, invitation.clone());
        }
        Ok(ends_at)
    }

    fn use_invitation(&mut self, id: UserId, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        let invitation = self.records.invitations.get_mut(&id);
        let unused = invitation.filter(|one| one.lookup_id == lookup_id && one.accepted_at.is_none());
        Ok(unused.is_some_and(|invitation| {
            invitation.accepted_at = Some(now);
            true
        }))
    }

    fn withdraw_invitation(&mut self, id: UserId) -> Result<(), StoreError> {
        self.records.invitations.remove(&id);
        Ok(())
    }
}

impl SessionRepo for MemoryTx<'_> {
    fn insert(&mut self, session: &Session, password: Option<&PasswordHash>) -> Result<bool, StoreError> {
        let stored = self.shared.users.get(&session.user_id).and_then(|user| user.password.as_ref());
        let good = stored == password && self.records.active_member(session.user_id).is_some();
        if good {
            self.records.sessions.insert(session.id, session.clone());
        }
        Ok(good)
    }

    fn is_alive(&mut self, user: UserId, id: SessionId, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.has_session(user, id, now))
    }

    fn put_link(&mut self, link: &SignInLink) -> Result<(), StoreError> {
        self.records.sign_in_links.insert(link.user_id, link.clone());
        Ok(())
    }

    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        let mut links = self.records.sign_in_links.values_mut();
        let open = links.find(|link| link.lookup_id == lookup_id && link.used_at.is_none() && now < link.expires_at);
        Ok(open.is_some_and(|link| {
            link.used_at = Some(now);
            true
        }))
    }

    fn role_now(&mut self, id: SessionId, now: OffsetDateTime) -> Result<Option<Role>, StoreError> {
        let is_active = WorkspaceRepo::get(self)?.status == WorkspaceStatus::Active;
        let session = self.records.sessions.get(&id).filter(|session| is_active && now < session.expires_at);
        let member = session.and_then(|session| self.records.active_member(session.user_id));
        Ok(member.map(|member| member.role))
    }

    fn note_sign_in(
        &mut self,
        user: UserId,
        here: &SignInPlace,
        keep: u32,
        _: OffsetDateTime,
    ) -> Result<Vec<SignInPlace>, StoreError> {
        let known = self.shared.sign_ins.entry(user).or_default();
        let earlier = known.iter().rev().cloned().collect();
        known.retain(|one| one != here);
        known.push(here.clone());
        known.drain(..known.len().saturating_sub(keep as usize));
        Ok(earlier)
    }

    fn end(&mut self, id: SessionId) -> Result<(), StoreError> {
        self.records.sessions.remove(&id);
        Ok(())
    }

    fn end_beyond(&mut self, user: UserId, most: u32) -> Result<Vec<SessionId>, StoreError> {
        Ok(self.end_surplus(user, most))
    }

    fn end_all_of(&mut self, user: UserId) -> Result<(), StoreError> {
        self.records.sessions.retain(|_, session| session.user_id != user);
        Ok(())
    }
}
