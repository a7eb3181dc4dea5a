//! Tables of the guides that repeat values of the code: error codes and limits.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::time::Duration;

use domain::crm::upserts;
use domain::events::{EventRetention, MAX_WAIT_SECONDS};
use domain::identity::accounts::{MAX_SESSIONS, SESSION_TTL};
use domain::identity::api_keys::MAX_ACTIVE_KEYS;
use domain::kernel::input::{MAX_CUSTOM_FIELDS_BYTES, MAX_CUSTOM_FIELDS_DEPTH, MAX_IDS, MAX_TAGS};
use domain::kernel::paging::{DEFAULT_LIMIT, MAX_CURSOR_PAGE_BYTES, MAX_LIMIT, MAX_OFFSET};
use domain::kernel::{idempotency, search, summary};
use domain::limits::{Allowance, FixedLimits, Plan, WORKSPACE_MULTIPLE, WorkspaceLimits};
use domain::records::DELETED_RETENTION;
use domain::webhooks;
use domain::work::issues::MAX_BULK_IDS;
use domain::work::time_entries::{
    MAX_ENTRIES_AT_ONCE, MAX_ENTRY_SECONDS, MAX_SUMMARY_DAYS, MAX_SUMMARY_ROWS, MAX_TIME_RATES, MAX_TIMER,
};
use event_feed::FeedLimits;
use http_core::{HttpSettings, body};
use serde_json::Value as Json;

const ERRORS: &str = include_str!("../../../docs/errors.md");
const LIMITS: &str = include_str!("../../../docs/limits.md");
const DOCUMENT: &str = include_str!("../../../docs/openapi.json");
/// Returned for a path with an unsupported method, which no operation describes.
const UNDESCRIBED_CODE: &str = "method_not_allowed";

/// The cells of each row of a table.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    lines.map(|line| line.split(" | ").map(str::trim).collect())
}

/// `1234567` as `1,234,567`.
fn with_commas(number: impl Display) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[test]
fn the_guide_has_every_error_code_with_its_status_and_no_other() {
    let document: Json = serde_json::from_str(DOCUMENT).unwrap();
    let answers = document["components"]["responses"].as_object().unwrap();
    let mut declared = BTreeSet::new();
    for (name, answer) in answers {
        let status = name.split('.').next().unwrap();
        // Responses of webhook receivers are not errors of the service.
        let Some(codes) = answer["x-error-codes"].as_array() else { continue };
        declared.extend(codes.iter().map(|code| (code.as_str().unwrap().to_owned(), status.to_owned())));
    }
    declared.insert((UNDESCRIBED_CODE.to_owned(), "405".to_owned()));
    let table = ERRORS.split("## Error codes").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let shown = rows(table).filter_map(|cells| {
        let code = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((code.to_owned(), (*cells.get(1)?).to_owned()))
    });
    assert_eq!(shown.collect::<BTreeSet<_>>(), declared);
}

/// The first words of a row of the page, and the figure in its second cell.
fn figures() -> Vec<(&'static str, String)> {
    let (http, fixed, feed) = (HttpSettings::default(), FixedLimits::default(), FeedLimits::default());
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    let mib = |bytes: usize| format!("{} MiB", bytes >> 20);
    let minute = |limit: u64| format!("{} a minute", with_commas(limit));
    vec![
        ("bulk: `bulk-update`", minute(fixed.bulk)),
        ("critical: ", minute(fixed.critical)),
        ("anonymous: ", minute(fixed.anonymous)),
        ("pages of the console", minute(fixed.console)),
        ("sign-ins to an account", minute(fixed.account)),
        ("all keys and sessions", format!("{WORKSPACE_MULTIPLE} times")),
        ("open connections", with_commas(http.max_connections)),
        ("connections of an address", with_commas(http.connections_per_address)),
        ("busy connections", with_commas(http.connections_per_credential)),
        ("time for a request", seconds(http.deadline)),
        ("time for a bulk request", seconds(http.bulk_deadline)),
        ("requests that wait or stream for events, of a key", with_commas(feed.per_credential)),
        ("requests that wait or stream for events, of a workspace", with_commas(feed.per_workspace)),
        ("requests that wait or stream for events, of an instance", with_commas(feed.total)),
        ("head of a request", seconds(http.head_timeout)),
        ("a client that reads nothing", seconds(http.stall_timeout)),
        ("longest `wait`", format!("{MAX_WAIT_SECONDS} s")),
        ("life of a stream", format!("{} h", http.longest_stream.as_secs() / 3_600)),
        ("request body", mib(body::MAX_BYTES)),
        ("records of a page", format!("{MAX_LIMIT}; {DEFAULT_LIMIT} by default")),
        ("depth of pages", format!("{} records", with_commas(MAX_OFFSET))),
        ("a page by cursor", mib(MAX_CURSOR_PAGE_BYTES)),
        ("ids of a bulk update", with_commas(MAX_BULK_IDS)),
        ("time entries of a step", with_commas(MAX_ENTRIES_AT_ONCE)),
        ("days of a summary of time", with_commas(MAX_SUMMARY_DAYS)),
        ("rows of a summary of time", with_commas(MAX_SUMMARY_ROWS)),
        ("length of a time entry", format!("{} h", MAX_ENTRY_SECONDS / 3_600)),
        ("a running timer", format!("{} h", MAX_TIMER.as_secs() / 3_600)),
        ("rates of members", with_commas(MAX_TIME_RATES)),
        ("items of an upsert", with_commas(upserts::MAX_ITEMS)),
        ("words of a search", with_commas(search::MAX_TOKENS)),
        ("characters of a search", with_commas(search::MAX_QUERY_LENGTH)),
        ("`tag` or `label` values", with_commas(MAX_TAGS)),
        ("`ids` of a list", with_commas(MAX_IDS)),
        ("groups of a summary", with_commas(summary::MAX_GROUPS)),
        ("`custom_fields`", format!("{} KiB", MAX_CUSTOM_FIELDS_BYTES >> 10)),
        ("nesting of `custom_fields`", format!("{MAX_CUSTOM_FIELDS_DEPTH} levels")),
        ("active keys", with_commas(MAX_ACTIVE_KEYS)),
        ("sessions of a user", with_commas(MAX_SESSIONS)),
        ("life of a session", format!("{} h", SESSION_TTL.whole_hours())),
        ("webhooks of a workspace", with_commas(webhooks::MAX_SUBSCRIPTIONS)),
        ("requests to a webhook at a time", with_commas(webhooks::MAX_CONCURRENT_PER_SUBSCRIPTION)),
        ("attempts of a delivery", with_commas(webhooks::MAX_ATTEMPTS)),
        ("events of a replay", with_commas(webhooks::MAX_REPLAY_EVENTS)),
        ("running replays", with_commas(webhooks::MAX_RUNNING_REPLAYS)),
        ("queued e-mails", with_commas(domain::email::MAX_WAITING)),
        ("erasures under way", with_commas(domain::support::erasure::MAX_UNFINISHED)),
        ("deliveries of a workspace", with_commas(webhooks::DEFAULT_MAX_WAITING)),
        ("time for a webhook's receiver", format!("{} s", webhooks::ATTEMPT_TIMEOUT.whole_seconds())),
        ("retries of a delivery", format!("{} h", webhooks::RETRY_WINDOW.whole_hours())),
        ("deliveries and their attempts", format!("{} days", webhooks::RETENTION.whole_days())),
        ("events of the log", EventRetention::default().to_string()),
        ("answers stored", format!("{} h", idempotency::RETENTION.whole_hours())),
        ("length of an idempotency key", format!("{} characters", idempotency::MAX_KEY_LENGTH)),
        ("deleted records", format!("{} days", DELETED_RETENTION.whole_days())),
    ]
}

#[test]
fn the_guide_has_the_limits_of_the_code() {
    for (name, figure) in figures() {
        let matches: Vec<_> = rows(LIMITS).filter(|cells| cells[0].starts_with(name)).collect();
        assert!(!matches.is_empty(), "no row of docs/limits.md begins with {name:?}");
        let row = matches.iter().find(|cells| cells[1] == figure || cells[1].starts_with(&format!("{figure} ")));
        assert!(row.is_some(), "{name:?} is {figure:?} in the code, and on the page: {matches:?}");
    }
}

#[test]
fn the_guide_has_the_limits_of_each_plan() {
    let plans = [Plan::Starter, Plan::Professional, Plan::Enterprise];
    let each = |figure: fn(Plan) -> String| plans.map(figure);
    let allowed = |plan| Allowance { plan, limits: WorkspaceLimits::default() };
    let table = BTreeMap::from([
        ("reads a minute", each(|plan| with_commas(plan.limits().requests_per_minute))),
        ("writes a minute", plans.map(|plan| with_commas(allowed(plan).requests_per_minute() / 2))),
        (
            "contacts, companies",
            each(|plan| plan.limits().crm_quota_per_month.map_or("unlimited".to_owned(), with_commas)),
        ),
        ("e-mails an hour", each(|plan| with_commas(plan.limits().emails_per_hour))),
    ]);
    for (name, figures) in table {
        let row = rows(LIMITS).find(|cells| cells[0].starts_with(name)).expect(name);
        assert_eq!(row[1..4], figures.each_ref().map(String::as_str), "{name}");
    }
}

#[test]
fn the_guide_has_the_lengths_of_the_document() {
    let document: Json = serde_json::from_str(DOCUMENT).unwrap();
    for (text, members) in [
        ("title of a deal", &["DealInput.title", "CompanyInput.name"][..]),
        ("name of a project", &["ProjectInput.name"]),
        ("title of a task", &["IssueInput.title"]),
        ("first and last name", &["ContactInput.first_name", "ContactInput.last_name"]),
        ("e-mail address", &["ContactInput.email"]),
        ("`external_id`", &["ContactInput.external_id", "DealInput.external_id", "ProjectInput.external_id"]),
        (
            "notes of a contact",
            &["ContactInput.notes", "CompanyInput.notes", "DealInput.description", "ProjectInput.description"],
        ),
        ("description of a task", &["IssueInput.description"]),
        ("comment", &["CommentInput.body"]),
        ("note of a time entry", &["TimeEntryInput.note"]),
        ("canned reply", &["CannedReplyInput.body"]),
        ("article", &["ArticleInput.body"]),
        ("`lost_reason`", &["DealInput.lost_reason"]),
    ] {
        let row = rows(LIMITS).find(|cells| cells[0].starts_with(text)).expect(text);
        for path in members {
            let (schema, member) = path.split_once('.').unwrap();
            let length = document["components"]["schemas"][schema]["properties"][member]["maxLength"].as_u64();
            assert_eq!(length.map(with_commas).as_deref(), Some(row[1]), "{path}");
        }
    }
}
