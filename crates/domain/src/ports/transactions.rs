//! How use cases run their work in the store: in a transaction or statement by statement, with a weight, and once per idempotency
//! key.

use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

use super::{Abort, Job, JobProfile, Ports, ReadJob, Tx};
use crate::identity::access::{Caller, Credential, Permit};
use crate::kernel::idempotency::{ClaimResult, IdempotentRequest, IdempotentResult, KeepResult};
use crate::kernel::{StoreError, Weight};
use crate::{Error, WorkspaceId};

/// The work of a use case in the store. It may be rerun, so it must not have other effects.
pub trait Work<T>: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static {}
impl<T, F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static> Work<T> for F {}

/// Like [`Work`], but only reads: two runs may overlap.
pub(crate) trait Read<T>: Fn(&mut dyn Tx) -> Result<T, Error> + Send + Sync + 'static {}
impl<T, F: Fn(&mut dyn Tx) -> Result<T, Error> + Send + Sync + 'static> Read<T> for F {}

/// Runs `work` in one transaction of the permit's workspace.
///
/// # Errors
/// The errors of `work`, and of a failed COMMIT.
pub async fn transact<P, T: Send + 'static>(ports: &Ports, permit: &Permit<P>, work: impl Work<T>) -> Result<T, Error> {
    weighed_transact(ports, permit, Weight::Light, work).await
}

/// Like [`transact`], for a change of many records.
pub(crate) async fn weighed_transact<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    weight: Weight,
    work: impl Work<T>,
) -> Result<T, Error> {
    transact_as(ports, permit.workspace_id(), profile(permit, weight), work).await
}

/// Like [`weighed_transact`], but rolls the transaction back, to find out what `work` would do.
pub(crate) async fn weighed_rehearse<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    weight: Weight,
    work: impl Work<T>,
) -> Result<T, Error> {
    let (mut job, slot) = job_of(work);
    let rolled_back = Box::new(move |tx: &mut dyn Tx| job(tx).and(Err(Abort::Rule)));
    let result = ports.store.run_with_profile(permit.workspace_id(), profile(permit, weight), rolled_back).await;
    outcome(result, &slot)
}

/// Runs `work` in the permit's workspace without a transaction: each statement commits on its own.
///
/// # Errors
/// The errors of `work`.
pub async fn statement<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    work: impl Work<T>,
) -> Result<T, Error> {
    weighed_statement(ports, permit, Weight::Light, work).await
}

/// Like [`statement`], for a list or a search.
///
/// # Errors
/// The errors of `work`, and [`Error::SearchTooSlow`] for a search or a summary.
pub(crate) async fn weighed_statement<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    weight: Weight,
    work: impl Work<T>,
) -> Result<T, Error> {
    statement_as(ports, permit.workspace_id(), profile(permit, weight), work).await
}

/// Runs `work`, which only reads, in the permit's workspace without a transaction. It sees all writes of the caller, and may miss
/// recent ones of others. Use [`statement`] or a transaction to read what access, quotas or later writes depend on.
///
/// # Errors
/// The errors of `work`.
pub(crate) async fn read_only<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    work: impl Read<T>,
) -> Result<T, Error> {
    weighed_read_only(ports, permit, Weight::Light, work).await
}

/// Like [`read_only`], for a list or a search.
///
/// # Errors
/// The errors of `work`, and [`Error::SearchTooSlow`] for a search or a summary.
pub(crate) async fn weighed_read_only<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    weight: Weight,
    work: impl Read<T>,
) -> Result<T, Error> {
    read_only_in(ports, permit.workspace_id(), profile(permit, weight), work).await
}

/// Like [`read_only`], for a caller that needs no permit.
pub(crate) async fn read_only_by<T: Send + 'static>(
    ports: &Ports,
    caller: &Caller,
    work: impl Read<T>,
) -> Result<T, Error> {
    let profile = JobProfile { holder: Some(caller.credential().holder()), weight: Weight::Light };
    read_only_in(ports, caller.workspace().id, profile, work).await
}

/// Like [`read_only`], with or without the holder of a credential. Without one, it sees all writes.
pub(crate) async fn read_only_in<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    profile: JobProfile,
    work: impl Read<T>,
) -> Result<T, Error> {
    let slot: Slot<T> = Arc::default();
    let inner = Arc::clone(&slot);
    let job: ReadJob = Arc::new(move |tx: &mut dyn Tx| leave(work(tx), &inner));
    let result = ports.store.read(workspace, profile, job).await;
    outcome(too_slow(result, profile.weight)?, &slot)
}

/// Like [`statement`], for a caller that needs no permit.
pub(crate) async fn statement_in<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    work: impl Work<T>,
) -> Result<T, Error> {
    statement_as(ports, workspace, JobProfile::default(), work).await
}

async fn statement_as<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    profile: JobProfile,
    work: impl Work<T>,
) -> Result<T, Error> {
    let (job, slot) = job_of(work);
    let result = ports.store.statement_with_profile(workspace, profile, job).await;
    outcome(too_slow(result, profile.weight)?, &slot)
}

/// The outcome of a job, unless it is a search that took too long.
fn too_slow(result: Result<(), StoreError>, weight: Weight) -> Result<Result<(), StoreError>, Error> {
    match result {
        Err(StoreError::TimedOut) if weight == Weight::Search => Err(Error::SearchTooSlow),
        result => Ok(result),
    }
}

fn profile<P>(permit: &Permit<P>, weight: Weight) -> JobProfile {
    JobProfile { holder: permit.credential().map(Credential::holder), weight }
}

/// Runs `work` in one transaction of a workspace that the use case found itself: for a caller without a permit.
pub(crate) async fn transact_in<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    work: impl Work<T>,
) -> Result<T, Error> {
    weighed_transact_in(ports, workspace, Weight::Light, work).await
}

/// Like [`transact_in`], for a change of many records.
pub(crate) async fn weighed_transact_in<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    weight: Weight,
    work: impl Work<T>,
) -> Result<T, Error> {
    transact_as(ports, workspace, weight.into(), work).await
}

async fn transact_as<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    profile: JobProfile,
    work: impl Work<T>,
) -> Result<T, Error> {
    let (job, slot) = job_of(work);
    let result = ports.store.run_with_profile(workspace, profile, job).await;
    outcome(result, &slot)
}

/// Runs `work` in one transaction, idempotently per key: the response is stored in the same transaction, so
/// that a crash keeps both or neither.
///
/// # Errors
/// The errors of `work`, [`Error::IdempotencyConflict`], or [`Error::ResponseBudgetExceeded`].
pub async fn transact_idempotent<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    once: Option<IdempotentRequest<T>>,
    work: impl Work<T>,
) -> Result<IdempotentResult<T>, Error> {
    weighed_transact_idempotent(ports, permit, Weight::Light, once, work).await
}

/// Like [`transact_idempotent`], for a change of many records.
pub(crate) async fn weighed_transact_idempotent<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    weight: Weight,
    once: Option<IdempotentRequest<T>>,
    work: impl Work<T>,
) -> Result<IdempotentResult<T>, Error> {
    let job = idempotent(ports, permit.idempotency_owner(), once, work);
    weighed_transact(ports, permit, weight, job).await
}

/// Like [`transact_idempotent`], for a caller that needs no permit; `owner` owns the idempotency key and is the holder.
pub(crate) async fn transact_idempotent_in<T: Send + 'static>(
    ports: &Ports,
    workspace: WorkspaceId,
    owner: Uuid,
    once: Option<IdempotentRequest<T>>,
    work: impl Work<T>,
) -> Result<IdempotentResult<T>, Error> {
    let profile = JobProfile { holder: Some(owner), weight: Weight::Light };
    transact_as(ports, workspace, profile, idempotent(ports, owner, once, work)).await
}

/// `work` as a job that runs at most once per idempotency key.
fn idempotent<T: Send + 'static>(
    ports: &Ports,
    owner: Uuid,
    once: Option<IdempotentRequest<T>>,
    mut work: impl Work<T>,
) -> impl Work<IdempotentResult<T>> {
    let once = once.map(|once| (once.claim(owner, ports.clock.now(), ports.settings.response_budget), once));
    move |tx: &mut dyn Tx| {
        let Some((claim, once)) = &once else { return work(tx).map(IdempotentResult::Fresh) };
        match tx.idempotency().claim(claim)? {
            ClaimResult::Running => Err(Error::IdempotencyConflict(
                "the first request with this idempotency key is still running: send it again in a moment",
            )),
            ClaimResult::Kept { fingerprint, .. } if fingerprint != claim.fingerprint => {
                Err(Error::IdempotencyConflict(
                    "this idempotency key was already used for another request: use a new key for each request",
                ))
            }
            ClaimResult::Kept { answer, .. } => Ok(IdempotentResult::Replayed(answer)),
            ClaimResult::Free => {
                let made = work(tx)?;
                match tx.idempotency().keep(claim, &(once.render)(&made))? {
                    KeepResult::Kept => Ok(IdempotentResult::Fresh(made)),
                    // The action is rolled back.
                    KeepResult::OverBudget { room_at } => Err(Error::ResponseBudgetExceeded {
                        limit: claim.budget.0,
                        retry_after: (room_at - claim.now).whole_seconds().max(1),
                    }),
                }
            }
        }
    }
}

type Slot<T> = Arc<Mutex<Option<Result<T, Error>>>>;

/// Wraps `work` in a job that stores its result in the slot.
fn job_of<T: Send + 'static>(mut work: impl Work<T>) -> (Job, Slot<T>) {
    let slot: Slot<T> = Arc::default();
    let inner = Arc::clone(&slot);
    let job = Box::new(move |tx: &mut dyn Tx| leave(work(tx), &inner));
    (job, slot)
}

/// Stores a job's result in the slot, and returns how the job ended. A failed run does not overwrite the result of another one.
fn leave<T>(result: Result<T, Error>, slot: &Slot<T>) -> Result<(), Abort> {
    let (result, answer) = match result {
        Err(Error::Store(error)) => (None, Err(Abort::Store(error))),
        Err(error) => (Some(Err(error)), Err(Abort::Rule)),
        Ok(value) => (Some(Ok(value)), Ok(())),
    };
    if result.is_some() {
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = result;
    }
    answer
}

fn outcome<T>(result: Result<(), StoreError>, slot: &Slot<T>) -> Result<T, Error> {
    result?;
    let result = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    result.unwrap_or_else(|| Err(StoreError::Internal("the store did not run the job".to_owned()).into()))
}
