//! Tasks of Jira and Trello, and tickets of Zendesk and Zammad.

use serde_json::{Value as Json, json};

use super::{import, import_with, members, owned_by_a_member, records};
use crate::start;
use domain::records::OnMatch;
use domain::transfer::{Mapping, PresetName, TransferKind};

const JIRA: (PresetName, TransferKind) = (PresetName::Jira, TransferKind::Tasks);
const TRELLO: (PresetName, TransferKind) = (PresetName::Trello, TransferKind::Tasks);
const ZENDESK: (PresetName, TransferKind) = (PresetName::Zendesk, TransferKind::Tickets);
const ZAMMAD: (PresetName, TransferKind) = (PresetName::Zammad, TransferKind::Tickets);

#[test]
fn jira_issues_keep_statuses_times_and_extra_columns() {
    let (test, world) = start();
    let at = (&test, &world);
    let (sample, member) = owned_by_a_member(at, include_str!("../samples/jira-issues.csv"));
    let done = import(at, JIRA, &sample);
    let refused = "status: \"Parked\" must be one of backlog, todo, in_progress, in_review, done, cancelled: correct the \
                   cell, or say what it means with --value \"status:Parked=backlog\"";
    assert_eq!(done.outcomes(), ["Created", "Created", "Created", "Created", refused, "Created"]);
    assert_eq!(done.columns.ignored(), ["Issue id", "Assignee Id", "Last Viewed", "Parent id"]);
    let tasks = records(at, TransferKind::Tasks, "description");
    let shown: Vec<_> = tasks.iter().map(|task| members(task, ["status", "completed_at", "priority"])).collect();
    assert_eq!(
        shown,
        [
            [json!("done"), json!("2026-07-01T10:00:00.000000Z"), json!("urgent")],
            [json!("todo"), json!(null), json!("high")],
            [json!("cancelled"), json!(null), json!("medium")],
            [json!("in_progress"), json!(null), json!("medium")],
            // Without a resolution time, the issue was resolved no later than its last change.
            [json!("done"), json!("2026-06-19T10:00:00.000000Z"), json!("medium")],
        ]
    );
    assert_eq!((&tasks[0]["assignee_id"], &tasks[0]["labels"]), (&json!(member), &json!(["backend", "payment"])));
    assert_eq!(
        tasks[0]["description"],
        "As a customer\n\nJira Issue key: SHOP-1\nJira Issue Type: Story\nJira Reporter: Mia Lantern\nJira Created: \
         2026-05-01 10:00\nJira Sprint: Sprint 1; Sprint 2\nJira Resolution: Done"
    );
    for (task, kept) in
        [(1, "Assignee: Mia Lantern"), (2, "Jira Resolved: 2026-06-09 10:00"), (3, "Jira Status: Waiting for bank")]
    {
        assert!(tasks[task]["description"].as_str().unwrap().contains(kept), "{}", tasks[task]);
    }
}

#[test]
fn the_category_of_a_jira_status_replaces_an_unknown_status_or_is_kept() {
    let (test, world) = start();
    let at = (&test, &world);
    let done = import(at, JIRA, "Summary,Status Category\nJ1,Done\nJ2,In Progress\nJ3,To Do\nJ4,Later");
    let outcomes = done.outcomes();
    assert_eq!(outcomes[..3], ["Created"; 3]);
    assert!(outcomes[3].starts_with("status: \"Later\" must be one of backlog, "), "{outcomes:?}");
    let sample = "Summary,Status,Status Category\nJ4,,Later\nJ5,,Done\nJ6,In Review,In Progress\nJ7,Backlog,Done\n\
                J8,Parked,To Do\nJ9,Done,Odd";
    let values = vec![("status".to_owned(), "Later".to_owned(), "backlog".to_owned())];
    let done = import_with(at, JIRA, sample, Mapping { values, ..Mapping::default() }, OnMatch::Update);
    assert_eq!(done.outcomes(), ["Created"; 6]);
    let tasks = records(at, TransferKind::Tasks, "title");
    let shown: Vec<_> = tasks.iter().map(|task| members(task, ["status", "description"])).collect();
    assert_eq!(
        shown,
        [
            [json!("done"), json!(null)],
            [json!("in_progress"), json!(null)],
            [json!("todo"), json!(null)],
            [json!("backlog"), json!(null)],
            [json!("done"), json!(null)],
            [json!("in_review"), json!(null)],
            [json!("backlog"), json!("Jira Status Category: Done")],
            [json!("todo"), json!("Jira Status: Parked")],
            [json!("done"), json!("Jira Status Category: Odd")],
        ]
    );
}

#[test]
fn trello_rows_with_invalid_booleans_are_refused() {
    let (test, world) = start();
    let at = (&test, &world);
    let sample =
        "Card Name,Due Complete,Archived\nT1,complete,\nT2,x,false\nT3,,archived\nT4,no,closed\nT5,,\nT6,Yes,FALSE";
    let done = import(at, TRELLO, sample);
    assert_eq!(
        done.outcomes(),
        [
            "Due Complete: \"complete\" must be true or false",
            "Due Complete: \"x\" must be true or false",
            "Archived: \"archived\" must be true or false",
            "Archived: \"closed\" must be true or false",
            "Created",
            "Created",
        ]
    );
    let tasks = records(at, TransferKind::Tasks, "title");
    assert_eq!([&tasks[0]["status"], &tasks[1]["status"]], ["todo", "done"]);
}

#[test]
fn done_and_archived_trello_cards_are_closed() {
    let (test, world) = start();
    let at = (&test, &world);
    let done = import(at, TRELLO, include_str!("../samples/trello-cards.csv"));
    let outcomes = done.outcomes();
    assert_eq!(outcomes[..3], ["Created"; 3]);
    assert!(outcomes[3].starts_with("status: \"Wishes\" must be one of backlog, "), "{outcomes:?}");
    assert_eq!(outcomes[4], "Created");
    let tasks = records(at, TransferKind::Tasks, "title");
    let shown: Vec<_> = tasks.iter().map(|task| members(task, ["title", "status", "labels", "completed_at"])).collect();
    assert_eq!(
        shown,
        [
            [json!("Done and gone"), json!("done"), json!(["archived"]), json!("2026-06-12T08:00:00.000000Z")],
            [json!("Old idea"), json!("cancelled"), json!(["archived"]), json!(null)],
            [json!("Order tiles"), json!("in_progress"), json!(["Shop", "Urgent"]), json!(null)],
            [json!("Pay tiles"), json!("done"), json!(["blue"]), json!("2026-06-10T08:00:00.000000Z")],
        ]
    );
    let sample = include_str!("../samples/trello-cards.csv").replace("Old idea", "Older idea");
    let values = vec![("status".to_owned(), "Wishes".to_owned(), "backlog".to_owned())];
    let again = import_with(at, TRELLO, &sample, Mapping { values, ..Mapping::default() }, OnMatch::Update);
    assert_eq!(again.outcomes(), ["Created"; 5], "as the reason says");
}

#[test]
fn zendesk_and_zammad_tickets_keep_their_resolution_times() {
    let (test, world) = start();
    let at = (&test, &world);
    let (sample, member) = owned_by_a_member(at, include_str!("../samples/zendesk-tickets.csv"));
    let done = import(at, ZENDESK, &sample);
    assert_eq!(done.outcomes(), ["Created"; 3]);
    let tickets = records(at, TransferKind::Tickets, "title");
    let shown: Vec<_> =
        tickets.iter().map(|ticket| members(ticket, ["title", "status", "resolved_at", "requester_email"])).collect();
    assert_eq!(
        shown,
        [
            [
                json!("It is broken"),
                json!("resolved"),
                json!("2026-06-14T16:30:00.000000Z"),
                json!("mia@lantern.example")
            ],
            [json!("Thanks"), json!("closed"), json!("2026-05-09T10:00:00.000000Z"), json!("ida@kern.example")],
            [json!("Where is it?"), json!("open"), json!(null), json!(null)],
        ]
    );
    assert_eq!((&tickets[0]["assignee_id"], &tickets[0]["labels"]), (&json!(member), &json!(["coffee", "machine"])));
    let description = tickets[2]["description"].as_str().unwrap();
    assert!(
        description.contains("Requester: Ola Berg") && description.contains("Assignee: Noah Fields"),
        "{description}"
    );
    assert!(!description.contains("Organization"), "{description}");

    let done = import(at, ZAMMAD, include_str!("../samples/zammad-tickets.csv"));
    assert_eq!(done.outcomes(), ["Created"; 2]);
    let tickets = records(at, TransferKind::Tickets, "description");
    let zammad = tickets.iter().find(|ticket| ticket["priority"] == "high").unwrap();
    assert_eq!(members(zammad, ["status", "resolved_at"]), ["closed", "2026-06-14T16:30:00.000000Z"].map(Json::from));
    assert!(zammad["description"].as_str().unwrap().contains("Zammad #: 31001"), "{zammad}");
}
