//! Batched writes: their number of statements, and the handling of wrong assumptions.

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
/// The name of the pool and of its threads.
const POOL: &str = "together";

static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn take_statements() -> Vec<String> {
    std::mem::take(&mut *STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn record_statements() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_default_instrumentation(|| {
            Some(Box::new(|event: InstrumentationEvent<'_>| {
                if let InstrumentationEvent::StartQuery { query, .. } = event
                    && std::thread::current().name() == Some(POOL)
                {
                    STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner).push(query.to_string());
                }
            }))
        })
        .unwrap();
    });
}

/// A single connection, which is assumed to be open for a minute after its last use.
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
            let response = StoredResponse { status: 201, location: None, body: "{}".to_owned() };
            assert_eq!(tx.idempotency().keep(claim, &response)?, KeepResult::Kept);
        }
        Ok(Outcome::Created)
    }

    /// Outcomes that write nothing roll back. Errors are returned as text for comparison.
    async fn send(&self, store: &PgStore, workspace: WorkspaceId) -> Result<Outcome, String> {
        let (create, (sender, receiver)) = (self.clone(), mpsc::channel());
        let job: Job = Box::new(move |tx| {
            let outcome = create.run(tx).map_err(Abort::Store)?;
            let is_refused = !matches!(outcome, Outcome::Created | Outcome::Replayed);
            sender.send(outcome).unwrap();
            if is_refused { Err(Abort::Rule) } else { Ok(()) }
        });
        store.run(workspace, job).await.map_err(|error| format!("{error:?}"))?;
        Ok(receiver.try_iter().last().unwrap())
    }
}

/// Row counts of the tables that a create writes.
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
    // The month has no quota yet, so the first assumption fails.
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Created));
    take_statements();
    for create in [
        Create::new(),
        Create { key: Some("a"), ..Create::new() },
        Create { key: Some("b"), references: vec![Reference::Company(first.company.id)], ..Create::new() },
    ] {
        assert_eq!(create.send(&store, workspace).await, Ok(Outcome::Created));
        let statements = take_statements();
        assert_eq!(statements.len(), 1, "{statements:#?}");
    }
    assert_eq!(rows(&database), [4, 4, 4, 2, 4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_assumptions_are_detected() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let named = |domain: &str| Company { domain: Some(domain.parse().unwrap()), ..company() };
    let first = Create { company: named("a.example"), key: Some("a"), limit: 2, ..Create::new() };
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Created));
    let after_first = rows(&database);

    let unknown = Reference::Company(CompanyId(Uuid::from_u128(9)));
    let known = Reference::Company(first.company.id);
    let dangling = Create { references: vec![known, unknown], key: Some("b"), ..Create::new() };
    assert_eq!(dangling.send(&store, workspace).await, Ok(Outcome::Missing(vec![true, false])));
    let twice = Create { company: named("a.example"), ..Create::new() };
    assert_eq!(twice.send(&store, workspace).await, Err("Duplicate { field: \"domain\" }".to_owned()));
    // Replays the first request, which would be refused if it ran again.
    assert_eq!(first.send(&store, workspace).await, Ok(Outcome::Replayed));
    assert_eq!(rows(&database), after_first);

    assert_eq!(Create { limit: 2, ..Create::new() }.send(&store, workspace).await, Ok(Outcome::Created));
    assert_eq!(Create { limit: 2, ..Create::new() }.send(&store, workspace).await, Ok(Outcome::Exhausted));
    assert_eq!(rows(&database), [2, 2, 2, 1, 2]);
}

/// The server has closed a connection that the pool assumes to be open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_broke_is_not_kept() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let (database, store, workspace) = store_over(Database::migrated(), one_open_connection).await;
    assert_eq!(Create::new().send(&store, workspace).await, Ok(Outcome::Created));
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'workspace-service' AND datname = current_database() AND pid <> pg_backend_pid()";
    database.execute(end);
    // The statement may have been executed, so it is not repeated.
    let lost = Create::new().send(&store, workspace).await;
    assert!(lost.as_ref().is_err_and(|error| error.starts_with("Unavailable")), "{lost:?}");
    assert_eq!(Create::new().send(&store, workspace).await, Ok(Outcome::Created));
}
