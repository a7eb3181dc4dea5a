//! Users across workspaces: identities and passwords.

use std::time::Duration as StdDuration;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::records::MADE;
use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::UserId;
use domain::identity::accounts::{PasswordChange, PasswordProof, PasswordReset, Session};
use domain::identity::members::Member;
use domain::identity::workspaces::Role;
use domain::ports::StoreError;
use domain::support::PortalSession;
use domain::testing::plain_hash;
use domain::work::issues::TrackingLink;

const OLD: &str = PASSWORD;
const NEW: &str = "the new password";

fn change(user_id: UserId, by: PasswordProof) -> PasswordChange {
    PasswordChange { user_id, password: plain_hash(NEW), email: None, by, entries: Vec::new(), now: MADE }
}

fn with_reset(reset: &PasswordReset) -> PasswordProof {
    PasswordProof::Reset(reset.lookup_id.clone())
}

fn in_session(session: &Session) -> PasswordProof {
    PasswordProof::Session(session.id, plain_hash(OLD))
}

async fn changed(subject: &StoreUnderTest) -> Vec<Uuid> {
    subject.ports.directory.credential_changes(StdDuration::from_mins(1)).await.unwrap()
}

/// A user is found by address, with the workspaces where they are active, ordered by slug.
pub async fn a_user_is_found_with_their_memberships(subject: &StoreUnderTest) {
    let mut worlds = [subject.world().await, subject.world().await, subject.world().await, subject.world().await];
    worlds.sort_by(|one, other| one.workspace.slug.cmp(&other.workspace.slug));
    let user = worlds[0].person(Some(OLD));
    let mut expected = Vec::new();
    for (world, role) in worlds.iter().zip(Role::ALL.iter().copied()).rev() {
        let left = role == Role::Admin;
        let joined = Member::joined(user.id, role, MADE);
        let member = Member { deactivated_at: left.then_some(MADE), ..joined };
        let member = if role == Role::Member { Member { joined_at: None, ..member } } else { member };
        world.add_member(&user, member).await;
        if !left && role != Role::Member {
            expected.insert(0, (world.workspace.clone(), role));
        }
    }
    let found = subject.ports.directory.find_account(&user.email_key()).await.unwrap().unwrap();
    assert_eq!(found.user, user);
    let memberships: Vec<_> = found.memberships.into_iter().map(|one| (one.workspace, one.role)).collect();
    assert_eq!(memberships, expected);
    for absent in ["", "nobody@example.org", &user.email_key().to_uppercase()] {
        assert!(subject.ports.directory.find_account(absent).await.unwrap().is_none(), "{absent}");
    }
    assert_eq!(worlds[0].password(user.id).await, user.password);
    assert_eq!(worlds[0].password(UserId(worlds[0].id())).await, None);
}

/// A member of two workspaces with a session in each, and another user's session.
async fn signed_in(subject: &StoreUnderTest) -> ([TestWorkspace; 2], UserId, [Session; 2], Session) {
    let worlds = [subject.world().await, subject.world().await];
    let user = worlds[0].person_in(&[&worlds[0], &worlds[1]], Role::Member).await;
    let sessions = [worlds[0].begin_session(user.id, OLD).await, worlds[1].begin_session(user.id, OLD).await];
    let colleague = worlds[0].active_member(OLD).await;
    let other = worlds[0].begin_session(colleague, OLD).await;
    (worlds, user.id, sessions, other)
}

/// A new password ends all sessions of the user and no others, and reaches audit logs and instances.
pub async fn a_new_password_ends_all_sessions(subject: &StoreUnderTest) {
    let ([world, second], user, sessions, of_colleague) = signed_in(subject).await;
    let entries = [world.full_entry(), second.full_entry()];
    let ids = [world.workspace.id, second.workspace.id];
    let audited = ids.into_iter().zip(entries.clone()).collect();
    let valid = PasswordChange { entries: audited, ..change(user, in_session(&sessions[0])) };
    assert!(subject.ports.directory.change_password(valid).await.unwrap());
    for session in &sessions {
        assert!(!world.has_session(session).await);
    }
    assert!(world.has_session(&of_colleague).await);
    assert_eq!(world.password(user).await, Some(plain_hash(NEW)));
    for (world, entry) in [&world, &second].into_iter().zip(entries) {
        assert!(world.audit_log().await.contains(&entry));
        assert!(!world.begin(&world.session(user), OLD).await);
    }
    assert!(changed(subject).await.contains(&user.0));
    let unknown = change(UserId(world.id()), in_session(&sessions[0]));
    assert!(!subject.ports.directory.change_password(unknown).await.unwrap());
}

/// A change within a session requires the verified password and that session.
pub async fn a_change_in_a_session_is_checked_again(subject: &StoreUnderTest) {
    let ([world, second], user, sessions, of_colleague) = signed_in(subject).await;
    let directory = &subject.ports.directory;
    let stale = PasswordProof::Session(sessions[0].id, plain_hash("what it was before"));
    for by in [stale, in_session(&world.session(user)), in_session(&of_colleague)] {
        assert!(!directory.change_password(change(user, by.clone())).await.unwrap(), "{by:?}");
        assert_eq!(world.password(user).await, Some(plain_hash(OLD)));
        assert!(world.has_session(&sessions[0]).await && second.has_session(&sessions[1]).await);
    }
    // This withdraws an open reset.
    let reset = world.reset(user);
    assert!(directory.put_password_reset(&reset, MADE, None).await.unwrap());
    assert!(directory.change_password(change(user, in_session(&sessions[1]))).await.unwrap());
    assert!(directory.find_password_reset(&reset.lookup_id).await.unwrap().is_none());
    assert!(!directory.change_password(change(user, in_session(&sessions[0]))).await.unwrap(), "the session has ended");
}

/// A first password requires that there is none, and the session.
pub async fn a_first_password_is_set_once(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let person = world.new_user(None, Role::Owner).await;
    let directory = &subject.ports.directory;
    let session = world.session(person.id);
    let stored = session.clone();
    assert!(world.commit(move |tx| tx.sessions().insert(&stored, None)).await);
    let absent = PasswordProof::First(world.session(person.id).id);
    assert!(!directory.change_password(change(person.id, absent)).await.unwrap());
    assert_eq!(world.password(person.id).await, None);
    let first = PasswordProof::First(session.id);
    let other = world.new_user(None, Role::Member).await;
    let email = Some(other.email.to_uppercase());
    let duplicate = PasswordChange { email, ..change(person.id, first.clone()) };
    let refused = directory.change_password(duplicate).await.unwrap_err();
    assert!(matches!(refused, StoreError::Duplicate { field: "email" }), "{refused:?}");
    assert_eq!(world.password(person.id).await, None);
    let chosen = format!("Own.{}", person.email);
    let first = PasswordChange { email: Some(chosen.clone()), ..change(person.id, first) };
    assert!(directory.change_password(first).await.unwrap());
    let found = directory.find_account(&chosen.to_lowercase()).await.unwrap().unwrap();
    assert_eq!((found.user.id, found.user.email), (person.id, chosen));
    assert!(directory.find_account(&person.email_key()).await.unwrap().is_none());
    assert_eq!(world.password(person.id).await, Some(plain_hash(NEW)));
    assert!(!world.has_session(&session).await);
    let second = world.session(person.id);
    assert!(world.begin(&second, NEW).await);
    let by = PasswordProof::First(second.id);
    assert!(!directory.change_password(change(person.id, by)).await.unwrap(), "there is a password");
    assert!(world.has_session(&second).await);
}

/// A reset is found with its user, replaces an earlier one, and is consumed by one change.
pub async fn a_reset_is_used_once(subject: &StoreUnderTest) {
    let ([world, _], user, sessions, _) = signed_in(subject).await;
    let directory = &subject.ports.directory;
    let (first, second) = (world.reset(user), world.reset(user));
    assert!(directory.put_password_reset(&first, MADE, None).await.unwrap());
    let (found, account) = directory.find_password_reset(&first.lookup_id).await.unwrap().unwrap();
    assert_eq!((found, account.user.id, account.memberships.len()), (first.clone(), user, 2));
    let before = first.expires_at - Duration::SECOND;
    assert!(!directory.put_password_reset(&second, before, None).await.unwrap(), "the earlier one stays for a while");
    assert!(directory.find_password_reset(&first.lookup_id).await.unwrap().is_some());
    assert!(directory.put_password_reset(&second, first.expires_at, None).await.unwrap());
    assert!(directory.find_password_reset(&first.lookup_id).await.unwrap().is_none());
    assert!(!directory.change_password(change(user, with_reset(&first))).await.unwrap(), "a replaced link");
    assert!(world.has_session(&sessions[0]).await, "nothing happened");
    assert_eq!(world.password(user).await, Some(plain_hash(OLD)));
    assert!(directory.change_password(change(user, with_reset(&second))).await.unwrap());
    assert!(!world.has_session(&sessions[0]).await);
    let session = world.begin_session(user, NEW).await;
    let entry = world.full_entry();
    let repeated = PasswordChange {
        password: plain_hash("a third password"),
        entries: vec![(world.workspace.id, entry.clone())],
        ..change(user, with_reset(&second))
    };
    assert!(!directory.change_password(repeated).await.unwrap());
    assert!(world.has_session(&session).await);
    assert_eq!(world.password(user).await, Some(plain_hash(NEW)));
    assert!(!world.audit_log().await.contains(&entry));
    let (consumed, _) = directory.find_password_reset(&second.lookup_id).await.unwrap().unwrap();
    assert_eq!(consumed.used_at, Some(MADE));
    assert!(directory.put_password_reset(&first, before, None).await.unwrap(), "the earlier one was used");
    let (open, _) = directory.find_password_reset(&first.lookup_id).await.unwrap().unwrap();
    assert_eq!(open, first, "a new one is unused");
}

/// Expired sessions and resets are deleted, at most `limit` per call; others stay.
pub async fn pruning_is_bounded(subject: &StoreUnderTest) {
    let _alone = crate::Pruning::alone();
    let world = subject.world().await;
    // A date that only this case uses, because pruning crosses workspaces and other cases may share the database.
    let past: OffsetDateTime = datetime!(1902-01-01 00:00 UTC);
    let mut sessions = Vec::new();
    let mut links = Vec::new();
    let ticket = world.add_ticket(world.ticket("ada@example.org").await).await.issue().id;
    for after in [-3, -2, -1, 0] {
        let user = world.active_member(OLD).await;
        let expires_at = past + Duration::seconds(after);
        let session = Session { expires_at, ..world.session(user) };
        assert!(world.begin(&session, OLD).await);
        sessions.push(session);
        let reset = PasswordReset { expires_at, ..world.reset(user) };
        assert!(subject.ports.directory.put_password_reset(&reset, past, None).await.unwrap());
        let link = world.add(TrackingLink { expires_at, ..world.link(ticket) }).await;
        let visit = PortalSession { expires_at, ..world.portal_session(ticket) };
        links.push((link, world.add(visit).await));
    }
    for expected in [8, 4, 0] {
        assert_eq!(subject.ports.directory.prune_credentials(past, 2).await.unwrap(), expected);
    }
    for (session, stays) in sessions.iter().zip([false, false, false, true]) {
        assert_eq!(world.has_session(session).await, stays);
    }
    for ((link, visit), stays) in links.iter().zip([false, false, false, true]) {
        let directory = &subject.ports.directory;
        assert_eq!(directory.find_tracking_link(&link.lookup_id).await.unwrap().is_some(), stays);
        assert_eq!(directory.find_portal_session(&visit.lookup_id).await.unwrap().is_some(), stays);
    }
}
