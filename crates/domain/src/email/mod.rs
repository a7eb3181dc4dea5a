//! Letters to people: queued with what causes them, and sent by a worker (docs/adr/0015).

mod html;
pub mod link_requests;
mod manage;
mod queue;
mod schedule;

pub use html::to_html;
pub use manage::{EmailFilter, EmailState, EmailStatus, EmailSummary, MAX_LISTED, list, retry, retry_all};
pub use queue::{CANNOT_DECRYPT, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, QueuedEmail};
pub use schedule::{ATTEMPT_TIMEOUT, GIVE_UP_AFTER, LEASE, RETENTION, after_failure};

use std::fmt;

use crate::kernel::input::EmailAddress;

/// Characters of a subject at the most.
pub const MAX_SUBJECT: usize = 200;
/// Bytes of a text at the most.
pub const MAX_TEXT: usize = 64 * 1024;
/// How many letters of a workspace may wait at the most; what comes beyond is dropped.
pub const MAX_WAITING: u32 = 10_000;
/// How many more may wait where they are password resets: others cannot take up their room.
pub const RESET_RESERVE: u32 = 1_000;

/// What stands at the end of a text that was too long.
const CUT: &str = "\n\n[The rest was left out: it was too long.]\n";

/// A letter whose head is in one line each, so that nobody writes a header into it. `Debug` does not show its text, which
/// may hold a one-time link.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailMessage {
    to: String,
    subject: String,
    text: String,
}

impl EmailMessage {
    /// A letter. Control characters of the subject become spaces, and what is too long is cut.
    pub fn new(to: &EmailAddress, subject: &str, text: &str) -> Self {
        let subject = subject.chars().map(|character| if is_plain(character) { character } else { ' ' });
        // What looks like an encoded word is one to a reader of mails: it must show as it was written.
        let subject: String = subject.collect::<String>().replace("=?", "= ?");
        let subject: String = subject.chars().take(MAX_SUBJECT).collect();
        // NUL is in no mail, and no other control character means anything in one.
        let text = text.replace("\r\n", "\n");
        let text = text.chars().filter(|character| is_plain(*character) || matches!(character, '\n' | '\t'));
        Self { to: to.as_str().to_owned(), subject: subject.trim().to_owned(), text: cut(text.collect()) }
    }

    /// A letter to an address that was checked when it was stored. None for a text that is no address after all.
    pub fn to_stored(address: &str, subject: &str, text: &str) -> Option<Self> {
        EmailAddress::parse(address).map(|to| Self::new(&to, subject, text))
    }

    /// The address.
    pub fn to(&self) -> &str {
        &self.to
    }

    /// The subject, in one line.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The text, with lines that end in LF.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for EmailMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mail").field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// Line and paragraph separators break lines too, for some readers.
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
        // Space at the ends is trimmed, as it is of every address that comes in.
        assert_eq!(EmailMessage::to_stored("ann@example.com\r\n", "Hi", "text").unwrap().to(), "ann@example.com");
    }

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        let email = EmailMessage::new(&address("ann@example.com"), &"é".repeat(300), &"é".repeat(MAX_TEXT));
        assert_eq!(email.subject().chars().count(), MAX_SUBJECT);
        assert!(email.text().len() <= MAX_TEXT && email.text().ends_with(CUT));
        let fits = "x".repeat(MAX_TEXT);
        assert_eq!(EmailMessage::new(&address("ann@example.com"), "Hi", &fits).text(), fits);
    }

    #[test]
    fn texts_keep_their_lines_and_nothing_else_that_controls() {
        let email = EmailMessage::new(&address("ann@example.com"), "Hi", "One\r\n\tTwo\0\u{1b}[31m\n");
        assert_eq!(email.text(), "One\n\tTwo[31m\n");
        assert!(!format!("{email:?}").contains("Two"));
    }
}
