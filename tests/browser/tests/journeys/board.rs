//! Moving cards on the board of deals, undo, and refused moves.

use browser::{AriaRole, Key, walk};
use serde_json::json;

use super::connection::lose;
use crate::deals::{DEALS, Selling, card, column};

#[tokio::test]
async fn only_a_drop_in_another_column_moves_a_card_and_its_message_undoes_it() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Pilot", 1_200), ("Renewal", 300)]).await;
        let page = &selling.page;
        page.link("Deal board").click().await;
        let (discovery, proposal) = (column(page, "Discovery"), column(page, "Proposal"));
        let version = selling.deal("Pilot").await["version"].clone();
        card(page, "Pilot").drag_to(&proposal).await;
        page.shows("Moved “Pilot” to Proposal.").await;
        page.button("Undo").click().await;
        page.shows("Moved “Pilot” to Discovery.").await;
        card(page, "Pilot").within(&discovery).wait().await;
        let undone = selling.deal("Pilot").await;
        assert_eq!(undone["stage"], "discovery");
        assert_ne!(undone["version"], version);

        let is_unmoved = async || {
            card(page, "Pilot").within(&discovery).wait().await;
            assert_eq!(page.script(ORDER, vec![]).await, json!(["Renewal", "Pilot"]), "it is where it was");
            assert_eq!(selling.deal("Pilot").await["version"], undone["version"], "nothing was sent");
        };
        // As in the list: newest first.
        page.reload().await;
        is_unmoved().await;
        card(page, "Pilot").drag_to(&page.link("Projects").within(&page.role(AriaRole::Navigation, "Main"))).await;
        is_unmoved().await;
        card(page, "Pilot").hold_over(&proposal).await;
        page.press(Key::Escape).await;
        page.let_go().await;
        is_unmoved().await;
        card(page, "Pilot").hold_over(&proposal).await;
        page.script("document.dispatchEvent(new PointerEvent('pointercancel'))", vec![]).await;
        page.let_go().await;
        is_unmoved().await;

        lose(page).await;
        card(page, "Pilot").drag_to(&proposal).await;
        page.any(AriaRole::Alert).containing("“Pilot” was not moved. The service could not answer").wait().await;
        page.set_offline(false).await;
        is_unmoved().await;
    })
    .await;
}

/// Makes a card's form outdated.
const OUTDATED: &str = "const form = document.querySelector('#cards-discovery form');
    form.elements._version.value = 0;
    form.elements['_was.stage'].value = 'other';";

#[tokio::test]
async fn several_moves_can_be_undone_and_refusals_stay_visible() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let selling = Selling::start(test, &tenant, &[("Renewal", 300), ("Pilot", 1_200)]).await;
        let page = &selling.page;
        page.link("Deal board").click().await;
        let (discovery, proposal) = (column(page, "Discovery"), column(page, "Proposal"));
        let message = |text: &str| page.any(AriaRole::Status).containing(text);
        for title in ["Pilot", "Renewal"] {
            card(page, title).drag_to(&proposal).await;
            message(&format!("Moved “{title}” to Proposal.")).wait().await;
        }
        for title in ["Pilot", "Renewal"] {
            page.button("Undo").within(&message(&format!("Moved “{title}” to Proposal."))).click().await;
            message(&format!("Moved “{title}” to Discovery.")).wait().await;
            card(page, title).within(&discovery).wait().await;
        }
        assert_eq!(page.button("Undo").count().await, 2, "one message for each card");

        // Undoing a move is refused once another user has moved the card, and the message says so.
        page.button("Undo").within(&message("Moved “Renewal” to Discovery.")).click().await;
        message("Moved “Renewal” to Proposal.").wait().await;
        let id = selling.deal("Renewal").await["id"].as_str().unwrap().to_owned();
        let _ = selling.client.patch(&format!("{DEALS}/{id}"), json!({"stage": "negotiation"})).await.expect(200);
        card(page, "Renewal").within(&column(page, "Negotiation")).wait().await;
        page.button("Undo").within(&message("Moved “Renewal” to Proposal.")).click().await;
        let refusal = |title: &str| {
            let message = format!("“{title}” was not moved. Someone else moved this deal first");
            page.any(AriaRole::Alert).containing(&message)
        };
        refusal("Renewal").wait().await;
        page.shows_no("Moved “Renewal” to Proposal.").await;

        // Reloading the board does not remove messages.
        page.reload().await;
        page.script(OUTDATED, vec![]).await;
        card(page, "Pilot").drag_to(&proposal).await;
        refusal("Pilot").wait().await;
        let _ = selling.client.patch(&format!("{DEALS}/{id}"), json!({"title": "Renewed"})).await.expect(200);
        card(page, "Renewed").wait().await;
        refusal("Pilot").wait().await;
        page.button("Close this message").click().await;
        refusal("Pilot").wait_until_gone().await;
    })
    .await;
}

/// The titles of the cards in the first column.
const ORDER: &str = "const titles = document.querySelectorAll('#cards-discovery .board-card-title');\
    return [...titles].map((one) => one.textContent)";
