//! Moving a deal to another column.

use domain::DealId;
use domain::crm::deals::{self, Deal, DealStage};
use domain::identity::access::{ReadDeals, UpdateDeals};

use super::cards::{Card, Head, column_headers, named_cards};
use super::{PATH, is_closed, stages};
use crate::errors::message_of;
use crate::form::fingerprint;
use crate::pages::crm::Deals;
use crate::parts::move_notice::{MoveNotice, not_moved};
use crate::prelude::*;
use crate::records::{SaveOutcome, deleted_page, keep_change, save, stored};

pages! {
    Move = "POST /deals/{deal_id}/stage", access: UpdateDeals, path: DealId => move_deal
}

/// What changes on the board: the card, and the headers of the columns.
#[derive(Template)]
#[template(path = "crm/board_moved.html")]
struct MovedPart {
    shell: Shell,
    card: Card,
    heads: Vec<Head>,
    stages: Vec<(&'static str, String)>,
    may_move: bool,
    moved: Option<MoveNotice>,
    /// Why the card was not moved.
    refusal: Option<String>,
}

async fn move_deal(request: PageRequest<Move>) -> PageResult {
    let PageRequest { ports, permit, path, mut form, browser, .. } = request;
    let stage = form.value("stage").and_then(DealStage::parse);
    let stage = stage.ok_or_else(|| {
        Error::malformed("stage", "invalid_value", format!("must be one of {}", DealStage::allowed_values()))
    })?;
    if is_closed(stage) {
        // Closing a deal asks for more input.
        return Ok(responses::redirect(&browser, &format!("/deals/{path}/close?stage={stage}"), None));
    }
    // Every deal on the board is open, or becomes open by the move.
    form.set("status", "open");
    let from = form.value("_from").and_then(DealStage::parse).filter(|from| !is_closed(*from));
    let before = match stored::<Deals>(&ports, &browser, path).await {
        Err(Error::NotFound(_)) => return deleted_page::<Deals>(&ports, &browser, path).await,
        before => before?,
    };
    let (moved, why) = match save::<Deals>(&ports, &browser, &permit, path, &mut form).await {
        Ok(SaveOutcome::Done(deal)) => {
            let mut moved = MoveNotice::new(&deal, "stage", from.map(DealStage::as_str));
            if !(browser.is_htmx && moved.moves_back_live()) {
                moved.undo = keep_change::<Deals>(&ports, &browser, &before, &deal).await;
            }
            (Some(moved), None)
        }
        Ok(SaveOutcome::Conflict(..)) => (None, Some(text("board-moved-by-others"))),
        Err(error @ (Error::NotFound(_) | Error::Store(_) | Error::Malformed(_))) => return Err(error.into()),
        Err(error) => (None, Some(message_of(&error))),
    };
    let refusal = why.map(|why| not_moved(before["title"].as_str().unwrap_or_default(), &why));
    if !browser.is_htmx {
        let notice = moved.map_or_else(|| Notice::refusal(refusal.unwrap_or_default()), MoveNotice::into_notice);
        return Ok(responses::redirect(&browser, PATH, Some(notice)));
    }
    let read = browser.permit::<ReadDeals>().ok_or(Error::RoleNeeded)?;
    let deal = domain::records::read::<Deal>(&ports, &read, path).await?;
    let totals = deals::board_totals(&ports, &read).await?;
    let mut cards = named_cards(&ports, &browser, &[&deal]).await?;
    let card = cards.pop().ok_or(Error::NotFound("deal"))?;
    // Moving the card back, like any other move, needs the stage and status that the form was rendered with.
    let moved = moved.map(|moved| {
        let was = [("_was.stage", fingerprint(stage.as_str())), ("_was.status", fingerprint("open"))];
        moved.with_fields(format!("/deals/{path}/stage"), was)
    });
    let shell = browser.shell(text("board-title"));
    let heads = column_headers(&totals);
    responses::page(&browser, MovedPart { shell, card, heads, stages: stages(), may_move: true, moved, refusal })
}
