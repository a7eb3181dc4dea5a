//! Adapters for the ports that need only the operating system: clock, ids, randomness, password hashing; and secrets from
//! the environment.

mod clock;
mod ids;
mod password_hashing;
mod random;
mod secret_variables;

pub use clock::SystemClock;
pub use ids::UuidV7Ids;
pub use password_hashing::{Argon2Passwords, HashingError};
pub use random::SecureRandom;
pub use secret_variables::{SecretVariableError, is_empty_variable, secret_variable};
