//! Importing a file in parts. Each request contains whole rows, and each row is imported once, however often it is
//! sent.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType};
use csv_files::{report_cells, write_quoted};
use domain::identity::access::{Permit, TransferRecords};
use domain::records::{DryRunRows, RowOutcome};
use domain::transfer::{self, Batch, FileRow, Import as ImportState, Progress, Repeat};
use serde_json::Value as Json;

use super::Records;
use super::messages::MessageRewriter;
use super::plan::{Plan, number};
use super::values;
use crate::errors::message_of;
use crate::prelude::*;
use crate::texts::sentence;

pages! {
    Import = "POST /import/{records}/rows", access: TransferRecords, path: Records => import;
    Finish = "POST /import/{records}/finish", access: TransferRecords, path: Records => finish;
}

/// The outcome of a request.
struct PartOutcome {
    progress: Progress,
    /// Indexes of the refused rows, and the reasons.
    refused: Vec<(usize, String)>,
    notes: Vec<String>,
}

async fn import(request: PageRequest<Import>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), form, browser, renderer, .. } = request;
    let defaults = match values::read(&ports, &browser, kind, &form).await {
        Ok(defaults) => defaults,
        Err(error) => return json_response(Err(error)),
    };
    let mapping = values::mapping(&browser, kind, &defaults);
    let form = Arc::new(form);
    // A part has up to 700 KB, so the rows are parsed and the report is written on the rendering threads.
    let read = Arc::clone(&form);
    let plan = match renderer.run(move || Plan::of(kind, &read, mapping)).await? {
        Ok(plan) => plan,
        Err(error) => return json_response(Err(error)),
    };
    let outcome = async {
        if form.value("try") == Some("true") {
            let outcome = dry_run(&ports, &permit, &plan, &form).await?;
            Ok((outcome, Some(values::in_words(&ports, &browser, kind, &defaults).await?)))
        } else {
            Ok((write(&ports, &permit, &plan, &form).await?, None))
        }
    };
    match outcome.await {
        Ok((outcome, values)) => {
            let json = renderer.run_admitted(move || {
                let mut json = json_of(&plan, &outcome);
                if let Some(values) = values {
                    json["values"] = values.into();
                }
                json.to_string()
            });
            let mut response = HttpResponse::Ok();
            response.content_type(ContentType::json()).insert_header((CACHE_CONTROL, "no-store"));
            Ok(response.body(json.await?))
        }
        Err(error) => json_response(Err(error)),
    }
}

/// A dry run of the rows.
async fn dry_run(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    plan: &Plan,
    form: &Form,
) -> Result<PartOutcome, Error> {
    let tried = if form.has("created") { number(form, "created")? } else { 0 };
    let batch = Batch { dry_run_rows: Arc::new(DryRunRows::of_created(tried)), ..batch_of(plan, 0, None) };
    let result = transfer::import_batch(ports, permit, batch).await?;
    let mut progress = Progress { companies: result.companies, ..Progress::default() };
    for outcome in &result.outcomes {
        progress.add(outcome);
    }
    Ok(PartOutcome { progress, refused: refused_of(0, &result.outcomes), notes: result.notes.texts() })
}

/// Imports the rows that are not imported yet, and reports on all of them.
async fn write(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    plan: &Plan,
    form: &Form,
) -> Result<PartOutcome, Error> {
    let from = number(form, "from")?;
    let current = begin(ports, permit, plan, form, from).await?;
    let ahead = current.progress.rows().checked_sub(from).ok_or_else(|| Error::Conflict(text("import-gap")))?;
    let imported = usize::try_from(ahead).unwrap_or(usize::MAX).min(plan.rows.len());
    let mut outcome = PartOutcome { progress: current.progress, refused: Vec::new(), notes: Vec::new() };
    if imported > 0 {
        let refusals =
            transfer::refusals(ports, permit, current.digest.clone(), from + 1, from + imported as u64).await?;
        let index = |row: u64| usize::try_from(row.saturating_sub(from + 1)).unwrap_or(usize::MAX);
        outcome.refused.extend(refusals.into_iter().map(|refusal| (index(refusal.row), refusal.reason)));
    }
    if imported < plan.rows.len() {
        let written = transfer::import_batch(ports, permit, batch_of(plan, imported, Some(current))).await?;
        outcome.refused.extend(refused_of(imported, &written.outcomes));
        outcome.notes = written.notes.texts();
        outcome.progress = written.import.map_or(outcome.progress, |import| import.progress);
    }
    Ok(outcome)
}

/// Begins the import with its first rows, or resumes it.
async fn begin(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    plan: &Plan,
    form: &Form,
    from: u64,
) -> Result<ImportState, Error> {
    let digest = plan.digest(form, permit)?;
    let again = form.value("again") == Some("true");
    match transfer::current(ports, permit, digest.clone()).await? {
        Some(current) if current.finished_at.is_none() => Ok(current),
        Some(_) if !again => Err(Error::Conflict(text("import-before"))),
        _ if from > 0 => Err(Error::Conflict(text("import-gap"))),
        _ => {
            let repeat = if again { Repeat::Again } else { Repeat::Refuse };
            transfer::begin(ports, permit, digest, plan.columns.kind(), repeat).await
        }
    }
}

fn batch_of(plan: &Plan, imported: usize, import: Option<ImportState>) -> Batch {
    let rows =
        plan.rows.iter().skip(imported).map(|line| FileRow { line: line.number, cells: line.cells.clone() }).collect();
    Batch { columns: plan.columns.clone(), on_match: plan.on_match, rows, import, dry_run_rows: Arc::default() }
}

fn refused_of(imported: usize, outcomes: &[RowOutcome]) -> Vec<(usize, String)> {
    let reason = |(index, outcome): (usize, &RowOutcome)| match outcome {
        RowOutcome::Refused(reason) => Some((index + imported, reason.clone())),
        _ => None,
    };
    outcomes.iter().enumerate().filter_map(reason).collect()
}

/// The response: the results that the browser shows, and the rows of the report: the cells of each, the number of empty cells that
/// follow, and its last two cells. The script adds the empty cells, because in a file with many columns they would be
/// many times the size of the request.
fn json_of(plan: &Plan, outcome: &PartOutcome) -> Json {
    // The report can be imported again, so it has the names of members.
    let rewriter = MessageRewriter::of(plan.columns.kind());
    let (mut refused, mut report) = (Vec::new(), Vec::new());
    for (index, reason) in &outcome.refused {
        if let Some(line) = plan.rows.get(*index) {
            refused.push(json!({ "line": line.number, "reason": rewriter.rewrite(reason) }));
            let (cells, empty) = report_cells(&plan.header, plan.columns.is_report(), line);
            let last = [line.number.to_string(), reason.clone()];
            report.push(json!([quoted(plan.delimiter, cells), empty, quoted(plan.delimiter, &last)]));
        }
    }
    let notes: Vec<_> = outcome.notes.iter().map(|note| rewriter.rewrite(note)).collect();
    json!({
        "progress": counts(outcome.progress), "refused": refused, "report": report, "notes": notes,
        "ignored": plan.columns.ignored(),
    })
}

/// The cells as they are written in the file, without the end of the row.
fn quoted(delimiter: u8, cells: &[String]) -> String {
    let mut row = Vec::new();
    write_quoted(&mut row, delimiter, (!cells.is_empty()).then_some(cells));
    String::from_utf8_lossy(row.trim_ascii_end()).into_owned()
}

fn counts(progress: Progress) -> Json {
    let Progress { created, updated, unchanged, skipped, refused, companies } = progress;
    json!({
        "rows": progress.rows(), "created": created, "updated": updated, "unchanged": unchanged, "skipped": skipped,
        "refused": refused, "companies": companies,
    })
}

async fn finish(request: PageRequest<Finish>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), form, browser, .. } = request;
    let result = async {
        let defaults = values::read(&ports, &browser, kind, &form).await?;
        let plan = Plan::of(kind, &form, values::mapping(&browser, kind, &defaults))?;
        let rows = number(&form, "from")?;
        let current = transfer::current(&ports, &permit, plan.digest(&form, &permit)?).await?;
        let current = current.filter(|current| current.progress.rows() == rows);
        let current = current.ok_or_else(|| Error::Conflict(text("import-gap")))?;
        let progress = current.progress;
        // This may be a repeated request whose first response was lost.
        if current.finished_at.is_none() {
            transfer::finish(&ports, &permit, current).await?;
        }
        Ok(json!({ "progress": counts(progress) }))
    };
    json_response(result.await)
}

/// Only scripts send parts. Errors in the file are returned as JSON, and other errors as the error page.
pub(super) fn json_response(result: Result<Json, Error>) -> PageResult {
    let (status, body) = match result {
        Ok(body) => (StatusCode::OK, body),
        Err(error @ Error::Conflict(_)) => (StatusCode::CONFLICT, json!({ "error": message_of(&error) })),
        Err(error @ Error::Invalid(_)) => {
            let messages: Vec<_> = error.details().iter().map(|problem| sentence(&problem.message)).collect();
            (StatusCode::UNPROCESSABLE_ENTITY, json!({ "error": messages.join(" ") }))
        }
        Err(error) => return Err(error.into()),
    };
    let mut response = HttpResponse::build(status);
    Ok(response.insert_header((CACHE_CONTROL, "no-store")).json(body))
}
