use time::Duration;

use super::paging::{check_walks_of_ranges, newest_first};
use super::records::{LINE, MADE};
use super::{StoreUnderTest, TestWorkspace};
use domain::ApiKeyId;
use domain::identity::access::{Actor, ActorKind, PlainToken, Preset, Scope, ScopeSet, TokenKind};
use domain::identity::api_keys::{ApiKey, Trial};
use domain::kernel::Networks;
use domain::kernel::paging::Paginated;
use domain::tools::{Tool, ToolPermission, ToolPermissions};

/// A key that does not expire.
pub fn key(world: &TestWorkspace) -> ApiKey {
    let plain = PlainToken::generate(TokenKind::ApiKey, &*world.ports.random);
    ApiKey {
        id: ApiKeyId(world.id()),
        name: "A key".to_owned(),
        lookup_id: plain.lookup_id().to_owned(),
        secret: plain.hashed(),
        scopes: ScopeSet::default(),
        preset: None,
        permissions: None,
        narrows_rest: true,
        trial: None,
        allowed_networks: Networks::default(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        version: 1,
        created_at: world.now(),
        updated_at: world.now(),
        created_by: Actor::SYSTEM,
    }
}

pub(super) fn networks() -> Networks {
    Networks::parse(&["203.0.113.0/24", "2001:db8::/32", "::/0"].map(ToOwned::to_owned)).unwrap()
}

async fn save(world: &TestWorkspace, key: &ApiKey) {
    let key = key.clone();
    world.commit(move |tx| tx.api_keys().save(&key)).await;
}

async fn get(world: &TestWorkspace, id: ApiKeyId) -> Option<ApiKey> {
    world.commit(move |tx| tx.api_keys().get_for_update(id)).await
}

fn full_key(world: &TestWorkspace) -> ApiKey {
    ApiKey {
        name: LINE.to_owned(),
        scopes: Preset::Support.scopes(),
        preset: Some(Preset::Support),
        permissions: Some(ToolPermission::ALL.iter().copied().collect()),
        allowed_networks: networks(),
        expires_at: Some(MADE + Duration::DAY),
        last_used_at: Some(MADE + Duration::MINUTE),
        version: 7,
        created_at: MADE,
        updated_at: MADE + Duration::MICROSECOND,
        created_by: world.member_actor(),
        ..key(world)
    }
}

/// Only the workspace's own keys that are neither revoked nor expired count as active.
pub async fn active_keys_are_counted(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let now = world.now();
    let count = || world.commit(move |tx| tx.api_keys().count_active_for_update(now));
    let before = count().await;
    let ends = |expires_at| ApiKey { expires_at, ..key(&world) };
    for (key, counts) in [
        (ends(None), 1),
        (ends(Some(now + Duration::MICROSECOND)), 1),
        (ends(Some(now)), 0),
        (ends(Some(now - Duration::DAY)), 0),
        (ApiKey { revoked_at: Some(now), ..key(&world) }, 0),
        (ApiKey { revoked_at: Some(now), ..ends(Some(now + Duration::DAY)) }, 0),
    ] {
        let earlier = count().await;
        world.add(key.clone()).await;
        assert_eq!(count().await, earlier + counts, "{:?} {:?}", key.expires_at, key.revoked_at);
    }
    other.add(key(&other)).await;
    assert_eq!(count().await, before + 2);
}

/// All fields round-trip, set or unset; a map that grants nothing differs from no map.
pub async fn a_key_round_trips(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let denying = ApiKey { permissions: Some(ToolPermissions::default()), ..key(&world) };
    for key in [full_key(&world), key(&world), denying] {
        world.add(key.clone()).await;
        assert_eq!(get(&world, key.id).await, Some(key));
    }
    assert_eq!(get(&world, ApiKeyId(world.id())).await, None);
}

/// The look-up crosses workspaces and also finds expired and revoked keys.
pub async fn a_key_is_found_with_its_workspace_in_any_state(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    for world in [&world, &other] {
        let key = full_key(world);
        world.add(key.clone()).await;
        let found = subject.ports.directory.find_api_key(&key.lookup_id).await.unwrap().unwrap();
        assert_eq!((found.key, found.workspace), (key.clone(), world.workspace.clone()));
        let now = world.now();
        save(world, &ApiKey { revoked_at: Some(now), ..key.clone() }).await;
        let found = subject.ports.directory.find_api_key(&key.lookup_id).await.unwrap().unwrap();
        assert_eq!(found.key.revoked_at, Some(now));
    }
    for absent in ["", "000000000000", "'"] {
        assert!(subject.ports.directory.find_api_key(absent).await.unwrap().is_none(), "{absent}");
    }
}

/// A revocation changes only this key, and only its revocation.
pub async fn revocation_is_kept(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (revoked, bystander) = (full_key(&world), key(&world));
    world.add(revoked.clone()).await;
    world.add(bystander.clone()).await;
    let revoked = ApiKey { revoked_at: Some(MADE + Duration::HOUR), ..revoked };
    save(&world, &revoked).await;
    assert_eq!(get(&world, revoked.id).await, Some(revoked));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// A save writes name, networks, whether permissions narrow REST, revocation and version; permissions and last use stay.
pub async fn a_save_keeps_permissions_and_last_use(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let original = full_key(&world);
    world.add(original.clone()).await;
    let changed = ApiKey {
        name: "Other".to_owned(),
        allowed_networks: Networks::default(),
        narrows_rest: false,
        revoked_at: Some(MADE + Duration::DAY),
        version: 8,
        updated_at: MADE + Duration::WEEK,
        ..original.clone()
    };
    let more = ApiKey {
        scopes: Scope::all().collect(),
        permissions: None,
        expires_at: None,
        last_used_at: None,
        created_at: world.now(),
        created_by: Actor::SYSTEM,
        ..changed.clone()
    };
    save(&world, &more).await;
    assert_eq!(get(&world, original.id).await, Some(changed));
}

fn trial_key(world: &TestWorkspace) -> ApiKey {
    let trial = Trial { tools: Tool::ALL.iter().copied().collect(), calls_limit: 2, calls_used: 0 };
    let expires_at = Some(MADE + Duration::DAY);
    ApiKey { preset: Some(Preset::AgentTrial), trial: Some(trial), expires_at, ..key(world) }
}

/// Each call of a trial is counted once, and none beyond the last; a key without a trial has no calls.
pub async fn the_calls_of_a_trial_are_counted(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (trial, other) = (trial_key(&world), key(&world));
    world.add(trial.clone()).await;
    world.add(other.clone()).await;
    assert_eq!(get(&world, trial.id).await, Some(trial.clone()));
    for (counted, used) in [(true, 1), (true, 2), (false, 2)] {
        let id = trial.id;
        assert_eq!(world.commit(move |tx| tx.api_keys().take_trial_call(id)).await, counted);
        let stored = world.commit(move |tx| tx.api_keys().get(id)).await.unwrap();
        assert_eq!(stored.trial.map(|trial| trial.calls_used), Some(used));
    }
    for absent in [other.id, ApiKeyId(world.id())] {
        assert!(!world.commit(move |tx| tx.api_keys().take_trial_call(absent)).await);
    }
    // Renaming or revoking the key does not reset the count.
    save(&world, &ApiKey { name: "Other".to_owned(), ..trial.clone() }).await;
    let stored = get(&world, trial.id).await.unwrap();
    assert_eq!(stored.trial.map(|trial| trial.calls_remaining()), Some(0));
}

pub async fn every_preset_and_scope_is_kept(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let presets = Preset::ALL.iter().map(|preset| (Some(*preset), preset.scopes()));
    let scopes = Scope::all().map(|scope| (None, [scope].into_iter().collect()));
    for (preset, scopes) in presets.chain(scopes).chain([(None, Scope::all().collect())]) {
        let base = if preset == Some(Preset::AgentTrial) { trial_key(&world) } else { key(&world) };
        let key = ApiKey { scopes, preset, ..base };
        world.add(key.clone()).await;
        assert_eq!(get(&world, key.id).await, Some(key));
    }
}

/// Newest first, ties by id, in every state.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut cursor_keys = vec![get(&world, world.key_id()).await.unwrap().cursor_key()];
    for created_at in world.seven_times() {
        let revoked_at = (created_at > world.now()).then_some(created_at);
        let key = ApiKey { revoked_at, created_at, ..key(&world) };
        world.add(key.clone()).await;
        cursor_keys.push(key.cursor_key());
    }
    check_walks_of_ranges(&world, &newest_first(cursor_keys), |tx, filter, page| tx.api_keys().list(filter, page))
        .await;
}

/// The active keys that a user created in the workspace, newest first, are listed, and revoked together.
pub async fn the_active_keys_of_a_user_are_listed_and_revoked(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    let (now, user) = (world.now(), world.member);
    let made_by_user = |after: i64, world: &TestWorkspace| ApiKey {
        created_at: now + Duration::seconds(after),
        created_by: Actor { kind: ActorKind::User, id: Some(user.0) },
        ..key(world)
    };
    let (old, new) = (made_by_user(1, &world), made_by_user(2, &world));
    let expiring = ApiKey { expires_at: Some(now + Duration::SECOND), ..made_by_user(3, &world) };
    let expired = ApiKey { expires_at: Some(now), ..made_by_user(4, &world) };
    let revoked = ApiKey { revoked_at: Some(now), ..made_by_user(5, &world) };
    let (by_another, foreign) = (key(&world), made_by_user(6, &other));
    for key in [&old, &new, &expiring, &expired, &revoked, &by_another] {
        world.add(key.clone()).await;
    }
    other.add(foreign.clone()).await;
    let expected = [expiring, new, old];
    assert_eq!(world.read(move |tx| tx.api_keys().active_of(user, now, 9)).await, expected);
    assert_eq!(world.read(move |tx| tx.api_keys().active_of(user, now, 2)).await, expected[..2]);

    let later = now + Duration::MICROSECOND;
    let revoked_keys = expected.map(|key| ApiKey { revoked_at: Some(later), updated_at: later, version: 2, ..key });
    assert_eq!(world.commit(move |tx| tx.api_keys().revoke_all_of(user, later)).await, revoked_keys);
    assert_eq!(world.commit(move |tx| tx.api_keys().revoke_all_of(user, later)).await, []);
    for key in revoked_keys.into_iter().chain([expired, revoked, by_another]) {
        assert_eq!(get(&world, key.id).await, Some(key));
    }
    assert_eq!(get(&other, foreign.id).await, Some(foreign));
}
