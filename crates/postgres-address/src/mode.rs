//! Whether connections are encrypted, and how strictly the server's certificate is verified.

use crate::error::AddressError;
use crate::settings::Settings;

/// `sslmode`, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SslMode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// The value of `sslrootcert` that stands for the machine's certificate authorities.
pub(crate) const SYSTEM: &str = "system";

impl SslMode {
    /// The mode that the address sets. `allow`, which tries plaintext first in libpq, is treated as `prefer`, which tries TLS first.
    pub(crate) fn written(settings: &Settings) -> Result<Option<Self>, AddressError> {
        let mode = settings.get("sslmode").map(|text| {
            let name = if text == "allow" { "prefer" } else { text };
            let all = [Self::Disable, Self::Prefer, Self::Require, Self::VerifyCa, Self::VerifyFull];
            let expected = "disable, allow, prefer, require, verify-ca or verify-full";
            all.into_iter().find(|mode| mode.name() == name).ok_or(AddressError::Value { name: "sslmode", expected })
        });
        let mode = mode.transpose()?;
        if settings.get("sslrootcert") != Some(SYSTEM) || mode == Some(Self::Disable) {
            return Ok(mode);
        }
        // Anyone can get a certificate from a public authority, so the name in it must be verified.
        match mode {
            None | Some(Self::VerifyFull) => Ok(Some(Self::VerifyFull)),
            Some(_) => {
                Err(AddressError::Value { name: "sslmode", expected: "verify-full, since sslrootcert is system" })
            }
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }
}
