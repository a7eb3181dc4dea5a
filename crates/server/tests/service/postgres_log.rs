//! The log of the embedded Postgres contains no personal data, and no errors from ordinary traffic. No file of the data folder
//! contains an erased person.

use std::path::Path;
use std::process::Command;

use embedded_postgres::ClientPrograms;
use serde_json::{Value, json};

use crate::support::{Service, body_of, create_user, data_dir, eventually, files, log_in, succeed};
use crate::used::sql;

const PASSWORD: &str = "correct horse battery";
const CONTACTS: &str = "/api/v1/crm/contacts";
const COMPANIES: &str = "/api/v1/crm/companies";
const DEALS: &str = "/api/v1/crm/deals";
/// Parts of the person's data, in lower case.
const TRACES: [&str; 2] = ["zeb.quix", "quixotewood"];

fn postgres_log(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("postgres.log")).unwrap()
}

fn status_of(response: &str) -> &str {
    &response["HTTP/1.1 ".len()..][..3]
}

/// Some responses have the record in `data`.
fn id_of(body: &Value) -> String {
    let record = if body["data"].is_null() { body } else { &body["data"] };
    record["id"].as_str().unwrap().to_owned()
}

/// Creates records with equal and different values at the same time, and with references to missing records; returns the statuses.
fn traffic(service: &Service, key: &str) -> Vec<String> {
    let send = |client: usize| {
        let mut statuses = Vec::new();
        for number in 0..24 {
            let bodies = [
                (CONTACTS, json!({"email": format!("c{client}n{number}@example.com")})),
                // The same values from all clients at once.
                (CONTACTS, json!({"email": format!("same{number}@example.com"), "external_id": format!("x{number}")})),
                (COMPANIES, json!({"name": "One", "domain": format!("d{}.example.com", number / 2)})),
                (DEALS, json!({"title": "D", "external_id": format!("deal{number}")})),
                (DEALS, json!({"title": "D", "company_id": "01890a5d-ac96-774b-bcce-b302099a8057"})),
                ("/api/v1/projects", json!({"name": "P", "external_id": "only"})),
            ];
            for (path, body) in bodies {
                statuses.push(status_of(&service.post(path, key, &body.to_string())).to_owned());
            }
        }
        statuses
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..4).map(|client| scope.spawn(move || send(client))).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    })
}

#[test]
fn ordinary_traffic_causes_no_errors_in_postgres() {
    let folder = data_dir();
    let mut service = Service::start(folder.path());
    let key = service.key.clone().unwrap();
    let statuses = traffic(&service, &key);
    let count = |status: &str| statuses.iter().filter(|other| *other == status).count();
    assert_eq!((count("201") + count("409") + count("422"), count("422")), (statuses.len(), 96), "{statuses:?}");
    assert!(count("409") > 300, "{}", count("409"));
    let company = body_of(&service.post(COMPANIES, &key, r#"{"name": "Two", "domain": "two.example.com"}"#), 201);
    let path = format!("{COMPANIES}/{}", id_of(&company));
    assert_eq!(status_of(&service.patch(&path, &key, r#"{"domain": "d1.example.com"}"#)), "409");
    assert_eq!(service.signal("TERM"), Some(0));
    let mut service = Service::start(folder.path());
    assert_eq!(status_of(&service.get(CONTACTS, &key)), "200");
    assert_eq!(service.signal("TERM"), Some(0));
    let log = postgres_log(folder.path());
    let unwanted =
        ["ERROR:", "FATAL:", "PANIC:", "DETAIL:", "STATEMENT:", "CONTEXT:", "Connection reset", "@example.com"];
    let unwanted_lines: Vec<_> = log.lines().filter(|line| unwanted.iter().any(|word| line.contains(word))).collect();
    assert!(unwanted_lines.is_empty(), "{unwanted_lines:#?}");
}

fn traces_in(bytes: &[u8]) -> Vec<&'static str> {
    let text = bytes.to_ascii_lowercase();
    TRACES.into_iter().filter(|trace| text.windows(trace.len()).any(|part| part == trace.as_bytes())).collect()
}

/// The content of the cluster as text.
fn dump(data_dir: &Path) -> Vec<u8> {
    let mut dump = Command::new(ClientPrograms::find(1).unwrap().bin_dir.join("pg_dump"));
    dump.args(["--username=postgres", "--dbname=postgres", "--host"]).arg(data_dir.join("postgres.socket"));
    succeed(&dump.output().unwrap()).into_bytes()
}

#[test]
fn no_file_of_the_data_folder_contains_an_erased_person() {
    let folder = data_dir();
    let service = Service::start_with(folder.path(), &[("SERVICE_ANSWER_DELAY_SECONDS", "0")]);
    let key = service.key.clone().unwrap();
    let post = |path: &str, key: &str, body: Value| service.post(path, key, &body.to_string());
    let person = json!({"email": "Zeb.Quix@person.example", "first_name": "Zebulon", "last_name": "Quixotewood",
        "external_id": "zeb.quix"});
    let contact = id_of(&body_of(&post(CONTACTS, &key, person.clone()), 201));
    for duplicate in [person, json!({"email": "x@example.com", "external_id": "zeb.quix"})] {
        assert_eq!(status_of(&post(CONTACTS, &key, duplicate)), "409");
    }
    let other = id_of(&body_of(&post(CONTACTS, &key, json!({"email": "other@example.com"})), 201));
    let arguments = json!({"id": other, "email": "zeb.quix@person.example"});
    let call = json!({"name": "update_contact", "arguments": arguments});
    let refused = post("/api/mcp/tools/call", &key, call);
    assert!(refused.contains("another record already has this email"), "{refused}");
    let ticket = json!({"name": "Zebulon Quixotewood", "email": "zeb.quix@person.example", "subject": "Toaster",
        "description": "It sings"});
    body_of(&post("/api/public/tickets", &key, ticket), 201);
    let tickets = body_of(&service.get("/api/v1/issues?kind=ticket&search=toaster", &key), 200);
    let comments = format!("/api/v1/issues/{}/comments", id_of(&tickets["data"][0]));
    body_of(
        &post(&comments, &key, json!({"body": "Dear Zebulon Quixotewood, it should not", "visibility": "public"})),
        201,
    );
    assert_eq!(status_of(&service.open("/kb/demo/-/search?q=quixotewood+zebulon", "")), "200");
    let mails = folder.path().join("mails");
    eventually("the answer was written to a file", || {
        mails.exists() && files(&mails).iter().any(|path| !traces_of(path).is_empty())
    });
    let terms = || sql(folder.path(), "SELECT count(*) FROM kb_vain_searches WHERE term LIKE '%quixotewood%'");
    eventually("the search is recorded", || terms() == "1");

    assert!(create_user(folder.path(), "demo", "ann@example.com", "owner", PASSWORD).status.success());
    let session = log_in(&service, "ann@example.com", PASSWORD);
    let erasure = body_of(&post("/api/settings/erasures", &session, json!({ "contact_id": contact })), 201);
    let path = format!("/api/settings/erasures/{}", id_of(&erasure));
    eventually("the person is erased", || body_of(&service.get(&path, &session), 200)["data"]["state"] == "done");

    assert_eq!(traces_in(&dump(folder.path())), [""; 0], "in a dump");
    // Old versions of rows stay in the pages until a vacuum, and common values stay in the statistics of columns.
    sql(folder.path(), "VACUUM (FULL, ANALYZE)");
    sql(folder.path(), "CHECKPOINT");
    // Segments of the write-ahead log are overwritten only when they are reused (docs/security.md).
    let mut leftovers = files(folder.path());
    leftovers.retain(|path| !path.to_string_lossy().contains("pg_wal") && !traces_of(path).is_empty());
    assert!(leftovers.is_empty(), "{leftovers:#?}");
}

/// The file may be gone by now.
fn traces_of(path: &Path) -> Vec<&'static str> {
    std::fs::read(path).map_or_else(|_| Vec::new(), |bytes| traces_in(&bytes))
}
