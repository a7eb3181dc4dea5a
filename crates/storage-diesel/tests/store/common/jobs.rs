//! A store with a workspace, and jobs for it.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::crm::companies::Company;
use domain::identity::access::Actor;
use domain::identity::audit::{AuditAction, AuditActor, AuditEntry, AuditSubject};
use domain::kernel::idempotency::{IdempotencyClaim, ResponseBudget};
use domain::ports::{Abort, Directory, Ids, Job, Store, StoreError, Tx};
use domain::testing::workspace_value;
use domain::{AuditEntryId, CompanyId, WorkspaceId};
use storage_diesel::{PgOptions, PgStore};
use time::OffsetDateTime;
use time::macros::datetime;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{Database, UniqueValues};

pub(crate) const NOW: OffsetDateTime = datetime!(2030-01-31 09:00 UTC);

pub(crate) async fn store_over(
    database: Database,
    change: impl FnOnce(&mut PgOptions),
) -> (Database, PgStore, WorkspaceId) {
    let mut options = database.options();
    change(&mut options);
    let store = PgStore::connect(&options).unwrap();
    let workspace = workspace_value(1);
    store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
    (database, store, workspace.id)
}

/// An audit entry of the service itself.
pub(crate) fn entry(subject: AuditSubject) -> AuditEntry {
    AuditEntry {
        id: AuditEntryId(UniqueValues.new_id()),
        action: AuditAction::WorkspaceCreated,
        actor: AuditActor { actor: Actor::SYSTEM, name: "operator".to_owned() },
        subject,
        details: serde_json::Map::new(),
        ip: None,
        created_at: NOW,
    }
}

pub(crate) fn job(mut work: impl FnMut(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static) -> Job {
    Box::new(move |tx| work(tx).map_err(Abort::Store))
}

pub(crate) fn spawn(store: &PgStore, workspace: WorkspaceId, job: Job) -> JoinHandle<Result<(), StoreError>> {
    let store = store.clone();
    tokio::spawn(async move { store.run(workspace, job).await })
}

/// Runs jobs concurrently, each in a task; all must succeed.
pub(crate) async fn run_all(store: &PgStore, workspace: WorkspaceId, jobs: impl IntoIterator<Item = Job>) {
    let started: Vec<_> = jobs.into_iter().map(|job| spawn(store, workspace, job)).collect();
    for one in started {
        one.await.unwrap().unwrap();
    }
}

/// A claim on an idempotency key of one credential.
pub(crate) fn claim(key: &str, budget: ResponseBudget) -> IdempotencyClaim {
    IdempotencyClaim {
        credential: Uuid::from_u128(1),
        route: "POST /companies",
        key: key.to_owned(),
        fingerprint: [7; 32],
        now: NOW,
        oldest: NOW - Duration::from_hours(1),
        budget,
    }
}

pub(crate) fn company() -> Company {
    let blank = Company::blank(CompanyId(UniqueValues.new_id()), Actor::SYSTEM, NOW);
    Company { name: "Company".to_owned(), ..blank }
}

pub(crate) fn count(database: &Database, table: &str) -> i64 {
    number(database, &format!("SELECT count(*) FROM {table}"))
}

pub(crate) fn number(database: &Database, query: &str) -> i64 {
    diesel::dsl::sql::<BigInt>(query).get_result(&mut database.connection()).unwrap()
}

pub(crate) fn lines(database: &Database, query: &str) -> Vec<String> {
    diesel::dsl::sql::<Text>(query).load(&mut database.connection()).unwrap()
}

/// Polls until a count is not 0.
pub(crate) async fn wait_until(database: &Database, sql: &str) {
    let mut connection = database.connection();
    for _ in 0..500 {
        let count: i64 = diesel::dsl::sql::<BigInt>(sql).get_result(&mut connection).unwrap();
        if count > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("timed out waiting for: {sql}");
}
