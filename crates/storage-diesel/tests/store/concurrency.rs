//! Concurrent jobs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use crate::common::jobs::{NOW, claim, company, count, job, number, run_all, spawn, store_over, wait_until};
use crate::common::{Database, concurrently};
use domain::Reference;
use domain::crm::companies::Company;
use domain::email::{EmailMessage, EmailPurpose, EmailSource, MailboxCount, QueuedEmail};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{ClaimResult, KeepResult, ResponseBudget, StoredResponse};
use domain::kernel::input::EmailAddress;
use domain::ports::{Abort, Job, Store};
use tokio::sync::Barrier;

/// A use case that creates a company under an idempotency key.
fn create_once(counts: Arc<[AtomicU32; 3]>) -> Job {
    let claim = claim("once", ResponseBudget::default());
    let response = StoredResponse { status: 201, location: None, body: "{}".to_owned() };
    job(move |tx| {
        let index = match tx.idempotency().claim(&claim)? {
            ClaimResult::Free => {
                tx.records::<Company>().insert(&company())?;
                tx.idempotency().keep(&claim, &response)?;
                0
            }
            ClaimResult::Running => 1,
            ClaimResult::Kept { .. } => 2,
        };
        counts[index].fetch_add(1, Ordering::Relaxed);
        Ok(())
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_used_concurrently_creates_one_record() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let counts = Arc::new([0, 0, 0].map(AtomicU32::new));
    run_all(&store, workspace, (0..64).map(|_| create_once(counts.clone()))).await;
    assert_eq!(count(&database, "companies"), 1);
    assert_eq!(count(&database, "idempotency_keys"), 1);
    let counts = counts.each_ref().map(|number| number.load(Ordering::Relaxed));
    // A run that was rolled back at its end counted too, so `Free` may occur more than once.
    assert!(counts[0] >= 1 && counts.iter().sum::<u32>() >= 64, "{counts:?}");
    store.run(workspace, create_once(Arc::new([0, 0, 0].map(AtomicU32::new)))).await.unwrap();
    assert_eq!(count(&database, "companies"), 1);
}

/// A use case that stores a response under a separate key and fails if the budget is exceeded.
fn keep_once(number: usize, budget: u64) -> Job {
    let claim = claim(&number.to_string(), ResponseBudget(budget));
    let response = StoredResponse { status: 201, location: None, body: "x".repeat(1_000) };
    Box::new(move |tx| {
        tx.idempotency().claim(&claim).map_err(Abort::Store)?;
        match tx.idempotency().keep(&claim, &response).map_err(Abort::Store)? {
            KeepResult::Kept => Ok(()),
            KeepResult::OverBudget { .. } => Err(Abort::Rule),
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_stored_concurrently_stay_within_the_budget() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let budget = 100_000;
    run_all(&store, workspace, (0..200).map(|number| keep_once(number, budget))).await;
    // 512 bytes plus the texts: a route of 15 bytes, the body, and a key of one to three digits.
    let each = 512 + 15 + 1_000;
    let bytes = number(&database, "SELECT sum(bytes)::bigint FROM idempotency_bytes");
    assert!(bytes <= 100_000 && bytes > 100_000 - each - 3, "{bytes}");
    let stored = count(&database, "idempotency_keys");
    assert!((each + 1) * stored <= bytes && bytes <= (each + 3) * stored, "{bytes} bytes of {stored} responses");
    // No job waited for the row of another, and there are fewer rows than connections.
    assert!(count(&database, "idempotency_bytes") <= 32);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emails_queued_concurrently_stay_within_their_limits() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let (ports, _) = crate::common::ports_over(store.clone());
    let send = |number: u32| {
        let source = EmailSource { workspace, per_hour: Some(30), purpose: EmailPurpose::Answer };
        // Two mailboxes, of which the second has the lower limit.
        let (to, limit) = if number.is_multiple_of(2) { ("a@example.com", 100) } else { ("b@example.com", 7) };
        let email = EmailMessage::new(&EmailAddress::parse(to).unwrap(), "x", "x");
        let queued = QueuedEmail::seal(&ports, source, &email).unwrap();
        let queued = QueuedEmail { mailbox: MailboxCount { limit, ..queued.mailbox }, ..queued };
        job(move |tx| tx.emails().enqueue(&queued).map(drop))
    };
    run_all(&store, workspace, (0..80).map(send)).await;
    let to = |name: &str| count(&database, &format!("mails WHERE recipient = '{name}@example.com'"));
    let (first, second) = (to("a"), to("b"));
    assert!(second <= 7 && first + second <= 30 && first + second >= 30 - (30 / 2), "{first} and {second}");
    // The e-mails that the second mailbox did not get also count against the workspace limit.
    let used = count(&database, "mail_hours WHERE mails >= 30");
    assert_eq!(used, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_reserved_concurrently_are_distinct() {
    let (_database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let numbers = Arc::new(Mutex::new(Vec::new()));
    let reservations = (0..100).map(|_| {
        let (store, numbers) = (store.clone(), numbers.clone());
        let reserve = job(move |tx| {
            let number = tx.issues().reserve_numbers(IssueKind::Task, 1)?;
            numbers.lock().unwrap().push(number);
            Ok(())
        });
        async move { store.statement(workspace, reserve).await.unwrap() }
    });
    concurrently(reservations).await;
    let numbers = numbers.lock().unwrap();
    assert_eq!(numbers.iter().copied().collect::<HashSet<_>>(), (1..=100).collect());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_job_at_a_time_changes_the_hierarchy() {
    let (_database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let inside = Arc::new(AtomicU32::new(0));
    let changes = (0..16).map(|_| {
        let inside = inside.clone();
        job(move |tx| {
            tx.issues().lock_hierarchy()?;
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            tx.issues().reserve_numbers(IssueKind::Task, 1)?;
            assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
            Ok(())
        })
    });
    run_all(&store, workspace, changes).await;
}

/// Two jobs take two counters in opposite orders, each after the other has taken its first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadlock_is_retried() {
    let (_database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let (runs, met) = (Arc::new(AtomicU32::new(0)), Arc::new(Barrier::new(2)));
    let kinds = [[IssueKind::Task, IssueKind::Ticket], [IssueKind::Ticket, IssueKind::Task]];
    let crossing = kinds.map(|[first, second]| {
        let (runs, met, runtime) = (runs.clone(), met.clone(), tokio::runtime::Handle::current());
        job(move |tx| {
            tx.issues().reserve_numbers(first, 1)?;
            if runs.fetch_add(1, Ordering::SeqCst) < 2 {
                runtime.block_on(met.wait());
            }
            tx.issues().reserve_numbers(second, 1).map(drop)
        })
    });
    run_all(&store, workspace, crossing).await;
    // The retried job may take its first counter before the other job gets it, and then they deadlock again.
    assert!(runs.load(Ordering::SeqCst) > 2);
}

/// A referenced record cannot be deleted concurrently, and one that is being deleted cannot be referenced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_and_a_reference_wait_for_each_other() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let company = company();
    let id = company.id;
    store.run(workspace, job(move |tx| tx.records::<Company>().insert(&company))).await.unwrap();
    let (deleted, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let runtime = tokio::runtime::Handle::current();
    let (job_deleted, job_end) = (deleted.clone(), end.clone());
    let delete = job(move |tx| {
        assert!(tx.records::<Company>().delete(id, NOW)?);
        runtime.block_on(job_deleted.wait());
        runtime.block_on(job_end.wait());
        Ok(())
    });
    let (sender, receiver) = mpsc::channel();
    let refer = job(move |tx| tx.references_exist(&[Reference::Company(id)]).map(|found| sender.send(found).unwrap()));
    let deletion = spawn(&store, workspace, delete);
    deleted.wait().await;
    let reference = spawn(&store, workspace, refer);
    wait_until(&database, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").await;
    assert!(!reference.is_finished());
    end.wait().await;
    deletion.await.unwrap().unwrap();
    reference.await.unwrap().unwrap();
    assert_eq!(receiver.try_iter().last(), Some(vec![false]));
}
