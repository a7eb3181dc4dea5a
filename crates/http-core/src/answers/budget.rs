//! Memory held by responses that are being built or sent, in bytes, per caller and for the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::WorkspaceId;
use domain::identity::access::Credential;
use domain::limits::AddressGroup;
use uuid::Uuid;

const RESPONSE_BYTES: &str = "service_answer_bytes";
const REFUSED: &str = "service_answers_refused_total";

// Label values of the counter.
const PROCESS: &str = "process";
const WORKSPACE: &str = "workspace";
const CREDENTIAL: &str = "credential";
const ADDRESS: &str = "address";

/// Only responses up to this size may use the last quarter of the process's budget, so that large ones never block
/// small ones.
const SMALL_RESPONSE: usize = 64 * 1024;

pub(crate) fn describe_metrics() {
    metrics::describe_gauge!(RESPONSE_BYTES, "Bytes of responses being built or waiting for the client to read them");
    metrics::describe_counter!(
        REFUSED,
        "Responses refused because too many bytes were already held, by exhausted budget"
    );
    for budget in [PROCESS, WORKSPACE, CREDENTIAL, ADDRESS] {
        metrics::counter!(REFUSED, "budget" => budget).increment(0);
    }
}

/// Budgets in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    pub process: usize,
    /// For all credentials of a workspace together.
    pub workspace: usize,
    /// For one credential, or for one address of requests without a credential.
    pub caller: usize,
}

impl AnswerLimits {
    /// Gives each workspace a third of the process's budget, and each credential a quarter.
    pub const fn for_process(bytes: usize) -> Self {
        Self { process: bytes, workspace: bytes / 3, caller: bytes / 4 }
    }
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self::for_process(96 * 1024 * 1024)
    }
}

/// The caller whose budgets a response counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Credential { credential: Uuid, workspace: WorkspaceId },
    Address(AddressGroup),
}

impl From<(WorkspaceId, Credential)> for Owner {
    fn from((workspace, credential): (WorkspaceId, Credential)) -> Self {
        Self::Credential { credential: credential.id(), workspace }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Account {
    Credential(Uuid),
    Workspace(WorkspaceId),
    Address(AddressGroup),
}

impl Owner {
    pub(crate) const fn workspace(self) -> Option<WorkspaceId> {
        match self {
            Self::Credential { workspace, .. } => Some(workspace),
            Self::Address(_) => None,
        }
    }

    fn accounts(self) -> impl Iterator<Item = Account> {
        let (first, second) = match self {
            Self::Credential { credential, workspace } => {
                (Account::Credential(credential), Some(Account::Workspace(workspace)))
            }
            Self::Address(group) => (Account::Address(group), None),
        };
        std::iter::once(first).chain(second)
    }
}

/// The bytes and responses that an account holds.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    bytes: usize,
    answers: usize,
}

#[derive(Debug, Default)]
struct Usage {
    bytes: usize,
    shares: HashMap<Account, Share>,
}

/// All budgets of the process.
#[derive(Debug)]
pub(crate) struct AnswerBudget {
    limits: AnswerLimits,
    held: Mutex<Usage>,
}

/// The budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

impl AnswerBudget {
    pub(crate) fn new(limits: AnswerLimits) -> Arc<Self> {
        Arc::new(Self { limits, held: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Usage> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves bytes for a response. Fails if a budget does not have that many left.
    pub(crate) fn reserve(self: &Arc<Self>, owner: Owner, bytes: usize) -> Result<Reservation, Exhausted> {
        let mut held = self.lock();
        self.check(&held, owner, bytes)?;
        held.change(owner, |share| share.answers += 1, 0, bytes);
        drop(held);
        Ok(Reservation { budget: Arc::clone(self), owner, bytes })
    }

    /// The number of responses that a credential holds now.
    pub(crate) fn responses_of(&self, credential: Uuid) -> usize {
        self.lock().shares.get(&Account::Credential(credential)).map_or(0, |share| share.answers)
    }

    fn check(&self, held: &Usage, owner: Owner, additional: usize) -> Result<(), Exhausted> {
        let process = if additional <= SMALL_RESPONSE { self.limits.process } else { self.limits.process / 4 * 3 };
        let shares = owner.accounts().map(|account| {
            let bytes = held.shares.get(&account).map_or(0, |share| share.bytes);
            match account {
                Account::Credential(_) => (CREDENTIAL, bytes, self.limits.caller),
                Account::Workspace(_) => (WORKSPACE, bytes, self.limits.workspace),
                Account::Address(_) => (ADDRESS, bytes, self.limits.caller),
            }
        });
        let mut budgets = std::iter::once((PROCESS, held.bytes, process)).chain(shares);
        match budgets.find(|(_, held, budget)| !has_room(*held, *budget, additional)) {
            Some((name, ..)) => {
                metrics::counter!(REFUSED, "budget" => name).increment(1);
                Err(Exhausted)
            }
            None => Ok(()),
        }
    }
}

/// A single response may exceed the whole budget if little else is held; otherwise it could never be read.
fn has_room(held: usize, budget: usize, additional: usize) -> bool {
    held + additional <= budget.max(additional + budget / 4)
}

impl Usage {
    fn change(&mut self, owner: Owner, change: impl Fn(&mut Share), from: usize, to: usize) {
        for account in owner.accounts() {
            let share = self.shares.entry(account).or_default();
            share.bytes = share.bytes - from + to;
            change(share);
            if share.answers == 0 {
                self.shares.remove(&account);
            }
        }
        self.bytes = self.bytes - from + to;
        // A gauge is exact up to 2^53, which is more than any memory.
        #[expect(clippy::cast_precision_loss, reason = "no machine has 2^53 bytes")]
        metrics::gauge!(RESPONSE_BYTES).set(self.bytes as f64);
    }
}

/// Bytes reserved for one response; dropping it releases them.
#[derive(Debug)]
pub(crate) struct Reservation {
    budget: Arc<AnswerBudget>,
    pub(crate) owner: Owner,
    bytes: usize,
}

impl Reservation {
    /// Sets the reservation to the actual size of the response. If it grows and a budget does not have the difference,
    /// this fails and the reservation stays unchanged.
    pub(crate) fn settle(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let mut held = self.budget.lock();
        if bytes > self.bytes {
            self.budget.check(&held, self.owner, bytes - self.bytes)?;
        }
        held.change(self.owner, |_| (), self.bytes, bytes);
        self.bytes = bytes;
        Ok(())
    }

    /// Like [`settle`](Self::settle), but never shrinks the reservation.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> Result<(), Exhausted> {
        if bytes > self.bytes { self.settle(bytes) } else { Ok(()) }
    }

    /// Like [`settle`](Self::settle), but may exceed the budgets: for a response that must be delivered.
    pub(crate) fn set(&mut self, bytes: usize) {
        if bytes != self.bytes {
            self.budget.lock().change(self.owner, |_| (), self.bytes, bytes);
            self.bytes = bytes;
        }
    }

    /// Releases the bytes above this size.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        self.set(bytes.min(self.bytes));
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.lock().change(self.owner, |share| share.answers -= 1, self.bytes, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KIB: usize = 1024;
    const LIMITS: AnswerLimits = AnswerLimits { process: 1_000 * KIB, workspace: 500 * KIB, caller: 300 * KIB };

    fn key(number: u128) -> Owner {
        Owner::Credential { credential: Uuid::from_u128(number), workspace: WorkspaceId(Uuid::from_u128(number / 10)) }
    }

    #[test]
    fn credentials_workspaces_and_the_process_have_budgets() {
        let budget = AnswerBudget::new(LIMITS);
        let first = budget.reserve(key(1), 300 * KIB).unwrap();
        assert!(budget.reserve(key(1), 1).is_err(), "the credential");
        let _second = budget.reserve(key(2), 200 * KIB).unwrap();
        assert!(budget.reserve(key(3), 1).is_err(), "the workspace");
        let _other = budget.reserve(key(11), 250 * KIB).unwrap();
        assert!(budget.reserve(key(21), SMALL_RESPONSE + 1).is_err(), "the process, for large answers");
        assert!(budget.reserve(key(21), SMALL_RESPONSE).is_ok(), "small ones have a reserve");
        drop(first);
        assert!(budget.reserve(key(1), 300 * KIB).is_ok());
    }

    #[test]
    fn a_response_larger_than_its_budget_is_admitted_if_little_else_is_held() {
        let budget = AnswerBudget::new(LIMITS);
        let small = budget.reserve(key(1), 70 * KIB).unwrap();
        let large = budget.reserve(key(1), 600 * KIB).unwrap();
        assert!(budget.reserve(key(1), 600 * KIB).is_err());
        drop((small, large));
        let _other = budget.reserve(key(1), 80 * KIB).unwrap();
        assert!(budget.reserve(key(1), 600 * KIB).is_err());
    }

    #[test]
    fn a_reservation_is_settled_to_the_actual_size() {
        let budget = AnswerBudget::new(LIMITS);
        let mut small = budget.reserve(key(1), 10 * KIB).unwrap();
        assert!(small.settle(290 * KIB).is_ok());
        let mut next = budget.reserve(key(1), 10 * KIB).unwrap();
        assert!(next.settle(20 * KIB).is_err());
        next.set(20 * KIB);
        small.shrink_to(KIB);
        assert_eq!(budget.lock().bytes, 21 * KIB);
        assert_eq!(budget.responses_of(Uuid::from_u128(1)), 2);
    }

    proptest! {
        #[test]
        fn budgets_are_empty_after_all_reservations_are_dropped(sizes in proptest::collection::vec((0_u128..40, 0_usize..400_000, 0_usize..400_000), 0..60)) {
            let budget = AnswerBudget::new(LIMITS);
            let mut all = Vec::new();
            for (owner, first, then) in sizes {
                if let Ok(mut reservation) = budget.reserve(key(owner), first) {
                    let _ = reservation.settle(then);
                    all.push(reservation);
                }
            }
            let sum: usize = all.iter().map(|reservation| reservation.bytes).sum();
            prop_assert_eq!(budget.lock().bytes, sum);
            drop(all);
            prop_assert_eq!(budget.lock().bytes, 0);
            prop_assert!(budget.lock().shares.is_empty());
        }
    }
}
