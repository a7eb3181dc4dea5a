use std::net::IpAddr;

use super::queue::MAX_WAITING;
use super::*;
use crate::SecureRandom;

fn passwords() -> Argon2Passwords {
    Argon2Passwords::new(SecureRandom::default()).unwrap()
}

fn new(text: &str) -> NewPassword {
    NewPassword::parse(text).unwrap()
}

fn typed(text: &str) -> Password {
    new(text).as_typed()
}

fn from(precedence: Precedence, address: u32) -> HashTurn {
    HashTurn::new(precedence, Some(IpAddr::from(address.to_be_bytes())))
}

fn known() -> HashTurn {
    from(Precedence::Known, 0x0a00_0001)
}

#[tokio::test]
async fn a_hash_is_argon2id_salted_and_silent() {
    let (passwords, password) = (passwords(), new("correct horse"));
    let (one, other) = tokio::join!(passwords.hash(&password, known()), passwords.hash(&password, known()));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert!(one.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", one.0);
    assert_ne!(one, other);
    assert!(!format!("{one:?} {passwords:?}").contains('$'));
}

#[tokio::test]
async fn only_the_right_password_matches_and_a_missing_hash_never_does() {
    let passwords = passwords();
    let hash = passwords.hash(&new("correct horse"), known()).await.unwrap();
    for (password, hash, expected) in [
        ("correct horse", Some(hash.clone()), true),
        ("Correct horse", Some(hash.clone()), false),
        ("correct horse", Some(PasswordHash("x".into())), false),
        ("correct horse", Some(PasswordHash(hash.0.replace("m=19456", "m=4000000"))), false),
        ("correct horse", None, false),
    ] {
        let matched = passwords.verify(&typed(password), hash.as_ref(), known()).await.unwrap();
        assert_eq!(matched, expected, "{password}");
    }
}

/// Hashes created by other Argon2 programs: reusing the buffer does not change the result.
#[tokio::test]
async fn hashes_are_those_of_the_standard() {
    use argon2::PasswordHasher;
    let expected = argon2::Argon2::default().hash_password_with_salt(b"correct horse", b"0123456789abcdef").unwrap();
    let passwords = passwords();
    // The second hash uses the buffer again.
    for _ in 0..3 {
        let hash = PasswordHash(expected.to_string());
        assert!(passwords.verify(&typed("correct horse"), Some(&hash), known()).await.unwrap());
    }
}

/// A flood beyond every bound: known clients are served, the flood is bounded, and refusals are immediate.
#[tokio::test]
async fn known_clients_are_served_in_a_flood_of_wrong_log_ins() {
    let passwords = Arc::new(passwords());
    let hash = passwords.hash(&new("correct horse"), known()).await.unwrap();
    let flood: Vec<_> = (0..4 * u32::try_from(MAX_WAITING).unwrap())
        .map(|number| {
            let passwords = Arc::clone(&passwords);
            tokio::spawn(async move {
                let turn = from(Precedence::Unknown, 0xc000_0000 + (number << 16));
                passwords.verify(&typed("wrong horse battery"), None, turn).await
            })
        })
        .collect();
    tokio::task::yield_now().await;
    assert!(passwords.workers.waiting() <= MAX_WAITING);
    assert!(passwords.verify(&typed("correct horse"), Some(&hash), known()).await.unwrap());
    let mut refused = 0;
    for one in flood {
        match one.await.unwrap() {
            Ok(matched) => assert!(!matched),
            Err(error) => {
                assert!(matches!(error, Error::Store(StoreError::Busy)), "{error:?}");
                refused += 1;
            }
        }
    }
    // How many were hashed in the meantime depends on the machine.
    assert!(refused > 0, "none was refused");
}

#[tokio::test]
async fn a_suspect_waits_and_is_then_served() {
    let passwords = passwords();
    let hash = passwords.hash(&new("correct horse"), known()).await.unwrap();
    assert_eq!(SUSPECT_DELAY, Duration::from_secs(2));
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let password = typed("correct horse");
    let verified = passwords.verify(&password, Some(&hash), from(Precedence::Suspect, 1));
    let mut verified = std::pin::pin!(verified);
    // While time is paused, it advances to the end of the delay; the hash itself takes real time.
    assert!(tokio::time::timeout(Duration::from_millis(1_999), &mut verified).await.is_err());
    tokio::time::advance(Duration::from_millis(2)).await;
    tokio::time::resume();
    assert!(verified.await.unwrap());
    assert!(start.elapsed() >= SUSPECT_DELAY);
}

#[tokio::test]
async fn waiting_requests_are_notified_when_the_service_stops() {
    let passwords = passwords();
    let (reply, result) = oneshot::channel();
    passwords.workers.submit(known(), HashWork::Verify(typed("correct horse"), passwords.dummy.clone()), reply);
    drop(passwords);
    // The hash was either in progress or dropped.
    assert!(!matches!(result.await, Ok(Ok(HashOutput::Match(true)))));
}
