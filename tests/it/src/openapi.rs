//! The OpenAPI document as a whole. Its accuracy is checked with every response in the tests (`test-support`).

use std::collections::BTreeSet;

use http_core::operations;
use serde_json::Value;
use test_support::SURFACES;

const COMMITTED: &str = include_str!("../../../docs/openapi.json");

fn declared() -> Value {
    api_docs::openapi::document(operations(SURFACES))
}

#[test]
fn the_committed_document_matches_the_code() {
    let declared = format!("{:#}\n", declared());
    let differs = declared.lines().zip(COMMITTED.lines()).find(|(declared, committed)| declared != committed);
    assert!(declared == COMMITTED, "run cargo xtask openapi, and commit docs/openapi.json: {differs:?}");
}

#[test]
fn every_operation_below_api_is_in_the_document() {
    let document = declared();
    for operation in operations(SURFACES).filter(|one| one.pattern.starts_with("/api/") && one.method != "OPTIONS") {
        let shown = &document["paths"][operation.pattern][operation.method.to_ascii_lowercase()];
        assert!(shown.is_object(), "{} {}", operation.method, operation.pattern);
    }
    let pages = document["paths"].as_object().unwrap().keys().filter(|path| !path.starts_with("/api/")).count();
    assert_eq!(pages, 0);
}

#[test]
fn operations_have_unique_names_titles_and_a_known_tag() {
    let document = declared();
    let tags: BTreeSet<_> =
        document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    for operation in document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id), "{id}");
        let title = operation["summary"].as_str().unwrap();
        assert!(title.len() > 5 && title.len() < 70 && !title.ends_with('.'), "{id}: {title}");
        let tag = operation["tags"][0].as_str().unwrap();
        assert!(tags.contains(tag), "{id}: {tag}");
        used.insert(tag);
    }
    let deliveries = document["webhooks"].as_object().unwrap().values();
    used.extend(deliveries.map(|delivery| delivery["post"]["tags"][0].as_str().unwrap()));
    assert_eq!(used, tags);
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let document = declared();
    let mut targets = BTreeSet::new();
    collect_references(&document, &mut targets);
    for target in &targets {
        assert!(document.pointer(&target[1..]).is_some(), "{target}");
    }
    for kind in ["schemas", "responses", "headers", "parameters"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            assert!(targets.contains(&format!("#/components/{kind}/{name}")), "{kind} {name}");
        }
    }
}

/// Response members that the interface marks as additional although the operation is not: schema and member.
const ADDITIONAL_MEMBERS: [(&str, &str); 11] = [
    ("ApiKey", "narrows_rest"),
    ("Comment", "edited_at"),
    ("Delivery", "event_id"),
    ("Delivery", "replay_id"),
    ("Issue", "deal_id"),
    ("RecordComment", "edited_at"),
    ("Webhook", "group_id"),
    ("Workspace", "notify_requesters"),
    ("Workspace", "time_locked_until"),
    ("Workspace", "time_overlaps_allowed"),
    ("Workspace", "time_zone"),
];

#[test]
fn additional_response_members_are_marked() {
    let document = declared();
    for (schema, member) in ADDITIONAL_MEMBERS {
        let shown = &document["components"]["schemas"][schema]["properties"][member];
        assert_eq!(shown["x-contract"], "additional", "{schema}.{member}: {shown}");
    }
    let listed = document["paths"]["/api/v1/crm/deals"]["get"]["responses"]["200"].to_string();
    let marks = listed.matches("\"x-contract\":\"additional\"").count();
    assert_eq!(marks, 2, "deleted_at and matched_comment: {listed}");
}

fn collect_references(value: &Value, targets: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            targets.extend(members.get("$ref").and_then(Value::as_str).map(ToOwned::to_owned));
            members.values().for_each(|member| collect_references(member, targets));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, targets)),
        _ => {}
    }
}

/// Exactly the parameters of the supported contract are unmarked.
#[test]
fn parameters_beyond_the_supported_contract_are_marked() {
    let document = declared();
    let is_marked = |part: &Value| part["x-contract"] == "additional";
    let pages = &["page", "limit"][..];
    for (path, supported) in [
        ("/api/v1/crm/contacts", &["page", "limit", "search", "status"][..]),
        (
            "/api/v1/crm/deals",
            &["page", "limit", "status", "stage", "assignee", "contact_id", "company_id", "value_min", "value_max"],
        ),
        ("/api/v1/projects", pages),
        ("/api/v1/projects/{project_id}/cycles", pages),
        ("/api/v1/projects/{project_id}/issues", pages),
        ("/api/v1/issues", &["page", "limit", "project_id", "status", "kind", "search"]),
        ("/api/v1/issues/{issue_id}/comments", pages),
    ] {
        let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            assert_eq!(is_marked(parameter), !supported.contains(&name), "{path} {name}");
        }
    }
    let members = &document["components"]["schemas"]["IssueInput"]["properties"];
    for tie in ["deal_id", "contact_id", "company_id"] {
        assert!(is_marked(&members[tie]), "{tie}");
    }
    assert!(!is_marked(&members["title"]));
}
