//! Rows written by a newer release, during an upgrade or after a downgrade.

use domain::UndoId;
use domain::console::undos::{UNDO_TTL, Undo};
use domain::events::Module;
use domain::identity::access::Preset;
use domain::identity::api_keys::ApiKey;
use domain::identity::audit::{AuditAction, AuditFilter};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::records::RecordKind;
use domain::tools::ToolPermission;
use storage_contract::api_keys::key;
use storage_contract::event_following::everything;

use crate::common::Database;
use crate::port_suite::run;

#[test]
fn the_newest_events_leave_out_those_of_unknown_modules() {
    let database = Database::migrated();
    run(&database, async |subject| {
        let world = subject.world().await;
        world.emit(vec![world.event(Module::Crm, "deal.created"), world.event(Module::Crm, "contract.created")]).await;
        let upto = world.read(|tx| tx.event_log().number()).await;
        database.execute("UPDATE events SET module = 'leasing' WHERE event = 'contract.created'");
        let scan = everything(0, upto);
        let found = world.read(move |tx| tx.event_log().scan_newest(&scan)).await;
        let names: Vec<_> = found.events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["deal.created"]);
    });
}

#[test]
fn the_audit_log_leaves_out_unknown_entries() {
    let database = Database::migrated();
    run(&database, async |subject| {
        let world = subject.world().await;
        let of_updates = AuditFilter { action: vec![AuditAction::WorkspaceUpdated].into(), ..AuditFilter::default() };
        let entries = async |filter: &AuditFilter| {
            let filter = filter.clone();
            world.read(move |tx| tx.audit().list(&filter, &PageRequest::first(100))).await
        };
        let (before, updates_before) = (entries(&AuditFilter::default()).await, entries(&of_updates).await);
        assert!(!before.is_empty());
        for (action, kind) in [("contract.signed", "workspace"), ("workspace.updated", "contract")] {
            database.execute(&format!(
                "INSERT INTO audit_log (workspace_id, id, action, actor_type, actor_id, actor_name, subject_type, subject_id,
                     details, created_at)
                 SELECT workspace_id, gen_random_uuid(), '{action}', actor_type, actor_id, actor_name, '{kind}', subject_id,
                     details, created_at
                 FROM audit_log WHERE workspace_id = '{}' LIMIT 1",
                world.workspace.id.0
            ));
        }
        assert_eq!(entries(&AuditFilter::default()).await, before);
        assert_eq!(entries(&of_updates).await, updates_before);
    });
}

#[test]
fn an_undo_of_an_unknown_kind_is_not_found() {
    let database = Database::migrated();
    run(&database, async |subject| {
        let world = subject.world().await;
        let (id, made_at, member) = (UndoId(world.id()), world.now(), world.member);
        let undo = Undo { id, kind: RecordKind::Deal, made_at, expires_at: made_at + UNDO_TTL, entries: Vec::new() };
        world.commit(move |tx| tx.undos().keep(member, &undo)).await;
        assert!(world.commit(move |tx| tx.undos().get_for_update(member, id)).await.is_some());
        database.execute("UPDATE console_undos SET kind = 'contract'");
        assert_eq!(world.commit(move |tx| tx.undos().get_for_update(member, id)).await, None);
    });
}

#[test]
fn keys_are_listed_without_unknown_scopes_and_permissions() {
    let database = Database::migrated();
    run(&database, async |subject| {
        let world = subject.world().await;
        let (scopes, preset) = (Preset::Support.scopes(), Some(Preset::Support));
        let permissions = Some(ToolPermission::ALL.iter().copied().collect());
        let stored = ApiKey { scopes, preset, permissions, ..key(&world) };
        let added = stored.clone();
        world.commit(move |tx| tx.api_keys().insert(&added)).await;
        database.execute(
            "ALTER TABLE api_keys DROP CONSTRAINT api_keys_preset_check;
             UPDATE api_keys SET preset = 'leasing', scopes = scopes || ARRAY['leasing.read'],
                 permissions = permissions || ARRAY['read_leases']",
        );
        let listed = world.read(|tx| tx.api_keys().list(&CreatedFilter::default(), &PageRequest::first(10))).await;
        let found = listed.into_iter().find(|key| key.id == stored.id);
        assert_eq!(found, Some(ApiKey { preset: None, ..stored }));
    });
}
