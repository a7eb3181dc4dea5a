//! Whether connections are encrypted, and how much of the server's certificate is verified.

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

/// The value of `sslrootcert` that means the authorities of this machine.
pub(crate) const SYSTEM: &str = "system";

impl SslMode {
    /// What the address says, if it says anything. `allow`, plain first, means `prefer` here: TLS first.
    pub(crate) fn written(settings: &Settings) -> Result<Option<Self>, AddressError> {
        let mode = settings.get("sslmode").map(|text| match text {
            "disable" => Ok(Self::Disable),
            "allow" | "prefer" => Ok(Self::Prefer),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyCa),
            "verify-full" => Ok(Self::VerifyFull),
            _ => Err(AddressError::Value {
                name: "sslmode",
                wanted: "disable, allow, prefer, require, verify-ca or verify-full",
            }),
        });
        let mode = mode.transpose()?;
        if settings.get("sslrootcert") != Some(SYSTEM) || mode == Some(Self::Disable) {
            return Ok(mode);
        }
        // Anyone can have a certificate of a public authority, so that its name is what counts.
        match mode {
            None | Some(Self::VerifyFull) => Ok(Some(Self::VerifyFull)),
            Some(_) => Err(AddressError::Value { name: "sslmode", wanted: "verify-full, since sslrootcert is system" }),
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
