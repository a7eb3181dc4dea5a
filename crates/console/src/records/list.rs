//! The list of a kind.

use domain::console::WantedNames;
use domain::identity::access::ListMembers;
use domain::kernel::input::json::Json;
use domain::kernel::paging::Direction;
use domain::records::may_see_deleted;

use super::{Action, Cell, CellMaker, ColumnOrder, Kind, List, path_of};
use crate::form::FieldKind;
use crate::lists::{ListView, exports_of, totals_of, with};
use crate::parts::people;
use crate::parts::views::{self, Tabs};
use crate::prelude::*;

/// A row of a list.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) version: i64,
    pub(crate) title: String,
    pub(crate) href: String,
    pub(crate) cells: Vec<Cell>,
}

pub(crate) struct Head {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    pub(crate) is_number: bool,
    pub(crate) is_shown: bool,
    /// The URL of the list sorted by this column, or in the opposite direction if it already is.
    pub(crate) sorted: Option<String>,
    /// The direction in which the list is sorted by this column.
    pub(crate) direction: Option<Direction>,
}

impl Head {
    fn is_ascending(&self) -> bool {
        self.direction == Some(Direction::Up)
    }
}

/// What is shown around the rows besides filters and pagination.
pub(crate) struct ListTexts {
    pub(crate) path: &'static str,
    /// The name of the kind in events.
    pub(crate) kind: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) title: String,
    pub(crate) new: String,
    pub(crate) no_match: String,
    pub(crate) none: String,
    pub(crate) none_hint: String,
}

impl ListTexts {
    pub(crate) fn of<K: Kind>() -> Self {
        let key = |end: &str| text(&format!("{}-{end}", K::KIND.plural()));
        Self {
            path: K::ROUTES.path,
            kind: K::KIND.as_str(),
            icon: K::VIEW.icon,
            title: key("title"),
            new: key("new"),
            no_match: key("no-match"),
            none: key("none"),
            none_hint: key("none-hint"),
        }
    }
}

#[derive(Template)]
#[template(path = "records/list.html")]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a page")]
struct ListPage {
    shell: Shell,
    texts: ListTexts,
    list: ListView,
    title: Head,
    heads: Vec<Head>,
    rows: Vec<Row>,
    tabs: Option<Tabs>,
    is_deleted: bool,
    /// The URL of the deleted records; `None` if the caller may not see them.
    deleted: Option<String>,
    other_form: Option<(&'static str, String)>,
    more: Vec<Action>,
    /// The URLs of the exports: all columns, and visible columns.
    exports: [String; 2],
    /// The URL of the totals.
    totals: Option<String>,
    may_create: bool,
    may_update: bool,
    may_delete: bool,
}

pub(super) async fn list<K: Kind>(request: PageRequest<List<K>>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let sees_deleted = may_see_deleted(&permit, K::KIND);
    let page = K::list(&ports, &permit, query.filter, query.page).await?;
    let maker = CellMaker::new::<K>(&query.columns);
    let mut list = ListView::new::<K::Filter, _>(&browser.address, &page, &browser.preferences.zone);
    let records: Vec<Json> = page.items.iter().map(|record| json!(record)).collect();
    let mut wanted = WantedNames::default();
    for record in &records {
        CellMaker::note_names(maker.shown(), record, &mut wanted);
    }
    list.note_names(&mut wanted);
    let names = people::names(&ports, &browser, wanted).await?;
    list = list.with_names(&names).with_problems(&browser.wrong);
    let row = |record: &Json| {
        let id = record["id"].as_str().unwrap_or_default().to_owned();
        Row {
            version: record["version"].as_i64().unwrap_or_default(),
            title: (K::VIEW.title_of)(record),
            href: path_of::<K>(&id),
            cells: maker.shown().map(|column| maker.cell(column, record, &names)).collect(),
            id,
        }
    };
    let rows = records.iter().map(row).collect();
    list.filters = K::adapt_form(list.filters);
    if list.filters.fields.iter().any(|field| field.kind == FieldKind::Member) {
        let members = people::choices(&ports, &browser).await?;
        if members.is_empty() && browser.may::<ListMembers>() {
            list.search_members(&["none"]);
        }
        list.filters = list.filters.with_members(&members);
    }
    list.search_records(K::VIEW.searched);
    // Filters that need a search have no field, because the URL holds ids only.
    list.filters.fields.retain(|field| !field.has_picker());
    let tabs = views::tabs(&ports, &browser, K::KIND, K::presets(&browser)).await?;
    let is_deleted = list.kept.iter().any(|(name, value)| name == "deleted" && value == "true");
    let (path, address) = (K::ROUTES.path, browser.address.split_once('?').map_or("", |(_, query)| query).to_owned());
    let current = list.kept.iter().find(|(name, _)| name == "order").map_or("", |(_, order)| order.as_str()).to_owned();
    let head = |name: &'static str, label: String, order: Option<&'static ColumnOrder>| {
        // Deleted records have only one order.
        let order = order.filter(|_| !is_deleted);
        let direction = order.and_then(|order| order.direction_of(&current));
        let sorted = order.map(|order| crate::lists::sorted(path, &address, order.next(direction)));
        Head { name, label, is_number: false, is_shown: true, sorted, direction }
    };
    let head_of = |column: &super::Column| Head {
        is_number: column.is_number(),
        is_shown: column.is_shown,
        ..head(column.name, column.label.clone(), column.order)
    };
    let by_title = const { &K::VIEW }.orders.iter().find(|order| order.column == K::VIEW.title);
    let shown: Vec<_> = std::iter::once(K::VIEW.title).chain(maker.shown().map(|column| column.name)).collect();
    let page = ListPage {
        shell: browser.shell(text(K::ROUTES.title)),
        texts: ListTexts::of::<K>(),
        title: head(K::VIEW.title, crate::texts::label("member", K::VIEW.title), by_title),
        heads: maker.columns.iter().map(head_of).collect(),
        rows,
        tabs,
        is_deleted,
        deleted: sees_deleted.then(|| with(path, "", "deleted", "true")),
        other_form: K::VIEW.other_form.map(|(path, key)| (path, text(key))),
        more: K::actions(&browser, None).into_iter().chain(Action::import(&browser, path)).collect(),
        exports: exports_of(&browser.address, &shown),
        totals: (!is_deleted).then(|| totals_of(&browser.address)),
        may_create: browser.may::<K::Create>(),
        may_update: browser.may::<K::Update>(),
        may_delete: browser.may::<K::Delete>(),
        list,
    };
    responses::page(&browser, page)
}
