//! API keys.

use time::Duration;

use super::records::{LINE, MADE};
use super::{Subject, World};
use crate::ApiKeyId;
use crate::access::{Preset, Scope, ScopeSet};
use crate::api_keys::{ApiKey, PlainKey};

fn key(world: &World) -> ApiKey {
    let plain = PlainKey::generate(&*world.ports.random);
    ApiKey {
        id: ApiKeyId(world.id()),
        name: "A key".to_owned(),
        lookup_id: plain.lookup_id().to_owned(),
        secret: plain.hashed(),
        scopes: ScopeSet::default(),
        preset: None,
        expires_at: None,
        revoked_at: None,
        created_at: world.now(),
    }
}

async fn add(world: &World, key: &ApiKey) {
    let key = key.clone();
    world.done(move |tx| tx.api_keys().insert(&key)).await;
}

async fn get(world: &World, id: ApiKeyId) -> Option<ApiKey> {
    world.done(move |tx| tx.api_keys().get_for_update(id)).await
}

fn full_key(world: &World) -> ApiKey {
    ApiKey {
        name: LINE.to_owned(),
        scopes: Preset::Support.scopes(),
        preset: Some(Preset::Support),
        expires_at: Some(MADE + Duration::DAY),
        created_at: MADE,
        ..key(world)
    }
}

/// What was put in comes out, with every member set and with none.
pub async fn a_key_comes_back_as_it_was_made(subject: &Subject) {
    let world = subject.world().await;
    for key in [full_key(&world), key(&world)] {
        add(&world, &key).await;
        assert_eq!(get(&world, key.id).await, Some(key));
    }
    assert_eq!(get(&world, ApiKeyId(world.id())).await, None);
}

/// The look-up crosses workspaces, and answers for expired and revoked keys too.
pub async fn a_key_is_found_with_its_workspace_whatever_its_state(subject: &Subject) {
    let (world, other) = (subject.world().await, subject.world().await);
    for world in [&world, &other] {
        let key = full_key(world);
        add(world, &key).await;
        let found = subject.ports.directory.find_api_key(&key.lookup_id).await.unwrap().unwrap();
        assert_eq!((found.key, found.workspace), (key.clone(), world.workspace.clone()));
        let now = world.now();
        world.done(move |tx| tx.api_keys().revoke(key.id, now)).await;
        let found = subject.ports.directory.find_api_key(&key.lookup_id).await.unwrap().unwrap();
        assert_eq!(found.key.revoked_at, Some(now));
    }
    for absent in ["", "000000000000", "'"] {
        assert!(subject.ports.directory.find_api_key(absent).await.unwrap().is_none(), "{absent}");
    }
}

/// A revocation changes that one key and nothing else of it.
pub async fn revocation_is_kept(subject: &Subject) {
    let world = subject.world().await;
    let (revoked, bystander) = (full_key(&world), key(&world));
    add(&world, &revoked).await;
    add(&world, &bystander).await;
    let at = MADE + Duration::HOUR;
    world.done(move |tx| tx.api_keys().revoke(revoked.id, at)).await;
    assert_eq!(get(&world, revoked.id).await, Some(ApiKey { revoked_at: Some(at), ..revoked }));
    assert_eq!(get(&world, bystander.id).await, Some(bystander));
}

/// No scope and no preset is lost on the way.
pub async fn every_preset_and_scope_is_kept(subject: &Subject) {
    let world = subject.world().await;
    let presets = Preset::ALL.iter().map(|preset| (Some(*preset), preset.scopes()));
    let scopes = Scope::all().map(|scope| (None, [scope].into_iter().collect()));
    for (preset, scopes) in presets.chain(scopes).chain([(None, Scope::all().collect())]) {
        let key = ApiKey { scopes, preset, ..key(&world) };
        add(&world, &key).await;
        assert_eq!(get(&world, key.id).await, Some(key));
    }
}
