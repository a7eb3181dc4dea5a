//! The code that an authenticator app shows now (RFC 6238), by the parameters that all of them know.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ring::hmac;

const STEP_SECONDS: u64 = 30;
const BASE_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The code of a secret in base 32.
pub(crate) fn code_of(secret: &str) -> anyhow::Result<String> {
    #[expect(clippy::disallowed_methods, reason = "the service compares with the time of this machine too")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    code_at(secret, now)
}

fn code_at(secret: &str, second: u64) -> anyhow::Result<String> {
    let key = bytes_of(secret).context("the secret is not base 32")?;
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &key);
    let tag = hmac::sign(&key, &(second / STEP_SECONDS).to_be_bytes());
    let tag = tag.as_ref();
    let offset = usize::from(tag.last().context("no tag")? & 0xF);
    let part = tag.get(offset..offset + 4).context("a short tag")?.try_into()?;
    Ok(format!("{:06}", (u32::from_be_bytes(part) & 0x7FFF_FFFF) % 1_000_000))
}

fn bytes_of(secret: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut buffer, mut bits) = (Vec::new(), 0_u32, 0);
    for letter in secret.trim_end_matches('=').bytes() {
        let value = BASE_32.iter().position(|known| known.eq_ignore_ascii_case(&letter))?;
        buffer = (buffer << 5) | u32::try_from(value).ok()?;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((buffer >> bits) & 0xFF).ok()?);
            buffer &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, in 6 digits; its secret is "12345678901234567890".
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")] {
            assert_eq!(code_at(secret, second).unwrap(), code);
        }
        assert!(code_at("1", 0).is_err());
    }
}
