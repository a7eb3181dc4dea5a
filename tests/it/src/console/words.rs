//! Texts of pages that readers once misunderstood.

use serde_json::json;

use super::records::{added, between, start};

#[tokio::test]
async fn an_empty_inbox_says_how_tickets_arrive() {
    let (_app, _tenant, _client, browser) = start().await;
    let inbox = browser.open("/tickets").await.expect(200);
    let hints = between(inbox.html(), "<p class=\"empty-subtitle text-secondary\">", "</p>");
    let [hint] = hints.as_slice() else { panic!("{}", inbox.html()) };
    for way in ["in your help centre", "in the form on your website", "through your own programs with a ticket key"] {
        assert!(hint.contains(way), "{way}: {hint}");
    }
    assert!(!hint.contains("mail"), "none is taken in: {hint}");
}

#[tokio::test]
async fn lists_and_imports_explain_what_happens_to_rows() {
    let (_app, _tenant, client, browser) = start().await;
    let _ = added(&client, "/companies", json!({"name": "Acme"})).await;
    let list = browser.open("/companies").await.expect(200);
    list.assert_contains(&["<span class=\"bulk-label\">With selected</span>"]);
    let import = browser.open("/import/contacts").await.expect(200);
    let advice = "Fix the refused rows in a spreadsheet, leave the columns line and reason as they are, and choose that file \
                here:";
    assert!(import.html().contains(advice), "{}", import.html());
}
