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
        let step = fill(raw, &saved);
        let result = run_step(&client, &step).await;
        if step["error"].is_object() {
            check_error(&result.unwrap_err(), &step);
            continue;
        }
        let answer = result.unwrap_or_else(|error| panic!("{step}: {error:?}"));
        if let Some(count) = step["count"].as_u64() {
            assert_eq!(answer.as_array().unwrap().len() as u64, count, "{step}");
        }
        check(&answer, &step["expect"], &step);
        if let Some(name) = step["save"].as_str() {
            saved.insert(name.to_owned(), answer);
        }
    }
}

async fn run_step(client: &Client, step: &Value) -> Result<Value, Error> {
    if step["follow"].is_object() {
        return follow(client, step).await;
    }
    if let Some(id) = step["request"].as_str() {
        let call = client.request(id);
        let path = step["path"].as_object().into_iter().flatten();
        return path.fold(call, |call, (name, value)| call.path(name, value.as_str().unwrap())).await;
    }
    call_method(client, step).await
}

/// The arguments of a step.
struct StepInput<'a>(&'a Value);

impl StepInput<'_> {
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

async fn call_method(client: &Client, step: &Value) -> Result<Value, Error> {
    let input = StepInput(step);
    match step["call"].as_str().unwrap() {
        "me.get" => to_json(client.me().get().await),
        "companies.create" => to_json(client.companies().create(&input.body()).await),
        "contacts.create" => to_json(client.contacts().create(&input.body()).await),
        "contacts.get" => to_json(client.contacts().get(input.id()).await),
        "contacts.update" => to_json(versioned!(client.contacts().update(input.id(), &input.body()), input)),
        "contacts.delete" => to_json(client.contacts().delete(input.id()).await),
        "contacts.upsert" => {
            let dry_run = step["options"]["dry_run"] == true;
            to_json(client.contacts().upsert(&input.body::<Vec<_>>()).dry_run(dry_run).await)
        }
        "deals.create" => {
            let call = client.deals().create(&input.body());
            match step["options"]["idempotency_key"].as_str() {
                Some(key) => to_json(call.idempotency_key(key).await),
                None => to_json(call.await),
            }
        }
        "deals.get" => to_json(client.deals().get(input.id()).await),
        "deals.update" => to_json(versioned!(client.deals().update(input.id(), &input.body()), input)),
        "deals.delete" => to_json(versioned!(client.deals().delete(input.id()), input)),
        "deals.restore" => to_json(client.deals().restore(input.id()).await),
        "deals.list" => to_json(client.deals().list(&input.query()).await.map(|page| page.items)),
        "projects.create" => to_json(client.projects().create(&input.body()).await),
        "projects.iterate_issues" => all(client.projects().list_issues(input.id(), &input.query()).items()).await,
        "issues.create" => to_json(client.issues().create(&input.body()).await),
        "issues.bulk_update" => to_json(client.issues().bulk_update(&input.body()).await),
        "issues.iterate" => all(client.issues().list(&input.query()).items()).await,
        "issues.history" => to_json(client.issues().history(input.id(), &input.query()).await.map(|page| page.items)),
        "issues.comments.create" => to_json(client.issues().comments().create(input.id(), &input.body()).await),
        "issues.comments.iterate" => all(client.issues().comments().list(input.id(), &input.query()).items()).await,
        "tools.whoami" => to_json(client.tools().whoami(&crate::types::WhoamiArguments::default()).await),
        "tools.create_ticket" => to_json(client.tools().create_ticket(&input.body()).await),
        "tools.get_ticket" => to_json(client.tools().get_ticket(&input.body()).await),
        other => panic!("the scenario calls {other}: call it here as well"),
    }
}

/// The response converted back to JSON.
fn to_json<T: Serialize>(answer: Result<T, Error>) -> Result<Value, Error> {
    answer.map(|answer| serde_json::to_value(answer).unwrap())
}

async fn all<T: Serialize>(items: Items<T>) -> Result<Value, Error> {
    to_json(items.collect().await)
}

async fn follow(client: &Client, step: &Value) -> Result<Value, Error> {
    let query = serde_json::from_value(step["follow"].clone()).unwrap();
    let transport = if step["transport"] == "poll" { EventTransport::Poll } else { EventTransport::Stream };
    let options = FollowOptions { cursor: step["cursor"].as_str().map(str::to_owned), transport };
    let mut events = client.events().follow(&query, options);
    let (mut names, mut cursors) = (Vec::new(), Vec::new());
    for _ in step["names"].as_array().unwrap() {
        let next = tokio::time::timeout(Duration::from_secs(20), events.next()).await;
        let event = next.expect("an event in time").unwrap()?;
        assert!(!matches!(event.event, crate::LogEvent::Other(_)), "{event:?}");
        names.push(event.event.name().to_owned());
        cursors.push(event.cursor);
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
fn fill(raw: &Value, saved: &Saved) -> Value {
    match raw {
        Value::String(text) => {
            if let Some(path) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
                && !path.contains('}')
            {
                return lookup(path, saved);
            }
            let mut output = String::new();
            let mut rest = text.as_str();
            while let Some((before, after)) = rest.split_once("${") {
                let (path, remainder) = after.split_once('}').unwrap();
                let value = lookup(path, saved);
                output += before;
                output += &value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                rest = remainder;
            }
            Value::String(output + rest)
        }
        Value::Array(items) => items.iter().map(|item| fill(item, saved)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), fill(member, saved))).collect(),
        other => other.clone(),
    }
}

fn lookup(path: &str, saved: &Saved) -> Value {
    let mut parts = path.split('.');
    let first = &saved[parts.next().unwrap()];
    parts.fold(first, |value, part| &value[part]).clone()
}
