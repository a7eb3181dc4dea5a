//! Adapters of the ports that need nothing but the machine: clock, ids, randomness, password hashing.

mod clock;
mod ids;
mod passwords;
mod random;

pub use clock::SystemClock;
pub use ids::VersionSevenIds;
pub use passwords::{Argon2Passwords, HashingError};
pub use random::SecureRandom;
