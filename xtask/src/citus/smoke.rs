//! The same requests to the service over the cluster and to one over a plain Postgres, whose answers are compared.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use regex_lite::Regex;
use serde_json::{Value as Json, json};

use super::http::{Answer, Client};
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use crate::clients::service::Service;

/// Of a service that is gone a moment later.
const MASTER_KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// A request: its name, by which later ones refer to its id as `{name}`, method, path, body.
type Step = (&'static str, &'static str, &'static str, Json);

/// Every kind of record, made, read, listed, changed and found; and what broke over a cluster once.
fn steps() -> Vec<Step> {
    let none = Json::Null;
    vec![
        ("company", "POST", "/api/v1/crm/companies", json!({"name": "Acme", "domain": "acme.example"})),
        ("", "POST", "/api/v1/crm/companies", json!({"name": "Other", "domain": "acme.example"})),
        ("contact", "POST", "/api/v1/crm/contacts", json!({"email": "ada@acme.example", "company_id": "{company}"})),
        ("", "POST", "/api/v1/crm/contacts", json!({"email": "ADA@acme.example"})),
        ("", "POST", "/api/v1/crm/contacts", json!({"email": "b@acme.example", "company_id": "{contact}"})),
        ("deal", "POST", "/api/v1/crm/deals", json!({"title": "Pilot", "value": 120.5, "contact_id": "{contact}"})),
        ("", "GET", "/api/v1/crm/deals/{deal}", none.clone()),
        ("", "PATCH", "/api/v1/crm/deals/{deal}", json!({"status": "closed_won"})),
        ("", "GET", "/api/v1/crm/deals?status=closed_won", none.clone()),
        ("", "GET", "/api/v1/crm/contacts?search=ada", none.clone()),
        ("", "POST", "/api/v1/crm/deals/{deal}/comments", json!({"body": "Well done"})),
        ("", "GET", "/api/v1/crm/deals/{deal}/comments", none.clone()),
        ("", "GET", "/api/v1/crm/deals/{deal}/history", none.clone()),
        ("project", "POST", "/api/v1/projects", json!({"name": "Rollout", "deal_id": "{deal}"})),
        (
            "cycle",
            "POST",
            "/api/v1/projects/{project}/cycles",
            json!({"name": "One", "start_date": "2026-01-01", "end_date": "2026-01-14"}),
        ),
        ("epic", "POST", "/api/v1/issues", json!({"kind": "task", "title": "Epic", "project_id": "{project}"})),
        (
            "task",
            "POST",
            "/api/v1/issues",
            json!({"kind": "task", "title": "Task", "project_id": "{project}", "parent_id": "{epic}", "cycle_id": "{cycle}"}),
        ),
        ("", "PATCH", "/api/v1/issues/{epic}", json!({"parent_id": "{task}"})),
        ("", "PATCH", "/api/v1/issues/{task}", json!({"status": "done"})),
        ("", "GET", "/api/v1/projects/{project}/cycles/{cycle}", none.clone()),
        ("", "GET", "/api/v1/issues?kind=task&project_id={project}", none.clone()),
        ("", "GET", "/api/v1/issues?kind=task&search=task", none.clone()),
        ("ticket", "POST", "/api/v1/issues", json!({"kind": "ticket", "title": "Help"})),
        ("", "POST", "/api/v1/issues/{ticket}/comments", json!({"body": "Looking", "visibility": "internal"})),
        ("", "GET", "/api/v1/issues/{ticket}", none.clone()),
        ("", "GET", "/api/v1/events?limit=100", none.clone()),
        ("", "DELETE", "/api/v1/crm/contacts/{contact}", none.clone()),
        ("", "GET", "/api/v1/crm/contacts/{contact}", none.clone()),
        ("", "POST", "/api/v1/crm/contacts/{contact}/restore", none.clone()),
        ("", "GET", "/api/v1/me", none),
    ]
}

pub(super) fn run(program: &Path, folder: &Path, nodes: &Nodes) -> Result<()> {
    let plain = answers(program, &made(folder, "plain")?, None)?;
    for number in [COORDINATOR, WORKERS[0]] {
        let of_cluster = answers(program, &made(folder, &format!("through-{number}"))?, Some(&nodes.url(number)))?;
        let mut differences = Vec::new();
        for ((step, plain), of_cluster) in steps().iter().zip(&plain).zip(&of_cluster) {
            if plain != of_cluster {
                differences.push(format!("{} {}\n  plain:   {plain:?}\n  cluster: {of_cluster:?}", step.1, step.2));
            }
        }
        ensure!(differences.is_empty(), "answers differ through node {number}:\n{}", differences.join("\n"));
        println!("citus: {} answers through node {number} are those of a plain Postgres", plain.len());
    }
    Ok(())
}

fn made(folder: &Path, name: &str) -> Result<std::path::PathBuf> {
    let folder = folder.join(name);
    std::fs::create_dir(&folder).context("cannot create a folder for the service")?;
    Ok(folder)
}

/// Starts the service, over its own Postgres unless there is an address.
pub(super) fn service(program: &Path, folder: &Path, url: Option<&str>) -> Result<Service> {
    let mut settings = vec![("SERVICE_DISPATCHER", "off"), ("SERVICE_ADMIN_BIND", "off"), ("SERVICE_MIGRATE", "off")];
    match url {
        Some(url) => settings.extend([("DATABASE_URL", url), ("SERVICE_MASTER_KEY", MASTER_KEY)]),
        None => settings.retain(|(name, _)| *name != "SERVICE_MIGRATE"),
    }
    Service::start(program, folder, &settings)
}

fn answers(program: &Path, folder: &Path, url: Option<&str>) -> Result<Vec<Answer>> {
    let service = service(program, folder, url)?;
    let slug = folder.file_name().context("a folder without a name")?.to_string_lossy().into_owned();
    let client = Client { key: service.make_key_in(&slug)?, address: service.address.clone() };
    let (mut ids, mut answers) = (Vec::new(), Vec::new());
    for (name, method, path, body) in steps() {
        let filled = |text: &str| {
            ids.iter()
                .fold(text.to_owned(), |text, (name, id): &(&str, String)| text.replace(&format!("{{{name}}}"), id))
        };
        let body = (!body.is_null()).then(|| serde_json::from_str(&filled(&body.to_string()))).transpose()?;
        let answer = client.send(method, &filled(path), body.as_ref())?;
        if !name.is_empty() {
            let Ok(id) = answer.id() else { bail!("{method} {path}: {answer:?}") };
            ids.push((name, id));
        }
        answers.push(answer);
    }
    service.end()?;
    without_chance(answers, &slug)
}

/// What differs between any two runs becomes the same: ids in the order of their appearance, and times.
fn without_chance(answers: Vec<Answer>, slug: &str) -> Result<Vec<Answer>> {
    let id = Regex::new("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").context("a pattern")?;
    let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").context("a pattern")?;
    let chance = Regex::new(r#""(nextCursor|reference|request_id)":"[^"]*""#).context("a pattern")?;
    let mut seen: Vec<String> = Vec::new();
    let mut neutral = |text: &str| {
        let text = time.replace_all(text, "TIME");
        let text = chance.replace_all(&text, "\"$1\":\"CHANCE\"").replace(slug, "SLUG");
        let named = id.replace_all(&text, |found: &regex_lite::Captures<'_>| {
            let place = seen.iter().position(|seen| *seen == found[0]).unwrap_or_else(|| {
                seen.push(found[0].to_owned());
                seen.len() - 1
            });
            format!("ID-{place}")
        });
        named.into_owned()
    };
    answers
        .into_iter()
        .map(|answer| Ok(Answer { body: serde_json::from_str(&neutral(&answer.body.to_string()))?, ..answer }))
        .collect()
}
