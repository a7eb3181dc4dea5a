//! An unresponsive mail server delays no requests and loses no e-mails.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::emails::start;
use crate::support::{Service, body_of, data_dir, eventually, json_of, log_of, run};
use email::testing::{MailServer, Received, ScriptedReply};

/// The number of e-mails sent concurrently.
const WORKERS: usize = 4;
/// The number of requests that queue e-mails while all senders are blocked.
const REQUESTS: usize = 50;

/// Creates a ticket of a new customer; returns the path of its comments.
fn ticket(service: &Service, key: &str, number: usize) -> String {
    let email = format!("ada{number}@example.org");
    let intake = json!({ "name": "Ada", "email": email, "subject": "It does not print", "type": "incident" });
    body_of(&service.post("/api/public/tickets", key, &intake.to_string()), 201);
    let tickets = body_of(&service.get("/api/v1/issues?kind=ticket", key), 200);
    format!("/api/v1/issues/{}/comments", tickets["data"][0]["id"].as_str().unwrap())
}

fn message_id(received: &Received) -> String {
    received.data.lines().find(|line| line.starts_with("Message-ID: ")).unwrap().to_owned()
}

#[test]
fn an_unresponsive_mail_server_does_not_delay_requests() {
    let folder = data_dir();
    let hanging = MailServer::start(|_| ScriptedReply::Hang);
    let mut service = start(folder.path(), &hanging);
    let command = |arguments: &[&str]| json_of(&run(folder.path(), &[arguments, &["--json"]].concat()));
    // A plan whose limits this test does not reach.
    command(&["workspace", "create", "--name", "A", "--slug", "a", "--plan", "enterprise"]);
    command(&["workspace", "update", "--workspace", "a", "--limit", "public_tickets_per_hour=1000"]);
    let made = command(&["key", "create", "--workspace", "a", "--name", "k", "--preset", "full_access"]);
    let key = made["key"].as_str().unwrap();
    // Answers to one ticket that are still waiting are merged into one e-mail.
    let answer = |number: usize| {
        let comments = ticket(&service, key, number);
        let comment = json!({ "body": format!("Answer {number}"), "visibility": "public" }).to_string();
        body_of(&service.post(&comments, key, &comment), 201);
    };
    (0..WORKERS).for_each(answer);
    eventually("all workers hang", || hanging.hanging() == WORKERS);
    // A request that waited for a worker would time out with 503.
    (WORKERS..WORKERS + REQUESTS).for_each(answer);
    eventually("all workers still hang", || hanging.hanging() == WORKERS);
    // Each ticket is acknowledged and answered.
    let all = 2 * (WORKERS + REQUESTS);
    let listed = command(&["mail", "list", "--workspace", "a", "--limit", "1000"]);
    let count =
        |matches: &dyn Fn(&Value) -> bool| listed.as_array().unwrap().iter().filter(|email| matches(email)).count();
    assert_eq!((count(&|_| true), count(&|email| email["status"] == "waiting")), (all, all));
    assert_eq!(count(&|email| email["in_hand"] == true), WORKERS);

    let port = hanging.port;
    hanging.stop();
    let good = MailServer::good_at(port);
    let received = RefCell::new(Vec::new());
    eventually("all e-mails have arrived", || {
        // E-mails in flight are retried in a minute; `mail retry` makes them due now.
        command(&["mail", "retry", "--all-waiting"]);
        received.borrow_mut().extend(good.all());
        received.borrow().len() >= all
    });
    eventually("all are recorded", || command(&["mail", "list", "--status", "waiting"]) == json!([]));
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder.path()));
    let received = received.into_inner();
    assert_eq!((received.len(), good.rest()), (all, 0), "each once");
    assert_eq!(received.iter().map(message_id).collect::<BTreeSet<_>>().len(), all);
}
