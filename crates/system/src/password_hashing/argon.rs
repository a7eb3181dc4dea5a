//! Argon2 hashes, computed in a reusable buffer.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash as Parsed, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use domain::identity::accounts::{NewPassword, Password};
use domain::identity::workspaces::PasswordHash;
use domain::ports::Random;

use super::{HashingError, SALT_LENGTH};

/// What a thread should compute.
pub(super) enum HashWork {
    Hash(NewPassword, [u8; SALT_LENGTH]),
    Verify(Password, PasswordHash),
}

pub(super) enum HashOutput {
    Hash(PasswordHash),
    Match(bool),
}

/// The memory of one thread. It is allocated for the first hash, so that a process that never hashes needs none. Every
/// hash overwrites the previous one.
#[derive(Default)]
pub(super) struct Buffer(Vec<Block>);

impl HashWork {
    pub(super) fn run(self, buffer: &mut Buffer) -> Result<HashOutput, HashingError> {
        match self {
            Self::Hash(password, salt) => hash(&password, &salt, buffer).map(HashOutput::Hash),
            // An invalid hash matches no password.
            Self::Verify(password, hash) => Ok(HashOutput::Match(matches(&password, &hash, buffer).unwrap_or(false))),
        }
    }
}

impl Buffer {
    fn of(&mut self, params: &Params) -> &mut [Block] {
        let needed = params.block_count();
        if self.0.len() < needed {
            self.0.resize_with(needed, Block::default);
        }
        &mut self.0[..needed]
    }
}

fn hash(password: &NewPassword, salt: &[u8], buffer: &mut Buffer) -> Result<PasswordHash, HashingError> {
    let params = Params::default();
    let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let computed =
        argon.hash_password_into_with_memory(password.reveal().as_bytes(), salt, &mut out, buffer.of(&params));
    computed.map_err(|error| failed(&error))?;
    encode(salt, &out)
}

/// A hash that no known password matches, and that takes as long to verify as any other.
pub(super) fn dummy_hash(random: &impl Random) -> Result<PasswordHash, HashingError> {
    let (mut salt, mut out) = ([0; SALT_LENGTH], [0; Params::DEFAULT_OUTPUT_LEN]);
    random.fill(&mut salt);
    random.fill(&mut out);
    encode(&salt, &out)
}

fn encode(salt: &[u8], out: &[u8]) -> Result<PasswordHash, HashingError> {
    let parsed = Parsed {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&Params::default()).map_err(|error| failed(&error))?,
        salt: Some(Salt::new(salt).map_err(|error| failed(&error))?),
        hash: Some(Output::new(out).map_err(|error| failed(&error))?),
    };
    Ok(PasswordHash(parsed.to_string()))
}

/// `None` if the hash is invalid, or needs more memory than this service uses. Such a hash was not created here, and
/// accepting it would make the buffer grow.
fn matches(password: &Password, hash: &PasswordHash, buffer: &mut Buffer) -> Option<bool> {
    let parsed = Parsed::new(&hash.0).ok()?;
    let (salt, expected) = (parsed.salt?, parsed.hash?);
    let params = Params::try_from(&parsed).ok().filter(|params| params.m_cost() <= Params::DEFAULT_M_COST)?;
    let algorithm = Algorithm::try_from(parsed.algorithm.as_str()).ok()?;
    let version = parsed.version.map_or(Ok(Version::V0x13), Version::try_from).ok()?;
    let mut bytes = [0; Output::MAX_LENGTH];
    let out = bytes.get_mut(..expected.len())?;
    let argon = Argon2::new(algorithm, version, params.clone());
    argon.hash_password_into_with_memory(password.reveal().as_bytes(), &salt, out, buffer.of(&params)).ok()?;
    // In constant time.
    Some(Output::new(out).ok()? == expected)
}

fn failed(error: &dyn std::fmt::Display) -> HashingError {
    HashingError::Argon(error.to_string())
}
