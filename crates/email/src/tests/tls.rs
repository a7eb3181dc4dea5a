//! Mail servers with TLS.

use std::io::Write;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::email::EmailVerdict;
use rustls::ServerConfig;

use super::{PASSWORD, Rig, SENDER, reply};
use crate::testing::{Authority, MailServer, Protection, ScriptedReply};
use crate::{Authorities, EmailSenderOptions, SmtpTransport, SmtpUrl};

fn server(protection: Protection) -> MailServer {
    MailServer::protected(protection, |_| ScriptedReply::Take)
}

/// A worker that trusts a CA from a file, as an operator configures it.
fn rig(server: &MailServer, scheme: &str, host: &str, trusted: &Authority) -> Rig {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(trusted.pem().as_bytes()).unwrap();
    let mut url = SmtpUrl::parse(&format!("{scheme}://ann:{PASSWORD}@{host}:{}", server.port)).unwrap();
    if scheme == "smtp" {
        url = url.treated_as_remote();
    }
    let transport = SmtpTransport::new(&url, SENDER, &Authorities::read(file.path()).unwrap()).unwrap();
    let mut rig = Rig::idle();
    rig.begin_with(Arc::new(transport), EmailSenderOptions::default());
    rig
}

/// Implicit TLS and STARTTLS.
fn ways(config: &Arc<ServerConfig>) -> [(&'static str, Protection); 2] {
    [("smtps", Protection::Wrapped(Arc::clone(config))), ("smtp", Protection::StartTls(Arc::clone(config)))]
}

#[test]
fn emails_are_sent_over_tls_with_a_password() {
    let authority = Authority::new("An authority");
    for (scheme, protection) in ways(&authority.server("localhost")) {
        let server = server(protection);
        let rig = rig(&server, scheme, "localhost", &authority);
        for to in ["ann@example.com", "bob@example.com"] {
            rig.queue_email(to, "text");
            assert_eq!(server.next().to, to, "{scheme}");
            assert_eq!(rig.next_verdict(), EmailVerdict::Sent, "{scheme}");
        }
        let count = |line: &str| server.lines().iter().filter(|received| *received == line).count();
        let login = format!("AUTH PLAIN {}", STANDARD.encode(format!("\0ann\0{PASSWORD}")));
        assert_eq!(count(&login), 1, "{scheme}: one connection for both");
        let clear: Vec<_> =
            server.lines_in_plaintext().iter().map(|line| line[..line.len().min(4)].to_owned()).collect();
        let expected: &[&str] = if scheme == "smtp" { &["", "EHLO", "STAR"] } else { &[] };
        assert_eq!(clear, expected, "{scheme}");
    }
}

/// The e-mail stays queued for the operator to fix the problem, the error explains it, and the password was not sent.
fn assert_not_sent(server: &MailServer, rig: &Rig, hints: &[&str]) {
    rig.queue_email("ann@example.com", "text");
    let (minutes, error) = rig.next_retry();
    assert_eq!(minutes, 1, "{error}");
    for hint in hints {
        assert!(error.contains(hint), "{hint} is not in: {error}");
    }
    assert!(!error.contains(PASSWORD), "{error}");
    let lines = server.lines();
    assert!(lines.iter().all(|line| ["", "EHLO", "STAR", "QUIT"].contains(&&line[..line.len().min(4)])), "{lines:?}");
    assert_eq!(server.rest(), 0);
}

#[test]
fn no_email_is_sent_to_a_server_with_an_invalid_certificate() {
    let (authority, other) = (Authority::new("An authority"), Authority::new("Another"));
    let namesake = Authority::new("An authority");
    let cases: [(_, _, &[&str]); 5] = [
        (namesake.server("localhost"), "localhost", &["of localhost", "not trusted"]),
        (other.server("localhost"), "localhost", &["of localhost", "not trusted", "SERVICE_SMTP_CA_FILE"]),
        (
            authority.server("mail.example"),
            "localhost",
            &["not for localhost, but for mail.example:", "SERVICE_SMTP_URL"],
        ),
        (authority.server("localhost"), "127.0.0.1", &["not for 127.0.0.1, but for localhost:"]),
        (authority.expired_server("localhost"), "localhost", &["expired at 2020-01-01T00:00:00", "needs a new one"]),
    ];
    for (config, host, words) in cases {
        for (scheme, protection) in ways(&config) {
            let server = server(protection);
            assert_not_sent(&server, &rig(&server, scheme, host, &authority), words);
        }
    }
}

/// No downgrade, even if an attacker removes the offer of STARTTLS.
#[test]
fn a_server_without_starttls_gets_neither_password_nor_email() {
    let authority = Authority::new("An authority");
    let silent = server(Protection::None);
    let hints = ["does not offer STARTTLS", "smtps://"];
    assert_not_sent(&silent, &rig(&silent, "smtp", "localhost", &authority), &hints);

    let config = authority.server("localhost");
    let refusing = MailServer::protected(Protection::StartTls(config), |line| match line {
        "STARTTLS" => reply("454 4.7.0 not now"),
        _ => ScriptedReply::Take,
    });
    assert_not_sent(&refusing, &rig(&refusing, "smtp", "localhost", &authority), &["not now"]);
}

#[test]
fn nothing_is_sent_to_a_server_that_does_not_begin_with_tls() {
    let authority = Authority::new("An authority");
    let server = server(Protection::None);
    assert_not_sent(&server, &rig(&server, "smtps", "localhost", &authority), &["does not begin with TLS", "smtp://"]);
}

/// Replies injected before TLS must break the handshake and be ignored.
#[test]
fn replies_before_tls_do_not_count_within_it() {
    let authority = Authority::new("An authority");
    let early = "220 go on\r\n250-mail.test\r\n250 AUTH LOGIN\r\n235 welcome";
    let server = MailServer::protected(Protection::StartTls(authority.server("localhost")), move |line| match line {
        "STARTTLS" => ScriptedReply::SayAndContinue(early.to_owned()),
        _ => ScriptedReply::Take,
    });
    assert_not_sent(&server, &rig(&server, "smtp", "localhost", &authority), &["TLS with localhost failed"]);
}
