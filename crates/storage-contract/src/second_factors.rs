//! Second factors, and the sign-ins that wait for one.

use std::time::Duration as StdDuration;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use super::records::MADE;
use super::{PASSWORD, StoreUnderTest, TestWorkspace};
use domain::UserId;
use domain::identity::access::{HashedSecret, PlainToken, TokenKind};
use domain::identity::accounts::{
    FirstProof, PasswordChange, PasswordProof, PendingStep, SecondFactor, SecondFactorChange, SignInChallenge,
};
use domain::identity::workspaces::Role;
use domain::kernel::sealing::SealedSecret;
use domain::testing::plain_hash;

fn blank(user_id: UserId) -> SecondFactor {
    SecondFactor {
        user_id,
        secret: SealedSecret { key_id: "k".to_owned(), sealed: vec![0, 1, 255] },
        created_at: MADE,
        confirmed_at: None,
        last_step: 0,
        recovery_codes: Vec::new(),
        failures: 0,
        paused_until: None,
        version: 1,
    }
}

fn full(user_id: UserId) -> SecondFactor {
    SecondFactor {
        confirmed_at: Some(MADE + Duration::MICROSECOND),
        last_step: 60_000_000,
        recovery_codes: (0..10).map(|number| HashedSecret::from_bytes([number; 32])).collect(),
        failures: 20,
        paused_until: Some(MADE + Duration::HOUR),
        version: 2,
        ..blank(user_id)
    }
}

fn change_to(factor: Option<SecondFactor>, user_id: UserId, expected: Option<i64>) -> SecondFactorChange {
    SecondFactorChange { user_id, expected, factor, switches: false, entries: Vec::new(), email: None }
}

async fn change(subject: &StoreUnderTest, change: SecondFactorChange) -> bool {
    subject.ports.directory.change_second_factor(change).await.unwrap()
}

async fn find(subject: &StoreUnderTest, user: UserId) -> Option<SecondFactor> {
    subject.ports.directory.find_second_factor(user).await.unwrap()
}

/// All fields round-trip, set or unset, even after a change; a deleted factor is gone.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, other) = (world.active_member(PASSWORD).await, world.active_member(PASSWORD).await);
    assert_eq!(find(subject, user).await, None);
    for factor in [blank(user), full(user), SecondFactor { version: 3, ..blank(user) }] {
        let expected = Some(factor.version - 1).filter(|version| *version > 0);
        assert!(change(subject, change_to(Some(factor.clone()), user, expected)).await);
        assert_eq!(find(subject, user).await, Some(factor));
    }
    assert_eq!(find(subject, other).await, None);
    assert!(change(subject, change_to(None, user, Some(3))).await);
    assert_eq!(find(subject, user).await, None);
    assert!(change(subject, change_to(Some(full(user)), user, None)).await, "another one");
}

/// A factor that changed since it was read is not overwritten, and nothing else of the change is applied.
pub async fn only_the_expected_version_is_changed(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    assert!(
        !change(subject, change_to(None, user, Some(1))).await
            && !change(subject, change_to(Some(full(user)), user, Some(1))).await
    );
    assert!(change(subject, change_to(Some(full(user)), user, None)).await);
    let entry = world.full_entry();
    let next = SecondFactor { version: 3, ..blank(user) };
    for (factor, expected) in [
        (Some(blank(user)), None),
        (Some(next.clone()), Some(1)),
        (Some(next.clone()), Some(3)),
        (None, Some(1)),
        (None, None),
    ] {
        let stale = SecondFactorChange {
            switches: true,
            entries: vec![(world.workspace.id, entry.clone())],
            email: Some(world.queued_email("Hello")),
            ..change_to(factor, user, expected)
        };
        assert!(!change(subject, stale).await, "{expected:?}");
    }
    assert_eq!(find(subject, user).await, Some(full(user)));
    assert!(!world.audit_log().await.contains(&entry));
    let changes = subject.ports.directory.credential_changes(StdDuration::from_mins(1)).await.unwrap();
    assert!(!changes.contains(&user.0));
}

/// Switching it on or off reaches audit logs, the e-mail queue and the other instances.
pub async fn a_switch_is_audited_mailed_and_propagated(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let entries = [world.full_entry(), other.full_entry()];
    let email = world.queued_email("Hello");
    let switch = SecondFactorChange {
        switches: true,
        entries: [world.workspace.id, other.workspace.id].into_iter().zip(entries.clone()).collect(),
        email: Some(email.clone()),
        ..change_to(Some(full(user)), user, None)
    };
    assert!(change(subject, switch).await);
    for (world, entry) in [&world, &other].into_iter().zip(entries) {
        assert!(world.audit_log().await.contains(&entry));
    }
    assert!(subject.ports.directory.find_email(world.workspace.id, email.id).await.unwrap().is_some());
    let changes = subject.ports.directory.credential_changes(StdDuration::from_mins(1)).await.unwrap();
    assert!(changes.contains(&user.0));
}

/// A session tells whether its user has a confirmed second factor.
pub async fn a_session_says_whether_its_user_has_one(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, other) = (world.active_member(PASSWORD).await, world.active_member(PASSWORD).await);
    let (session, of_other) = (world.begin_session(user, PASSWORD).await, world.begin_session(other, PASSWORD).await);
    let has = async |lookup_id: &str| {
        subject.ports.directory.find_session(lookup_id).await.unwrap().unwrap().second_factor_since.is_some()
    };
    for (factor, expected) in [(None, false), (Some(blank(user)), false), (Some(full(user)), true)] {
        if let Some(factor) = factor {
            let version = Some(factor.version - 1).filter(|version| *version > 0);
            assert!(change(subject, change_to(Some(factor), user, version)).await);
        }
        assert_eq!(has(&session.lookup_id).await, expected);
        assert!(!has(&of_other.lookup_id).await);
    }
}

fn challenge(world: &TestWorkspace, user_id: UserId) -> SignInChallenge {
    let token = PlainToken::generate(TokenKind::SecondFactor, &*world.ports.random);
    let (lookup_id, secret) = (token.lookup_id().to_owned(), token.hashed());
    SignInChallenge {
        user_id,
        lookup_id,
        secret,
        expires_at: MADE,
        tries: 0,
        awaits: PendingStep::Code(FirstProof::Password),
    }
}

async fn add(world: &TestWorkspace, challenge: &SignInChallenge, password: &str, most: u32) -> bool {
    let (challenge, verified) = (challenge.clone(), plain_hash(password));
    world.commit(move |tx| tx.challenges().insert(&challenge, Some(&verified), most)).await
}

async fn found(subject: &StoreUnderTest, challenge: &SignInChallenge) -> Option<SignInChallenge> {
    let found = subject.ports.directory.find_challenge(&challenge.lookup_id).await.unwrap();
    found.map(|found| found.challenge)
}

async fn remove(world: &TestWorkspace, challenge: &SignInChallenge) -> bool {
    let lookup_id = challenge.lookup_id.clone();
    world.commit(move |tx| tx.challenges().remove(&lookup_id)).await
}

/// A challenge needs an active member and the verified password, is found with both, and removed once, from its own
/// workspace only.
pub async fn a_challenge_round_trips_and_is_removed_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let first = SignInChallenge { tries: 3, ..challenge(&world, user) };
    assert!(!add(&world, &first, "another password", 9).await && !add(&other, &first, PASSWORD, 9).await);
    assert_eq!(found(subject, &first).await, None);
    assert!(add(&world, &first, PASSWORD, 9).await);
    let lookup = subject.ports.directory.find_challenge(&first.lookup_id).await.unwrap().unwrap();
    assert_eq!((&lookup.challenge, lookup.role), (&first, Role::Member));
    assert_eq!(lookup.workspace, world.workspace);
    assert_eq!((lookup.user.id, lookup.user.password), (user, Some(plain_hash(PASSWORD))));
    assert!(!remove(&other, &first).await && remove(&world, &first).await && !remove(&world, &first).await);
    assert_eq!(found(subject, &first).await, None);
    let second = challenge(&world, user);
    assert!(add(&world, &second, PASSWORD, 9).await);
    world.deactivate(user).await;
    assert_eq!(found(subject, &second).await, None, "its member has left");
}

/// The pending step and the first proof of a sign-in round-trip.
pub async fn the_pending_step_of_a_challenge_round_trips(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    let session = world.begin_session(user, PASSWORD).await;
    let switched = FirstProof::Session { id: session.id, ends_at: MADE + Duration::HOUR };
    let codes = [FirstProof::Password, FirstProof::Link, switched].map(PendingStep::Code);
    for awaits in codes.into_iter().chain([PendingStep::Workspace]) {
        let stored = SignInChallenge { awaits, ..challenge(&world, user) };
        assert!(add(&world, &stored, PASSWORD, 9).await, "{awaits:?}");
        assert_eq!(found(subject, &stored).await, Some(stored));
    }
}

/// Tries are counted up to a bound, until the challenge expires.
pub async fn tries_are_counted_up_to_a_bound(subject: &StoreUnderTest) {
    let (world, foreign) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let (tried, bystander) = (challenge(&world, user), challenge(&world, user));
    assert!(add(&world, &tried, PASSWORD, 9).await && add(&world, &bystander, PASSWORD, 9).await);
    let before = MADE - Duration::MICROSECOND;
    let take = async |world: &TestWorkspace, now: OffsetDateTime| {
        let lookup_id = tried.lookup_id.clone();
        world.commit(move |tx| tx.challenges().take_try(&lookup_id, now, 2)).await
    };
    assert!(!take(&world, MADE).await, "it has expired");
    assert!(!take(&foreign, before).await, "it belongs to another workspace");
    assert!(take(&world, before).await && take(&world, before).await && !take(&world, before).await);
    assert_eq!(found(subject, &tried).await.unwrap().tries, 2);
    assert_eq!(found(subject, &bystander).await.unwrap().tries, 0);
}

/// Beyond the bound, the user's challenges that expire first are removed.
pub async fn surplus_challenges_end(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, colleague) = (world.active_member(PASSWORD).await, world.active_member(PASSWORD).await);
    let of_colleague = challenge(&world, colleague);
    assert!(add(&world, &of_colleague, PASSWORD, 2).await);
    let mut challenges = Vec::new();
    for seconds in [1, 2, 3, 4] {
        let one = SignInChallenge { expires_at: MADE + Duration::seconds(seconds), ..challenge(&world, user) };
        assert!(add(&world, &one, PASSWORD, 2).await);
        challenges.push(one);
    }
    for (one, stays) in challenges.iter().zip([false, false, true, true]) {
        assert_eq!(found(subject, one).await.is_some(), stays);
    }
    assert!(found(subject, &of_colleague).await.is_some());
}

/// A new password withdraws challenges and ends the pause after wrong codes; the second factor itself stays.
pub async fn a_new_password_withdraws_challenges_and_pauses(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (user, colleague) = (world.active_member(PASSWORD).await, world.active_member(PASSWORD).await);
    let (withdrawn, of_colleague) = (challenge(&world, user), challenge(&world, colleague));
    assert!(add(&world, &withdrawn, PASSWORD, 9).await && add(&world, &of_colleague, PASSWORD, 9).await);
    assert!(change(subject, change_to(Some(full(user)), user, None)).await);
    let session = world.begin_session(user, PASSWORD).await;
    let by = PasswordProof::Session(session.id, plain_hash(PASSWORD));
    let password = plain_hash("new");
    let new = PasswordChange { user_id: user, password, email: None, by, entries: Vec::new(), now: MADE };
    assert!(subject.ports.directory.change_password(new).await.unwrap());
    assert!(found(subject, &withdrawn).await.is_none() && found(subject, &of_colleague).await.is_some());
    let expected = SecondFactor { failures: 0, paused_until: None, version: 3, ..full(user) };
    assert_eq!(find(subject, user).await, Some(expected));
}

/// Expired challenges are deleted, at most `limit` per call.
pub async fn expired_challenges_are_pruned(subject: &StoreUnderTest) {
    let _alone = crate::Pruning::alone();
    let world = subject.world().await;
    let user = world.active_member(PASSWORD).await;
    // A date that only this case uses, because pruning crosses workspaces and other cases may share the database.
    let past: OffsetDateTime = datetime!(1901-01-01 00:00 UTC);
    let mut challenges = Vec::new();
    for after in [-3, -2, -1, 0] {
        let one = SignInChallenge { expires_at: past + Duration::seconds(after), ..challenge(&world, user) };
        assert!(add(&world, &one, PASSWORD, 9).await);
        challenges.push(one);
    }
    for expected in [2, 1, 0] {
        assert_eq!(subject.ports.directory.prune_credentials(past, 2).await.unwrap(), expected);
    }
    for (one, stays) in challenges.iter().zip([false, false, false, true]) {
        assert_eq!(found(subject, one).await.is_some(), stays);
    }
}
