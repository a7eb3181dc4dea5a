//! Time-based one-time passwords (RFC 6238) as every authenticator app supports them: SHA-1, six digits, steps of 30 seconds.

use subtle::ConstantTimeEq;
use time::OffsetDateTime;
use totp_rs::{Builder, Secret, Totp};

use crate::kernel::hidden_debug;
use crate::ports::{Random, StoreError};

const SECRET_LENGTH: usize = 20;
const DIGITS: u8 = 6;
const STEP_SECONDS: u64 = 30;
/// How many steps before and after the current one are accepted, because clocks differ.
const SKEW: u16 = 1;

/// The secret that the service shares with an authenticator app. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret(Secret);

impl TotpSecret {
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = [0; SECRET_LENGTH];
        random.fill(&mut bytes);
        Self(Secret::new_stack(bytes))
    }

    /// Parses the text form; `None` for anything but 20 bytes in base 32.
    pub fn parse(text: &str) -> Option<Self> {
        let secret = Secret::try_from_base32(text).ok()?;
        (secret.as_bytes().len() == SECRET_LENGTH).then_some(Self(secret))
    }

    /// The text that a user can type into an app: base 32.
    pub fn reveal(&self) -> String {
        self.0.to_base32()
    }

    /// Whether a text is this secret, compared in constant time.
    pub fn matches(&self, text: &str) -> bool {
        Self::parse(text).is_some_and(|other| self.0.as_bytes().ct_eq(other.0.as_bytes()).into())
    }

    /// The URL that an app reads from a QR code.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for an account or issuer that the URL cannot represent, which is not the case for valid addresses.
    pub fn url(&self, issuer: &str, account: &str) -> Result<String, StoreError> {
        // A colon separates issuer and account.
        let without_colons = |text: &str| text.replace(':', " ");
        let builder =
            self.builder().with_issuer(Some(without_colons(issuer))).with_account_name(without_colons(account));
        let url = builder.build().and_then(|totp| totp.to_url());
        url.map_err(|error| StoreError::Internal(format!("cannot write an otpauth address: {error}")))
    }

    /// The step of a code, if it is the current or a neighbouring one.
    pub fn step_of(&self, code: &str, now: OffsetDateTime) -> Option<i64> {
        let now = u64::try_from(now.unix_timestamp()).ok()?;
        let is_code = code.len() == usize::from(DIGITS) && code.bytes().all(|byte| byte.is_ascii_digit());
        let step = if is_code { self.totp().check(code, now) } else { None };
        step.and_then(|step| i64::try_from(step).ok())
    }

    /// The code that an authenticator app shows at this time.
    #[cfg(any(test, feature = "testing"))]
    pub fn code_at(&self, now: OffsetDateTime) -> String {
        self.totp().generate(u64::try_from(now.unix_timestamp()).unwrap_or_default()).to_string()
    }

    fn builder(&self) -> Builder {
        Builder::new().with_secret(self.0.clone()).with_digits(DIGITS).with_step_duration(STEP_SECONDS).with_skew(SKEW)
    }

    fn totp(&self) -> Totp {
        self.builder().build_noncompliant()
    }
}

hidden_debug!(TotpSecret);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SequenceRandom;
    use proptest::prelude::*;
    use time::Duration;

    fn at(seconds: i64) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(seconds).unwrap()
    }

    /// The vectors of RFC 6238, appendix B, cut to six digits.
    #[test]
    fn codes_match_the_standard() {
        let secret = TotpSecret(Secret::from(*b"12345678901234567890"));
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(secret.code_at(at(seconds)), code);
            assert_eq!(secret.step_of(code, at(seconds)), Some(seconds / 30), "{code}");
        }
    }

    #[test]
    fn a_code_is_valid_in_its_own_and_the_neighbouring_steps() {
        let secret = TotpSecret::generate(&SequenceRandom::default());
        let now = at(1_900_000_020);
        let code = secret.code_at(now);
        for (seconds, good) in [(-60, false), (-30, true), (0, true), (29, true), (30, true), (59, true), (60, false)] {
            assert_eq!(secret.step_of(&code, now + Duration::seconds(seconds)).is_some(), good, "{seconds}");
        }
        assert_eq!(secret.step_of(&code, at(-60)), None);
    }

    #[test]
    fn the_text_and_the_url_have_the_format_of_apps() {
        let secret = TotpSecret::generate(&SequenceRandom::default());
        let text = secret.reveal();
        assert_eq!((text.len(), TotpSecret::parse(&text).as_ref()), (32, Some(&secret)));
        assert!(TotpSecret::parse(&text[..24]).is_none() && TotpSecret::parse("?").is_none());
        assert_eq!(format!("{secret:?}"), "TotpSecret(…)");
        let url = secret.url("work.example.com:8443", "ada+b@example.com").unwrap();
        assert!(url.starts_with("otpauth://totp/") && url.contains(&format!("secret={text}")), "{url}");
        assert!(url.contains("issuer=work.example.com") && url.contains("ada%2Bb%40example.com"), "{url}");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_check_panic(text in ".{0,20}", digits in "[0-9]{0,8}") {
            let secret = TotpSecret::generate(&SequenceRandom::default());
            prop_assert_eq!(secret.step_of(&text, at(1_900_000_000)).is_some() && text.len() != 6, false);
            let _ = secret.step_of(&digits, at(1_900_000_000));
        }
    }
}
