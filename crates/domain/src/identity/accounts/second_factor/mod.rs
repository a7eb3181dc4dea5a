//! The second factor of a user: codes of an authenticator app, and recovery codes in case it is lost.
//!
//! It belongs to the user, not to a workspace. A sign-in with the right password of a user who has one ends in a
//! [`SignInChallenge`], which a code turns into a session.

mod challenge;
mod manage;
mod recovery;
mod totp;

pub use challenge::PendingSignIn;
pub use challenge::{
    ChallengeFields, ChallengeLookup, FirstProof, MAX_CHALLENGES, MAX_TRIES, PendingStep, SignInChallenge,
    finish_sign_in,
};
pub(super) use challenge::{TimeAndTries, new_challenge, refused};
pub(in crate::identity) use manage::has_second_factor;
pub use manage::{
    ConfirmationFields, NewSecondFactor, RecoveryCodes, RemovalFields, begin_second_factor, confirm_second_factor,
    new_second_factor, remove_second_factor, reset_second_factor,
};
pub use recovery::{RECOVERY_CODES, RecoveryCode};
pub use totp::TotpSecret;

use time::{Duration, OffsetDateTime};

use crate::email::QueuedEmail;
use crate::identity::access::HashedSecret;
use crate::identity::audit::AuditEntry;
use crate::kernel::RateLimitStatus;
use crate::kernel::sealing::SealedSecret;
use crate::{Error, UserId, WorkspaceId};

/// Wrong codes in a row before codes of the app are refused for a while.
const FAILURES_PER_PAUSE: u32 = 10;
/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::hours(1);
const LONGEST_PAUSE: Duration = Duration::hours(24);

/// A user's second factor as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    pub user_id: UserId,
    /// The secret shared with the authenticator app.
    pub secret: SealedSecret,
    pub created_at: OffsetDateTime,
    /// When the user proved that the app works. While `None`, sign-ins do not ask for codes.
    pub confirmed_at: Option<OffsetDateTime>,
    /// The step of the last accepted code. Codes of this and earlier steps are refused.
    pub last_step: i64,
    /// Hashes of the unused recovery codes.
    pub recovery_codes: Vec<HashedSecret>,
    /// Wrong codes since the last right one.
    pub failures: u32,
    /// The end of the pause after too many wrong codes, which refuses codes of the app.
    pub paused_until: Option<OffsetDateTime>,
    /// Counts changes from 1.
    pub version: i64,
}

/// How a code was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptedCode {
    /// A code of the authenticator app.
    App,
    /// A recovery code, which is consumed.
    Recovery,
}

/// Why a code was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedCode {
    /// Wrong, or used before. `pauses`: whether it starts a pause.
    Wrong { pauses: bool },
    /// Refused because of too many wrong codes before.
    Paused { until: OffsetDateTime },
}

impl SecondFactor {
    /// Checks a code and counts the result. Each code is accepted once. Recovery codes are accepted even in a pause: they cannot be
    /// guessed, and an attacker who knows the password must not lock the owner out.
    pub fn check(
        &mut self,
        secret: &TotpSecret,
        typed: &str,
        now: OffsetDateTime,
    ) -> Result<AcceptedCode, RefusedCode> {
        let code = normalize(typed);
        self.version += 1;
        if let Some(hash) = RecoveryCode::parse(&code).map(|code| code.hashed())
            && let Some(index) = self.recovery_codes.iter().position(|stored| stored.matches(&hash))
        {
            self.recovery_codes.remove(index);
            self.record_success();
            return Ok(AcceptedCode::Recovery);
        }
        if let Some(until) = self.paused_until.filter(|until| now < *until) {
            return Err(RefusedCode::Paused { until });
        }
        match secret.step_of(&code, now).filter(|step| *step > self.last_step) {
            Some(step) => {
                self.last_step = step;
                self.record_success();
                Ok(AcceptedCode::App)
            }
            None => Err(RefusedCode::Wrong { pauses: self.record_failure(now) }),
        }
    }

    const fn record_success(&mut self) {
        self.failures = 0;
        self.paused_until = None;
    }

    /// Counts a wrong code; returns whether a pause begins.
    fn record_failure(&mut self, now: OffsetDateTime) -> bool {
        self.failures = self.failures.saturating_add(1);
        let pauses = self.failures.is_multiple_of(FAILURES_PER_PAUSE);
        if pauses {
            let doublings = (self.failures / FAILURES_PER_PAUSE - 1).min(5);
            self.paused_until = Some(now + (FIRST_PAUSE * 2_i32.pow(doublings)).min(LONGEST_PAUSE));
        }
        pauses
    }
}

/// The typed code without blanks and hyphens, in lower case, and with the letter o as zero.
fn normalize(typed: &str) -> String {
    let characters = typed.chars().filter(|character| !character.is_whitespace() && *character != '-');
    characters
        .map(|character| character.to_ascii_lowercase())
        .map(|letter| if letter == 'o' { '0' } else { letter })
        .collect()
}

impl RefusedCode {
    fn into_error(self, now: OffsetDateTime) -> Error {
        match self {
            Self::Wrong { .. } => Error::invalid("code", "incorrect", "is not a valid code, or was already used"),
            Self::Paused { until } => Error::RateLimited(RateLimitStatus {
                limit: u64::from(FAILURES_PER_PAUSE),
                remaining: 0,
                reset_at: until.unix_timestamp(),
                retry_after: (until - now).whole_seconds().max(1),
                exceeded: true,
                is_shared: false,
            }),
        }
    }
}

/// A change of a user's second factor, which is stored only if the version that was read is still current.
#[derive(Debug, Clone)]
pub struct SecondFactorChange {
    pub user_id: UserId,
    /// The version that was read; `None` if there was none.
    pub expected: Option<i64>,
    /// What to store; `None` to delete it.
    pub factor: Option<SecondFactor>,
    /// Whether the second factor is turned on or off, which invalidates the user's cached sessions.
    pub switches: bool,
    /// Entries for the audit logs of the user's workspaces.
    pub entries: Vec<(WorkspaceId, AuditEntry)>,
    /// The e-mail that notifies the user.
    pub email: Option<QueuedEmail>,
}

#[cfg(test)]
mod tests;
