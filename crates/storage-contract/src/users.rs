//! Members, sessions and audit entries for the access cases.

use std::net::IpAddr;

use serde_json::{Map, json};
use time::Duration;

use super::records::{LINE, MADE};
use super::{PASSWORD, TestWorkspace};
use domain::identity::access::{Actor, ActorKind, HashedSecret, PlainToken, TokenKind};
use domain::identity::accounts::{PasswordReset, SESSION_TTL, Session, UserAgent};
use domain::identity::audit::{AuditAction, AuditActor, AuditEntry, AuditFilter, AuditSubject};
use domain::identity::members::{Invitation, Member, MemberRecord};
use domain::identity::notifications::NotificationChoices;
use domain::identity::workspaces::{PasswordHash, Role, User};
use domain::kernel::paging::PageRequest;
use domain::testing::plain_hash;
use domain::{AuditEntryId, SessionId, UserId};

impl TestWorkspace {
    fn token(&self, kind: TokenKind) -> (String, HashedSecret) {
        let token = PlainToken::generate(kind, &*self.ports.random);
        (token.lookup_id().to_owned(), token.hashed())
    }

    pub(super) fn person(&self, password: Option<&str>) -> User {
        User {
            id: UserId(self.id()),
            email: self.new_email(),
            name: LINE.to_owned(),
            password: password.map(plain_hash),
            notifications: NotificationChoices::default(),
            created_at: MADE,
        }
    }

    pub(super) async fn add_member(&self, user: &User, member: Member) -> MemberRecord {
        let user = user.clone();
        self.commit(move |tx| tx.members().add(&user, &member)).await
    }

    pub(super) async fn join(&self, user: &User, role: Role) {
        self.add_member(user, Member::joined(user.id, role, self.now())).await;
    }

    pub(super) async fn new_user(&self, password: Option<&str>, role: Role) -> User {
        let user = self.person(password);
        self.join(&user, role).await;
        user
    }

    pub(super) async fn active_member(&self, password: &str) -> UserId {
        self.new_user(Some(password), Role::Member).await.id
    }

    pub(super) async fn member(&self, id: UserId) -> Option<MemberRecord> {
        self.commit(move |tx| tx.members().get_for_update(id)).await
    }

    pub(super) async fn save_member(&self, member: &Member) {
        let member = member.clone();
        self.commit(move |tx| tx.members().save(&member)).await;
    }

    pub(super) async fn change_member(&self, id: UserId, change: impl FnOnce(&mut Member)) {
        let mut member = self.member(id).await.unwrap().member;
        change(&mut member);
        self.save_member(&member).await;
    }

    /// Deactivates a member, without the side effects of the use case.
    pub(super) async fn deactivate(&self, id: UserId) {
        self.change_member(id, |member| member.leave(self.now())).await;
    }

    pub(super) fn session(&self, user_id: UserId) -> Session {
        let (lookup_id, secret) = self.token(TokenKind::Session);
        let expires_at = MADE + SESSION_TTL;
        Session {
            id: SessionId(self.id()),
            user_id,
            lookup_id,
            secret,
            user_agent: UserAgent::parse(LINE),
            address: Some(IpAddr::from([203, 0, 113, 7])),
            created_at: MADE,
            last_used_at: MADE,
            expires_at,
        }
    }

    /// Begins a session with a password; returns whether it succeeded.
    pub(super) async fn begin(&self, session: &Session, password: &str) -> bool {
        let (session, verified) = (session.clone(), plain_hash(password));
        self.commit(move |tx| tx.sessions().insert(&session, Some(&verified))).await
    }

    pub(super) async fn begin_session(&self, user: UserId, password: &str) -> Session {
        let session = self.session(user);
        assert!(self.begin(&session, password).await);
        session
    }

    pub(super) async fn has_session(&self, session: &Session) -> bool {
        self.ports.directory.find_session(&session.lookup_id).await.unwrap().is_some()
    }

    pub(super) fn invitation(&self, user_id: UserId) -> Invitation {
        let (lookup_id, secret) = self.token(TokenKind::Invitation);
        Invitation { user_id, lookup_id, secret, expires_at: MADE, accepted_at: None, invited_by: None }
    }

    pub(super) fn reset(&self, user_id: UserId) -> PasswordReset {
        let (lookup_id, secret) = self.token(TokenKind::PasswordReset);
        PasswordReset { user_id, lookup_id, secret, expires_at: MADE, used_at: None }
    }

    pub(super) async fn password(&self, user: UserId) -> Option<PasswordHash> {
        self.ports.directory.find_password(user).await.unwrap()
    }

    pub(super) async fn audit_log(&self) -> Vec<AuditEntry> {
        self.read(|tx| tx.audit().list(&AuditFilter::default(), &PageRequest::first(100))).await
    }

    /// A user who is a member of several workspaces.
    pub(super) async fn person_in(&self, worlds: &[&Self], role: Role) -> User {
        let user = self.person(Some(PASSWORD));
        for world in worlds {
            world.join(&user, role).await;
        }
        user
    }

    /// An audit entry with as few fields as possible.
    pub(super) fn bare_entry(&self) -> AuditEntry {
        AuditEntry {
            id: AuditEntryId(self.id()),
            action: AuditAction::WorkspaceUpdated,
            actor: AuditActor { actor: Actor::SYSTEM, name: "operator".to_owned() },
            subject: AuditSubject::workspace(self.workspace.id),
            details: Map::new(),
            ip: None,
            created_at: self.now(),
        }
    }

    /// An audit entry with all fields set.
    pub(super) fn full_entry(&self) -> AuditEntry {
        let actor = Actor { kind: ActorKind::User, id: Some(self.member.0) };
        let entry = AuditEntry {
            action: AuditAction::MemberRoleChanged,
            actor: AuditActor { actor, name: LINE.to_owned() },
            subject: AuditSubject::member(self.member),
            ip: Some("2001:db8::1".to_owned()),
            created_at: MADE + Duration::MICROSECOND,
            ..self.bare_entry()
        };
        entry.with(json!({ "role": { "from": "owner", "to": "viewer" }, "text": LINE, "none": null, "list": [1, 2.5] }))
    }
}
