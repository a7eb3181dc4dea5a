//! Changes of many tickets at once, with the outcome of each.

use askama::Template;
use domain::console::WantedNames;
use domain::identity::access::UpdateIssues;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems};
use domain::ports::Ports;
use domain::records::RecordKind;
use domain::work::issues::{self, BulkUpdate, BulkUpdated, IssueFields};
use domain::{Error, IssueId};
use serde_json::json;

use super::path_of;
use crate::answers::{self, Notice, is_own_path};
use crate::filters;
use crate::form::Form;
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, page};
use crate::parts::{people, pick};
use crate::texts::{text, text_with};

page! {
    Bulk = "POST /tickets/bulk", access: UpdateIssues => bulk
}

/// What came of a ticket.
struct Outcome {
    href: String,
    name: String,
    /// Why it was not changed.
    error: Option<String>,
}

#[derive(Template)]
#[template(path = "tickets/bulk.html")]
struct BulkPage {
    shell: Shell,
    back: String,
    done: String,
    outcomes: Vec<Outcome>,
    /// What is wrong with the whole.
    problem: Option<String>,
}

async fn bulk(request: PageRequest<Bulk>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    let back = form.value("_next").filter(|next| is_own_path(next)).unwrap_or("/tickets").to_owned();
    if form.values("selected").next().is_none() {
        return Ok(answers::redirect(&browser, &back, Some(Notice::new(text("bulk-none")))));
    }
    let result = match pick::resolve(&ports, &browser, &mut form, &IssueFields::members()).await {
        Ok(()) => match read(&ports, &form) {
            Ok(update) => issues::bulk_update(&ports, &permit, None, update).await.and_then(IdempotentResult::made_now),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match result {
        Ok(updated) if updated.failed.is_empty() => {
            let done = text_with("bulk-changed", [("count", updated.updated.len().into())]);
            Ok(answers::redirect(&browser, &back, Some(Notice::new(done))))
        }
        Ok(updated) => {
            let outcomes = outcomes_of(&ports, &browser, &updated).await?;
            let done = text_with("bulk-changed", [("count", updated.updated.len().into())]);
            let view = BulkPage { shell: browser.shell(text("bulk-title")), back, done, outcomes, problem: None };
            answers::page(&browser, view)
        }
        Err(error @ (Error::Malformed(_) | Error::Invalid(_))) => {
            let problem = error.details().into_iter().next().map(|one| one.message);
            let done = text_with("bulk-changed", [("count", 0.into())]);
            let shell = browser.shell(text("bulk-title"));
            answers::refused(&browser, BulkPage { shell, back, done, outcomes: Vec::new(), problem })
        }
        Err(error) => Err(error.into()),
    }
}

/// The change that the form asks for: what is chosen in its fields, or what one button says.
fn read(ports: &Ports, form: &Form) -> Result<BulkUpdate, Error> {
    let mut patch = Map::new();
    for name in ["status", "priority"] {
        if let Some(value) = form.value(name).filter(|value| !value.is_empty()) {
            patch.insert(name.to_owned(), Json::from(value));
        }
    }
    match form.value("_assign").filter(|value| !value.is_empty()) {
        Some("none") => patch.insert("assignee_id".to_owned(), Json::Null),
        Some(id) => patch.insert("assignee_id".to_owned(), Json::from(id)),
        None => match form.value("assignee_id").filter(|value| !value.is_empty()) {
            Some(id) => patch.insert("assignee_id".to_owned(), Json::from(id)),
            None => None,
        },
    };
    if patch.is_empty() {
        return Err(Error::invalid("patch", "required", text("tickets-bulk-nothing")));
    }
    let ids: Vec<_> = form.values("selected").map(|value| value.split(':').next().unwrap_or_default()).collect();
    let body = json!({ "issueIds": ids, "patch": patch });
    let object = body.as_object().cloned().unwrap_or_default();
    BulkUpdate::from_object_with(object, InputMode::Create, Problems::in_context(ports))
}

async fn outcomes_of(ports: &Ports, browser: &Browser, updated: &BulkUpdated) -> Result<Vec<Outcome>, Error> {
    let failed = updated.failed.iter().map(|failure| (failure.id, Some(failure.message.clone())));
    let all: Vec<_> = failed.chain(updated.updated.iter().map(|id| (*id, None))).collect();
    let mut wanted = WantedNames::default();
    wanted.records.extend(all.iter().map(|(id, _)| (RecordKind::Ticket, id.0)));
    let names = people::names(ports, browser, wanted).await?;
    let name = |id: IssueId| names.records.get(&(RecordKind::Ticket, id.0)).cloned();
    let outcome =
        |(id, error)| Outcome { href: path_of(id), name: name(id).unwrap_or_else(|| text("record-gone")), error };
    Ok(all.into_iter().map(outcome).collect())
}
