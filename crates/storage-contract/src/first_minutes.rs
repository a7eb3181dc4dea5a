//! Sign-in links, sessions across workspaces, set-up codes after the first workspace, first steps.

use time::Duration;

use super::records::MADE;
use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::UserId;
use domain::identity::access::{PlainToken, TokenKind};
use domain::identity::accounts::{SESSION_TTL, SignInLink};
use domain::identity::members::Member;
use domain::identity::set_up::SetUpCode;
use domain::identity::workspaces::{FirstSteps, Role};

fn link(world: &TestWorkspace, user_id: UserId) -> SignInLink {
    let token = PlainToken::generate(TokenKind::SignInLink, &*world.ports.random);
    let (lookup_id, secret) = (token.lookup_id().to_owned(), token.hashed());
    SignInLink { user_id, lookup_id, secret, expires_at: MADE, used_at: None }
}

async fn put(world: &TestWorkspace, link: &SignInLink) {
    let link = link.clone();
    world.commit(move |tx| tx.sessions().put_link(&link)).await;
}

async fn use_up(world: &TestWorkspace, link: &SignInLink, after: Duration) -> bool {
    let (lookup_id, now) = (link.lookup_id.clone(), link.expires_at + after);
    world.commit(move |tx| tx.sessions().use_link(&lookup_id, now)).await
}

/// A link is found with its member, replaced by the next one, and used once before it expires, from its own workspace only.
pub async fn a_link_is_found_and_used_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let find = async |link: &SignInLink| subject.ports.directory.find_sign_in_link(&link.lookup_id).await.unwrap();
    let (first, second) = (link(&world, user), link(&world, user));
    put(&world, &first).await;
    let found = find(&first).await.unwrap();
    assert_eq!((found.link, found.workspace.id, found.user.id), (first.clone(), world.workspace.id, user));
    assert_eq!(found.role, Role::Member);
    put(&world, &second).await;
    assert!(find(&first).await.is_none() && !use_up(&world, &first, -Duration::SECOND).await);
    assert!(!use_up(&other, &second, -Duration::SECOND).await, "another workspace");
    assert!(!use_up(&world, &second, Duration::ZERO).await, "expired");
    assert!(use_up(&world, &second, -Duration::SECOND).await);
    assert!(!use_up(&world, &second, -Duration::SECOND).await, "used");
    assert!(find(&second).await.unwrap().link.used_at.is_some());
    world.deactivate(user).await;
    assert!(find(&second).await.is_none());
}

/// A session is alive only for its own user, until it expires.
pub async fn a_session_is_alive_in_any_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (user, colleague) = (world.active_member(PASSWORD).await, world.active_member(PASSWORD).await);
    let session = world.begin_session(user, PASSWORD).await;
    let id = session.id;
    for (world, user, now, expected) in [
        (&world, user, MADE, true),
        (&other, user, MADE, true),
        (&other, colleague, MADE, false),
        (&world, user, MADE + SESSION_TTL, false),
    ] {
        assert_eq!(world.commit(move |tx| tx.sessions().is_alive(user, id, now)).await, expected);
    }
    world.commit(move |tx| tx.sessions().end(id)).await;
    assert!(!other.commit(move |tx| tx.sessions().is_alive(user, id, MADE)).await);
}

/// They end in all workspaces, with audit entries there; sessions of other users continue.
pub async fn all_sessions_of_a_user_end(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person_in(&[&world, &other], Role::Viewer).await;
    let colleague = world.active_member(PASSWORD).await;
    let ended = [world.begin_session(user.id, PASSWORD).await, other.begin_session(user.id, PASSWORD).await];
    let other_session = world.begin_session(colleague, PASSWORD).await;
    let entry = other.bare_entry();
    subject.ports.directory.end_all_sessions(user.id, vec![(other.workspace.id, entry.clone())]).await.unwrap();
    assert!(!world.has_session(&ended[0]).await && !other.has_session(&ended[1]).await);
    assert!(world.has_session(&other_session).await);
    assert!(other.audit_log().await.contains(&entry));
    let changed = subject.ports.directory.credential_changes(std::time::Duration::from_mins(1)).await.unwrap();
    assert!(changed.contains(&user.id.0));
}

/// A session without a verified password begins only for a user who has no password.
pub async fn a_user_without_a_password_begins_a_session(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let blank = world.new_user(None, Role::Member).await;
    let with_password = world.active_member(PASSWORD).await;
    for (user, expected) in [(blank.id, true), (with_password, false)] {
        let session = world.session(user);
        assert_eq!(world.commit(move |tx| tx.sessions().insert(&session, None)).await, expected);
    }
}

/// Once there is a workspace, no code is stored or accepted.
pub async fn nothing_is_set_up_twice(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let token = PlainToken::generate(TokenKind::SetUpCode, &*world.ports.random);
    let code = SetUpCode {
        instance: "a host".to_owned(),
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        created_at: MADE,
        expires_at: MADE + Duration::DAY,
    };
    assert!(!subject.ports.directory.put_set_up_code(&code, 9).await.unwrap());
    assert_eq!(subject.ports.directory.find_set_up_code(&code.lookup_id).await.unwrap(), None);
    assert!(!world.commit(move |tx| tx.workspace().use_set_up_code(&code.lookup_id, MADE)).await);
}

/// Records from before the samples were created do not count.
pub async fn first_steps_count_from_the_creation_of_the_demo(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.new_user(Some(PASSWORD), Role::Owner).await.id;
    let before = world.read(move |tx| tx.workspace().first_steps(id)).await;
    assert!(before.has_own_workspace && before.has_colleague && !before.has_webhook, "{before:?}");
    let made_at = world.now() + Duration::DAY;
    world.commit(move |tx| tx.workspace().mark_as_demo(made_at)).await;
    assert_eq!(world.read(move |tx| tx.workspace().first_steps(id)).await, FirstSteps::default());
    let colleague = world.person(Some(PASSWORD));
    world.add_member(&colleague, Member::joined(colleague.id, Role::Viewer, made_at + Duration::SECOND)).await;
    let after = world.read(move |tx| tx.workspace().first_steps(id)).await;
    assert_eq!(after, FirstSteps { has_colleague: true, ..FirstSteps::default() });
}
