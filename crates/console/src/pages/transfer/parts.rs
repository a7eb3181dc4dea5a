//! Importing a file in parts. Each request contains whole rows, and each row is imported once, however often it is
//! sent.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType};
use csv_files::{report_cells, write_quoted};
use domain::identity::access::{Permit, TransferRecords};
use domain::records::{DryRunRows, RowOutcome};
use domain::transfer::{self, Batch, FileRow, Import as Begun, Progress, Repeat};
use serde_json::Value as Json;

use super::Records;
use super::plan::{Plan, number};
use super::values;
use super::words::Words;
use crate::errors::message_of;
use crate::prelude::*;
use crate::texts::sentence;

pages! {
    Import = "POST /import/{records}/rows", access: TransferRecords, path: Records => import;
    Finish = "POST /import/{records}/finish", access: TransferRecords, path: Records => finish;
}

/// The outcome of a part.
struct Done {
    progress: Progress,
    /// Indexes of the refused rows, and the reasons.
    refused: Vec<(usize, String)>,
    notes: Vec<String>,
}

async fn import(request: PageRequest<Import>) -> PageResult {
    let PageRequest { ports, permit, path: Records(kind), form, browser, renderer, .. } = request;
    let filled = match values::filled(&ports, &browser, kind, &form).await {
        Ok(filled) => filled,
        Err(error) => return answered(Err(error)),
    };
    let mapped = values::mapped(&browser, kind, &filled);
    let form = Arc::new(form);
    // A part has up to 700 KB, so the rows are parsed and the report is written on the rendering threads.
    let read = Arc::clone(&form);
    let plan = match renderer.run(move || Plan::of(kind, &read, mapped)).await? {
        Ok(plan) => plan,
        Err(error) => return answered(Err(error)),
    };
    let done = async {
        if form.value("try") == Some("true") {
            let done = rehearse(&ports, &permit, &plan, &form).await?;
            Ok((done, Some(values::shown(&ports, &browser, kind, &filled).await?)))
        } else {
            Ok((write(&ports, &permit, &plan, &form).await?, None))
        }
    };
    match done.await {
        Ok((done, values)) => {
            let answer = renderer.run_admitted(move || {
                let mut answer = answer_of(&plan, &done);
                if let Some(values) = values {
                    answer["values"] = values.into();
                }
                answer.to_string()
            });
            let mut response = HttpResponse::Ok();
            response.content_type(ContentType::json()).insert_header((CACHE_CONTROL, "no-store"));
            Ok(response.body(answer.await?))
        }
        Err(error) => answered(Err(error)),
    }
}

/// A dry run of the rows.
async fn rehearse(ports: &Ports, permit: &Permit<TransferRecords>, plan: &Plan, form: &Form) -> Result<Done, Error> {
    let tried = if form.has("created") { number(form, "created")? } else { 0 };
    let batch = Batch { dry_run_rows: Arc::new(DryRunRows::of_created(tried)), ..batch_of(plan, 0, None) };
    let done = transfer::import_batch(ports, permit, batch).await?;
    let mut progress = Progress { companies: done.companies, ..Progress::default() };
    for outcome in &done.outcomes {
        progress.add(outcome);
    }
    Ok(Done { progress, refused: refused_of(0, &done.outcomes), notes: done.notes.texts() })
}

/// Imports the rows that are not imported yet, and reports on all of them.
async fn write(ports: &Ports, permit: &Permit<TransferRecords>, plan: &Plan, form: &Form) -> Result<Done, Error> {
    let from = number(form, "from")?;
    let begun = begin(ports, permit, plan, form, from).await?;
    let behind = begun.progress.rows().checked_sub(from).ok_or_else(|| Error::Conflict(text("import-gap")))?;
    let passed = usize::try_from(behind).unwrap_or(usize::MAX).min(plan.rows.len());
    let mut done = Done { progress: begun.progress, refused: Vec::new(), notes: Vec::new() };
    if passed > 0 {
        let refusals = transfer::refusals(ports, permit, begun.digest.clone(), from + 1, from + passed as u64).await?;
        let place = |row: u64| usize::try_from(row.saturating_sub(from + 1)).unwrap_or(usize::MAX);
        done.refused.extend(refusals.into_iter().map(|refusal| (place(refusal.row), refusal.reason)));
    }
    if passed < plan.rows.len() {
        let written = transfer::import_batch(ports, permit, batch_of(plan, passed, Some(begun))).await?;
        done.refused.extend(refused_of(passed, &written.outcomes));
        done.notes = written.notes.texts();
        done.progress = written.import.map_or(done.progress, |import| import.progress);
    }
    Ok(done)
}

/// Begins the import with its first rows, or resumes it.
async fn begin(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    plan: &Plan,
    form: &Form,
    from: u64,
) -> Result<Begun, Error> {
    let digest = plan.digest(form)?;
    let again = form.value("again") == Some("true");
    match transfer::current(ports, permit, digest.clone()).await? {
        Some(begun) if begun.finished_at.is_none() => Ok(begun),
        Some(_) if !again => Err(Error::Conflict(text("import-before"))),
        _ if from > 0 => Err(Error::Conflict(text("import-gap"))),
        _ => {
            let repeat = if again { Repeat::Again } else { Repeat::Refuse };
            transfer::begin(ports, permit, digest, plan.columns.kind(), repeat).await
        }
    }
}

fn batch_of(plan: &Plan, passed: usize, import: Option<Begun>) -> Batch {
    let rows =
        plan.rows.iter().skip(passed).map(|line| FileRow { line: line.number, cells: line.cells.clone() }).collect();
    Batch { columns: plan.columns.clone(), on_match: plan.on_match, rows, import, dry_run_rows: Arc::default() }
}

fn refused_of(passed: usize, outcomes: &[RowOutcome]) -> Vec<(usize, String)> {
    let reason = |(place, outcome): (usize, &RowOutcome)| match outcome {
        RowOutcome::Refused(reason) => Some((place + passed, reason.clone())),
        _ => None,
    };
    outcomes.iter().enumerate().filter_map(reason).collect()
}

/// The results that the browser shows, and the rows of the report: the cells of each, the number of empty cells that
/// follow, and its last two cells. The script adds the empty cells, because in a file with many columns they would be
/// many times the size of the request.
fn answer_of(plan: &Plan, done: &Done) -> Json {
    // The report can be imported again, so it has the names of members.
    let words = Words::of(plan.columns.kind());
    let (mut refused, mut report) = (Vec::new(), Vec::new());
    for (place, reason) in &done.refused {
        if let Some(line) = plan.rows.get(*place) {
            refused.push(json!({ "line": line.number, "reason": words.rewrite(reason) }));
            let (cells, empty) = report_cells(&plan.header, plan.columns.is_report(), line);
            let last = [line.number.to_string(), reason.clone()];
            report.push(json!([quoted(plan.delimiter, cells), empty, quoted(plan.delimiter, &last)]));
        }
    }
    let notes: Vec<_> = done.notes.iter().map(|note| words.rewrite(note)).collect();
    json!({
        "progress": counts(done.progress), "refused": refused, "report": report, "notes": notes,
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
    let done = async {
        let filled = values::filled(&ports, &browser, kind, &form).await?;
        let plan = Plan::of(kind, &form, values::mapped(&browser, kind, &filled))?;
        let rows = number(&form, "from")?;
        let begun = transfer::current(&ports, &permit, plan.digest(&form)?).await?;
        let begun = begun.filter(|begun| begun.progress.rows() == rows);
        let begun = begun.ok_or_else(|| Error::Conflict(text("import-gap")))?;
        let progress = begun.progress;
        // This may be a repeated request whose first response was lost.
        if begun.finished_at.is_none() {
            transfer::finish(&ports, &permit, begun).await?;
        }
        Ok(json!({ "progress": counts(progress) }))
    };
    answered(done.await)
}

/// Only scripts send parts. Errors in the file are returned as JSON, and other errors as the error page.
pub(super) fn answered(done: Result<Json, Error>) -> PageResult {
    let (status, answer) = match done {
        Ok(answer) => (StatusCode::OK, answer),
        Err(error @ Error::Conflict(_)) => (StatusCode::CONFLICT, json!({ "error": message_of(&error) })),
        Err(error @ Error::Invalid(_)) => {
            let messages: Vec<_> = error.details().iter().map(|problem| sentence(&problem.message)).collect();
            (StatusCode::UNPROCESSABLE_ENTITY, json!({ "error": messages.join(" ") }))
        }
        Err(error) => return Err(error.into()),
    };
    let mut response = HttpResponse::build(status);
    Ok(response.insert_header((CACHE_CONTROL, "no-store")).json(answer))
}
