//! The cost of a link request. This is a separate test binary, because it observes all connections.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[expect(dead_code, reason = "only part of it is used")]
#[path = "store/common/mod.rs"]
mod common;

use std::sync::{Mutex, PoisonError};

use common::Database;
use common::jobs::count;
use diesel::connection::{InstrumentationEvent, set_default_instrumentation};
use domain::identity::accounts::{self, Client, ResetRequestFields};
use domain::identity::workspaces::{self, NewUser, NewWorkspace, Role, Workspace};
use domain::kernel::IssueKind;
use domain::kernel::input::{Input, InputMode};
use domain::limits::Plan;
use domain::ports::Ports;
use domain::support::{self, MagicLinkFields};
use domain::testing::{self, answer_link_requests, issue, plain_hash};
use domain::work::issues::{Issue, IssueStatus, Requester, TicketType};
use serde_json::{Value, json};
use storage_diesel::PgStore;
use uuid::Uuid;

const ADA: &str = "ada@example.org";
const REFERENCE: &str = "TKT-0123456789";

static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The statements since the last call, without their values.
fn statements() -> Vec<String> {
    std::mem::take(&mut STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn listen() {
    set_default_instrumentation(|| {
        Some(Box::new(|event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                let text = query.to_string();
                let text = text.split(" -- binds").next().unwrap_or_default().to_owned();
                STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner).push(text);
            }
        }))
    })
    .unwrap();
}

fn fields<I: Input>(body: Value) -> I {
    let Value::Object(object) = body else { panic!("no object") };
    I::from_object(object, InputMode::Create).unwrap()
}

/// A workspace with a user and a ticket, both Ada's.
async fn fixture(ports: &Ports) -> Workspace {
    let operator = testing::operator();
    let new = NewWorkspace { name: "Office".to_owned(), slug: "office".to_owned(), plan: Plan::Starter };
    let workspace = workspaces::create(ports, &operator, &new).await.unwrap();
    let ada = NewUser {
        email: ADA.to_owned(),
        name: "Ada".to_owned(),
        role: Role::Owner,
        password: plain_hash("a good password"),
    };
    workspaces::create_user(ports, &operator.permit(workspace.clone()), ada).await.unwrap();
    let requester = Requester {
        name: "Ada".to_owned(),
        email: ADA.to_owned(),
        ticket_type: TicketType::Question,
        contact_id: None,
    };
    let mut ticket = issue(IssueKind::Ticket, IssueStatus::Open);
    ticket.reference = Some(REFERENCE.to_owned());
    ticket.requester = Some(requester);
    let insert = common::jobs::job(move |tx| tx.records::<Issue>().insert(&ticket));
    ports.store.run(workspace.id, insert).await.unwrap();
    workspace
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_costs_the_same_with_or_without_a_match() {
    listen();
    let database = Database::migrated();
    let (ports, _) = common::ports_over(PgStore::connect(&database.options()).unwrap());
    let known = fixture(&ports).await.id.0;
    let unknown = Uuid::from_u128(7);
    statements();
    let mut costs = Vec::new();
    for (workspace, email, reference) in [
        (known, ADA, REFERENCE),
        (known, "bob@example.org", REFERENCE),
        (known, ADA, "TKT-9999999999"),
        (known, ADA, "nope"),
        (unknown, ADA, REFERENCE),
    ] {
        let body = json!({ "workspace_id": workspace, "email": email, "reference": reference });
        support::request_magic_link(&ports, &Client::default(), fields::<MagicLinkFields>(body)).await.unwrap();
        costs.push(statements());
    }
    for email in [ADA, "bob@example.org"] {
        let request: ResetRequestFields = fields(json!({ "email": email }));
        accounts::request_password_reset(&ports, &Client::default(), request).await.unwrap();
        costs.push(statements());
    }
    let first = costs[0].clone();
    assert!(first.len() == 3 && first[1].starts_with("INSERT INTO link_requests"), "{first:#?}");
    assert!(costs.iter().all(|cost| *cost == first), "{costs:#?}");
    assert_eq!(count(&database, "link_requests"), 7);
    // Some requests did match.
    assert!(answer_link_requests(&ports).await.is_empty());
    let counts = ["link_requests", "tracking_links", "password_resets", "mails"].map(|table| count(&database, table));
    assert_eq!(counts, [0, 1, 1, 2]);
}
