use serde_json::json;

use super::{new, patch, start};
use domain::SubscriptionId;
use domain::events::Module;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::sealing::{SealedPlace, SealedSecret};
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::{self, PlainSecret, SigningSecrets, Subscription};
use storage_contract::TestWorkspace;
use test_databases::TestPorts;

/// A subscription whose secret an earlier release sealed for the workspace only.
fn from_an_earlier_release(test: &TestPorts, world: &TestWorkspace) -> (SubscriptionId, PlainSecret) {
    let ports = &test.ports;
    let secret = PlainSecret::generate(&*ports.random);
    let blank = world.subscription(Module::Crm);
    let place = SealedPlace::WebhookSecret(world.workspace.id, blank.id);
    let sealed = ports.master_keys.seal_as_formerly(place, secret.reveal(), &*ports.random).unwrap();
    (test.block_on(world.subscribe(Subscription { secrets: SigningSecrets::new(sealed), ..blank })), secret)
}

fn stored(test: &TestPorts, world: &TestWorkspace, id: SubscriptionId) -> Subscription {
    test.block_on(world.read(move |tx| tx.subscriptions().get(id))).unwrap().subscription
}

fn opens(test: &TestPorts, world: &TestWorkspace, id: SubscriptionId, sealed: &SealedSecret) -> Option<String> {
    let opened = PlainSecret::open(&test.ports.master_keys, (world.workspace.id, id), sealed);
    opened.ok().map(|secret| secret.reveal().to_owned())
}

#[test]
fn a_secret_of_an_earlier_release_works_and_the_next_change_binds_it_to_its_row() {
    let (test, world) = start();
    let (id, secret) = from_an_earlier_release(&test, &world);
    let before = stored(&test, &world, id).secrets.parts().1.clone();
    assert_eq!(opens(&test, &world, id, &before).as_deref(), Some(secret.reveal()));
    let other = SubscriptionId(world.id());
    assert!(opens(&test, &world, other, &before).is_some(), "it was bound only to the workspace");

    let permit = world.operator::<UpdateWebhooks>();
    let fields = patch(json!({ "description": "Ours" }));
    let changed = webhooks::update(&test.ports, &permit, id, ExpectedVersion::Any, fields);
    test.block_on(changed).unwrap();
    let after = stored(&test, &world, id).secrets.parts().1.clone();
    assert_eq!(opens(&test, &world, id, &after).as_deref(), Some(secret.reveal()));
    assert_eq!(opens(&test, &world, other, &after), None);
}

#[test]
fn a_rotation_also_binds_the_previous_secret_to_its_row() {
    let (test, world) = start();
    let (id, secret) = from_an_earlier_release(&test, &world);
    let permit = world.operator::<UpdateWebhooks>();
    let rotated = webhooks::rotate_secret(&test.ports, &permit, id, new(json!({ "overlap_seconds": 60 })));
    let new = test.block_on(rotated).unwrap().secret;
    let stored = stored(&test, &world, id);
    let other = SubscriptionId(world.id());
    for (sealed, plain) in stored.secrets.at(world.now()).zip([secret, new]) {
        assert_eq!(opens(&test, &world, id, sealed).as_deref(), Some(plain.reveal()));
        assert_eq!(opens(&test, &world, other, sealed), None);
    }
}
