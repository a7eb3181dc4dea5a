use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::redact::Redaction;
use super::{FoundText, TextKind, is_full_name};

fn redacted(kind: TextKind, text: &str) -> String {
    let names = ["Ada Lovelace", "Jürgen Groß", "Zed \"Quo\""].map(str::to_owned);
    let redaction = Redaction::of(&["Ada@Example.org".to_owned()], &names);
    let found = FoundText { place: String::new(), kind, text: text.to_owned(), id: Uuid::nil() };
    redaction.text(&found).unwrap_or_else(|| text.to_owned())
}

fn redacted_json(kind: TextKind, json: &Json) -> Json {
    serde_json::from_str(&redacted(kind, &json.to_string())).unwrap()
}

#[test]
fn only_addresses_and_full_names_are_replaced_ignoring_case() {
    for (text, expected) in [
        ("Dear Ada Lovelace, ada@example.ORG!", "Dear erased, erased!"),
        ("ADA LOVELACE,ada lovelace", "erased,erased"),
        ("Shop of Zed \"Quo\"", "Shop of erased"),
        ("für JÜRGEN GROß", "für erased"),
        ("Ada, ada@example.or, Ada Love", "Ada, ada@example.or, Ada Love"),
        ("", ""),
    ] {
        assert_eq!(redacted(TextKind::Mentioning, text), expected, "{text}");
    }
    assert_eq!(redacted(TextKind::Theirs, "anything"), "erased");
}

#[test]
fn matches_within_longer_words_and_addresses_stay() {
    for text in [
        "kada@example.org, k.ada@example.org, k-ada@example.org, k_ada@example.org, 7ada@example.org, é+ada@example.org",
        "ada@example.organic, ada@example.org.uk, ada@example.org-x.test, ada@example.org7",
        "Nada Lovelace, Ada Lovelaced, Ada Lovelace7",
    ] {
        assert_eq!(redacted(TextKind::Mentioning, text), text);
    }
    for (text, expected) in [
        ("Write to <ada@example.org>.", "Write to <erased>."),
        ("(ada@example.org) or ada@example.org.", "(erased) or erased."),
        ("-ada@example.org- ada@example.org", "-erased- erased"),
        ("_Ada Lovelace_, Ada Lovelace's", "_erased_, erased's"),
    ] {
        assert_eq!(redacted(TextKind::Mentioning, text), expected);
    }
}

#[test]
fn initials_and_single_words_are_not_searched_for() {
    for (name, expected) in
        [("e d", false), ("Li Wu", false), ("Ada", false), ("Li Ada", true), ("Ö Groß", true), ("", false)]
    {
        assert_eq!(is_full_name(name), expected, "{name}");
    }
}

#[test]
fn custom_fields_named_from_and_to_are_erased_like_others() {
    let payload = json!({
        "data": {"custom_fields": {"from": 550_199, "to": 7}},
        "changes": {"custom_fields": {"from": {"from": 1, "to": 2}, "to": {"from": 550_199, "to": 7}}},
    });
    let expected = json!({"data": {"custom_fields": {}}, "changes": {"custom_fields": {"from": {}, "to": {}}}});
    assert_eq!(redacted_json(TextKind::ContactEvent, &payload), expected);
    // Even if each is a separate change, whatever the suffix of its name.
    let payload = json!({
        "data": {"custom_fields": {"from": 550_199, "to": 7}},
        "changes": {"custom_fields.from": {"from": 1, "to": 550_199}, "custom_fields.ada_id": {"from": "550199", "to": null}},
    });
    assert_eq!(redacted_json(TextKind::ContactEvent, &payload), expected);
    let response =
        redacted_json(TextKind::Answer { is_theirs: true }, &json!({"custom_fields": {"from": 550_199, "to": 7}}));
    assert_eq!(response, json!({"custom_fields": {}}));
}

#[test]
fn mentions_in_member_names_are_replaced_without_losing_values() {
    let report = json!({"ada@example.org": [1], "ADA@example.org": [2], "kada@example.org": 3});
    let output = redacted_json(TextKind::Report, &report);
    assert_eq!((output["kada@example.org"].as_u64(), output.as_object().unwrap().len()), (Some(3), 3));
    assert!(output["erased"].is_array() && output["erased 2"].is_array(), "{output}");
}

#[test]
fn escaped_texts_are_found_and_json_without_mentions_stays_identical() {
    let report = r#"{ "a": "\u0041da@example.org", "b": "J\u00dcRGEN Groß", "c": "Zed \"Quo\"", "d": 1.0 }"#;
    let erased = json!({"a": "erased", "b": "erased", "c": "erased", "d": 1.0});
    assert_eq!(serde_json::from_str::<Json>(&redacted(TextKind::Report, report)).unwrap(), erased);
    for kind in [TextKind::Report, TextKind::Answer { is_theirs: false }] {
        for text in [r#"{ "b": "N\u00e4",  "a": 1.50 }"#, "", "no JSON"] {
            assert_eq!(redacted(kind, text), text);
        }
    }
}

#[test]
fn a_contact_event_keeps_its_shape_ids_and_actor() {
    let payload = json!({
        "data": {"id": "1", "email": "a@b.c", "first_name": "Ada", "last_name": null, "company_id": "2", "status": "active",
            "external_id": "crm-7", "tags": ["vip"], "custom_fields": {"shoe": 43, "pet": "Rex"}, "version": 2,
            "created_at": "t", "created_by": {"type": "user", "id": "3"}},
        "changes": {"phone": {"from": null, "to": "123"}, "tags": {"from": [], "to": ["vip"]},
            "custom_fields": {"from": {}, "to": {"pet": "Rex"}}, "status": {"from": "pending", "to": "active"}},
        "actor": {"type": "user", "id": "3", "name": "Grace"},
    });
    let expected = json!({
        "data": {"id": "1", "email": "erased", "first_name": "erased", "last_name": null, "company_id": "2",
            "status": "active", "external_id": "erased", "tags": [], "custom_fields": {}, "version": 2,
            "created_at": "t", "created_by": {"type": "user", "id": "3"}},
        "changes": {"phone": {"from": null, "to": "erased"}, "tags": {"from": [], "to": []},
            "custom_fields": {"from": {}, "to": {}}, "status": {"from": "pending", "to": "active"}},
        "actor": {"type": "user", "id": "3", "name": "Grace"},
    });
    assert_eq!(redacted_json(TextKind::ContactEvent, &payload), expected);
}

#[test]
fn a_ticket_event_loses_the_customers_texts_and_keeps_the_rest() {
    let ticket = json!({
        "data": {"title": "Help", "description": "I am", "status": "open", "labels": ["for ada@example.org", "bug"],
            "requester": {"name": "Ada", "email": "ada@example.org", "type": "question", "contact_id": "1"}},
        "changes": {"title": {"from": "Hilfe", "to": "Help"}, "status": {"from": "pending", "to": "open"}},
        "actor": {"type": "customer", "id": null, "name": "Ada"},
    });
    let expected = |name: &str| {
        json!({
            "data": {"title": "erased", "description": "erased", "status": "open", "labels": ["for erased", "bug"],
                "requester": {"name": "erased", "email": "erased", "type": "question", "contact_id": "1"}},
            "changes": {"title": {"from": "erased", "to": "erased"}, "status": {"from": "pending", "to": "open"}},
            "actor": {"type": "customer", "id": null, "name": name},
        })
    };
    assert_eq!(redacted_json(TextKind::TicketEvent { is_theirs: true }, &ticket), expected("erased"));
    assert_eq!(redacted_json(TextKind::TicketEvent { is_theirs: false }, &ticket), expected("Ada"));
    let comment = json!({"data": {"body": "Hello Ada Lovelace, done."}, "changes": {}, "actor": {"name": "Grace"}});
    let response = redacted_json(TextKind::TicketEvent { is_theirs: false }, &comment);
    assert_eq!(response["data"]["body"], "Hello erased, done.");
    assert_eq!(redacted_json(TextKind::TicketEvent { is_theirs: true }, &comment)["data"]["body"], "erased");
}

#[test]
fn reported_events_lose_mentions_and_the_persons_responses_all_texts() {
    let report = json!({"guest": {"mail": "ADA@example.org"}, "room": ["Ada Lovelace", 7]});
    assert_eq!(redacted_json(TextKind::Report, &report), json!({"guest": {"mail": "erased"}, "room": ["erased", 7]}));
    let response = json!({"data": {"id": "1", "reference": "TKT-1", "subject": "Help", "status": "open"}});
    let expected = json!({"data": {"id": "1", "reference": "TKT-1", "subject": "erased", "status": "open"}});
    assert_eq!(redacted_json(TextKind::Answer { is_theirs: true }, &response), expected);
    let other = json!({"id": "2", "name": "Nada Lovelace", "notes": "Asked for Ada Lovelace"});
    let expected = json!({"id": "2", "name": "Nada Lovelace", "notes": "Asked for erased"});
    assert_eq!(redacted_json(TextKind::Answer { is_theirs: false }, &other), expected);
    assert_eq!(redacted(TextKind::Answer { is_theirs: true }, "no JSON"), "erased");
}
