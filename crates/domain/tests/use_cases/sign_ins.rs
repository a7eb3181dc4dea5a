//! Sign-ins by origin: limits on attempts, precedence in the hashing queue, e-mails about new devices, and failures in the audit log.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;
use time::Duration;

use super::access::{PASSWORD, WorkspaceFixture};
use super::new;
use domain::Error;
use domain::identity::accounts::{self, Client, HashTurn, NewPassword, Password, Precedence, UserAgent};
use domain::identity::audit::{self, AuditFilter};
use domain::identity::workspaces::{PasswordHash, Role};
use domain::ports::Passwords;
use domain::testing::PlainPasswords;

const ANN: &str = "ann@example.org";

/// A hasher that stores plain passwords and records the precedence of each call.
#[derive(Debug, Default)]
struct RecordingPasswords(Mutex<Vec<Precedence>>);

impl RecordingPasswords {
    fn last(&self, count: usize) -> Vec<Precedence> {
        let turns = self.0.lock().unwrap();
        turns[turns.len() - count..].to_vec()
    }
}

#[async_trait]
impl Passwords for RecordingPasswords {
    async fn hash(&self, password: &NewPassword, turn: HashTurn) -> Result<PasswordHash, Error> {
        PlainPasswords.hash(password, turn).await
    }

    async fn verify(&self, password: &Password, hash: Option<&PasswordHash>, turn: HashTurn) -> Result<bool, Error> {
        self.0.lock().unwrap().push(turn.precedence);
        PlainPasswords.verify(password, hash, turn).await
    }
}

fn from(address: &str, agent: &str) -> Client {
    Client { address: Some(address.parse().unwrap()), user_agent: UserAgent::parse(agent), ..Client::default() }
}

fn login_from(fixture: &WorkspaceFixture, client: &Client, password: &str) -> Result<(), Error> {
    let fields = new(json!({ "email": ANN, "password": password }));
    fixture.test.block_on(accounts::login(&fixture.test.ports, client, fields)).map(drop)
}

#[test]
fn failed_sign_ins_from_elsewhere_do_not_lock_users_out() {
    let fixture = WorkspaceFixture::new();
    fixture.add(ANN, Role::Member);
    // Far more attempts than the limit of a network, from one network and from many.
    for number in 0..300 {
        let refused = login_from(&fixture, &from(&format!("198.51.{}.{}", number / 100, number / 10), "x"), "wrong");
        assert!(matches!(refused, Err(Error::InvalidLogin)), "{number}: {refused:?}");
    }
    let eleventh = login_from(&fixture, &from("198.51.0.0", "x"), PASSWORD);
    assert!(matches!(eleventh, Err(Error::RateLimited(_))), "{eleventh:?}");
    login_from(&fixture, &from("203.0.113.9", "x"), PASSWORD).unwrap();
}

#[test]
fn excessive_attempts_on_an_account_come_last_unless_from_a_known_network() {
    let mut fixture = WorkspaceFixture::new();
    let hasher = Arc::new(RecordingPasswords::default());
    fixture.test.ports.passwords = hasher.clone();
    fixture.add(ANN, Role::Member);
    let (home, office) = (from("203.0.113.9", "curl/8"), from("2001:db8:1:2::1", "curl/8"));
    login_from(&fixture, &home, PASSWORD).unwrap();
    login_from(&fixture, &home, PASSWORD).unwrap();
    assert_eq!(hasher.last(2), [Precedence::Unknown, Precedence::Known]);
    for number in 0..100 {
        let _ = login_from(&fixture, &from(&format!("198.51.100.{number}"), "x"), "wrong");
    }
    login_from(&fixture, &office, PASSWORD).unwrap();
    login_from(&fixture, &home, PASSWORD).unwrap();
    // From now on, the office's network is known, including other /64 networks of its /56.
    login_from(&fixture, &from("2001:db8:1:3::7", "x"), "wrong").unwrap_err();
    assert_eq!(hasher.last(3), [Precedence::Suspect, Precedence::Known, Precedence::Known]);
    // Unknown accounts are treated like existing ones.
    for number in 0..=100 {
        let fields = new(json!({ "email": "nobody@example.org", "password": "wrong" }));
        let client = from(&format!("198.51.100.{number}"), "x");
        let refused = fixture.test.block_on(accounts::login(&fixture.test.ports, &client, fields));
        assert!(matches!(refused, Err(Error::InvalidLogin)));
    }
    assert_eq!(hasher.last(2), [Precedence::Unknown, Precedence::Suspect]);
}

#[test]
fn a_sign_in_from_a_new_device_is_mailed() {
    let fixture = WorkspaceFixture::new();
    fixture.add(ANN, Role::Member);
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    login_from(&fixture, &from("203.0.113.9", firefox), PASSWORD).unwrap();
    login_from(&fixture, &from("203.0.113.10", &firefox.replace("140", "141")), PASSWORD).unwrap();
    assert!(fixture.test.emails().is_empty(), "neither the first sign-in nor an updated browser");
    login_from(&fixture, &from("203.0.113.9", "curl/8.5 visit http://evil.example"), PASSWORD).unwrap();
    let email = fixture.queued_email();
    assert_eq!((email.to(), email.subject()), (ANN, "A new sign-in to your account"));
    for part in ["Address: 203.0.113.9\n", "Device: curl\n", "Time: 2030-01-31T09:00:00", "change it now"] {
        assert!(email.text().contains(part), "{part}: {}", email.text());
    }
    assert!(!email.text().contains("evil"));
    login_from(&fixture, &from("203.0.113.9", "curl/9"), PASSWORD).unwrap();
    assert!(fixture.test.emails().is_empty());
    login_from(&fixture, &from("192.0.2.1", "curl/9"), PASSWORD).unwrap();
    assert_eq!(fixture.test.emails().len(), 1, "another provider");
}

#[test]
fn failed_sign_ins_are_in_the_audit_log_as_a_bounded_sample() {
    let fixture = WorkspaceFixture::new();
    let test = &fixture.test;
    let id = fixture.add(ANN, Role::Member);
    let fail = |count: u32| {
        for number in 0..count {
            login_from(&fixture, &from(&format!("198.51.100.{number}"), "curl/8"), "wrong").unwrap_err();
        }
    };
    let write = || test.block_on(audit::write_refusals(&test.ports)).unwrap();
    fail(2);
    assert_eq!(fixture.audit_actions()[..1], ["member.created"], "nothing is written before the response");
    assert_eq!((write(), write()), (1, 0));
    let page = domain::kernel::paging::PageRequest::first(1);
    let page = test.block_on(audit::list(&test.ports, &fixture.operator(), AuditFilter::default(), page)).unwrap();
    let entry = serde_json::to_value(&page.items[0]).unwrap();
    assert_eq!(entry["action"], "session.refused");
    assert_eq!(entry["actor"], json!({ "type": "system", "id": null, "name": "not signed in" }));
    assert_eq!(entry["subject"], json!({ "type": "member", "id": id }));
    assert_eq!((&entry["details"], &entry["ip"]), (&json!({ "device": "curl" }), &json!("198.51.100.1")));
    fail(100);
    write();
    let entries = |action: &str| fixture.audit_actions().iter().filter(|act| **act == action).count();
    assert_eq!(entries("session.refused"), audit::REFUSALS_PER_HOUR as usize);
    test.clock.advance(Duration::hours(1));
    write();
    assert_eq!((entries("refusals.left_out"), entries("session.refused")), (1, audit::REFUSALS_PER_HOUR as usize));
    assert!(fixture.audit_actions().len() < 50);
}
