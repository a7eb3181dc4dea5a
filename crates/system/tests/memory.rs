//! How much memory password hashes occupy. This is a separate test program, so that nothing else allocates memory.
#![cfg(target_os = "linux")]

use domain::identity::accounts::{HashTurn, NewPassword};
use domain::ports::Passwords;
use system::{Argon2Passwords, SecureRandom};

/// Two buffers of 19 MiB plus the rest of the process, as docs/security.md promises.
const MAX_GROWTH_KB: u64 = 60 * 1_024;

fn resident_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[tokio::test]
async fn many_hashes_take_no_more_memory_than_two_at_once() {
    let before = resident_kb().unwrap();
    let passwords = Argon2Passwords::new(SecureRandom::default()).unwrap();
    let password = NewPassword::parse("correct horse").unwrap().as_typed();
    let turn = HashTurn::known(None);
    for _ in 0..50 {
        let verified: [_; 4] = std::array::from_fn(|_| passwords.verify(&password, None, turn));
        for one in futures_util::future::join_all(verified).await {
            assert!(!one.unwrap());
        }
    }
    let growth = resident_kb().unwrap().saturating_sub(before);
    assert!(growth <= MAX_GROWTH_KB, "200 log-ins took {growth} kB");
    assert!(growth >= 16 * 1_024, "only {growth} kB: nothing was measured");
}
