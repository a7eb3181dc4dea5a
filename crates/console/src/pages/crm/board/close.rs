//! Closing a deal: a form with just the members that the rules require.

use domain::DealId;
use domain::crm::deals::{DealFields, DealStage};
use domain::identity::access::UpdateDeals;
use domain::kernel::input::json::Json;

use super::{PATH, is_closed};
use crate::form::fingerprint;
use crate::pages::crm::Deals;
use crate::prelude::*;
use crate::records::{SaveOutcome, keep_change, save, stored};

pages! {
    ShowClose = "GET /deals/{deal_id}/close", access: UpdateDeals, path: DealId, query: CloseQuery => show;
    Close = "POST /deals/{deal_id}/close", access: UpdateDeals, path: DealId => close;
}

/// The pages that lead here.
const ORIGINS: [&str; 2] = ["board", DEAL];
const DEAL: &str = "deal";

/// The stage to close into.
pub(crate) struct CloseQuery {
    stage: DealStage,
    /// Whether closing returns to the deal rather than to the board.
    is_from_deal: bool,
}

impl Query for CloseQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let stage = query.choice("stage", DealStage::parse, DealStage::allowed_values);
        let from = query.choice("from", |text| ORIGINS.into_iter().find(|page| *page == text), || ORIGINS.join(", "));
        let stage = stage.filter(|stage| is_closed(*stage)).unwrap_or(DealStage::ClosedWon);
        Self { stage, is_from_deal: from == Some(DEAL) }
    }
}

#[derive(Template)]
#[template(path = "crm/close.html")]
struct ClosePage {
    shell: Shell,
    deal: String,
    action: String,
    stage: DealStage,
    was_stage: String,
    form: FormView,
    back: String,
}

/// The members that closing into a stage requires.
const fn members_of(stage: DealStage) -> &'static [&'static str] {
    match stage {
        DealStage::ClosedLost => &["lost_reason", "actual_close_date"],
        _ => &["value", "actual_close_date"],
    }
}

fn form_of(stage: DealStage, record: &Json) -> FormView {
    let form = FormView::new::<DealFields>().only(members_of(stage)).with_help_for("help-record");
    form.with_unit("value", record["currency"].as_str().unwrap_or_default())
}

fn close_page(browser: &Browser, record: &Json, stage: DealStage, form: FormView, back: String) -> ClosePage {
    let key = if stage == DealStage::ClosedWon { "close-won" } else { "close-lost" };
    ClosePage {
        shell: browser.shell(text(key)),
        deal: record["title"].as_str().unwrap_or_default().to_owned(),
        action: format!("/deals/{}/close", record["id"].as_str().unwrap_or_default()),
        stage,
        was_stage: fingerprint(record["stage"].as_str().unwrap_or_default()),
        form,
        back,
    }
}

async fn show(request: PageRequest<ShowClose>) -> PageResult {
    let PageRequest { ports, path, query, browser, .. } = request;
    let record = stored::<Deals>(&ports, &browser, path).await?;
    let stage = query.stage;
    let mut form = form_of(stage, &record).with_record(&record, &browser.preferences.zone);
    if let Some(field) = form.field_mut("actual_close_date")
        && field.value.is_empty()
    {
        field.set(&[browser.today()]);
    }
    let back = if query.is_from_deal { format!("/deals/{path}") } else { PATH.to_owned() };
    responses::page(&browser, close_page(&browser, &record, stage, form, back))
}

async fn close(request: PageRequest<Close>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    let stage = form.value("stage").and_then(DealStage::parse).filter(|stage| is_closed(*stage));
    let stage = stage.ok_or_else(|| Error::malformed("stage", "invalid_value", "must be closed_won or closed_lost"))?;
    let typed = form.clone();
    let to = form.next_path().unwrap_or(PATH).to_owned();
    let before = stored::<Deals>(&ports, &browser, path).await?;
    let error = match save::<Deals>(&ports, &browser, &permit, path, &mut form).await {
        Ok(SaveOutcome::Done(record)) => {
            let key = if stage == DealStage::ClosedWon { "closed-won" } else { "closed-lost" };
            let name = record["title"].as_str().unwrap_or_default().to_owned();
            let undo = keep_change::<Deals>(&ports, &browser, &before, &record).await;
            let notice = Notice::new(text_named(key, &name)).with_undo_of(undo);
            return Ok(responses::redirect(&browser, &to, Some(notice)));
        }
        Ok(SaveOutcome::Conflict(..)) => Error::Conflict(text("close-changed")),
        Err(error) => error,
    };
    let record = stored::<Deals>(&ports, &browser, path).await?;
    let view =
        form_of(stage, &record).with_record(&record, &browser.preferences.zone).with_input(&typed).with_error(error)?;
    responses::unprocessable(&browser, close_page(&browser, &record, stage, view, to))
}
