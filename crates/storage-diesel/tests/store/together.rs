//! Writes that are sent together: how many statements they take, and what happens if something that was assumed does not hold.

use std::sync::{Mutex, Once, PoisonError, mpsc};

use crate::common::Database;
use crate::common::jobs::{NOW, claim, company, count, store_over};
use diesel::connection::{InstrumentationEvent, set_default_instrumentation};
use domain::crm::companies::Company;
use domain::events::Module;
use domain::kernel::idempotency::{ClaimResult, KeepResult, ResponseBudget, StoredResponse};
use domain::limits::quota::month_of;
use domain::ports::{Abort, Job, QuotaResult, Store, StoreError, Tx};
use domain::{CompanyId, Reference, WorkspaceId, testing};
use storage_diesel::{PgOptions, PgStore};
use uuid::Uuid;

/// Statements of all stores with this name are counted together, so one test runs at a time.
static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
/// The name of the pool, which its threads have, too.
const POOL: &str = "together";

static SENT: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn sent() -> Vec<String> {
    std::mem::take(&mut *SENT.lock().unwrap_or_else(PoisonError::into_inner))
}

fn record_statements() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_default_instrumentation(|| {
            Some(Box::new(|event: InstrumentationEvent<'_>| {
                if let InstrumentationEvent::StartQuery { query, .. } = event
                    && std::thread::current().name() == Some(POOL)
                {
                    SENT.lock().unwrap_or_else(PoisonError::into_inner).push(query.to_string());
                }
            }))
        })
        .unwrap();
    });
}

/// A single connection, which is taken to be open whenever it was used within a minute.
fn one_open_connection(options: &mut PgOptions) {
    (options.pool_name, options.pool_size, options.stays_open_ms) = (POOL, 1, 60_000);
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Created,
    Replayed,
    Missing(Vec<bool>),
    Exhausted,
}

#[derive(Clone)]
struct Create {
    company: Company,
    references: Vec<Reference>,
    key: Option<&'static str>,
    limit: u64,
}

impl Create {
    fn new() -> Self {
        Self { company: company(), references: vec![], key: None, limit: 10_000 }
    }

    /// The steps of every use case that creates a record.
    fn run(&self, tx: &mut dyn Tx) -> Result<Outcome, StoreError> {
        let key = self.key.map(|key| claim(key, ResponseBudget::default()));
        if let Some(claim) = &key
            && let ClaimResult::Kept { .. } = tx.idempotency().claim(claim)?
        {
            return Ok(Outcome::Replayed);
        }
        let found = tx.references_exist(&self.references)?;
        if found.contains(&false) {
            return Ok(Outcome::Missing(found));
        }
        if tx.quota().take(month_of(NOW), self.limit, 1)? == QuotaResult::Exhausted {
            return Ok(Outcome::Exhausted);
        }
        tx.records::<Company>().insert(&self.company)?;
        tx.emit(&[testing::event(Module::Crm, "company.created", NOW)])?;
        if let Some(claim) = &key {
            let answer = StoredResponse { status: 201, location: None, body: "{}".to_owned() };
            assert_eq!(tx.idempotency().keep(claim, &answer)?, KeepResult::Kept);
        }
        Ok(Outcome::Created)
    }

    /// Other than `Created` is a rule's refusal. Errors are shown as text, to be compared.
    async fn send(&self, store: &PgStore, workspace: WorkspaceId) -> Result<Outcome, String> {
        let (create, (tell, told)) = (self.clone(), mpsc::channel());
        let job: Job = Box::new(move |tx| {
            let outcome = create.run(tx).map_err(Abort::Store)?;
            let is_refused = !matches!(outcome, Outcome::Created | Outcome::Replayed);
            tell.send(outcome).unwrap();
            if is_refused { Err(Abort::Rule) } else { Ok(()) }
        });
        store.run(workspace, job).await.map_err(|error| format!("{error:?}"))?;
        Ok(told.try_iter().last().unwrap())
    }
}

/// Rows of what a create writes.
fn rows(database: &Database) -> [i64; 5] {
    let sum = |column: &str, table: &str| {
        count(database, &format!("generate_series(1, (SELECT sum({column})::int FROM {table}))"))
    };
    [
        count(database, "companies"),
        count(database, "events"),
        count(database, "events_unnumbered"),
        count(database, "idempotency_keys"),
        sum("used", "crm_quota_blocks"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_create_is_one_statement_unless_something_is_unusual() {
    let _turn = ONE_AT_A_TIME.lock().await;
    record_statements();
    let (database, store, workspace) = store_over(Database::migrated(), one_open_connection).await;
    let first = Create::new();
    // The month has no quota yet, so the assumption fails.
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Created));
    sent();
    for create in [
        Create::new(),
        Create { key: Some("a"), ..Create::new() },
        Create { key: Some("b"), references: vec![Reference::Company(first.company.id)], ..Create::new() },
    ] {
        assert_eq!(create.send(&store, workspace).await, Ok(Outcome::Created));
        let sent = sent();
        assert_eq!(sent.len(), 1, "{sent:#?}");
    }
    assert_eq!(rows(&database), [4, 4, 4, 2, 4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_assumed_and_does_not_hold_is_found() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let named = |domain: &str| Company { domain: Some(domain.parse().unwrap()), ..company() };
    let first = Create { company: named("a.example"), key: Some("a"), limit: 2, ..Create::new() };
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Created));
    let after_first = rows(&database);

    let nobody = Reference::Company(CompanyId(Uuid::from_u128(9)));
    let there = Reference::Company(first.company.id);
    let lost = Create { references: vec![there, nobody], key: Some("b"), ..Create::new() };
    assert_eq!(lost.send(&store, workspace).await, Ok(Outcome::Missing(vec![true, false])));
    let twice = Create { company: named("a.example"), ..Create::new() };
    assert_eq!(twice.send(&store, workspace).await, Err("Duplicate { field: \"domain\" }".to_owned()));
    // Again the first request, whose work would be refused by now.
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Replayed));
    assert_eq!(rows(&database), after_first);

    assert_eq!(Create { limit: 2, ..Create::new() }.send(&store, workspace).await, Ok(Outcome::Created));
    assert_eq!(Create { limit: 2, ..Create::new() }.send(&store, workspace).await, Ok(Outcome::Exhausted));
    assert_eq!(rows(&database), [2, 2, 2, 1, 2]);
}

/// A pool of connections that the server ended, of which the next use expects that they are open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_broke_is_not_kept() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let (database, store, workspace) = store_over(Database::migrated(), one_open_connection).await;
    assert_eq!(Create::new().send(&store, workspace).await, Ok(Outcome::Created));
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'workspace-service' AND datname = current_database() AND pid <> pg_backend_pid()";
    database.execute(end);
    // It is not known whether the statement was carried out, so it is not repeated.
    let lost = Create::new().send(&store, workspace).await;
    assert!(lost.as_ref().is_err_and(|error| error.starts_with("Unavailable")), "{lost:?}");
    assert_eq!(Create::new().send(&store, workspace).await, Ok(Outcome::Created));
}
