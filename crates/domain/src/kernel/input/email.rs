//! E-mail addresses: validation, the ASCII form for mail servers, and the canonical form for comparison.
//!
//! The part before the `@` must be ASCII: other characters can be sent only by mail servers with SMTPUTF8, which few have. The
//! domain may use any script; DNS and mail servers use its A-label (`xn--…`, IDNA).

use std::borrow::Cow;
use std::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use serde_json::{Value as Json, json};
use unicode_normalization::UnicodeNormalization;
use validator::ValidateEmail;

use super::characters::is_invisible;
use super::filter::FilterValue;
use super::{Line, Problems, Read, Value, text_access};

/// Maximum length of a domain in ASCII, in bytes (RFC 5321).
const MAX_DOMAIN_BYTES: usize = 255;

const NOT_VALID: &str = "must be a valid e-mail address";
const FULL_WIDTH_AT: &str = "must be a valid e-mail address, with @ and not ＠";
const QUOTED: &str = "must be a valid e-mail address, without quotation marks or comments";
const NOT_ASCII: &str = "must be a valid e-mail address, with only ASCII characters before the @";
const FINAL_DOT: &str = "must be a valid e-mail address, without a dot at the end";
const NUMERIC: &str = "must be a valid e-mail address: the last part of the domain is not a number";
const LONG_DOMAIN: &str = "must be a valid e-mail address: the domain is too long in its ASCII form";

/// A valid e-mail address of at most 320 characters, stored as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

text_access!(EmailAddress, EmailKey);

impl EmailAddress {
    /// Parses an address that does not come from JSON, such as a setting.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text.into(), "email", &mut Problems::default()).value()
    }

    /// A stored address, which an earlier release may have accepted under weaker rules.
    pub fn stored(text: &str) -> Option<Self> {
        let line = Line::<320>::read(text.into(), "email", &mut Problems::default()).value()?;
        is_email(line.as_str()).then(|| Self(line.into()))
    }

    /// The canonical form in which addresses are compared.
    pub fn key(&self) -> EmailKey {
        EmailKey::of(&self.0)
    }

    /// The address for mail servers, with its domain in ASCII.
    pub fn to_ascii(&self) -> String {
        match self.0.rsplit_once('@') {
            Some((local, domain)) if !domain.is_ascii() => {
                format!("{local}@{}", ascii_domain(domain).unwrap_or(Cow::Borrowed(domain)))
            }
            _ => self.0.clone(),
        }
    }
}

impl Value for EmailAddress {
    fn schema() -> Json {
        json!({ "type": "string", "format": "email", "maxLength": 320 })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        Line::<320>::read(json, at, problems).and_then(|line| match problem_of(line.as_str()) {
            None => Read::Value(Self(line.into())),
            Some(message) => problems.invalid(at, "invalid_email", message),
        })
    }
}

/// The message for an invalid address; `None` if it is valid.
fn problem_of(text: &str) -> Option<&'static str> {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return Some(if text.contains('＠') { FULL_WIDTH_AT } else { NOT_VALID });
    };
    let ascii = ascii_domain(domain).unwrap_or(Cow::Borrowed(domain));
    let last = ascii.rsplit('.').next().unwrap_or_default();
    if local.contains(['"', '(', ')']) {
        Some(QUOTED)
    } else if !local.is_ascii() && !local.chars().any(is_invisible) {
        Some(NOT_ASCII)
    } else if ascii.len() > 1 && last.is_empty() {
        Some(FINAL_DOT)
    } else if !is_email(text) {
        Some(NOT_VALID)
    } else if last.bytes().all(|byte| byte.is_ascii_digit()) {
        Some(NUMERIC)
    } else {
        (ascii.len() > MAX_DOMAIN_BYTES).then_some(LONG_DOMAIN)
    }
}

/// Stricter than the crate: refuses empty parts between dots, and invisible characters, which would allow look-alike addresses.
fn is_email(text: &str) -> bool {
    let (local, domain) = text.rsplit_once('@').unwrap_or((text, ""));
    let dots_part = local.split('.').all(|part| !part.is_empty());
    // No e-mail can be sent to an address literal such as `ann@[127.0.0.1]`.
    text.validate_email() && dots_part && !domain.starts_with('[') && !text.chars().any(is_invisible)
}

/// The canonical form in which e-mail addresses are compared, in ASCII: the local part in lower case, and the domain as its
/// A-label in lower case. Full-width, composed and decomposed characters are equal, and so are the two forms of a Greek sigma.
///
/// A tag after `+`, dots in the local part, or another domain of the same provider make a different address: only that provider
/// knows whether they reach the same mailbox.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmailKey(String);

impl EmailKey {
    /// The key of any text, such as a stored address or what a user typed to sign in. An invalid address never has the key of a
    /// valid one.
    pub fn of(address: &str) -> Self {
        let address = address.trim();
        let Some((local, domain)) = address.rsplit_once('@') else { return Self(in_ascii(&address.to_lowercase())) };
        let local: String = if local.is_ascii() {
            local.to_ascii_lowercase()
        } else {
            local.nfc().flat_map(char::to_lowercase).collect()
        };
        Self(in_ascii(&format!("{local}@{}", canonical_domain(domain))))
    }
}

impl FromStr for EmailKey {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, crate::Error> {
        Self::from_text(text, "text", "must not be empty")
    }
}

/// A filter value: a valid address.
impl Value for EmailKey {
    fn schema() -> Json {
        EmailAddress::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        EmailAddress::read(json, at, problems).map(|email| email.key())
    }
}

impl FilterValue for EmailKey {}

/// An address with its domain in its own script, in lower case. An invalid address is only lower-cased.
pub(crate) fn in_own_script(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((local, domain)) => {
            let (unicode, is_valid) = unicode_domain(domain);
            let unicode = if is_valid { unicode } else { Cow::Owned(domain.to_lowercase()) };
            format!("{}@{unicode}", local.to_lowercase())
        }
        None => address.to_lowercase(),
    }
}

/// Whether an address has only one spelling apart from case.
pub(crate) fn has_one_spelling(address: &str) -> bool {
    address.is_ascii() && address.rsplit_once('@').is_none_or(|(_, domain)| is_plain(domain) && !domain.ends_with('.'))
}

/// Whether the domain is plain ASCII without A-labels, so that its canonical form is its lower case.
fn is_plain(domain: &str) -> bool {
    let is_a_label = |label: &str| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    domain.is_ascii() && !domain.split('.').any(is_a_label)
}

/// The domain in ASCII; `None` if IDNA does not allow it.
fn ascii_domain(domain: &str) -> Option<Cow<'_, str>> {
    if domain.is_ascii() {
        return Some(Cow::Borrowed(domain));
    }
    Uts46::new().to_ascii(domain.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, DnsLength::Ignore).ok()
}

/// The domain mapped and composed, with A-labels decoded, and whether IDNA allows it.
fn unicode_domain(domain: &str) -> (Cow<'_, str>, bool) {
    let (text, outcome) = Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    (text, outcome.is_ok())
}

fn canonical_domain(domain: &str) -> String {
    let domain = domain.trim_end_matches(|character: char| character == '.' || character.is_whitespace());
    if is_plain(domain) {
        return domain.to_ascii_lowercase();
    }
    let (text, is_domain) = unicode_domain(domain);
    if !is_domain {
        // For example `xn--` followed by invalid text, which earlier releases and some servers accept.
        return domain.nfc().flat_map(char::to_lowercase).collect();
    }
    // Both sigmas have the same capital letter, so a domain in capital letters does not tell which of them it has.
    let folded = text.trim_end_matches('.').replace('ς', "σ");
    ascii_domain(&folded).map_or_else(|| folded.clone(), Cow::into_owned)
}

/// Escapes non-ASCII characters. Keys are ASCII, so keys of earlier releases, which may have other characters, are never mistaken
/// for canonical ones. No address contains a backslash.
fn in_ascii(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let escaped = |character: char| -> String {
        if character.is_ascii() { character.into() } else { character.escape_unicode().collect() }
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests;
