//! Argon2id password hashes, computed by dedicated threads in their own memory.

mod argon;
mod queue;
mod workers;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::Error;
use domain::identity::accounts::{HashTurn, NewPassword, Password, Precedence, SUSPECT_DELAY};
use domain::identity::workspaces::PasswordHash;
use domain::ports::{Passwords, Random, StoreError};
use tokio::sync::{Semaphore, oneshot};

use self::argon::{HashOutput, HashWork};
use self::workers::Workers;

const SALT_LENGTH: usize = 16;
/// How long a request waits for its hash.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(4);
/// The maximum number of suspects waiting for their delay. Others are refused.
const MAX_DELAYED: usize = 1_000;

/// Why a password was not hashed. Contains neither the password nor the hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HashingError {
    #[error("Argon2id failed: {0}")]
    Argon(String),
    #[error("a thread for password hashes could not be started: {0}")]
    Thread(String),
}

/// Computes and verifies hashes on two threads, each with one reusable buffer. Whatever clients do, hashing takes at most two
/// cores and 38 MiB. [`queue::HashQueue`] decides who is next. A request that finds the queue full, or would wait too long,
/// fails with [`StoreError::Busy`]. The threads end when this is dropped.
pub struct Argon2Passwords {
    random: Arc<dyn Random>,
    workers: Workers,
    delayed: Semaphore,
    /// Verified against if there is no hash, so that the response time does not reveal whether an account exists. No known
    /// password matches it.
    dummy: PasswordHash,
}

impl std::fmt::Debug for Argon2Passwords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Argon2Passwords").field("waiting", &self.workers.waiting()).finish_non_exhaustive()
    }
}

impl Argon2Passwords {
    pub fn new(random: impl Random + 'static) -> Result<Self, HashingError> {
        let dummy = argon::dummy_hash(&random)?;
        Ok(Self { random: Arc::new(random), workers: Workers::start()?, delayed: Semaphore::new(MAX_DELAYED), dummy })
    }

    async fn run(&self, turn: HashTurn, work: HashWork) -> Result<HashOutput, Error> {
        if turn.precedence == Precedence::Suspect {
            let _place = self.delayed.try_acquire().map_err(|_| StoreError::Busy)?;
            tokio::time::sleep(SUSPECT_DELAY).await;
        }
        let (reply, result) = oneshot::channel();
        self.workers.submit(turn, work, reply);
        // No result: the request was refused or displaced, or the service is stopping.
        let Ok(Ok(done)) = tokio::time::timeout(QUEUE_TIMEOUT, result).await else {
            return Err(StoreError::Busy.into());
        };
        done.map_err(|error| StoreError::Internal(format!("a password could not be hashed: {error}")).into())
    }
}

#[async_trait]
impl Passwords for Argon2Passwords {
    async fn hash(&self, password: &NewPassword, turn: HashTurn) -> Result<PasswordHash, Error> {
        let mut salt = [0; SALT_LENGTH];
        self.random.fill(&mut salt);
        match self.run(turn, HashWork::Hash(password.clone(), salt)).await? {
            HashOutput::Hash(hash) => Ok(hash),
            HashOutput::Match(_) => Err(StoreError::Internal("a comparison instead of a hash".to_owned()).into()),
        }
    }

    async fn verify(&self, password: &Password, stored: Option<&PasswordHash>, turn: HashTurn) -> Result<bool, Error> {
        let hash = stored.unwrap_or(&self.dummy).clone();
        let outcome = self.run(turn, HashWork::Verify(password.clone(), hash)).await?;
        Ok(matches!(outcome, HashOutput::Match(true)) && stored.is_some())
    }
}

#[cfg(test)]
mod tests;
