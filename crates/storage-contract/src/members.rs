//! Members, with their users and invitations.

use time::{Duration, OffsetDateTime};

use super::paging::{check_walks_of_ranges, newest_first};
use super::records::{LINE, MADE};
use super::{PASSWORD, StoreUnderTest, TestWorkspace, taken};
use domain::identity::access::Credential;
use domain::identity::members::{Invitation, Member, MemberRecord, MemberStatus};
use domain::identity::notifications::{NotificationChoices, Recipient};
use domain::identity::workspaces::{Role, User};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::testing::plain_hash;
use domain::{Reference, UserId};

async fn find(world: &TestWorkspace, email_key: &str) -> Option<MemberRecord> {
    let email_key = email_key.to_owned();
    world.commit(move |tx| tx.members().find_by_email(&email_key)).await
}

/// All fields round-trip through every getter, set or unset, even after a save.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.person(None);
    let invited = Member::invited(user.id, Role::Viewer, MADE);
    let record = world.add_member(&user, invited.clone()).await;
    let expected = MemberRecord { member: invited.clone(), email: user.email.clone(), name: LINE.to_owned() };
    assert_eq!(record, expected);
    let full = Member {
        role: Role::Owner,
        joined_at: Some(MADE + Duration::HOUR),
        deactivated_at: Some(MADE + Duration::DAY),
        version: 7,
        updated_at: MADE + Duration::MICROSECOND,
        ..invited.clone()
    };
    for member in [full, invited] {
        world.save_member(&member).await;
        let expected = MemberRecord { member, ..record.clone() };
        assert_eq!(world.member(user.id).await.as_ref(), Some(&expected));
        assert_eq!(find(&world, &user.email_key()).await.as_ref(), Some(&expected));
        let listed = world.read(|tx| tx.members().list(&CreatedFilter::default(), &PageRequest::first(9))).await;
        assert!(listed.contains(&expected), "{listed:?}");
    }
    assert_eq!(world.member(UserId(world.id())).await, None);
}

/// A member is found by address in lower case, only within this workspace.
pub async fn found_by_address(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person(None);
    world.add_member(&user, Member::invited(user.id, Role::Member, MADE)).await;
    assert!(find(&world, &user.email_key()).await.is_some());
    assert_eq!(find(&world, &user.email_key().to_uppercase()).await, None);
    assert_eq!(find(&other, &user.email_key()).await, None);
}

/// A known address reuses its user; a member in any state is not added again.
pub async fn a_user_is_added_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person(Some("the first password"));
    let first = world.add_member(&user, Member::invited(user.id, Role::Viewer, MADE)).await;
    let same_person = User { email: user.email.to_uppercase(), ..world.person(None) };
    let joined = other.add_member(&same_person, Member::joined(same_person.id, Role::Admin, MADE)).await;
    assert_eq!((joined.member.user_id, &joined.email, &joined.name), (user.id, &first.email, &first.name));
    assert_eq!(world.password(user.id).await, Some(plain_hash("the first password")));
    for deactivated_at in [None, Some(MADE)] {
        world.save_member(&Member { deactivated_at, ..first.member.clone() }).await;
        let (user, member) = (same_person.clone(), Member::joined(same_person.id, Role::Admin, MADE));
        let refused = world.run(move |tx| Ok(tx.members().add(&user, &member)?)).await;
        assert_eq!(taken(refused), "email");
    }
}

pub async fn only_active_members_are_referred_to(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let user = world.person(None);
    let mut member = world.add_member(&user, Member::invited(user.id, Role::Member, MADE)).await.member;
    let refers =
        async || world.commit(move |tx| Ok(tx.references_exist(&[Reference::Member(user.id)])? == [true])).await;
    assert!(!refers().await);
    member.join(MADE);
    world.save_member(&member).await;
    assert!(refers().await);
    member.leave(MADE);
    world.save_member(&member).await;
    assert!(!refers().await);
}

pub async fn owners_are_the_active_ones(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let owners = async || world.commit(|tx| tx.members().owners_for_update()).await;
    assert_eq!(owners().await, []);
    let mut expected = Vec::new();
    for (role, status) in [
        (Role::Owner, MemberStatus::Active),
        (Role::Owner, MemberStatus::Invited),
        (Role::Owner, MemberStatus::Deactivated),
        (Role::Admin, MemberStatus::Active),
        (Role::Owner, MemberStatus::Active),
    ] {
        let user = world.person(None);
        let mut member = Member::joined(user.id, role, MADE);
        match status {
            MemberStatus::Active if role == Role::Owner => expected.push(user.id),
            MemberStatus::Active => {}
            MemberStatus::Invited => member.joined_at = None,
            MemberStatus::Deactivated => member.deactivated_at = Some(MADE),
        }
        world.add_member(&user, member).await;
    }
    let mut found = owners().await;
    found.sort();
    let notified = world.read(|tx| tx.members().owner_addresses()).await;
    expected.sort();
    let mut addresses = Vec::new();
    for id in &expected {
        addresses.push(world.member(*id).await.unwrap().email);
    }
    assert_eq!(notified, addresses, "they joined at the same time, so the order is by id");
    let mut administrators = world.read(|tx| tx.members().administrator_addresses()).await;
    let admin = administrators.pop();
    assert_eq!(administrators, addresses, "admins come after owners");
    assert!(admin.is_some_and(|admin| !addresses.contains(&admin)));
    assert_eq!(found, expected);
}

/// Name and password are set only for members without a password.
pub async fn a_profile_is_given_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person(None);
    world.add_member(&user, Member::invited(user.id, Role::Member, MADE)).await;
    let set = async |world: &TestWorkspace, name: &str, password: &str| {
        let profile = User { name: name.to_owned(), password: Some(plain_hash(password)), ..user.clone() };
        world.commit(move |tx| tx.members().set_profile(&profile)).await
    };
    assert!(!set(&other, "Stranger", "a stranger's word").await, "from another workspace");
    assert_eq!(world.password(user.id).await, None);
    assert!(set(&world, "Ann", "the first password").await);
    assert!(!set(&world, "Bob", "the second password").await);
    assert_eq!(world.password(user.id).await, Some(plain_hash("the first password")));
    assert_eq!(world.member(user.id).await.unwrap().name, "Ann");
}

async fn put(world: &TestWorkspace, invitation: &Invitation) {
    assert_eq!(put_unless(world, invitation, invitation.expires_at).await, None);
}

async fn put_unless(
    world: &TestWorkspace,
    invitation: &Invitation,
    unless_after: OffsetDateTime,
) -> Option<OffsetDateTime> {
    let invitation = invitation.clone();
    world.commit(move |tx| tx.members().put_invitation(&invitation, unless_after)).await
}

async fn use_up(world: &TestWorkspace, invitation: &Invitation) -> bool {
    let (id, lookup_id) = (invitation.user_id, invitation.lookup_id.clone());
    world.commit(move |tx| tx.members().use_invitation(id, &lookup_id, MADE + Duration::HOUR)).await
}

/// An invitation is found, used once, replaced by the next one, and withdrawn.
pub async fn an_invitation_is_used_once(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.person(Some("a password of hers"));
    let member = world.add_member(&user, Member::invited(user.id, Role::Admin, MADE)).await.member;
    let find =
        async |invitation: &Invitation| subject.ports.directory.find_invitation(&invitation.lookup_id).await.unwrap();
    let (first, second) = (world.invitation(user.id), world.invitation(user.id));
    assert!(find(&first).await.is_none() && !use_up(&world, &first).await);
    put(&world, &first).await;
    let found = find(&first).await.unwrap();
    assert_eq!((&found.invitation, &found.workspace), (&first, &world.workspace));
    assert_eq!((&found.user, &found.member), (&user, &member));
    assert_eq!(found.inviter, None, "invited by an operator");
    assert!(!use_up(&other, &first).await, "from another workspace");
    assert!(!use_up(&world, &second).await, "another link");
    assert!(use_up(&world, &first).await);
    assert!(!use_up(&world, &first).await);
    assert_eq!(find(&first).await.unwrap().invitation.accepted_at, Some(MADE + Duration::HOUR));
    let before_all = first.expires_at - Duration::DAY;
    assert_eq!(put_unless(&world, &second, before_all).await, None, "a used invitation is replaced");
    let third = world.invitation(user.id);
    let open = put_unless(&world, &third, second.expires_at - Duration::MICROSECOND).await;
    assert_eq!(open, Some(second.expires_at));
    assert!(find(&third).await.is_none());
    assert!(find(&first).await.is_none());
    assert_eq!(find(&second).await.unwrap().invitation, second);
    let by_a_member = Invitation { invited_by: Some(world.member), ..world.invitation(user.id) };
    assert_eq!(put_unless(&world, &by_a_member, second.expires_at).await, None);
    let found = find(&by_a_member).await.unwrap();
    let inviter = world.member(world.member).await.unwrap().name;
    assert_eq!((found.invitation, found.inviter), (by_a_member, Some(inviter)));
    put(&world, &second).await;
    assert_eq!(find(&second).await.unwrap().inviter, None, "the next one replaces every field");
    assert!(!use_up(&world, &first).await, "a replaced link");
    world.commit(move |tx| tx.members().withdraw_invitation(user.id)).await;
    assert!(find(&second).await.is_none() && !use_up(&world, &second).await);
}

/// A member in each state at seven times, plus the workspace's own member.
async fn in_every_state(world: &TestWorkspace) -> Vec<MemberRecord> {
    let mut all = vec![world.member(world.member).await.unwrap()];
    for (index, created_at) in world.seven_times().into_iter().enumerate() {
        let user = world.person(None);
        let member = Member {
            joined_at: (index % 3 > 0).then_some(created_at),
            deactivated_at: (index % 3 > 1).then_some(created_at),
            ..Member::invited(user.id, Role::Member, created_at)
        };
        all.push(world.add_member(&user, member).await);
    }
    all
}

/// Newest first, ties by id, in every state.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let cursor_keys = in_every_state(&world).await.iter().map(Paginated::cursor_key).collect();
    check_walks_of_ranges(&world, &newest_first(cursor_keys), |tx, filter, page| tx.members().list(filter, page)).await;
}

/// Members who have joined, even if removed since; by lower-case address and in pages.
pub async fn those_who_joined_are_listed(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let all = in_every_state(&world).await;
    let joined = all.iter().filter(|record| record.member.joined_at.is_some());
    let joined = newest_first(joined.map(Paginated::cursor_key).collect());
    check_walks_of_ranges(&world, &joined, |tx, filter, page| tx.members().list_joined(None, filter, page)).await;
    let (ever, page) = (CreatedFilter::default(), PageRequest::first(9));
    for record in all {
        let email_key = record.email.to_lowercase();
        let sought = email_key.clone();
        let found = world.read(move |tx| tx.members().list_joined(Some(&sought), &ever, &page)).await;
        assert_eq!(found, Vec::from_iter(record.member.joined_at.map(|_| record)));
        let foreign = other.read(move |tx| tx.members().list_joined(Some(&email_key), &ever, &page)).await;
        assert!(foreign.is_empty());
    }
}

/// An account changes for all workspaces, but only from one where the user is a member.
pub async fn an_account_is_changed(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let user = world.active_member(PASSWORD).await;
    let found = subject.ports.directory.find_user(user).await.unwrap().unwrap();
    assert_eq!(found.user.notifications, NotificationChoices { assigned: true, replies: true });
    let choices = NotificationChoices { assigned: false, replies: true };
    other.commit(move |tx| tx.members().save_account(user, "Mallory", choices)).await;
    assert_eq!(world.member(user).await.unwrap().name, LINE);
    world.commit(move |tx| tx.members().save_account(user, "Ada", choices)).await;
    assert_eq!(world.member(user).await.unwrap().name, "Ada");
    let found = subject.ports.directory.find_user(user).await.unwrap().unwrap();
    assert_eq!((found.user.name.as_str(), found.memberships.len()), ("Ada", 1));
    assert_eq!(found.user.notifications, choices);
    assert!(subject.ports.directory.find_user(UserId(world.id())).await.unwrap().is_none());
}

/// Members in any state are found by address and have names, in their workspace only; invited ones are named by address. API keys
/// have names, too.
pub async fn addresses_and_names_are_of_the_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (joined, invited) = (world.person(None), world.person(None));
    world.add_member(&joined, Member::joined(joined.id, Role::Member, MADE)).await;
    world.add_member(&invited, Member::invited(invited.id, Role::Member, MADE)).await;
    let keys = vec![joined.email_key(), invited.email_key(), "nobody@example.com".to_owned()];
    let sought = keys.clone();
    let mut found = world.read(move |tx| tx.members().ids_of(&sought)).await;
    found.sort();
    let mut expected = vec![(joined.email_key(), joined.id), (invited.email_key(), invited.id)];
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(other.read(move |tx| tx.members().ids_of(&keys)).await, []);
    let key = match world.caller.credential() {
        Credential::Key(id) => id.0,
        Credential::Session { .. } => panic!("a key"),
    };
    let ids = vec![joined.id.0, invited.id.0, key, world.id()];
    let sought = ids.clone();
    let mut found = world.read(move |tx| tx.members().names_of(&sought)).await;
    found.sort();
    let mut expected =
        vec![(joined.id.0, LINE.to_owned()), (invited.id.0, invited.email_key()), (key, "suite".to_owned())];
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(other.read(move |tx| tx.members().names_of(&ids)).await, []);
}

/// Recipients are only active members of the workspace, with their roles and choices.
pub async fn recipients_are_active_members(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let active = world.active_member(PASSWORD).await;
    let foreign = other.active_member(PASSWORD).await;
    let now = world.now();
    let left = Member { deactivated_at: Some(now), ..Member::joined(UserId(world.id()), Role::Member, now) };
    let mut ids = vec![active, foreign, UserId(world.id())];
    for member in [Member::invited(UserId(world.id()), Role::Member, now), left] {
        let user = User { id: member.user_id, ..world.person(None) };
        ids.push(world.add_member(&user, member).await.member.user_id);
    }
    let choices = NotificationChoices { assigned: true, replies: false };
    world.commit(move |tx| tx.members().save_account(active, "Ada", choices)).await;
    let found = world.read(move |tx| tx.members().recipients(&ids)).await;
    let email = world.member(active).await.unwrap().email;
    assert_eq!(found, [Recipient { user_id: active, email, role: Role::Member, choices }]);
    assert_eq!(world.read(|tx| tx.members().recipients(&[])).await, []);
}
