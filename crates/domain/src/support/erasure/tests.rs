use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::redact::Redaction;
use super::{FoundText, TextKind};

fn left(kind: TextKind, text: &str) -> String {
    let redaction = Redaction::of(&["Ada@Example.org".to_owned(), "Ada Lovelace".to_owned(), "Jürgen Groß".to_owned()]);
    let found = FoundText { place: String::new(), kind, text: text.to_owned(), id: Uuid::nil() };
    redaction.text(&found).unwrap_or_else(|| text.to_owned())
}

fn left_json(kind: TextKind, json: &Json) -> Json {
    serde_json::from_str(&left(kind, &json.to_string())).unwrap()
}

#[test]
fn addresses_and_full_names_are_replaced_in_whatever_case_and_nothing_else() {
    for (text, expected) in [
        ("Dear Ada Lovelace, ada@example.ORG!", "Dear erased, erased!"),
        ("ADA LOVELACEada lovelace", "erasederased"),
        ("für JÜRGEN GROß", "für erased"),
        ("Ada, ada@example.or, Ada Love", "Ada, ada@example.or, Ada Love"),
        ("", ""),
    ] {
        assert_eq!(left(TextKind::Mentioning, text), expected, "{text}");
    }
    assert_eq!(left(TextKind::Theirs, "anything"), "erased");
}

#[test]
fn an_event_of_a_contact_keeps_its_shape_its_ids_and_who_did_it() {
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
    assert_eq!(left_json(TextKind::ContactEvent, &payload), expected);
}

#[test]
fn an_event_of_a_ticket_loses_what_the_customer_wrote_and_keeps_what_others_did() {
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
    assert_eq!(left_json(TextKind::TicketEvent { is_theirs: true }, &ticket), expected("erased"));
    assert_eq!(left_json(TextKind::TicketEvent { is_theirs: false }, &ticket), expected("Ada"));
    let comment = json!({"data": {"body": "Hello Ada Lovelace, done."}, "changes": {}, "actor": {"name": "Grace"}});
    let answer = left_json(TextKind::TicketEvent { is_theirs: false }, &comment);
    assert_eq!(answer["data"]["body"], "Hello erased, done.");
    assert_eq!(left_json(TextKind::TicketEvent { is_theirs: true }, &comment)["data"]["body"], "erased");
}

#[test]
fn what_others_reported_loses_mentions_and_a_stored_response_all_texts() {
    let report = json!({"guest": {"mail": "ADA@example.org"}, "room": ["Ada Lovelace", 7]});
    assert_eq!(left_json(TextKind::Report, &report), json!({"guest": {"mail": "erased"}, "room": ["erased", 7]}));
    let answer = json!({"data": {"id": "1", "reference": "TKT-1", "subject": "Help", "status": "open"}});
    let expected = json!({"data": {"id": "1", "reference": "TKT-1", "subject": "erased", "status": "open"}});
    assert_eq!(left_json(TextKind::Answer, &answer), expected);
    assert_eq!(left(TextKind::Answer, "no JSON"), "erased");
}
