//! Tasks of Jira and Trello, and tickets of Zendesk and Zammad.

use serde_json::{Value as Json, json};

use super::{import, import_with, members, members_of, owned_by_a_member, records};
use crate::start;
use domain::records::OnMatch;
use domain::transfer::{Mapping, PresetName, TransferKind};

const JIRA: (PresetName, TransferKind) = (PresetName::Jira, TransferKind::Tasks);
const TRELLO: (PresetName, TransferKind) = (PresetName::Trello, TransferKind::Tasks);
const ZENDESK: (PresetName, TransferKind) = (PresetName::Zendesk, TransferKind::Tickets);
const ZAMMAD: (PresetName, TransferKind) = (PresetName::Zammad, TransferKind::Tickets);

#[test]
fn jira_issues_keep_statuses_times_and_extra_columns() {
    let env = &start();
    let (sample, member) = owned_by_a_member(env, include_str!("../samples/jira-issues.csv"));
    let report = import(env, JIRA, &sample);
    let refused = "status: \"Parked\" must be one of backlog, todo, in_progress, in_review, done, cancelled: correct the \
                   cell, or say what it means with --value \"status:Parked=backlog\"";
    assert_eq!(report.outcomes(), ["Created", "Created", "Created", "Created", refused, "Created"]);
    assert_eq!(report.columns.ignored(), ["Issue id", "Assignee Id", "Last Viewed", "Parent id"]);
    let tasks = records(env, TransferKind::Tasks, "description");
    let expected = json!([
        ["done", "2026-07-01T10:00:00.000000Z", "urgent"],
        ["todo", null, "high"],
        ["cancelled", null, "medium"],
        ["in_progress", null, "medium"],
        // Without a resolution time, the issue was resolved no later than its last change.
        ["done", "2026-06-19T10:00:00.000000Z", "medium"]
    ]);
    assert_eq!(members_of(&tasks, &["status", "completed_at", "priority"]), expected);
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
    let env = &start();
    let report = import(env, JIRA, "Summary,Status Category\nJ1,Done\nJ2,In Progress\nJ3,To Do\nJ4,Later");
    let outcomes = report.outcomes();
    assert_eq!(outcomes[..3], ["Created"; 3]);
    assert!(outcomes[3].starts_with("status: \"Later\" must be one of backlog, "), "{outcomes:?}");
    let sample = "Summary,Status,Status Category\nJ4,,Later\nJ5,,Done\nJ6,In Review,In Progress\nJ7,Backlog,Done\n\
                J8,Parked,To Do\nJ9,Done,Odd";
    let values = vec![("status".to_owned(), "Later".to_owned(), "backlog".to_owned())];
    let report = import_with(env, JIRA, sample, Mapping { values, ..Mapping::default() }, OnMatch::Update);
    assert_eq!(report.outcomes(), ["Created"; 6]);
    let tasks = records(env, TransferKind::Tasks, "title");
    let expected = json!([
        ["done", null],
        ["in_progress", null],
        ["todo", null],
        ["backlog", null],
        ["done", null],
        ["in_review", null],
        ["backlog", "Jira Status Category: Done"],
        ["todo", "Jira Status: Parked"],
        ["done", "Jira Status Category: Odd"]
    ]);
    assert_eq!(members_of(&tasks, &["status", "description"]), expected);
}

#[test]
fn trello_rows_with_invalid_booleans_are_refused() {
    let env = &start();
    let sample =
        "Card Name,Due Complete,Archived\nT1,complete,\nT2,x,false\nT3,,archived\nT4,no,closed\nT5,,\nT6,Yes,FALSE";
    let report = import(env, TRELLO, sample);
    assert_eq!(
        report.outcomes(),
        [
            "Due Complete: \"complete\" must be true or false",
            "Due Complete: \"x\" must be true or false",
            "Archived: \"archived\" must be true or false",
            "Archived: \"closed\" must be true or false",
            "Created",
            "Created",
        ]
    );
    let tasks = records(env, TransferKind::Tasks, "title");
    assert_eq!([&tasks[0]["status"], &tasks[1]["status"]], ["todo", "done"]);
}

#[test]
fn done_and_archived_trello_cards_are_closed() {
    let env = &start();
    let report = import(env, TRELLO, include_str!("../samples/trello-cards.csv"));
    let outcomes = report.outcomes();
    assert_eq!(outcomes[..3], ["Created"; 3]);
    assert!(outcomes[3].starts_with("status: \"Wishes\" must be one of backlog, "), "{outcomes:?}");
    assert_eq!(outcomes[4], "Created");
    let tasks = records(env, TransferKind::Tasks, "title");
    let expected = json!([
        ["Done and gone", "done", ["archived"], "2026-06-12T08:00:00.000000Z"],
        ["Old idea", "cancelled", ["archived"], null],
        ["Order tiles", "in_progress", ["Shop", "Urgent"], null],
        ["Pay tiles", "done", ["blue"], "2026-06-10T08:00:00.000000Z"]
    ]);
    assert_eq!(members_of(&tasks, &["title", "status", "labels", "completed_at"]), expected);
    let sample = include_str!("../samples/trello-cards.csv").replace("Old idea", "Older idea");
    let values = vec![("status".to_owned(), "Wishes".to_owned(), "backlog".to_owned())];
    let again = import_with(env, TRELLO, &sample, Mapping { values, ..Mapping::default() }, OnMatch::Update);
    assert_eq!(again.outcomes(), ["Created"; 5], "as the reason says");
}

#[test]
fn zendesk_and_zammad_tickets_keep_their_resolution_times() {
    let env = &start();
    let (sample, member) = owned_by_a_member(env, include_str!("../samples/zendesk-tickets.csv"));
    let report = import(env, ZENDESK, &sample);
    assert_eq!(report.outcomes(), ["Created"; 3]);
    let tickets = records(env, TransferKind::Tickets, "title");
    let expected = json!([
        ["It is broken", "resolved", "2026-06-14T16:30:00.000000Z", "mia@lantern.example"],
        ["Thanks", "closed", "2026-05-09T10:00:00.000000Z", "ida@kern.example"],
        ["Where is it?", "open", null, null]
    ]);
    assert_eq!(members_of(&tickets, &["title", "status", "resolved_at", "requester_email"]), expected);
    assert_eq!((&tickets[0]["assignee_id"], &tickets[0]["labels"]), (&json!(member), &json!(["coffee", "machine"])));
    let description = tickets[2]["description"].as_str().unwrap();
    assert!(
        description.contains("Requester: Ola Berg") && description.contains("Assignee: Noah Fields"),
        "{description}"
    );
    assert!(!description.contains("Organization"), "{description}");

    let report = import(env, ZAMMAD, include_str!("../samples/zammad-tickets.csv"));
    assert_eq!(report.outcomes(), ["Created"; 2]);
    let tickets = records(env, TransferKind::Tickets, "description");
    let zammad = tickets.iter().find(|ticket| ticket["priority"] == "high").unwrap();
    assert_eq!(members(zammad, ["status", "resolved_at"]), ["closed", "2026-06-14T16:30:00.000000Z"].map(Json::from));
    assert!(zammad["description"].as_str().unwrap().contains("Zammad #: 31001"), "{zammad}");
}
