//! Adapters of the ports that need only the operating system: clock, ids, randomness, password hashing.

mod clock;
mod ids;
mod password_hashing;
mod random;

pub use clock::SystemClock;
pub use ids::UuidV7Ids;
pub use password_hashing::{Argon2Passwords, HashingError};
pub use random::SecureRandom;
