//! Mail servers that reply too late.

use std::sync::{Mutex, PoisonError, mpsc};

use domain::email::EmailVerdict;

use super::{Rig, reply};
use crate::testing::{MailServer, ScriptedReply};

/// A reply to a send that timed out must not count as the reply to the next e-mail.
#[test]
fn a_late_reply_does_not_count_for_the_next_email() {
    let (release, released) = mpsc::channel::<()>();
    let (resume, resumed) = mpsc::channel();
    let first = Mutex::new(Some((released, resume)));
    let server = MailServer::start(move |line| match line {
        "." => match first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some((released, resume)) => {
                released.recv().unwrap();
                resume.send(()).unwrap();
                ScriptedReply::Take
            }
            None => reply("552 5.2.2 no room for it"),
        },
        _ => ScriptedReply::Take,
    });
    let rig = Rig::with_attempt_timeout(&server, 5);
    rig.queue_email("slow@example.com", "text");
    assert!(rig.next_retry().1.contains("within 5 seconds"));
    release.send(()).unwrap();
    resumed.recv().unwrap();
    rig.queue_email("ann@example.com", "text");
    let verdict = rig.next_verdict();
    assert!(matches!(&verdict, EmailVerdict::Failed { error } if error.contains("no room")), "{verdict:?}");
}

/// A refused connection is not a rejection of the e-mail.
#[test]
fn a_server_that_refuses_connections_loses_no_email() {
    for (line, answer) in [("", "554 5.3.2 go away"), ("EHLO", "550 who are you"), ("AUTH", "554 5.7.8 not you")] {
        let server = MailServer::start(move |command| match command.get(..4).unwrap_or(command) {
            start if start == line => reply(answer),
            _ => ScriptedReply::Take,
        });
        let rig = Rig::new(&server);
        rig.queue_email("ann@example.com", "text");
        let (minutes, error) = rig.next_retry();
        assert!(minutes == 1 && error.contains(&answer[10..]), "{error}");
    }
}
