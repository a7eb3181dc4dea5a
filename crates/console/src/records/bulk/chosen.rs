//! The records that a form selects: those that are ticked, or all that match the filters of the list.

use std::collections::{BTreeMap, HashMap};

use domain::Error;
use domain::console::undos::MAX_UNDO_RECORDS;
use domain::kernel::input::Problems;
use domain::kernel::input::json::Json;
use domain::kernel::paging::MAX_LIMIT;
use domain::ports::Ports;
use http_core::query;
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MAX_TICKED;
use crate::form::Form;
use crate::layout::Browser;
use crate::lists::ListQuery;
use crate::page::api_query;
use crate::records::{Kind, time_of};
use crate::texts::text;

/// A record that was selected.
pub(super) struct Chosen {
    pub(super) id: Uuid,
    pub(super) version: i64,
    pub(super) changed_at: Option<OffsetDateTime>,
    pub(super) title: String,
    pub(super) tags: Vec<String>,
    /// Those of the members that can be set for many.
    pub(super) values: BTreeMap<&'static str, Json>,
}

impl Chosen {
    fn of<K: Kind>(record: &Json) -> Option<Self> {
        Some(Self {
            id: record["id"].as_str()?.parse().ok()?,
            version: record["version"].as_i64()?,
            changed_at: time_of(&record["updated_at"]),
            title: (K::SHOWN.title_of)(record),
            tags: serde_json::from_value(record["tags"].clone()).unwrap_or_default(),
            values: K::SHOWN.bulk.iter().map(|name| (*name, record[*name].clone())).collect(),
        })
    }
}

/// Whether a form is about all records that match the list, not only about those that are ticked.
pub(super) fn is_about_all(form: &Form) -> bool {
    form.value("_all") == Some("true")
}

/// The ticked records, with the versions that were seen.
pub(super) fn ticked(form: &Form) -> HashMap<Uuid, i64> {
    let ids = form.values("selected").filter_map(|value| {
        let (id, version) = value.split_once(':').unwrap_or((value, ""));
        Some((id.parse().ok()?, version.parse().unwrap_or_default()))
    });
    ids.take(MAX_TICKED).collect()
}

/// The records as they are now. One statement for each hundred.
///
/// # Errors
/// [`Error::Conflict`] for more than 2,000, or for those that are deleted.
pub(super) async fn read<K: Kind>(ports: &Ports, browser: &Browser, form: &Form) -> Result<Vec<Chosen>, Error> {
    let permit = browser.permit::<K::Read>().ok_or(Error::NotFound(K::KIND.as_str()))?;
    let filters = filters_of(browser, form)?;
    let mut chosen = Vec::new();
    if filters.is_empty() && !is_about_all(form) {
        return Ok(chosen);
    }
    let mut cursor: Option<String> = None;
    loop {
        let mut page = form_urlencoded::Serializer::new(String::new());
        page.extend_pairs(&filters).append_pair("limit", &MAX_LIMIT.to_string());
        if let Some(cursor) = &cursor {
            page.append_pair("cursor", cursor);
        }
        let mut problems = Problems::in_context(ports);
        let asked: ListQuery<K::Filter, K::Record> = query::read(&page.finish(), &mut problems);
        problems.into_result()?;
        let page = K::list(ports, &permit, asked.filter, asked.page).await?;
        let records = page.items.iter().map(|record| json!(record));
        chosen.extend(records.filter_map(|record| Chosen::of::<K>(&record)));
        if chosen.len() > MAX_UNDO_RECORDS {
            return Err(Error::Conflict(text("bulk-too-many")));
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(chosen);
        }
    }
}

/// The filters of the list, or the ids that are ticked.
fn filters_of(browser: &Browser, form: &Form) -> Result<Vec<(String, String)>, Error> {
    if !is_about_all(form) {
        return Ok(ticked(form).into_keys().map(|id| ("ids".to_owned(), id.to_string())).collect());
    }
    let list = form.value("_next").unwrap_or_default();
    let query = api_query(list.split_once('?').map_or("", |(_, query)| query), &browser.preferences.zone);
    let filters: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    if filters.iter().any(|(name, value)| name == "deleted" && value == "true") {
        return Err(Error::Conflict(text("bulk-of-deleted")));
    }
    // A list by change never ends.
    let is_filter = |name: &str| !matches!(name, "cursor" | "page" | "limit" | "columns" | "order");
    Ok(filters.into_iter().filter(|(name, _)| is_filter(name)).collect())
}
