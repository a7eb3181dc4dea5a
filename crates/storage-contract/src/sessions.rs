//! Sessions.

use std::net::{IpAddr, Ipv4Addr};

use time::Duration;

use super::records::{LINE, MADE};
use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::identity::accounts::{Session, SignInPlace};
use domain::identity::members::Member;
use domain::identity::workspaces::Role;
use domain::limits::AddressGroup;
use domain::{SessionId, UserId};

/// All fields round-trip, with the workspace, the current role and the user's name.
pub async fn a_session_is_found_with_its_user(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person(Some(PASSWORD));
    for (world, role) in [(&world, Role::Viewer), (&other, Role::Owner)] {
        world.join(&user, role).await;
        let session = world.begin_session(user.id, PASSWORD).await;
        let found = subject.ports.directory.find_session(&session.lookup_id).await.unwrap().unwrap();
        assert_eq!((found.session, found.workspace), (session, world.workspace.clone()));
        assert_eq!((found.role, found.user_name.as_str()), (role, LINE));
    }
    for absent in ["", "000000000000", "'"] {
        assert!(subject.ports.directory.find_session(absent).await.unwrap().is_none(), "{absent}");
    }
}

/// A session needs an active member and the verified password.
pub async fn only_active_members_with_their_password_begin_one(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let refused = async |world: &TestWorkspace, user: UserId, password: &str| {
        let session = world.session(user);
        let has_begun = world.begin(&session, password).await;
        assert_eq!(has_begun, world.has_session(&session).await);
        !has_begun
    };
    assert!(refused(&world, user, "another password").await);
    assert!(refused(&other, user, PASSWORD).await);
    assert!(refused(&world, UserId(world.id()), PASSWORD).await);
    assert!(!refused(&world, user, PASSWORD).await);
    let invited = world.person(Some(PASSWORD));
    world.add_member(&invited, Member::invited(invited.id, Role::Member, world.now())).await;
    assert!(refused(&world, invited.id, PASSWORD).await);
    let blank = world.new_user(None, Role::Member).await;
    assert!(refused(&world, blank.id, "").await);
    world.deactivate(user).await;
    assert!(refused(&world, user, PASSWORD).await);
}

/// The session of a former member is not found, even if it was never ended.
pub async fn a_former_member_has_no_session(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    let session = world.begin_session(user, PASSWORD).await;
    let joined = world.member(user).await.unwrap().member;
    assert!(world.has_session(&session).await);
    world.deactivate(user).await;
    assert!(!world.has_session(&session).await);
    world.save_member(&Member { joined_at: None, ..joined }).await;
    assert!(!world.has_session(&session).await);
}

/// Ends one session, or all sessions of a user in one workspace, and no others.
pub async fn sessions_end_one_by_one_and_together(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person_in(&[&world, &other], Role::Member).await;
    let colleague = world.active_member(PASSWORD).await;
    let [first, second, third] = [(); 3].map(|()| world.session(user.id));
    for session in [&first, &second, &third] {
        assert!(world.begin(session, PASSWORD).await);
    }
    let (in_other, of_colleague) =
        (other.begin_session(user.id, PASSWORD).await, world.begin_session(colleague, PASSWORD).await);
    for id in [in_other.id, SessionId(world.id()), first.id] {
        world.commit(move |tx| tx.sessions().end(id)).await;
    }
    assert!(!world.has_session(&first).await && world.has_session(&second).await);
    world.commit(move |tx| tx.sessions().end_all_of(user.id)).await;
    assert!(!world.has_session(&second).await && !world.has_session(&third).await);
    assert!(world.has_session(&in_other).await && world.has_session(&of_colleague).await);
}

/// A user's live sessions are listed across workspaces, most recently used first, and each can be ended from any workspace.
pub async fn a_user_lists_and_ends_sessions_in_all_workspaces(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let directory = &subject.ports.directory;
    let user = world.person_in(&[&world, &other], Role::Member).await;
    let colleague = world.active_member(PASSWORD).await;
    let of_colleague = world.begin_session(colleague, PASSWORD).await;
    let at_minute = |minutes, world: &TestWorkspace| Session {
        last_used_at: MADE + Duration::minutes(minutes),
        ..world.session(user.id)
    };
    let (first, second, third) = (at_minute(3, &world), at_minute(2, &other), at_minute(1, &world));
    for (world, session) in [(&world, &third), (&other, &second), (&world, &first)] {
        assert!(world.begin(session, PASSWORD).await);
    }
    let expired = Session { expires_at: MADE, ..world.session(user.id) };
    assert!(world.begin(&expired, PASSWORD).await);
    let listed = async |limit| directory.list_sessions(user.id, MADE, limit).await.unwrap();
    let expected =
        [(&first, &world), (&second, &other), (&third, &world)].map(|(one, at)| (one.clone(), at.workspace.clone()));
    assert_eq!(listed(9).await, expected);
    assert_eq!(listed(2).await, expected[..2]);

    let entry = other.full_entry();
    let end = async |id| directory.end_session(user.id, id, &entry).await.unwrap();
    assert!(!end(of_colleague.id).await && !end(SessionId(world.id())).await);
    assert!(world.has_session(&of_colleague).await);
    assert!(end(second.id).await && !end(second.id).await);
    assert_eq!(listed(9).await.len(), 2);
    let entries = other.audit_log().await;
    assert_eq!(entries.iter().filter(|one| **one == entry).count(), 1);
    let changed = directory.credential_changes(std::time::Duration::from_mins(1)).await.unwrap();
    assert!(changed.contains(&second.id.0) && !changed.contains(&of_colleague.id.0));
}

/// Beyond the bound, the user's least recently used sessions in the workspace end.
pub async fn surplus_sessions_end(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person_in(&[&world, &other], Role::Member).await;
    let colleague = world.active_member(PASSWORD).await;
    let spared = [
        (&other, other.begin_session(user.id, PASSWORD).await),
        (&world, world.begin_session(colleague, PASSWORD).await),
    ];
    let mut sessions = Vec::new();
    for minutes in [5, 1, 4, 2, 3] {
        let session = Session { last_used_at: MADE + Duration::minutes(minutes), ..world.session(user.id) };
        assert!(world.begin(&session, PASSWORD).await);
        sessions.push(session);
    }
    let mut ended = world.commit(move |tx| tx.sessions().end_all_but(user.id, 3)).await;
    ended.sort_unstable();
    let mut expected = [sessions[1].id, sessions[3].id];
    expected.sort_unstable();
    assert_eq!(ended, expected);
    for (session, stays) in sessions.iter().zip([true, false, true, false, true]) {
        assert_eq!(world.has_session(session).await, stays);
    }
    for (world, session) in &spared {
        assert!(world.has_session(session).await);
    }
    assert!(world.commit(move |tx| tx.sessions().end_all_but(user.id, 3)).await.is_empty());
}

fn sign_in_place(number: u32, device: &str) -> SignInPlace {
    SignInPlace { network: AddressGroup::from(IpAddr::from(Ipv4Addr::from_bits(number))), device: device.to_owned() }
}

impl TestWorkspace {
    /// Records a sign-in some seconds from now; returns the earlier ones.
    async fn signed_in_from(&self, user: UserId, here: &SignInPlace, keep: u32, seconds: i64) -> Vec<SignInPlace> {
        let (here, at) = (here.clone(), self.now() + Duration::seconds(seconds));
        self.commit(move |tx| tx.sessions().note_sign_in(user, &here, keep, at)).await
    }
}

/// Sign-ins belong to the user: they are visible from another workspace, but not for another user. An IPv6 network round-trips.
pub async fn sign_ins_are_remembered_across_workspaces(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person_in(&[&world, &other], Role::Member).await;
    let another_user = world.active_member(PASSWORD).await;
    let v6 = AddressGroup::from("2001:db8:1:2::1".parse::<IpAddr>().unwrap()).site();
    let (one, two) = (sign_in_place(7, "Firefox on Linux"), SignInPlace { network: v6, device: LINE.to_owned() });
    assert_eq!(world.signed_in_from(user.id, &one, 50, 0).await, []);
    assert_eq!(other.signed_in_from(user.id, &two, 50, 1).await, std::slice::from_ref(&one));
    assert_eq!(world.signed_in_from(user.id, &one, 50, 2).await, [two.clone(), one.clone()]);
    assert_eq!(other.signed_in_from(user.id, &one, 50, 3).await, [one.clone(), two.clone()]);
    assert_eq!(world.signed_in_from(another_user, &two, 50, 3).await, []);
    let known = async |email_key: &str, network| {
        let found = subject.ports.directory.find_login(email_key, network).await.unwrap();
        found.map(|found| (found.account.user.id, found.account.memberships.len(), found.is_known_network))
    };
    assert_eq!(known(&user.email_key(), one.network).await, Some((user.id, 2, true)));
    assert_eq!(known(&user.email_key(), v6).await, Some((user.id, 2, true)));
    assert_eq!(known(&user.email_key(), sign_in_place(8, "").network).await, Some((user.id, 2, false)));
    assert_eq!(known("nobody@example.org", v6).await, None);
}

pub async fn the_latest_sign_ins_are_kept(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    for number in 0..6 {
        let known = world.signed_in_from(user, &sign_in_place(number, "curl"), 3, number.into()).await;
        assert_eq!(known.len(), number.min(3) as usize, "{number}");
    }
    let known = world.signed_in_from(user, &sign_in_place(3, "curl"), 3, 6).await;
    assert_eq!(known, [5, 4, 3].map(|number| sign_in_place(number, "curl")));
    let known = world.signed_in_from(user, &sign_in_place(7, "curl"), 3, 7).await;
    assert_eq!(known, [3, 5, 4].map(|number| sign_in_place(number, "curl")));
    let known = world.signed_in_from(user, &sign_in_place(7, "curl"), 3, 8).await;
    assert_eq!(known, [7, 3, 5].map(|number| sign_in_place(number, "curl")));
}
