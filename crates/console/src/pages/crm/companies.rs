//! Companies.

use domain::crm::companies::Company;
use domain::kernel::input::json::Json;
use domain::transfer::ExportedList;

use super::{Contacts, Deals};
use crate::pages::time::logged_card;
use crate::pages::work::Tasks;
use crate::prelude::*;
use crate::records::{By, ColumnOrder, Kind, KindView, Parts, Records, Related, Routes, routes, title_of_members};

/// Companies as pages.
pub(crate) type Companies = Records<Company>;

impl Kind for Companies {
    type PageData = ();

    const ROUTES: Routes = routes!("companies", "company_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::Companies;
    const VIEW: KindView = KindView {
        title: "name",
        title_of: |record| title_of_members(record, &["name"]),
        orders: &[ColumnOrder::ascending("name", "name_asc", "name_desc"), ColumnOrder::CREATED, ColumnOrder::CHANGED],
        responsible: Some("assigned_to"),
        bulk: &["assigned_to", "industry"],
        related: &[
            Related::of::<Contacts>(By::Id("company_id")),
            Related::of::<Deals>(By::Id("company_id")),
            Related::of::<Tasks>(By::Id("company_id")),
        ],
        detail_is_text: true,
        ..KindView::of("building", &["domain", "industry", "phone", "assigned_to", "updated_at"])
    };

    async fn parts(_: &Ports, browser: &Browser, record: &Json, (): ()) -> Result<Parts, Error> {
        let logged = logged_card(browser, "company_id", record)?;
        Ok(Parts { side: logged.into_iter().collect(), ..Parts::default() })
    }
}
