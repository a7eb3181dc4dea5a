//! E-mails: queued in the transaction that causes them, sent by a worker (docs/adr/0015).

mod bounds;
mod html;
pub mod link_requests;
mod manage;
mod parts;
mod queue;
mod schedule;
mod sender;

pub use bounds::{COUNT_RETENTION, EmailBounds, EmailPurpose, EmailSource, Enqueued, MailboxCount};
pub use html::to_html;
pub use manage::{EmailFilter, EmailState, EmailStatus, EmailSummary, MAX_LISTED, list, retry, retry_all};
pub(crate) use parts::add_parts;
pub use parts::{AnswerDelay, EmailBatch, EmailPart, MAX_PARTS, SealedPart};
pub use queue::{CANNOT_DECRYPT, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, QueuedEmail};
pub use schedule::{ATTEMPT_TIMEOUT, GIVE_UP_AFTER, LEASE, LONGEST_WAIT, RETENTION, after_failure};
pub use sender::AbuseContact;
pub(crate) use sender::footer;

use std::fmt;

use crate::kernel::input::EmailAddress;

/// Maximum length of a subject, in characters.
pub const MAX_SUBJECT: usize = 200;
/// Maximum size of a body, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;
/// Maximum queued e-mails per workspace; further ones are dropped.
pub const MAX_WAITING: u32 = 10_000;
/// Additional queue capacity for password resets, which other e-mails cannot use up.
pub const RESET_RESERVE: u32 = 1_000;

/// Appended to a body that was cut.
const CUT: &str = "\n\n[The rest was left out because it was too long.]\n";

/// An e-mail with single-line headers, which prevents header injection. `Debug` does not show the body, which may hold
/// a one-time link.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailMessage {
    to: EmailAddress,
    subject: String,
    text: String,
}

impl EmailMessage {
    /// Control characters of the subject become spaces; subject and body are cut at their maximum length.
    pub fn new(to: &EmailAddress, subject: &str, text: &str) -> Self {
        let subject = subject.chars().map(|character| if is_plain(character) { character } else { ' ' });
        // Mail clients would decode what looks like an encoded word; it must be shown as written.
        let subject: String = subject.collect::<String>().replace("=?", "= ?");
        let subject: String = subject.chars().take(MAX_SUBJECT).collect();
        // Control characters have no meaning in an e-mail, and NUL is not allowed.
        let text = text.replace("\r\n", "\n");
        let text = text.chars().filter(|character| is_plain(*character) || matches!(character, '\n' | '\t'));
        Self { to: to.clone(), subject: subject.trim().to_owned(), text: cut(text.collect()) }
    }

    /// An e-mail to an address that was validated when it was stored; `None` if the address is invalid after all.
    pub fn to_stored(address: &str, subject: &str, text: &str) -> Option<Self> {
        EmailAddress::stored(address).map(|to| Self::new(&to, subject, text))
    }

    /// The address as it was given.
    pub fn to(&self) -> &str {
        self.to.as_str()
    }

    /// The address for mail servers, in envelope and headers, with its domain in ASCII.
    pub fn to_ascii(&self) -> String {
        self.to.to_ascii()
    }

    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The body, with LF line endings.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for EmailMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EmailMessage").field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// Some mail clients break lines at line and paragraph separators too.
fn is_plain(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}')
}

fn cut(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        text.truncate(text.floor_char_boundary(MAX_TEXT - CUT.len()));
        text.push_str(CUT);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> EmailAddress {
        EmailAddress::parse(text).unwrap()
    }

    #[test]
    fn no_input_injects_an_email_header() {
        for hostile in ["Hi\r\nBcc: x@example.com", "Hi\nBcc: x", "Hi\u{2028}Bcc: x", "Hi\0\u{7f}\u{85}"] {
            let email = EmailMessage::new(&address("ann@example.com"), hostile, "text");
            assert!(email.subject().chars().all(is_plain), "{hostile:?}");
        }
        let encoded = EmailMessage::new(&address("ann@example.com"), "=?utf-8?q?Bcc=3A_x?=", "text");
        assert_eq!(encoded.subject(), "= ?utf-8?q?Bcc=3A_x?=", "no encoded word");
        for bad in ["", "ann", "ann@example.com\r\nBcc: x@example.com", "ann@example.com, bob@example.com", "a b@x.com"]
        {
            assert_eq!(EmailMessage::to_stored(bad, "Hi", "text"), None, "{bad:?}");
        }
        // White space at either end of an address is trimmed.
        assert_eq!(EmailMessage::to_stored("ann@example.com\r\n", "Hi", "text").unwrap().to(), "ann@example.com");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let email = EmailMessage::new(&address("ann@example.com"), &"é".repeat(300), &"é".repeat(MAX_TEXT));
        assert_eq!(email.subject().chars().count(), MAX_SUBJECT);
        assert!(email.text().len() <= MAX_TEXT && email.text().ends_with(CUT));
        let fits = "x".repeat(MAX_TEXT);
        assert_eq!(EmailMessage::new(&address("ann@example.com"), "Hi", &fits).text(), fits);
    }

    #[test]
    fn texts_keep_line_breaks_and_no_other_control_characters() {
        let email = EmailMessage::new(&address("ann@example.com"), "Hi", "One\r\n\tTwo\0\u{1b}[31m\n");
        assert_eq!(email.text(), "One\n\tTwo[31m\n");
        assert!(!format!("{email:?}").contains("Two"));
    }
}
