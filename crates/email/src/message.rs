//! Builds the Internet message of an e-mail.

use std::time::SystemTime;

use domain::email::{AbuseContact, to_html};
use domain::ports::{EmailError, OutgoingEmail};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

/// Marks the message as automatic, which suppresses out-of-office replies (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Does the same for Exchange, which ignores `Auto-Submitted`.
const AUTO_RESPONSE_SUPPRESS: HeaderName = HeaderName::new_from_ascii_str("X-Auto-Response-Suppress");
/// Where to report abuse.
const REPORT_ABUSE: HeaderName = HeaderName::new_from_ascii_str("X-Report-Abuse");

/// Settings shared by all messages of a service.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    pub(crate) from: Mailbox,
    /// The public address of the service; only links that begin with it can be clicked.
    pub(crate) service: String,
    pub(crate) abuse_contact: Option<AbuseContact>,
}

/// The message: plain text, and HTML generated from it. Message-ID and date are the same for every attempt.
pub(crate) fn message_of(email: &OutgoingEmail, sender: &Sender) -> Result<Message, EmailError> {
    let message = &email.email;
    // Few mail servers accept non-ASCII addresses.
    let to: Address = message
        .to_ascii()
        .parse()
        .map_err(|error| EmailError::permanent(format!("the recipient's address is invalid: {error}")))?;
    let from = &sender.from;
    let mut builder = Message::builder()
        .message_id(Some(format!("<{}@{}>", email.id, from.email.domain())))
        .date(SystemTime::from(email.created_at))
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(message.subject())
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()))
        .raw_header(HeaderValue::new(AUTO_RESPONSE_SUPPRESS, "All".to_owned()));
    if let Some(contact) = &sender.abuse_contact {
        builder = builder.raw_header(HeaderValue::new(REPORT_ABUSE, contact.to_ascii()));
    }
    let html = to_html(message.text(), &sender.service);
    builder
        .multipart(MultiPart::alternative_plain_html(message.text().to_owned(), html))
        .map_err(|error| EmailError::permanent(format!("the message cannot be built: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::email::EmailMessage;
    use domain::kernel::input::EmailAddress;
    use domain::{EmailId, WorkspaceId};
    use time::macros::datetime;
    use uuid::Uuid;

    fn rendered(subject: &str, text: &str) -> String {
        shown_to("ann@example.com", subject, text)
    }

    fn shown_to(to: &str, subject: &str, text: &str) -> String {
        let email = OutgoingEmail {
            id: EmailId(Uuid::from_u128(5)),
            workspace: WorkspaceId(Uuid::nil()),
            email: EmailMessage::new(&EmailAddress::parse(to).unwrap(), subject, text),
            created_at: datetime!(2030-01-31 09:00:00.5 UTC),
        };
        let sender = Sender {
            from: "Work <no-reply@work.example.com>".parse().unwrap(),
            service: "https://work.example.com".to_owned(),
            abuse_contact: AbuseContact::parse("abuse@example.com"),
        };
        String::from_utf8(message_of(&email, &sender).unwrap().formatted()).unwrap()
    }

    fn head(message: &str) -> Vec<&str> {
        message.split_once("\r\n\r\n").unwrap().0.split("\r\n").collect()
    }

    #[test]
    fn a_message_has_all_required_headers() {
        let message = rendered("Hello", "See https://work.example.com/a?b=1&c");
        let head = head(&message);
        for line in [
            "Message-ID: <00000000-0000-0000-0000-000000000005@work.example.com>",
            "Date: Thu, 31 Jan 2030 09:00:00 +0000",
            "From: Work <no-reply@work.example.com>",
            "To: ann@example.com",
            "Subject: Hello",
            "Auto-Submitted: auto-generated",
            "X-Auto-Response-Suppress: All",
            "X-Report-Abuse: abuse@example.com",
        ] {
            assert!(head.contains(&line), "{line} is not in {head:#?}");
        }
        assert!(message.contains("multipart/alternative"), "{message}");
        assert!(message.contains("Content-Type: text/plain; charset=utf-8"), "{message}");
        assert!(message.contains("Content-Type: text/html; charset=utf-8"), "{message}");
    }

    #[test]
    fn headers_have_domains_in_ascii() {
        let message = shown_to("Ann@München.example", "Hello", "text");
        assert!(message.is_ascii() && head(&message).contains(&"To: Ann@xn--mnchen-3ya.example"), "{message}");
    }

    #[test]
    fn a_subject_cannot_add_a_header() {
        for hostile in [
            "Hi\r\nBcc: eve@example.com",
            "Hi\nBcc: eve@example.com\n\nbody",
            "é\r\nBcc: eve@example.com",
            "Hi\rBcc: e",
        ] {
            let message = rendered(hostile, "text");
            let folded = head(&message);
            assert!(!folded.iter().any(|line| line.to_ascii_lowercase().starts_with("bcc")), "{message}");
            assert_eq!(message.matches("\r\n\r\n").count(), rendered("Hi", "text").matches("\r\n\r\n").count());
        }
    }
}
