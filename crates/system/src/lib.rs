//! Adapters for the ports that need only the operating system: clock, ids, randomness, password hashing; and secrets from
//! the environment.

mod adapters;
mod password_hashing;
mod secret_variables;

pub use adapters::{SecureRandom, SystemClock, UuidV7Ids};
pub use password_hashing::{Argon2Passwords, HashingError};
pub use secret_variables::{SecretVariableError, is_empty_variable, secret_variable};
