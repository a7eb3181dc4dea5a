//! Guarantees of transactions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::{StoreUnderTest, idempotency};
use domain::Error;
use domain::crm::deals::Deal;
use domain::email::{EmailPurpose, Enqueued};
use domain::events::Module;
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{ClaimResult, KeepResult};
use domain::ports::{StoreError, Tx};
use domain::work::issues::Issue;

/// A domain error rolls everything back and is returned; the same work without the error is committed.
pub async fn a_broken_rule_undoes_everything(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let hook = world.subscribe(world.subscription(Module::Crm)).await;
    let (deal, existing) = (world.bare_deal(), world.add(world.bare_deal()).await);
    let issue = world.bare_issue(IssueKind::Task).await;
    let (id, existing_id, issue_id, now) = (deal.id, existing.id, issue.id, world.now());
    let (entry, event, changed) = (world.full_entry(), world.event(Module::Crm, "deal.won"), world.id());
    let claim = idempotency::claim(&world, "k", now);
    let (logged, claimed) = (entry.clone(), claim.clone());
    // The hour and the mailbox have a limit of one.
    let email = world.email_to(&world.new_email(), EmailPurpose::Answer, 1, 1);
    let everything = move |tx: &mut dyn Tx| {
        tx.records::<Deal>().insert(&deal)?;
        tx.records::<Issue>().insert(&issue)?;
        assert!(tx.records::<Deal>().delete(existing_id, now)?);
        tx.audit().append(&logged)?;
        tx.emit(std::slice::from_ref(&event))?;
        tx.credential_changed(changed)?;
        tx.credential_changed(changed)?;
        assert_eq!(tx.emails().enqueue(&email)?, Enqueued::Queued);
        assert_eq!(tx.idempotency().claim(&claimed)?, ClaimResult::Free);
        tx.idempotency().keep(&claimed, &idempotency::response("never"))
    };
    let first = everything.clone();
    let result: Result<(), Error> = world
        .run(move |tx| {
            first(tx)?;
            Err(Error::Conflict("no".to_owned()))
        })
        .await;
    assert!(matches!(result, Err(Error::Conflict(reason)) if reason == "no"));
    let times_changed = async || {
        let all = subject.ports.directory.credential_changes(Duration::from_mins(1)).await.unwrap();
        all.into_iter().filter(|id| *id == changed).count()
    };
    assert_eq!(world.get::<Deal>(id).await, None);
    assert_eq!(world.get::<Issue>(issue_id).await, None);
    assert_eq!(world.get::<Deal>(existing_id).await, Some(existing));
    assert!(!world.audit_log().await.contains(&entry));
    assert_eq!((world.count_deliveries(hook).await, times_changed().await), (0, 0));
    assert_eq!(world.read(|tx| tx.event_log().number()).await, 0);
    assert_eq!(world.commit(everything).await, KeepResult::Kept);
    assert_eq!((world.count_deliveries(hook).await, times_changed().await), (1, 1));
    assert_eq!(world.read(|tx| tx.event_log().number()).await, 1, "without a gap");
}

/// A store error rolls everything back and is returned.
pub async fn a_store_error_undoes_everything(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let existing = world.add(Deal { external_id: Some("x".to_owned()), ..world.bare_deal() }).await;
    let (first, second) = (world.bare_deal(), Deal { external_id: existing.external_id, ..world.bare_deal() });
    let id = first.id;
    let result = world
        .run(move |tx| {
            tx.records::<Deal>().insert(&first)?;
            Ok(tx.records::<Deal>().insert(&second)?)
        })
        .await;
    assert_eq!(super::taken(result), "external_id");
    assert_eq!(world.get::<Deal>(id).await, None);
    let deal = world.bare_deal();
    let id = deal.id;
    let result: Result<(), Error> = world
        .run(move |tx| {
            tx.records::<Deal>().insert(&deal)?;
            Err(StoreError::Internal("made up".to_owned()).into())
        })
        .await;
    assert!(matches!(result, Err(Error::Store(StoreError::Internal(_)))));
    assert_eq!(world.get::<Deal>(id).await, None);
}

/// A contended job is rerun from the start, and only the successful run takes effect.
pub async fn a_contended_job_runs_again(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let deal = world.bare_deal();
    let id = deal.id;
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let result = world
        .run(move |tx| {
            tx.records::<Deal>().insert(&deal)?;
            match counted.fetch_add(1, Ordering::Relaxed) {
                0 => Err(StoreError::Contended.into()),
                run => Ok(run),
            }
        })
        .await;
    assert!(matches!(result, Ok(1)), "{result:?}");
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    assert!(world.get::<Deal>(id).await.is_some());
}

/// Reruns of a contended job are limited; other errors are not retried.
pub async fn contention_ends_after_a_few_runs(subject: &StoreUnderTest) {
    let world = subject.world().await;
    for (contended, least, most) in [(true, 2, 20), (false, 1, 1)] {
        let runs = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&runs);
        let result: Result<(), Error> = world
            .run(move |_| {
                counted.fetch_add(1, Ordering::Relaxed);
                Err(if contended { StoreError::Contended } else { StoreError::Busy }.into())
            })
            .await;
        assert!(matches!(result, Err(Error::Store(StoreError::Contended | StoreError::Busy))));
        assert!((least..=most).contains(&runs.load(Ordering::Relaxed)), "{runs:?}");
    }
}

pub async fn a_transaction_sees_its_own_changes(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (deal, now) = (world.bare_deal(), world.now());
    world
        .commit(move |tx| {
            tx.records::<Deal>().insert(&deal)?;
            assert_eq!(tx.records::<Deal>().get(deal.id)?.as_ref(), Some(&deal));
            assert!(tx.records::<Deal>().delete(deal.id, now)?);
            assert_eq!(tx.records::<Deal>().get(deal.id)?, None);
            Ok(())
        })
        .await;
}
