//! Importing a file: choosing, mapping, dry run, import, and fixing refused rows.

use std::path::Path;

use browser::{AriaRole, Page, walk};
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::at_work;

const HEADER: &str = "Mail,First Name,Company,Notes\r\n";
const FIRST: &str = "mia@lantern.example,Mia,\"Lantern, Coffee\",\r\n";
const REFUSED: &str = "not an address,Ola,,\"Two\r\nlines, \"\"quoted\"\"\"\r\n";
/// More rows than a part has.
const ROWS: usize = 620;

/// Captures the offered file, since a download would leave the page.
const KEEP_REPORT: &str = "const offer = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { blob.text().then((text) => { window.reported = text; }); return offer(blob); }";

/// A file with rows of many kinds.
fn content() -> String {
    let rows = (0..ROWS).map(|row| format!("n{row}@lantern.example,N\"{row},,\r\n"));
    format!("{HEADER}{FIRST}\r\n{REFUSED}{}", rows.collect::<String>())
}

/// Replaces the file of a field.
async fn choose(page: &Page, chosen: &str, file: &Path) {
    page.field(&format!("File: {chosen}")).type_text(file.to_str().unwrap()).await;
}

async fn count_of(page: &Page, name: &str) -> String {
    let script = "return document.querySelector(`[data-count=${arguments[0]}]`).textContent";
    page.script(script, vec![json!(name)]).await.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_owner_imports_a_file_and_fixes_refused_rows() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people.csv");
        std::fs::write(&file, content()).unwrap();
        let page = at_work(test, &tenant, Role::Owner, "Olga").await;
        page.open("/contacts").await;
        page.link("Import").click().await;
        page.heading("Import contacts").wait().await;
        // A stray quotation mark is reported with its line before anything is sent.
        let stray = folder.path().join("stray.csv");
        std::fs::write(&stray, content().replace("N\"3,", "\"N3,")).unwrap();
        choose(&page, "No file chosen", &stray).await;
        page.shows("Line 10: text follows the closing quotation mark of a cell that begins in line 9.").await;
        choose(&page, "stray.csv", &file).await;
        page.any(AriaRole::Row).containing("Lantern, Coffee").wait().await;
        assert_eq!(page.field("What “First Name” becomes").value().await, "first_name");
        page.field("What “Mail” becomes").select("Email").await;
        page.field("What “Company” becomes").select("Company name").await;

        // Invalid values for all rows are reported before any row is read, and the typed values stay.
        page.open_details("Values for all rows").await;
        page.field("City").fill("Bonn").await;
        page.field("LinkedIn").fill("no address").await;
        page.expect_message("422 (Unprocessable Entity)");
        page.button("Try, without writing anything").click().await;
        page.shows("LinkedIn: ").await;
        assert_eq!(page.field("City").value().await, "Bonn");
        page.field("LinkedIn").fill("").await;
        page.script(KEEP_REPORT, vec![]).await;
        page.button("Try, without writing anything").click().await;
        page.shows("Nothing was written.").await;
        page.shows("City: Bonn").await;
        assert_eq!(count_of(&page, "created").await, "621");
        assert_eq!(count_of(&page, "refused").await, "1");
        assert_eq!(client.get("/api/v1/crm/contacts").await.expect(200).data().as_array().unwrap().len(), 0);

        page.button("Import").click().await;
        page.shows("The import is done.").await;
        assert_eq!(count_of(&page, "created").await, "621");
        page.any(AriaRole::Row).containing("Email: ").wait().await;
        let report = page.link("Download the refused rows");
        assert_eq!(report.attribute("download").await.unwrap(), "people.refused.csv");
        let report = page.script("return window.reported", vec![]).await;
        let report = report.as_str().unwrap().replace("\r\n", "\n");
        assert!(
            report.starts_with("\"Mail\",\"First Name\",\"Company\",\"Notes\",\"line\",\"reason\"\n\"not an address\""),
            "{report}"
        );
        let found = client.get("/api/v1/crm/contacts?search=mia").await.expect(200).data().clone();
        assert_eq!((&found[0]["first_name"], &found[0]["company_name"]), (&json!("Mia"), &json!("Lantern, Coffee")));
        assert_eq!(found[0]["city"], "Bonn");

        // The refused row is fixed, and the file is accepted as it is.
        let mended = folder.path().join("people.refused.csv");
        std::fs::write(&mended, report.replace("not an address", "ola@lantern.example")).unwrap();
        choose(&page, "people.csv", &mended).await;
        page.any(AriaRole::Row).containing("ola@lantern.example").wait().await;
        page.field("What “Mail” becomes").select("Email").await;
        page.field("What “Company” becomes").select("Company name").await;
        page.button("Import").click().await;
        page.shows("The import is done.").await;
        assert_eq!(
            (count_of(&page, "created").await, count_of(&page, "refused").await),
            ("1".to_owned(), "0".to_owned())
        );
        let found = client.get("/api/v1/crm/contacts?search=ola").await.expect(200).data().clone();
        assert!(found[0]["notes"].as_str().unwrap().ends_with("lines, \"quoted\""), "{found}");

        // Importing the same file again is refused until the user confirms it.
        page.expect_message("409 (Conflict)");
        page.button("Import").click().await;
        page.shows("This file was already imported in the same way.").await;
        page.field("Import this file again. Rows without a key are added a second time.").wait().await;
    })
    .await;
}
