//! Deals.

use domain::DealId;
use domain::crm::deals::{Deal, DealStage, DealStatus};
use domain::identity::access::UpdateDeals;
use domain::kernel::input::json::Json;
use domain::transfer::ExportedList;

use super::board::is_closed;
use crate::form::{WAS, fingerprint};
use crate::pages::time::start_button;
use crate::pages::work::Tasks;
use crate::prelude::*;
use crate::records::{By, ColumnOrder, Kind, KindView, Markup, Parts, Records, Related, Routes, routes};

/// Deals as pages.
pub(crate) type Deals = Records<Deal>;

impl Kind for Deals {
    type PageData = ();

    const ROUTES: Routes = routes!("deals", "deal_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::Deals;
    const VIEW: KindView = KindView {
        orders: &[
            ColumnOrder::descending("value", "value_asc", "value"),
            ColumnOrder::ascending("expected_close_date", "expected_close_asc", "expected_close_desc"),
            ColumnOrder::CREATED,
            ColumnOrder::CHANGED,
        ],
        money: Some(("value", "currency")),
        // Used by other systems, which set them over the API.
        hidden: &["price_book_id", "package_id", "developer_id"],
        usual: &["title", "value", "currency", "company_id", "contact_id", "assigned_to", "expected_close_date"],
        responsible: Some("assigned_to"),
        bulk: &["stage", "status", "assigned_to", "expected_close_date"],
        has_tags: true,
        related: &[Related::of::<Tasks>(By::Id("deal_id"))],
        other_form: Some((super::board::PATH, "board-title")),
        is_open: |status| DealStatus::parse(status).is_none_or(DealStatus::is_open),
        reopened: Some("open"),
        ..KindView::of("briefcase", &["stage", "value", "company_id", "assigned_to", "expected_close_date"])
    };

    /// Closing asks for more than the stage or the status that is chosen in place.
    fn next_step(id: DealId, form: &Form) -> Option<String> {
        let member = form.value("_field").filter(|member| matches!(*member, "stage" | "status"))?;
        let value = form.value(member)?;
        let is_new = form.value(&format!("{WAS}{member}")).is_none_or(|was| was != fingerprint(value));
        let closes = DealStage::parse(value).is_some_and(is_closed);
        (closes && is_new).then(|| format!("/deals/{id}/close?stage={value}&from=deal"))
    }

    /// Closing an open deal, and the timer.
    async fn parts(_: &Ports, browser: &Browser, record: &Json, (): ()) -> Result<Parts, Error> {
        let Some(id) = record["id"].as_str() else { return Ok(Parts::default()) };
        let stage = record["stage"].as_str().and_then(DealStage::parse);
        let is_open = stage.is_some_and(|stage| !is_closed(stage));
        let may_close = is_open && browser.may::<UpdateDeals>();
        let close = may_close.then(|| Markup::of(&DealActions { id })).transpose()?;
        let start = start_button(browser, "deal_id", id, &format!("{}/{id}", Self::ROUTES.path))?;
        Ok(Parts { actions: close.into_iter().chain(start).collect(), ..Parts::default() })
    }
}

/// The links that close an open deal, as on the board.
#[derive(Template)]
#[template(path = "crm/deal_actions.html")]
struct DealActions<'a> {
    id: &'a str,
}
