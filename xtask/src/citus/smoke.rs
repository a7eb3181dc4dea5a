//! Sends the same requests to a service on the cluster and to one on plain Postgres, and compares the responses.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use regex_lite::Regex;
use serde_json::Value as Json;
use test_support::program::Service;

use super::drive::Drive;
use super::http::Response;
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use super::steps;
use crate::clients::service as running;

/// The services that use this key are temporary.
const MASTER_KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

pub(super) fn run(program: &Path, folder: &Path, nodes: &Nodes) -> Result<()> {
    let plain = responses(program, &mkdir(folder, "plain")?, None)?;
    for (step, response) in steps::all().iter().zip(&plain) {
        ensure!(response.status != 429 && response.status < 500, "{}: {response:?}", step.name());
    }
    for number in [COORDINATOR, WORKERS[0]] {
        let of_cluster = responses(program, &mkdir(folder, &format!("through-{number}"))?, Some(&nodes.url(number)))?;
        let mut differences = Vec::new();
        for ((step, plain), of_cluster) in steps::all().iter().zip(&plain).zip(&of_cluster) {
            if plain != of_cluster {
                let (pointer, plain, cluster) = first_difference("", &plain.as_json(), &of_cluster.as_json());
                differences.push(format!("{} {pointer}\n  plain:   {plain}\n  cluster: {cluster}", step.name()));
            }
        }
        ensure!(differences.is_empty(), "responses differ through node {number}:\n{}", differences.join("\n"));
        println!("citus: {} responses through node {number} match those of plain Postgres", plain.len());
    }
    Ok(())
}

/// The first place where two values differ, and both values there.
fn first_difference(pointer: &str, one: &Json, other: &Json) -> (String, Json, Json) {
    let inner: Vec<_> = match (one, other) {
        (Json::Object(ones), Json::Object(others)) if ones.keys().eq(others.keys()) => {
            ones.iter().map(|(name, one)| (name.clone(), one, &others[name])).collect()
        }
        (Json::Array(ones), Json::Array(others)) if ones.len() == others.len() => {
            ones.iter().zip(others).enumerate().map(|(index, (one, other))| (index.to_string(), one, other)).collect()
        }
        _ => Vec::new(),
    };
    match inner.into_iter().find(|(_, one, other)| one != other) {
        Some((name, one, other)) => first_difference(&format!("{pointer}/{name}"), one, other),
        None => (pointer.to_owned(), one.clone(), other.clone()),
    }
}

/// Creates a folder for a service.
pub(super) fn mkdir(folder: &Path, name: &str) -> Result<std::path::PathBuf> {
    let folder = folder.join(name);
    std::fs::create_dir(&folder).context("cannot create a folder for the service")?;
    Ok(folder)
}

/// Higher than a run needs.
const LIMITS: [(&str, &str); 2] = [("SERVICE_LIMIT_ANONYMOUS", "100000"), ("SERVICE_LIMIT_CRITICAL", "100000")];

/// Starts the service with this database, or with its own Postgres.
pub(super) fn service(program: &Path, folder: &Path, url: Option<&str>) -> Result<Service> {
    let mut settings = vec![("SERVICE_DISPATCHER", "off"), ("SERVICE_ADMIN_BIND", "off"), ("SERVICE_MIGRATE", "off")];
    settings.extend(LIMITS);
    match url {
        Some(url) => settings.extend([("DATABASE_URL", url), ("SERVICE_MASTER_KEY", MASTER_KEY)]),
        None => settings.retain(|(name, _)| *name != "SERVICE_MIGRATE"),
    }
    running::start(program, folder, &settings)
}

fn responses(program: &Path, folder: &Path, url: Option<&str>) -> Result<Vec<Response>> {
    let service = service(program, folder, url)?;
    let slug = folder.file_name().context("a folder without a name")?.to_string_lossy().into_owned();
    let mut drive = Drive::begin(&service, &slug)?;
    let responses = steps::all().iter().map(|step| drive.send(step)).collect::<Result<Vec<_>>>()?;
    service.stop()?;
    normalized(responses, &slug)
}

/// Members whose values are random or times.
const VOLATILE: &str = "last_used_at|nextCursor|cursor|reference|request_id|token|access_token|key|secret|url|reset|remaining|requests|today|this_month";

/// Normalizes values that differ between any two runs: numbers ids in order of appearance, and replaces times.
fn normalized(responses: Vec<Response>, slug: &str) -> Result<Vec<Response>> {
    let id = Regex::new("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").context("a pattern")?;
    let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").context("a pattern")?;
    // Tool results also contain their JSON as text, in which quotes are escaped.
    let volatile = format!(r#"(\\?")({VOLATILE})\\?":(\\?"[^"\\]*\\?"|\d+|null)"#);
    let volatile = Regex::new(&volatile).context("a pattern")?;
    let mut ids: Vec<String> = Vec::new();
    let mut neutral = |text: &str| {
        let text = time.replace_all(text, "TIME");
        let text = volatile.replace_all(&text, "${1}${2}${1}:${1}VOLATILE${1}").replace(slug, "SLUG");
        let numbered = id.replace_all(&text, |captures: &regex_lite::Captures<'_>| {
            let index = ids.iter().position(|it| *it == captures[0]).unwrap_or_else(|| {
                ids.push(captures[0].to_owned());
                ids.len() - 1
            });
            format!("ID-{index}")
        });
        numbered.into_owned()
    };
    responses
        .into_iter()
        .map(|response| Ok(Response { body: serde_json::from_str(&neutral(&response.body.to_string()))?, ..response }))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        let (one, other) = (json!({"a": [1, {"b": 2, "c": 3}]}), json!({"a": [1, {"b": 4, "c": 5}]}));
        assert_eq!(first_difference("", &one, &other), ("/a/1/b".to_owned(), json!(2), json!(4)));
        assert_eq!(first_difference("", &json!([1]), &json!([])), (String::new(), json!([1]), json!([])));
    }
}
