//! Randomness.

use domain::ports::Random;
use ring::rand::{SecureRandom as _, SystemRandom};

/// The operating system's secure randomness.
#[derive(Debug)]
pub struct SecureRandom(SystemRandom);

impl Default for SecureRandom {
    fn default() -> Self {
        Self(SystemRandom::new())
    }
}

impl Random for SecureRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // A crash is better than weak secrets: the service cannot run without the system's randomness.
        assert!(self.0.fill(bytes).is_ok(), "the operating system gave no random bytes");
    }
}
