//! Passwords: their rule and their Argon2id hash.

use anyhow::{Context, ensure};
use argon2::Argon2;
use argon2::password_hash::PasswordHasher;
use domain::ports::Random;
use domain::workspaces::PasswordHash;

const SALT_LENGTH: usize = 16;

/// Hashes a password of 12 to 200 characters. It is taken as it is: passwords are never trimmed.
pub(crate) fn hash(password: &str, random: &dyn Random) -> anyhow::Result<PasswordHash> {
    let length = password.chars().count();
    ensure!((12..=200).contains(&length), "the password must be 12 to 200 characters long");
    let mut salt = [0; SALT_LENGTH];
    random.fill(&mut salt);
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    Ok(PasswordHash(hash.context("the password could not be hashed")?.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::SecureRandom;

    #[test]
    fn a_hash_is_argon2id_salted_and_silent() {
        let random = SecureRandom::default();
        let (one, other) = (hash("correct horse", &random).unwrap(), hash("correct horse", &random).unwrap());
        assert!(one.0.starts_with("$argon2id$"));
        assert_ne!(one, other);
        assert!(!format!("{one:?}").contains('$'));
        assert!(hash("short", &random).is_err() && hash(&"x".repeat(201), &random).is_err());
    }
}
