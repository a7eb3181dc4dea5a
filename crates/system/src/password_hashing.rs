//! Argon2id password hashes, with bounded concurrency.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash as Parsed;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use async_trait::async_trait;
use domain::Error;
use domain::identity::accounts::{NewPassword, Password};
use domain::identity::workspaces::PasswordHash;
use domain::ports::{Passwords, Random, StoreError};
use tokio::sync::Semaphore;

const SALT_LENGTH: usize = 16;
/// How many hashes are computed concurrently: each takes a core and 19 MiB for a while.
const MAX_CONCURRENT_HASHES: usize = 2;
/// How long a request waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(4);

/// Why a password was not hashed. Contains neither the password nor the hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Argon2id failed: {0}")]
pub struct HashingError(String);

/// Computes and verifies hashes, a few at a time. A request that would wait too long fails with [`StoreError::Busy`].
pub struct Argon2Passwords {
    random: Arc<dyn Random>,
    turns: Arc<Semaphore>,
    /// Verified against if there is no hash: response time does not reveal whether an account exists.
    nobody: PasswordHash,
}

impl std::fmt::Debug for Argon2Passwords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Argon2Passwords")
            .field("turns", &self.turns.available_permits())
            .finish_non_exhaustive()
    }
}

impl Argon2Passwords {
    /// # Errors
    /// If the first hash cannot be computed.
    pub fn new(random: impl Random + 'static) -> Result<Self, HashingError> {
        let nobody = hash("nobody has this password", &random)?;
        Ok(Self { random: Arc::new(random), turns: Arc::new(Semaphore::new(MAX_CONCURRENT_HASHES)), nobody })
    }

    /// Runs slow work on its own thread. The thread keeps its turn until it ends, even if the caller was dropped.
    async fn slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashingError> + Send + 'static,
    ) -> Result<T, Error> {
        let waiting = Arc::clone(&self.turns).acquire_owned();
        let Ok(Ok(turn)) = tokio::time::timeout(QUEUE_TIMEOUT, waiting).await else {
            return Err(StoreError::Busy.into());
        };
        let context = log_context::Context::current();
        #[expect(clippy::disallowed_methods, reason = "hashes are bounded by their own turns, apart from the store's")]
        let thread = tokio::task::spawn_blocking(move || {
            let _held_to_the_end = turn;
            context.enter(work)
        });
        let done = thread.await.map_err(|_| StoreError::Unavailable("the service is stopping".to_owned()))?;
        // The error of a hash that cannot be computed or parsed contains neither the password nor the hash.
        done.map_err(|error| StoreError::Internal(format!("a password could not be hashed: {error}")).into())
    }
}

#[async_trait]
impl Passwords for Argon2Passwords {
    async fn hash(&self, password: &NewPassword) -> Result<PasswordHash, Error> {
        let (password, random) = (password.clone(), Arc::clone(&self.random));
        self.slowly(move || hash(password.reveal(), &*random)).await
    }

    async fn verify(&self, password: &Password, known: Option<&PasswordHash>) -> Result<bool, Error> {
        let (password, is_known) = (password.clone(), known.is_some());
        let hash = known.unwrap_or(&self.nobody).clone();
        self.slowly(move || {
            // An invalid hash matches no password.
            let parsed = Parsed::new(&hash.0);
            let fits = parsed
                .is_ok_and(|parsed| Argon2::default().verify_password(password.reveal().as_bytes(), &parsed).is_ok());
            Ok(fits && is_known)
        })
        .await
    }
}

fn hash(password: &str, random: &(impl Random + ?Sized)) -> Result<PasswordHash, HashingError> {
    let mut salt = [0; SALT_LENGTH];
    random.fill(&mut salt);
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    hash.map(|hash| PasswordHash(hash.to_string())).map_err(|error| HashingError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SecureRandom;

    fn typed(text: &str) -> Password {
        NewPassword::parse(text).unwrap().as_typed()
    }

    #[tokio::test]
    async fn a_hash_is_argon2id_salted_and_silent() {
        let passwords = Argon2Passwords::new(SecureRandom::default()).unwrap();
        let password = NewPassword::parse("correct horse").unwrap();
        let (one, other) = (passwords.hash(&password).await.unwrap(), passwords.hash(&password).await.unwrap());
        assert!(one.0.starts_with("$argon2id$"));
        assert_ne!(one, other);
        assert!(!format!("{one:?} {passwords:?}").contains('$'));
    }

    #[tokio::test]
    async fn only_the_right_password_matches_and_a_missing_hash_never_does() {
        let passwords = Argon2Passwords::new(SecureRandom::default()).unwrap();
        let hash = passwords.hash(&NewPassword::parse("correct horse").unwrap()).await.unwrap();
        assert!(passwords.verify(&typed("correct horse"), Some(&hash)).await.unwrap());
        assert!(!passwords.verify(&typed("Correct horse"), Some(&hash)).await.unwrap());
        assert!(!passwords.verify(&typed("correct horse"), Some(&PasswordHash("x".into()))).await.unwrap());
        assert!(!passwords.verify(&typed("nobody has this password"), None).await.unwrap());
    }
}
