//! Related records, as compact lists on a record's page. They are loaded separately, so that the page does not wait for
//! them.

use domain::identity::access::Caller;
use domain::kernel::input::json::Json;
use domain::records::RecordKind;

use super::{Kind, RelatedTo, path_of};
use crate::lists::with;
use crate::pages::kinds;
use crate::prelude::*;
use crate::texts;

/// A kind of records that refer to a record.
pub(crate) struct Related {
    kind: RecordKind,
    by: By,
    is_open_to: fn(&Caller) -> bool,
    may_add: fn(&Caller) -> bool,
}

impl Related {
    pub(crate) const fn of<K: Kind>(by: By) -> Self {
        Self {
            kind: K::KIND,
            by,
            is_open_to: |caller| caller.permit::<K::Read>().is_ok(),
            may_add: |caller| caller.permit::<K::Create>().is_ok(),
        }
    }
}

/// How related records are found.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// By the record's id. The filter and the form of a new record have a member with this name.
    Id(&'static str),
    /// By the record's e-mail address, with different names in the filter and in the form of a new record.
    Email { filter: &'static str, field: &'static str },
}

impl By {
    /// The filter, the form field, and the value of both.
    fn of(self, record: &Json) -> (&'static str, &'static str, &str) {
        let (filter, field, member) = match self {
            Self::Id(name) => (name, name, "id"),
            Self::Email { filter, field } => (filter, field, "email"),
        };
        (filter, field, record[member].as_str().unwrap_or_default())
    }
}

/// A compact list that is loaded later.
pub(crate) struct RelatedCard {
    pub(crate) title: String,
    pub(crate) icon: &'static str,
    /// The kind of records, for live updates.
    pub(crate) kind: &'static str,
    /// The URL of the full list.
    pub(crate) list: String,
    /// The URL of the compact list.
    pub(crate) short: String,
    /// The URL of the form for a new record.
    pub(crate) new: Option<String>,
    pub(crate) id: &'static str,
}

/// The number of records shown.
const SHORT_LENGTH: &str = "5";

/// The cards on a record's page, for the kinds that the caller can read.
pub(super) fn cards(related: &[Related], browser: &Browser, record: &Json) -> Vec<RelatedCard> {
    let Some(caller) = &browser.caller else { return Vec::new() };
    let open = related.iter().filter(|one| (one.is_open_to)(caller));
    let card = |one: &Related| {
        let (filter, field, value) = one.by.of(record);
        let filter = with("", "", filter, value);
        let filter = filter.trim_start_matches('?');
        let id = one.kind.plural();
        RelatedCard {
            title: text(&format!("{id}-title")),
            icon: kinds::of(one.kind).icon,
            kind: one.kind.as_str(),
            list: format!("/{id}?{filter}"),
            short: with(&format!("/{id}/related"), filter, "limit", SHORT_LENGTH),
            new: (one.may_add)(caller).then(|| with(&format!("/{id}/new"), "", field, value)),
            id,
        }
    };
    open.map(card).collect()
}

/// A record in a compact list.
pub(crate) struct RelatedRecord {
    pub(crate) title: String,
    pub(crate) href: String,
    pub(crate) badge: Option<(String, &'static str)>,
    pub(crate) detail: String,
}

/// A compact list.
#[derive(Template)]
#[template(path = "records/related.html")]
pub(crate) struct RelatedList {
    records: Vec<RelatedRecord>,
    has_more: bool,
}

pub(super) async fn related<K: Kind>(request: PageRequest<RelatedTo<K>>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = K::list(&ports, &permit, query.filter, query.page).await?;
    let records = page.items.iter().map(|record| {
        let record = json!(record);
        let value = ["stage", "status", "contact_type"].iter().find_map(|name| record[*name].as_str());
        let amount = K::VIEW.money.filter(|(amount, _)| !record[*amount].is_null());
        RelatedRecord {
            title: (K::VIEW.title_of)(&record),
            href: path_of::<K>(record["id"].as_str().unwrap_or_default()),
            badge: value.map(|value| (texts::label("value", value), super::cells::tone_of(value))),
            detail: amount.map_or_else(String::new, |(amount, currency)| {
                super::money(&record[amount].to_string(), record[currency].as_str().unwrap_or_default())
            }),
        }
    });
    let records = records.collect();
    responses::page(&browser, RelatedList { records, has_more: page.next_cursor.is_some() })
}
