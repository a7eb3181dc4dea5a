//! Lists: sortable column headers, totals, and date range filters.

use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::Screen;

use super::records::{added, between, start};

fn titles(screen: &Screen) -> Vec<String> {
    let cells = between(screen.html(), "class=\"title-cell\">", "</td>");
    cells.iter().map(|cell| between(cell, ">", "<").concat()).collect()
}

/// The address that a column header links to.
fn head_of(screen: &Screen, label: &str) -> String {
    let links = between(screen.html(), "class=\"sort\" href=\"", "</a>");
    let mut heads = links.iter().filter_map(|link| link.split_once("\">"));
    let href_found = heads.find(|(_, text)| text.starts_with(label)).map(|(href, _)| href.replace("&#38;", "&"));
    href_found.unwrap_or_else(|| panic!("no head {label}: {}", screen.html()))
}

#[tokio::test]
async fn column_headers_sort_in_both_directions() {
    let (_app, _tenant, client, browser) = start().await;
    for (title, value, close) in [
        ("Small", json!(10), json!("2030-03-01")),
        ("Large", json!(900), json!(null)),
        ("None", json!(null), json!("2030-01-01")),
    ] {
        let deal = json!({"title": title, "value": value, "expected_close_date": close});
        let _ = added(&client, "/deals", deal).await;
    }
    let list = browser.open("/deals?status=open").await.expect(200);
    for (label, first, second) in [
        ("Value", ["Large", "Small", "None"], ["Small", "Large", "None"]),
        ("Expected close", ["None", "Small", "Large"], ["Small", "None", "Large"]),
    ] {
        let sorted = browser.open(&head_of(&list, label)).await.expect(200);
        assert_eq!(titles(&sorted), first, "{}", sorted.address);
        let other = browser.open(&head_of(&sorted, label)).await.expect(200);
        assert_eq!(titles(&other), second, "{}", other.address);
        assert_eq!(head_of(&other, label), sorted.address, "and back");
        assert!(sorted.address.contains("status=open"), "{}", sorted.address);
        for (screen, ascending) in [(&sorted, label != "Value"), (&other, label == "Value")] {
            let expected = if ascending { "aria-sort=\"ascending\"" } else { "aria-sort=\"descending\"" };
            assert_eq!(screen.html().matches("aria-sort").count(), 1, "{}", screen.html());
            assert!(screen.html().contains(expected), "{}", screen.html());
        }
    }
    // Later pages continue in this order.
    let page = browser.open("/deals?order=expected_close_desc&limit=1").await.expect(200);
    let next = between(page.html(), "rel=\"next\" href=\"", "\"")[0].replace("&#38;", "&");
    assert_eq!(titles(&browser.open(&next).await.expect(200)), ["None"]);
    for name in ["beta", "Alpha"] {
        let _ = added(&client, "/companies", json!({"name": name})).await;
    }
    let companies = browser.open("/companies").await.expect(200);
    assert_eq!(titles(&browser.open(&head_of(&companies, "Name")).await), ["Alpha", "beta"]);
    // Column headers set the order, and the filter form keeps it.
    let kept = browser.open("/deals?order=value_asc").await.expect(200);
    assert!(kept.fields_of("/deals").contains(&("order".to_owned(), "value_asc".to_owned())), "{}", kept.html());
    assert!(!kept.html().contains("id=\"field-order\""), "{}", kept.html());
}

#[tokio::test]
async fn totals_cover_the_filtered_records() {
    let (_app, tenant, client, browser) = start().await;
    for (value, currency, probability) in [(1_000, "EUR", json!(50)), (500, "EUR", json!(null)), (20, "USD", json!(10))]
    {
        let deal = json!({"title": "Pilot", "value": value, "currency": currency, "probability": probability});
        let _ = added(&client, "/deals", deal).await;
    }
    let list = browser.open("/deals?currency=EUR&order=value").await.expect(200);
    list.assert_contains(&["hx-get=\"/deals/totals?currency=EUR\""]);
    let totals = browser.open("/deals/totals?currency=EUR").await.expect(200);
    totals.assert_contains(&["2 deals", "€1,500.00 in total, €500.00 weighted by probability"]);
    assert!(!totals.html().contains("$20.00"), "{}", totals.html());
    let all = browser.open("/deals/totals").await.expect(200);
    all.assert_contains(&["3 deals", "$20.00 in total, $2.00 weighted"]);
    for (path, total) in [
        ("/contacts/totals", "0 contacts"),
        ("/companies/totals?search=nobody", "0 companies"),
        ("/projects/totals", "0 projects"),
        ("/tasks/totals", "0 tasks"),
        ("/tickets/totals?status=open", "0 tickets"),
        ("/articles/totals?status=draft", "0 articles"),
    ] {
        let totals = browser.open(path).await.expect(200);
        assert!(totals.html().contains(total), "{path}: {}", totals.html());
    }
    let viewer = tenant.signed_in(Role::Viewer).await;
    assert!(viewer.open("/deals/totals?search=pilot").await.expect(200).html().contains("3 deals"));
    assert!(!browser.open("/deals?deleted=true").await.html().contains("/deals/totals"), "none for deleted ones");
    for list in ["contacts", "companies", "deals", "projects", "tasks", "articles"] {
        let refused = browser.open(&format!("/{list}/totals?deleted=true")).await.expect(400);
        assert!(refused.html().contains("deleted records are not added up"), "{list}: {}", refused.html());
    }
}

#[tokio::test]
async fn date_ranges_have_fields_and_chips() {
    let (_app, _tenant, client, browser) = start().await;
    let deal = json!({"title": "Pilot", "expected_close_date": "2030-01-15"});
    let _ = added(&client, "/deals", deal).await;
    let within = "/deals?expected_close_since=2030-01-01&expected_close_before=2030-02-01";
    let list = browser.open(within).await.expect(200);
    assert_eq!(titles(&list), ["Pilot"]);
    list.assert_contains(&["Expected close since: 2030-01-01", "Expected close before: 2030-02-01"]);
    let names: Vec<_> = list.fields_of("/deals").into_iter().map(|(name, _)| name).collect();
    for name in ["expected_close_since", "expected_close_before", "created_since", "created_before"] {
        assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
    }
    // What a browser without scripts sends.
    let unset = browser.open("/deals?created_since=&_zone.created_since=UTC").await.expect(200);
    assert!(!unset.html().contains("class=\"chips\""), "{}", unset.html());
    let later = browser.open("/deals?created_since=2090-01-01T00%3A00").await.expect(200);
    assert!(titles(&later).is_empty() && later.html().contains("Created since: 2090-01-01 00:00"), "{}", later.html());
}
