//! Runs a target for a number of texts or for a time.

use std::time::Instant;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::input::texts;
use crate::service::World;
use crate::{Check, Target};

/// Number of texts between checks of the time.
const BATCH: u32 = 256;

/// How long to run.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// The same texts in every run.
    Repeatable { texts: u32 },
    /// Other texts in every run.
    Until(Instant),
}

/// A text for which the check does not hold.
#[derive(Debug)]
pub struct Failure {
    pub text: String,
    pub reason: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} (keep this as a seed of the target: {:?})", self.reason, self.text)
    }
}

/// Checks the seeds, then generated texts; returns how many.
///
/// # Errors
/// The smallest text found for which the check fails or panics.
pub fn run(target: &Target, run: Run) -> Result<u64, Failure> {
    let world = matches!(target.check, Check::Service(_)).then(World::start);
    let check = |text: &str| match (&target.check, &world) {
        (Check::Pure(check), _) => check(text),
        (Check::Service(request), Some(world)) => world.check(*request, text),
        (Check::Service(_), None) => Err("no service".to_owned()),
    };
    for seed in target.seeds {
        check(seed).map_err(|reason| Failure { text: (*seed).to_owned(), reason })?;
    }
    let mut count = target.seeds.len() as u64;
    match run {
        Run::Repeatable { texts } => {
            batch(target, texts, TestRng::deterministic_rng(RngAlgorithm::ChaCha), check)?;
            count += u64::from(texts);
        }
        Run::Until(end) => {
            while Instant::now() < end {
                batch(target, BATCH, TestRng::from_seed(RngAlgorithm::ChaCha, &seed()), check)?;
                count += u64::from(BATCH);
            }
        }
    }
    Ok(count)
}

/// A seed from the operating system, obtained through the standard library's hasher.
fn seed() -> [u8; 32] {
    use std::hash::{BuildHasher, RandomState};
    let mut seed = [0; 32];
    for (place, bytes) in seed.chunks_mut(8).enumerate() {
        bytes.copy_from_slice(&RandomState::new().hash_one(place).to_le_bytes());
    }
    seed
}

fn batch(target: &Target, cases: u32, rng: TestRng, check: impl Fn(&str) -> Result<(), String>) -> Result<(), Failure> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&texts(target), |text| check(&text).map_err(TestCaseError::fail));
    result.map_err(|error| match error {
        TestError::Fail(reason, text) => Failure { text, reason: reason.message().to_owned() },
        TestError::Abort(reason) => Failure { text: String::new(), reason: reason.message().to_owned() },
    })
}
