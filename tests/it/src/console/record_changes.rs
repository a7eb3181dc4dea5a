//! Concurrent changes of records, comments, and bulk changes (interface 26.61 and 26.62).

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::Screen;

use super::records::{added, between, start};

#[tokio::test]
async fn one_field_is_changed_in_place() {
    let (_app, _tenant, client, browser) = start().await;
    let (page, api) = added(&client, "/deals", json!({"title": "Pilot", "value": 5, "currency": "EUR"})).await;
    let shown = browser.open(&page).await.expect(200);
    shown.assert_contains(&[&format!("hx-get=\"{page}/edit?field=value\"")]);
    let form = browser.open(&format!("{page}/edit?field=value")).await.expect(200);
    let names: Vec<_> = form.fields_of(&page).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["_token", "_field", "_version", "value", "_was.value"]);
    // htmx follows the redirect, and takes the record's part of the page.
    let fields = form.fields_with(&page, &[("value", "1234.50")]);
    let saved = browser.send(browser.post(&page, &fields).header("HX-Request", "true")).await;
    assert_eq!((saved.status, saved.header("location")), (303, &*page), "{}", saved.text);
    assert_eq!(client.get(&api).await.expect(200).data()["value"], 1234.5);
    assert!(browser.open(&page).await.html().contains("€1,234.50"));
    let refused: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| if name == "value" { (name, "x".to_owned()) } else { (name, value) })
        .collect();
    let refused = browser.send(browser.post(&page, &refused).header("HX-Request", "true")).await;
    assert_eq!((refused.status, refused.header("hx-retarget")), (422, "#form-value"), "{}", refused.text);
}

#[tokio::test]
async fn text_typed_for_a_record_that_is_deleted_meanwhile_is_not_lost() {
    let (_app, _tenant, client, browser) = start().await;
    let (page, api) = added(&client, "/companies", json!({"name": "Acme", "notes": "Old"})).await;
    let form = browser.open(&format!("{page}/edit")).await.expect(200);
    let _ = client.delete(&api).await.expect(200);
    let long = "Roasts beans. ".repeat(60);
    let gone = browser.submit(&form, &page, &[("industry", "Coffee"), ("notes", &long)]).await.expect(404);
    assert!(gone.html().contains("id=\"gone\"") && gone.has_form(&format!("{page}/restore")), "{}", gone.html());
    assert!(gone.html().contains("<dt>Industry</dt><dd class=\"conflict-value\">Coffee</dd>"), "{}", gone.html());
    assert!(gone.html().contains("class=\"typed-long\" tabindex=\"0\"") && gone.html().contains(long.trim()));
    assert!(!gone.html().contains("<dt>Name</dt>"), "what was left as it was says nothing: {}", gone.html());
    // Scripts keep the text in place and show the message.
    let fields = form.fields_of(&page);
    let by_script = browser.send(browser.post(&page, &fields).header("HX-Request", "true")).await;
    assert_eq!(by_script.status, 404, "{}", by_script.text);
    assert!(
        by_script.text.contains("id=\"gone\"") && !by_script.text.contains("What you typed was not saved"),
        "{}",
        by_script.text
    );
}

#[tokio::test]
async fn a_record_that_others_changed_is_not_deleted_without_a_warning() {
    let (_app, _tenant, client, browser) = start().await;
    let (page, api) = added(&client, "/companies", json!({"name": "Acme"})).await;
    let shown = browser.open(&page).await.expect(200);
    let _ = client.patch(&api, json!({"industry": "Iron"})).await.expect(200);
    let refused = browser.submit(&shown, &format!("{page}/delete"), &[]).await.expect(200);
    let warning = refused.html().split("alert-warning\" role=\"alert\"").nth(1).unwrap_or_default();
    assert!(warning.contains("This record changed after you opened it."), "{}", refused.html());
    assert!(!refused.html().contains("alert-success"), "{}", refused.html());
    let _ = client.get(&api).await.expect(200);
}

#[tokio::test]
async fn the_second_of_two_conflicting_editors_chooses() {
    let (_app, tenant, client, ann) = start().await;
    let bob = tenant.signed_in(Role::Member).await;
    let (page, api) = added(&client, "/companies", json!({"name": "Acme", "industry": "Steel", "phone": "1"})).await;
    let (of_ann, of_bob) = (ann.open(&format!("{page}/edit")).await, bob.open(&format!("{page}/edit")).await);
    let _ = ann.submit(&of_ann, &page, &[("industry", "Iron"), ("phone", "2")]).await.expect(200);
    // Fields changed by only one of them are kept; the second editor chooses for fields that both changed.
    let choice = bob.submit(&of_bob, &page, &[("industry", "Wood"), ("notes", "From Bob")]).await.expect(409);
    choice.assert_contains(&["Iron", "Wood"]);
    assert!(!choice.html().contains("_choice.phone") && !choice.html().contains("_choice.notes"), "{}", choice.html());
    let record = client.get(&api).await.expect(200).data().clone();
    assert_eq!((&record["industry"], &record["notes"]), (&json!("Iron"), &json!(null)));
    assert!(choice.html().contains(" changed this too <span"), "by name: {}", choice.html());
    assert_eq!(choice.html().matches("<h1").count(), 1);
    assert!(!choice.html().contains("id=\"page-title\""), "htmx would take the heading out of the page");
    let unchosen = bob.submit(&choice, &page, &[]).await.expect(409);
    unchosen.assert_contains(&["id=\"industry-error\""]);
    let _ = bob.submit(&unchosen, &page, &[("_choice.industry", "mine")]).await.expect(200);
    let record = client.get(&api).await.expect(200).data().clone();
    let members = ["industry", "phone", "notes"].map(|name| record[name].as_str().unwrap().to_owned());
    assert_eq!(members, ["Wood", "2", "From Bob"]);

    // The other editor's value is kept if chosen.
    let (of_ann, of_bob) = (ann.open(&format!("{page}/edit")).await, bob.open(&format!("{page}/edit")).await);
    let _ = ann.submit(&of_ann, &page, &[("industry", "Gold")]).await.expect(200);
    let choice = bob.submit(&of_bob, &page, &[("industry", "Tin"), ("phone", "3")]).await.expect(409);
    let _ = bob.submit(&choice, &page, &[("_choice.industry", "theirs")]).await.expect(200);
    let record = client.get(&api).await.expect(200).data().clone();
    assert_eq!((&record["industry"], &record["phone"]), (&json!("Gold"), &json!("3")));

    // Different fields do not conflict.
    let (of_ann, of_bob) = (ann.open(&format!("{page}/edit")).await, bob.open(&format!("{page}/edit")).await);
    let _ = ann.submit(&of_ann, &page, &[("phone", "4")]).await.expect(200);
    let _ = bob.submit(&of_bob, &page, &[("industry", "Silver")]).await.expect(200);
    let record = client.get(&api).await.expect(200).data().clone();
    assert_eq!((&record["industry"], &record["phone"]), (&json!("Silver"), &json!("4")));
}

/// A form shows all custom fields of a record. A custom field that the user deletes from it is removed, unless another user has
/// changed the custom fields.
#[tokio::test]
async fn custom_fields_are_replaced_by_those_in_the_form() {
    let (_app, _tenant, client, browser) = start().await;
    let body = json!({"title": "Pilot", "custom_fields": {"size": "L", "region": "north", "seen_at": "soon"}});
    let (page, api) = added(&client, "/deals", body).await;
    let fields = async || client.get(&api).await.expect(200).data()["custom_fields"].clone();
    let form = browser.open(&format!("{page}/edit")).await.expect(200);
    let json_text = r#"{"size": "XL", "seen_at": "soon", "new": 1}"#;
    let _ = browser.submit(&form, &page, &[("custom_fields", json_text)]).await.expect(200);
    assert_eq!(fields().await, json!({"size": "XL", "seen_at": "soon", "new": 1}));
    let history = browser.open(&format!("{page}/history")).await.expect(200);
    history.assert_contains(&["region: <del>north</del>"]);
    // A form does not remove fields that others added since.
    let form = browser.open(&format!("{page}/edit")).await.expect(200);
    let _ = client.patch(&api, json!({"custom_fields": {"added": true}})).await.expect(200);
    let _ = browser.submit(&form, &page, &[("custom_fields", "{}")]).await.expect(409);
    assert_eq!(fields().await["added"], json!(true));
    let form = browser.open(&format!("{page}/edit")).await.expect(200);
    let _ = browser.submit(&form, &page, &[("custom_fields", "")]).await.expect(200);
    assert_eq!(fields().await, json!({}));
}

/// The fields of a form with another body.
fn draft(screen: &Screen, action: &str, body: &str) -> Vec<(String, String)> {
    let fields = screen.fields_of(action).into_iter();
    fields.map(|(name, value)| if name == "body" { (name, body.to_owned()) } else { (name, value) }).collect()
}

#[tokio::test]
async fn comments_and_history_name_their_authors() {
    let (_app, tenant, client, ann) = start().await;
    let (page, api) = added(&client, "/deals", json!({"title": "Pilot"})).await;
    let _ = client.patch(&api, json!({"stage": "proposal"})).await.expect(200);
    let shown = ann.open(&page).await.expect(200);
    let action = format!("{page}/comments");
    let with = ann.submit(&shown, &action, &[("body", "**Call** them <b>now</b>")]).await.expect(200);
    with.assert_contains(&["<strong>Call</strong> them &lt;b&gt;now&lt;/b&gt;"]);
    // A draft survives signing out, and is deleted when the comment is sent.
    let drafted = ann
        .send(ann.post(&format!("{page}/draft"), &draft(&with, &action, "Half a th")).header("HX-Request", "true"))
        .await;
    assert_eq!(drafted.status, 204, "{}", drafted.text);
    let reopened = ann.open(&page).await.expect(200);
    assert!(reopened.fields_of(&action).contains(&("body".to_owned(), "Half a th".to_owned())), "{}", reopened.html());
    let posted = ann.submit(&reopened, &action, &[]).await.expect(200);
    assert!(posted.fields_of(&action).contains(&("body".to_owned(), String::new())), "{}", posted.html());
    let refused = ann.submit(&shown, &action, &[("body", "")]).await.expect(422);
    refused.assert_contains(&["id=\"comment-error\""]);
    let long = "x".repeat(10_001);
    let refused = ann.submit(&shown, &action, &[("body", &long)]).await.expect(422);
    assert!(refused.fields_of(&action).contains(&("body".to_owned(), long)));
    let change = between(with.html(), "action=\"/comments/", "\"")[0].to_owned();
    let change = format!("/comments/{change}");
    let member = tenant.signed_in(Role::Member).await;
    let view = member.open(&page).await.expect(200);
    assert!(!view.has_form(&change), "another user's comment");
    let changed = ann.submit(&with, &change, &[("body", "Done")]).await.expect(200);
    changed.assert_contains(&["Done", "edited"]);
    let history = ann.open(&format!("{page}/history")).await.expect(200);
    let text = history.html();
    assert!(
        text.contains("moved it") && text.contains("<del>Discovery</del>") && text.contains("<ins>Proposal</ins>"),
        "{text}"
    );
    assert!(text.contains("commented") && text.contains("created it"), "{text}");
    let deleted = ann.submit(&changed, &format!("{change}/delete"), &[]).await.expect(200);
    assert!(!deleted.html().contains(">Done<") && !deleted.html().contains(&change), "{}", deleted.html());
    let token = deleted.fields_of(&action).into_iter().find(|(name, _)| name == "_token").unwrap();
    let preview = ann.send(ann.post("/preview", &[token, ("body".to_owned(), "*Hi* <script>".to_owned())])).await;
    assert!(preview.text.contains("<em>Hi</em> &lt;script&gt;"), "{}", preview.text);
}
