//! Records that belong to another, as compact lists on its page: loaded on their own, so that the page waits for none.

use askama::Template;
use domain::identity::access::Caller;
use domain::kernel::input::json::Json;
use domain::records::RecordKind;
use serde_json::json;

use super::{Kind, RelatedTo, path_of};
use crate::answers;
use crate::filters;
use crate::layout::Browser;
use crate::lists::with;
use crate::page::{PageRequest, PageResult};
use crate::pages::kinds;
use crate::texts::{self, text};

/// A kind of records that belong to a record by a member.
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

/// By what related records are found.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// The id of the record: under this name the filter takes it, and the form of a new one.
    Id(&'static str),
    /// The e-mail address of the record, which the filter and the form of a new one take under names of their own.
    Email { filter: &'static str, field: &'static str },
}

impl By {
    /// The filter, the field of the form, and the value of both.
    fn of(self, record: &Json) -> (&'static str, &'static str, &str) {
        let (filter, field, member) = match self {
            Self::Id(name) => (name, name, "id"),
            Self::Email { filter, field } => (filter, field, "email"),
        };
        (filter, field, record[member].as_str().unwrap_or_default())
    }
}

/// A compact list that is still to be loaded.
pub(crate) struct RelatedCard {
    pub(crate) title: String,
    pub(crate) icon: &'static str,
    /// What they are, for what others change.
    pub(crate) kind: &'static str,
    /// The whole list.
    pub(crate) list: String,
    /// The compact one.
    pub(crate) short: String,
    /// The form of a new one.
    pub(crate) new: Option<String>,
    pub(crate) id: &'static str,
}

/// How many are shown.
const SHOWN: &str = "5";

/// The cards of a record, of which the caller sees those whose records they read.
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
            short: with(&format!("/{id}/related"), filter, "limit", SHOWN),
            new: (one.may_add)(caller).then(|| with(&format!("/{id}/new"), "", field, value)),
            id,
        }
    };
    open.map(card).collect()
}

/// A record in short.
pub(crate) struct Short {
    pub(crate) title: String,
    pub(crate) href: String,
    pub(crate) badge: Option<(String, &'static str)>,
    pub(crate) detail: String,
}

/// A compact list.
#[derive(Template)]
#[template(path = "records/related.html")]
pub(crate) struct RelatedList {
    records: Vec<Short>,
    has_more: bool,
}

pub(super) async fn related<K: Kind>(request: PageRequest<RelatedTo<K>>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = K::list(&ports, &permit, query.filter, query.page).await?;
    let records = page.items.iter().map(|record| {
        let record = json!(record);
        let value = ["stage", "status", "contact_type"].iter().find_map(|name| record[*name].as_str());
        let amount = K::SHOWN.money.filter(|(amount, _)| !record[*amount].is_null());
        Short {
            title: (K::SHOWN.title_of)(&record),
            href: path_of::<K>(record["id"].as_str().unwrap_or_default()),
            badge: value.map(|value| (texts::label("value", value), super::cells::tone_of(value))),
            detail: amount.map_or_else(String::new, |(amount, currency)| {
                super::money(&record[amount].to_string(), record[currency].as_str().unwrap_or_default())
            }),
        }
    });
    let records = records.collect();
    answers::page(&browser, RelatedList { records, has_more: page.next_cursor.is_some() })
}
