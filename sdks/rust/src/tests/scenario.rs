//! The scenario that all SDKs share, against the service that the environment names.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::support::shared;
use crate::{Client, Error, ErrorKind, EventTransport, FollowOptions, Items};

type Saved = BTreeMap<String, Value>;

#[tokio::test]
async fn the_scenario_that_all_sdks_share() {
    if std::env::var("SERVICE_API_KEY").is_err() {
        return;
    }
    let client = Client::from_env().unwrap();
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    let mut saved = Saved::from([("run".to_owned(), json!(format!("rs{since:x}")))]);
    for raw in shared("scenario.json")["steps"].as_array().unwrap() {
        let step = filled(raw, &saved);
        let done = done(&client, &step).await;
        if step["error"].is_object() {
            check_error(&done.unwrap_err(), &step);
            continue;
        }
        let answer = done.unwrap_or_else(|error| panic!("{step}: {error:?}"));
        if let Some(count) = step["count"].as_u64() {
            assert_eq!(answer.as_array().unwrap().len() as u64, count, "{step}");
        }
        check(&answer, &step["expect"], &step);
        if let Some(name) = step["save"].as_str() {
            saved.insert(name.to_owned(), answer);
        }
    }
}

async fn done(client: &Client, step: &Value) -> Result<Value, Error> {
    if step["follow"].is_object() {
        return followed(client, step).await;
    }
    if let Some(id) = step["request"].as_str() {
        let call = client.request(id);
        let path = step["path"].as_object().into_iter().flatten();
        return path.fold(call, |call, (name, value)| call.path(name, value.as_str().unwrap())).await;
    }
    called(client, step).await
}

/// The arguments of a step.
struct Given<'a>(&'a Value);

impl Given<'_> {
    fn id(&self) -> &str {
        self.0["path"][0].as_str().unwrap()
    }

    fn body<T: DeserializeOwned>(&self) -> T {
        serde_json::from_value(self.0["body"].clone()).unwrap()
    }

    fn query<T: DeserializeOwned + Default>(&self) -> T {
        if self.0["query"].is_null() { T::default() } else { serde_json::from_value(self.0["query"].clone()).unwrap() }
    }

    fn version(&self) -> Option<i64> {
        self.0["options"]["if_version"].as_i64()
    }
}

/// A call with the version of the step, if it has one.
macro_rules! versioned {
    ($call:expr, $given:expr) => {
        match $given.version() {
            Some(version) => $call.if_version(version).await,
            None => $call.await,
        }
    };
}

async fn called(client: &Client, step: &Value) -> Result<Value, Error> {
    let given = Given(step);
    match step["call"].as_str().unwrap() {
        "me.get" => told(client.me().get().await),
        "companies.create" => told(client.companies().create(&given.body()).await),
        "contacts.create" => told(client.contacts().create(&given.body()).await),
        "contacts.get" => told(client.contacts().get(given.id()).await),
        "contacts.update" => told(versioned!(client.contacts().update(given.id(), &given.body()), given)),
        "contacts.delete" => told(client.contacts().delete(given.id()).await),
        "contacts.upsert" => {
            let dry_run = step["options"]["dry_run"] == true;
            told(client.contacts().upsert(&given.body::<Vec<_>>()).dry_run(dry_run).await)
        }
        "deals.create" => {
            let call = client.deals().create(&given.body());
            match step["options"]["idempotency_key"].as_str() {
                Some(key) => told(call.idempotency_key(key).await),
                None => told(call.await),
            }
        }
        "deals.get" => told(client.deals().get(given.id()).await),
        "deals.update" => told(versioned!(client.deals().update(given.id(), &given.body()), given)),
        "deals.delete" => told(versioned!(client.deals().delete(given.id()), given)),
        "deals.restore" => told(client.deals().restore(given.id()).await),
        "deals.list" => told(client.deals().list(&given.query()).await.map(|page| page.items)),
        "projects.create" => told(client.projects().create(&given.body()).await),
        "projects.iterate_issues" => all(client.projects().list_issues(given.id(), &given.query()).items()).await,
        "issues.create" => told(client.issues().create(&given.body()).await),
        "issues.bulk_update" => told(client.issues().bulk_update(&given.body()).await),
        "issues.iterate" => all(client.issues().list(&given.query()).items()).await,
        "issues.history" => told(client.issues().history(given.id(), &given.query()).await.map(|page| page.items)),
        "issues.comments.create" => told(client.issues().comments().create(given.id(), &given.body()).await),
        "issues.comments.iterate" => all(client.issues().comments().list(given.id(), &given.query()).items()).await,
        "tools.whoami" => told(client.tools().whoami(&crate::types::WhoamiArguments::default()).await),
        "tools.create_ticket" => told(client.tools().create_ticket(&given.body()).await),
        "tools.get_ticket" => told(client.tools().get_ticket(&given.body()).await),
        other => panic!("the scenario calls {other}: call it here as well"),
    }
}

/// The response converted back to JSON.
fn told<T: Serialize>(answer: Result<T, Error>) -> Result<Value, Error> {
    answer.map(|answer| serde_json::to_value(answer).unwrap())
}

async fn all<T: Serialize>(items: Items<T>) -> Result<Value, Error> {
    told(items.collect().await)
}

async fn followed(client: &Client, step: &Value) -> Result<Value, Error> {
    let query = serde_json::from_value(step["follow"].clone()).unwrap();
    let transport = if step["transport"] == "poll" { EventTransport::Poll } else { EventTransport::Stream };
    let options = FollowOptions { cursor: step["cursor"].as_str().map(str::to_owned), transport };
    let mut events = client.events().follow(&query, options);
    let (mut names, mut cursors) = (Vec::new(), Vec::new());
    for _ in step["names"].as_array().unwrap() {
        let next = tokio::time::timeout(Duration::from_secs(20), events.next()).await;
        let followed = next.expect("an event in time").unwrap()?;
        assert!(!matches!(followed.event, crate::LogEvent::Other(_)), "{followed:?}");
        names.push(followed.event.name().to_owned());
        cursors.push(followed.cursor);
    }
    assert_eq!(json!(names), step["names"]);
    Ok(json!({ "first": cursors.first(), "last": cursors.last() }))
}

fn check(answer: &Value, expected: &Value, step: &Value) {
    match expected {
        Value::Object(members) => members.iter().for_each(|(name, member)| check(&answer[name], member, step)),
        Value::Null => assert!(answer.is_null() || step["expect"].is_null(), "{step}: {answer}"),
        _ => assert_eq!(answer, expected, "{step}"),
    }
}

fn check_error(error: &Error, step: &Value) {
    let expected = &step["error"];
    let error = error.api().unwrap_or_else(|| panic!("{step}: {error:?}"));
    assert_eq!(class_of(error.kind), expected["type"], "{step}");
    assert_eq!((json!(error.status), json!(error.code)), (expected["status"].clone(), expected["code"].clone()));
    for (name, own) in [("existing_id", &error.existing_id), ("tool", &error.tool)] {
        if !expected[name].is_null() {
            assert_eq!(json!(own), expected[name], "{step}");
        }
    }
    assert!(error.request_id.is_some(), "{step}");
    if !expected["fields"].is_null() {
        let mut fields: Vec<_> = error.details.iter().map(|detail| detail.field.as_str()).collect();
        fields.sort_unstable();
        assert_eq!(json!(fields), expected["fields"], "{step}");
    }
}

/// The name of this error's class in the other SDKs.
fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Duplicate => "DuplicateError",
        ErrorKind::ConcurrentUpdate => "ConcurrentUpdateError",
        ErrorKind::Conflict => "ConflictError",
        ErrorKind::Validation => "ValidationError",
        ErrorKind::NotFound => "NotFoundError",
        other => panic!("the scenario has an error of the kind {other:?}: name it here as well"),
    }
}

/// `${a.b}` alone keeps the value's type; within a text it becomes text.
fn filled(raw: &Value, saved: &Saved) -> Value {
    match raw {
        Value::String(text) => {
            if let Some(path) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
                && !path.contains('}')
            {
                return found(path, saved);
            }
            let mut made = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once("${") {
                let (path, behind) = after.split_once('}').unwrap();
                let value = found(path, saved);
                made += before;
                made += &value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                rest = behind;
            }
            Value::String(made + rest)
        }
        Value::Array(items) => items.iter().map(|item| filled(item, saved)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), filled(member, saved))).collect(),
        other => other.clone(),
    }
}

fn found(path: &str, saved: &Saved) -> Value {
    let mut parts = path.split('.');
    let first = &saved[parts.next().unwrap()];
    parts.fold(first, |value, part| &value[part]).clone()
}
