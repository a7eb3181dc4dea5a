//! Import and export of files in the console: the requests of its script, and the responses.

use domain::identity::workspaces::Role;
use serde_json::{Value, json};
use test_support::{ApiResponse, App, Browser, Tenant};

const HEADER: &str = "Mail,First Name,Labels,Notes\r\n";
const ROWS: &str = "mia@lantern.example,Mia,fair; berlin,\r\nnot an address,=Ola,,\r\n\
    \"noah@lantern.example\",\"No\"\"ah\",,\"two\nlines\"\r\n";
/// The hash of the file, which the service only uses to tell files apart.
const FILE: &str = "0101010101010101010101010101010101010101010101010101010101010101";

/// A browser with the form token of a page's scripts.
struct Script {
    browser: Browser,
    token: String,
}

impl Script {
    async fn of(tenant: &Tenant, role: Role) -> Self {
        let browser = tenant.signed_in(role).await;
        let page = browser.open("/account").await;
        let token = page.fields_of("/sign-out").into_iter().find(|(name, _)| name == "_token").unwrap().1;
        Self { browser, token }
    }

    async fn send(&self, path: &str, fields: &[(&str, &str)]) -> ApiResponse {
        let fields: Vec<_> = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.browser.send(self.browser.post(path, &fields).header("X-Form-Token", &self.token)).await
    }

    /// Sends rows to be imported as contacts.
    async fn send_rows(&self, overrides: &[(&str, &str)]) -> ApiResponse {
        self.send("/import/contacts/rows", &plan(overrides)).await
    }
}

/// The fields that the script sends for a file with mapped columns; `overrides` replaces some of them.
fn plan<'a>(overrides: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let plan = [
        ("header", HEADER),
        ("rows", ROWS),
        ("count", "3"),
        ("line", "2"),
        ("from", "0"),
        ("match", "update"),
        ("file", FILE),
        ("try", "false"),
        ("column.0", "email"),
        ("column.1", "first_name"),
        ("column.2", "tags"),
        ("column.3", "notes"),
    ];
    let defaults = plan.into_iter().filter(|(name, _)| overrides.iter().all(|(other, _)| name != other));
    defaults.chain(overrides.iter().copied()).collect()
}

fn json_of(answer: &ApiResponse) -> Value {
    serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {}", answer.text))
}

fn progress(created: u64, unchanged: u64, refused: u64) -> Value {
    let rows = created + unchanged + refused;
    json!({
        "rows": rows, "created": created, "updated": 0, "unchanged": unchanged, "skipped": 0, "refused": refused,
        "companies": 0,
    })
}

async fn contacts(tenant: &Tenant) -> Vec<Value> {
    let reply = tenant.full_access().await.get("/api/v1/crm/contacts").await.expect(200);
    reply.data().as_array().unwrap().clone()
}

/// Form fields that contradict each other, and the status and text of the refusal.
type Contradiction<'a> = (&'a [(&'a str, &'a str)], u16, &'a str);

#[tokio::test]
async fn columns_are_proposed_and_a_dry_run_writes_nothing() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Member).await;
    let list = script.browser.open("/contacts").await.expect(200);
    assert!(list.links().contains(&"/import/contacts".to_owned()), "{:?}", list.links());
    let page = script.browser.open("/import/contacts").await.expect(200);
    page.assert_contains(&["workspace-service import contacts FILE"]);

    assert!(!page.html().contains("name=\"decimal\""), "contacts have no numbers");
    let deals = script.browser.open("/import/deals").await.expect(200);
    deals.assert_contains(&["name=\"decimal\""]);
    let start = format!("{HEADER}{ROWS}");
    let reply = script.send("/import/contacts/columns", &[("start", &start), ("cut", "false")]).await.expect(200);
    assert!(reply.text.contains("<option value=\"first_name\" selected>"), "{}", reply.text);
    assert!(!reply.text.contains("<option value=\"email\" selected>"), "{}", reply.text);
    assert!(reply.text.contains("mia@lantern.example") && reply.text.contains("fair; berlin"), "{}", reply.text);
    let known = [("start", "Email,Email\n1,2\n"), ("cut", "true"), ("preset", "hubspot")];
    let known = script.send("/import/contacts/columns", &known).await.expect(200);
    assert_eq!(known.text.matches("<option value=\"email\" selected>").count(), 1, "{}", known.text);
    for (start, is_report) in [
        ("Email,line,reason\na@lantern.example,3,email: why\n", true),
        ("Email,line,reason\na@lantern.example,Red Line,sold\n", false),
        ("Email,line,reason\n1,3,why\n2,4,why\n3,5,why\n4,6,\n", false),
        // The last row is truncated.
        ("Email,line,reason\n1,3,why\n2,Re", true),
        ("Email,line,reason\n1,3", false),
    ] {
        let reply = script.send("/import/contacts/columns", &[("start", start), ("cut", "true")]).await.expect(200);
        assert!(reply.text.contains(&format!("data-is-report=\"{is_report}\"")), "{start}: {}", reply.text);
        assert_eq!(reply.text.contains("name=\"column.2\""), !is_report, "{start}: {}", reply.text);
    }
    for (start, cut) in [("", "false"), ("a,b", "true")] {
        let refused = script.send("/import/contacts/columns", &[("start", start), ("cut", cut)]).await;
        assert!(json_of(&refused.expect(422))["error"].is_string());
    }

    let trial = json_of(&script.send_rows(&[("try", "true"), ("file", "")]).await.expect(200));
    assert_eq!(trial["progress"], progress(2, 0, 1), "{trial}");
    assert_eq!(trial["refused"][0]["line"], 3, "{trial}");
    assert!(trial["refused"][0]["reason"].as_str().unwrap().starts_with("Email: "), "{trial}");
    let report = trial["report"][0].as_array().unwrap();
    assert_eq!((&report[0], &report[1]), (&json!("\"not an address\",\"'=Ola\",\"\",\"\""), &json!(0)), "{report:?}");
    assert!(report[2].as_str().unwrap().starts_with("\"3\",\"email: "), "{report:?}");
    let corrected =
        [("header", "Mail,line,reason\n"), ("rows", "ola@lantern.example,3,why\nb@lantern.example,Red Line,sold\n")];
    let corrected =
        [&corrected[..], &[("count", "2"), ("try", "true"), ("column.0", "email"), ("report", "true")]].concat();
    let plan: Vec<_> =
        plan(&corrected).into_iter().filter(|(name, _)| !["column.1", "column.2", "column.3"].contains(name)).collect();
    let trial = json_of(&script.send("/import/contacts/rows", &plan).await.expect(200));
    assert_eq!(trial["progress"], progress(1, 0, 1), "{trial}");
    assert_eq!(trial["report"][0][0], "\"b@lantern.example\",\"Red Line\",\"sold\"", "{trial}");
    assert_eq!(contacts(&tenant).await.len(), 0);
}

#[tokio::test]
async fn every_row_is_imported_once_however_often_it_is_sent() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Owner).await;
    let lines: Vec<_> = ROWS.split_inclusive("\r\n").collect();
    let first = [("rows", lines[0]), ("count", "1")];
    let imported = json_of(&script.send_rows(&first).await.expect(200));
    assert_eq!(imported["progress"], progress(1, 0, 0), "{imported}");
    // The page was closed, so a new one starts over. It sends one part twice, because the first response was lost.
    for _ in 0..2 {
        let imported = json_of(&script.send_rows(&[]).await.expect(200));
        assert_eq!(imported["progress"], progress(2, 0, 1), "{imported}");
        assert_eq!((&imported["refused"][0]["line"], &imported["refused"].as_array().unwrap().len()), (&json!(3), &1));
        assert!(imported["report"][0][0].as_str().unwrap().starts_with("\"not an address\""), "{imported}");
    }
    let names: Vec<_> = contacts(&tenant).await.iter().map(|contact| contact["first_name"].clone()).collect();
    assert_eq!(names, [json!("No\"ah"), json!("Mia")]);

    // Missing rows are detected, now and at the end.
    let _ = script.send_rows(&[("from", "7")]).await.expect(409);
    let _ =
        script.send("/import/contacts/finish", &plan(&[("rows", ""), ("count", "0"), ("from", "4")])).await.expect(409);
    let end = plan(&[("rows", ""), ("count", "0"), ("from", "3")]);
    for _ in 0..2 {
        let finished = script.send("/import/contacts/finish", &end).await.expect(200);
        assert_eq!(json_of(&finished)["progress"], progress(2, 0, 1));
    }
    // The file was imported; it can be imported again after confirmation.
    let before = json_of(&script.send_rows(&[]).await.expect(409));
    assert!(before["error"].as_str().unwrap().contains("already imported in the same way"), "{before}");
    let repeated = json_of(&script.send_rows(&[("again", "true")]).await.expect(200));
    assert_eq!(repeated["progress"], progress(0, 2, 1), "{repeated}");

    let log = script.browser.open("/settings/audit-log").await.expect(200);
    log.assert_contains(&["mport"]);
}

#[tokio::test]
async fn presets_can_map_a_column_to_more_than_the_proposed_member() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Owner).await;
    let header = "Email,Work email,Company Name,Contact owner,Shoe size\r\n";
    let rows = "mia@lantern.example,m@work.example,Lantern,Noah,40\r\n,ola@work.example,Lantern,,\r\n";
    let start = format!("{header}{rows}");
    let columns = [("start", &*start), ("cut", "false"), ("preset", "hubspot")];
    let found = script.send("/import/contacts/columns", &columns).await.expect(200);
    let proposed = ["email", "custom_fields.work_email", "company_name", "owner_by_email"];
    for name in proposed {
        assert!(found.text.contains(&format!("<option value=\"{name}\" selected>")), "{name}: {}", found.text);
    }
    let mut fields = vec![("header", header), ("rows", rows), ("count", "2"), ("preset", "hubspot"), ("column.4", "")];
    fields.extend(["column.0", "column.1", "column.2", "column.3"].into_iter().zip(proposed));
    let imported = json_of(&script.send_rows(&fields).await.expect(200));
    assert_eq!((&imported["progress"]["created"], &imported["progress"]["companies"]), (&json!(2), &json!(1)));
    assert_eq!(imported["ignored"], json!(["Shoe size"]), "{imported}");
    let contacts = contacts(&tenant).await;
    assert_eq!(contacts[0]["email"], "ola@work.example");
    assert_eq!(contacts[1]["email"], "mia@lantern.example");
    assert_eq!(contacts[1]["custom_fields"], json!({ "work_email": "m@work.example", "owner": "Noah" }));
    assert!(contacts[0]["company_id"].is_string() && contacts[0]["company_id"] == contacts[1]["company_id"]);
}

#[tokio::test]
async fn the_first_of_two_addresses_in_a_hubspot_email_column_is_used_and_the_other_kept() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Member).await;
    let header = "Email,First Name,Labels,Notes\r\n";
    let rows = "mia@lantern.example; mia@home.example,Mia,,\r\n\"ola@lantern.example, ola@home.example\",Ola,,\r\n";
    let start = format!("{header}{rows}");
    let columns = [("start", &*start), ("cut", "false"), ("preset", "hubspot")];
    let proposal = script.send("/import/contacts/columns", &columns).await.expect(200);
    assert!(proposal.text.contains("<option value=\"email\" selected>"), "{}", proposal.text);
    let fields = [("header", header), ("rows", rows), ("count", "2"), ("preset", "hubspot")];
    let imported = json_of(&script.send_rows(&fields).await.expect(200));
    assert_eq!(imported["progress"], progress(2, 0, 0), "{imported}");
    let mut contacts = contacts(&tenant).await;
    contacts.sort_by_key(|contact| contact["email"].to_string());
    for (contact, name) in contacts.iter().zip(["mia", "ola"]) {
        assert_eq!(contact["email"], format!("{name}@lantern.example"));
        assert_eq!(contact["custom_fields"], json!({"additional_emails": format!("{name}@home.example")}));
    }
}

#[tokio::test]
async fn contradictory_and_too_large_input_is_refused_before_anything_is_written() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Owner).await;
    let many = "a@b.example,,\n".repeat(501);
    let contradictions: &[Contradiction<'_>] = &[
        (&[("column.1", "email")], 422, "Two columns map to the same member"),
        (&[("column.1", "no_member")], 422, "cannot be imported as that"),
        (&[("column.0", ""), ("column.1", ""), ("column.2", ""), ("column.3", "")], 422, "No column is imported"),
        (&[("count", "2")], 422, "cannot be split between its rows"),
        (&[("header", ""), ("rows", "")], 422, "must name the columns"),
        (&[("rows", &many), ("count", "501")], 400, "500"),
        (&[("match", "perhaps")], 400, "update, skip, refuse"),
        (&[("file", "0101")], 400, "SHA-256"),
        (&[("preset", "jira")], 400, "jira"),
        (&[("decimal", "dot")], 400, "point, comma"),
        (&[("from", "-1")], 400, "whole number"),
        (
            &[("line", "7"), ("rows", "a@b.example,\"open,,\nb@b.example,,,\n"), ("count", "1")],
            422,
            "Line 7: a quotation mark opens a cell",
        ),
        (
            &[("line", "7"), ("rows", "a@b.example,\"6 inch,,\nb@b.example,5\" pipe,,\n"), ("count", "1")],
            422,
            "Line 8: text follows the closing quotation mark of a cell that begins in line 7",
        ),
        (&[("value.status", "no such status")], 422, "Status: must be one of"),
        (&[("value.social_linkedin", "no address")], 422, "LinkedIn: must be"),
        (&[("value.company_id", "nowhere")], 422, "Company: “nowhere” was not found"),
        (&[("value.status", "no such status"), ("try", "true")], 422, "Status: must be one of"),
    ];
    for (changed, status, message) in contradictions {
        let refused = script.send_rows(changed).await.expect(*status);
        assert!(refused.text.contains(message), "{changed:?}: {}", refused.text);
    }
    let large = "x".repeat(1 << 20);
    assert_eq!(script.send_rows(&[("rows", &large)]).await.status, 413);
    assert_eq!(script.browser.open("/import/people").await.response.status, 404);
    // Other sites have no token, and viewers no permission.
    let fields: Vec<_> = plan(&[]).iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let foreign = script.browser.send(script.browser.post("/import/contacts/rows", &fields)).await;
    assert_eq!(foreign.status, 403, "{}", foreign.text);
    let viewer = Script::of(&tenant, Role::Viewer).await;
    assert_eq!(viewer.send_rows(&[]).await.status, 403);
    assert!(!viewer.browser.open("/contacts").await.expect(200).html().contains("/import/contacts"));
    assert_eq!(contacts(&tenant).await.len(), 0);
}

#[tokio::test]
async fn a_file_may_name_its_separator_and_end_with_empty_rows() {
    let (_app, tenant) = App::with_workspace().await;
    let script = Script::of(&tenant, Role::Owner).await;
    let header = "SEP=|\rMail|First Name|Labels|Notes\r";
    let rows = "a@lantern.example|Mia|fair; berlin|5\" pipe||\r|||\rb@lantern.example|Bo\r||||\r\
        c@lantern.example|Cem||\"6 inch\rd@lantern.example|||7 inch\"\r";
    let start = format!("{header}{rows}");
    let reply = script.send("/import/contacts/columns", &[("start", &start), ("cut", "false")]).await.expect(200);
    assert!(reply.text.contains("data-delimiter=\"124\"") && reply.text.contains("5&#34; pipe"), "{}", reply.text);
    // A row that is cut within a cell is not shown.
    let cut = &start[..start.find("inch\rd@").unwrap()];
    let _ = script.send("/import/contacts/columns", &[("start", cut), ("cut", "true")]).await.expect(200);
    for (start, cut, message) in [
        ("a,\"b", "true", "first row is too long"),
        ("a,\"b", "false", "Line 1: a quotation mark opens a cell"),
        ("e\0m\0a\0i\0l\0\n\0", "false", "UTF-16 without a byte order mark"),
    ] {
        let refused = script.send("/import/contacts/columns", &[("start", start), ("cut", cut)]).await.expect(422);
        assert!(refused.text.contains(message), "{}", refused.text);
    }

    let fields = [("header", header), ("rows", rows), ("count", "3"), ("line", "3")];
    let imported = json_of(&script.send_rows(&fields).await.expect(200));
    assert_eq!(imported["progress"], progress(1, 0, 2), "{imported}");
    assert_eq!(imported["refused"][0]["line"], 5, "{imported}");
    assert_eq!(imported["refused"][1]["line"], 7, "{imported}");
    assert!(imported["refused"][1]["reason"].as_str().unwrap().starts_with("This may be 2 rows"), "{imported}");
    assert_eq!(contacts(&tenant).await[0]["notes"], "5\" pipe");
}

#[tokio::test]
async fn members_without_a_column_get_one_value_for_all_rows() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    let company = key.post("/api/v1/crm/companies", json!({"name": "Lantern Coffee"})).await.expect(201);
    let script = Script::of(&tenant, Role::Owner).await;
    let page = script.browser.open("/import/contacts").await.expect(200);
    for (name, is_offered) in
        [("city", true), ("status", true), ("tags", true), ("email", false), ("external_id", false)]
    {
        assert_eq!(page.html().contains(&format!("name=\"{name}\"")), is_offered, "{name}");
    }
    let values = [
        ("value.city", "Bonn"),
        ("value.status", "inactive"),
        ("value.tags", "fair, 2026"),
        ("value.first_name", "Somebody"),
        ("value.company_id", "lantern"),
        ("value._id.company_id", ""),
        ("value.notes", " "),
    ];
    let trial = json_of(&script.send_rows(&[&values[..], &[("try", "true")]].concat()).await.expect(200));
    assert_eq!(trial["progress"], progress(2, 0, 1), "{trial}");
    let shown =
        ["First name: Somebody", "City: Bonn", "Status: Inactive", "Tags: fair, 2026", "Company: Lantern Coffee"];
    let mut sorted_values: Vec<_> =
        trial["values"].as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect();
    sorted_values.sort_unstable();
    let mut shown = shown.to_vec();
    shown.sort_unstable();
    assert_eq!(sorted_values, shown);
    assert_eq!(contacts(&tenant).await.len(), 0);

    let imported = json_of(&script.send_rows(&values).await.expect(200));
    assert_eq!((&imported["progress"], &imported["values"]), (&progress(2, 0, 1), &Value::Null), "{imported}");
    // Other values make it a different import; their order does not matter.
    let end = [("rows", ""), ("count", "0"), ("from", "3")];
    let reversed: Vec<_> = values.iter().rev().copied().chain(end).collect();
    let _ = script.send("/import/contacts/finish", &plan(&end)).await.expect(409);
    let _ = script.send("/import/contacts/finish", &plan(&reversed)).await.expect(200);
    for contact in contacts(&tenant).await {
        let (city, status) = (&contact["city"], &contact["status"]);
        assert_eq!(city, &json!("Bonn"), "{contact}");
        assert_eq!(status, &json!("inactive"), "{contact}");
        assert_eq!(contact["company_id"], json!(company.id()), "{contact}");
        let is_mia = contact["email"] == "mia@lantern.example";
        assert_eq!(contact["first_name"], if is_mia { "Mia" } else { "No\"ah" });
        assert_eq!(contact["tags"], if is_mia { json!(["fair", "berlin"]) } else { json!(["fair", "2026"]) });
    }
}

#[tokio::test]
async fn imported_time_is_that_of_the_member_in_the_file() {
    let (_app, tenant) = App::with_workspace().await;
    let (member, owner) = (Script::of(&tenant, Role::Member).await, Script::of(&tenant, Role::Owner).await);
    let columns = async |start: &str, preset: &str| {
        let fields = [("start", start), ("cut", "false"), ("preset", preset)];
        owner.send("/import/time_entries/columns", &fields).await.expect(200).text
    };
    let unknown = columns("date,seconds\n2026-01-05,60\n", "").await;
    assert!(unknown.contains("recorded as your own time"), "{unknown}");
    let harvest = "Date,Hours,First Name,Last Name,Roles,Billable Rate\n2026-01-05,1,Ann,Lee,,80\n";
    let known = columns(harvest, "harvest").await;
    assert!(!known.contains("recorded as your own time"), "{known}");
    assert_eq!(known.matches("<option value=\"member_by_name\" selected>").count(), 2, "{known}");
    assert_eq!(known.matches("<option value=\"note+\" selected>").count(), 0, "ignored columns: {known}");

    let other = tenant.user(Role::Member).await;
    let rows = format!("{},2026-01-05,3600\r\n", other.email);
    let fields = [
        ("header", "member_email,date,seconds\r\n"),
        ("rows", &*rows),
        ("count", "1"),
        ("line", "2"),
        ("from", "0"),
        ("match", "update"),
        ("file", FILE),
        ("try", "false"),
        ("column.0", "member_email"),
        ("column.1", "date"),
        ("column.2", "seconds"),
    ];
    let refused = json_of(&member.send("/import/time_entries/rows", &fields).await.expect(200));
    assert_eq!(refused["progress"], progress(0, 0, 1), "{refused}");
    // The unfinished import of the member does not answer for the owner.
    let imported = json_of(&owner.send("/import/time_entries/rows", &fields).await.expect(200));
    assert_eq!(imported["progress"], progress(1, 0, 0), "{imported}");
    let end: Vec<_> = fields.iter().filter(|(name, _)| !["rows", "count", "from"].contains(name)).copied().collect();
    let end = [&end[..], &[("rows", ""), ("count", "0"), ("from", "1")]].concat();
    let finished = json_of(&owner.send("/import/time_entries/finish", &end).await.expect(200));
    assert_eq!(finished["progress"], progress(1, 0, 0), "{finished}");
}

#[tokio::test]
async fn an_export_has_every_record_and_is_imported_unchanged() {
    let (_app, tenant, key) = App::with_workspace_client().await;
    // More rows than a page of an export.
    for number in 0..=100 {
        let company = json!({"name": format!("=Acme {number}"), "external_id": format!("a-{number}")});
        let _ = key.post("/api/v1/crm/companies", company).await.expect(201);
    }
    let script = Script::of(&tenant, Role::Owner).await;
    let file = script.browser.send(script.browser.request("GET", "/export/companies")).await;
    assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"), "{}", file.text);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"companies.csv\"");
    let (header, rows) = file.text.split_once("\r\n").unwrap();
    let (header, count) = (format!("{header}\r\n"), rows.lines().count().to_string());
    assert_eq!(count, "101");
    assert!(rows.contains("\"'=Acme 100\"") && !rows.contains("\"=Acme"), "{rows}");
    let columns: Vec<_> = header.trim().split(',').map(|name| name.trim_matches('"').to_owned()).collect();
    let names: Vec<_> = (0..columns.len()).map(|index| format!("column.{index}")).collect();
    let mut fields =
        vec![("header", &*header), ("rows", rows), ("count", &*count), ("match", "update"), ("try", "true")];
    let mapped = ["name", "external_id"];
    fields.extend(
        names
            .iter()
            .zip(&columns)
            .map(|(index, name)| (index.as_str(), if mapped.contains(&name.as_str()) { name.as_str() } else { "" })),
    );
    let trial = json_of(&script.send("/import/companies/rows", &fields).await.expect(200));
    assert_eq!(trial["progress"], progress(0, 101, 0), "{trial}");
    let log = script.browser.open("/settings/audit-log").await.expect(200);
    log.assert_contains(&["xported"]);
}
