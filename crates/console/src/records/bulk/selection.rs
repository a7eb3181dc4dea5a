//! The records that a form selects: the ticked ones, or all that match the filters of the list.

use std::collections::{BTreeMap, HashMap};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::console::undos::MAX_UNDO_RECORDS;
use domain::kernel::input::Problems;
use domain::kernel::input::json::Json;
use domain::kernel::paging::MAX_LIMIT;
use http_core::query;
use uuid::Uuid;

use super::{MAX_TICKED, is_address_of};
use crate::form::NAME_OF;
use crate::lists::ListQuery;
use crate::page::api_query;
use crate::prelude::*;
use crate::records::{Kind, stored};

/// The field with the ids and versions of all matching records, which may be more than the maximum number of fields.
pub(super) const RECORDS: &str = "_records";
/// The bytes of one id and version in this field.
const PACKED_RECORD: usize = 24;

/// A selected record.
pub(super) struct SelectedRecord {
    pub(super) id: Uuid,
    pub(super) version: i64,
    pub(super) title: String,
    pub(super) tags: Vec<String>,
    /// The current values of the members that can be changed in bulk.
    pub(super) values: BTreeMap<&'static str, Json>,
}

impl SelectedRecord {
    pub(super) fn of<K: Kind>(record: &Json) -> Option<Self> {
        Some(Self {
            id: record["id"].as_str()?.parse().ok()?,
            version: record["version"].as_i64()?,
            title: (K::VIEW.title_of)(record),
            tags: serde_json::from_value(record["tags"].clone()).unwrap_or_default(),
            values: K::VIEW.bulk.iter().map(|name| (*name, record[*name].clone())).collect(),
        })
    }
}

/// Whether a form selects all records that match the list, rather than the ticked ones.
pub(super) fn selects_all(form: &Form) -> bool {
    form.value("_all") == Some("true")
}

/// The ticked records, with the versions that the user saw.
pub(super) fn ticked(form: &Form) -> HashMap<Uuid, i64> {
    let ids = form.values("selected").filter_map(|value| {
        let (id, version) = value.split_once(':').unwrap_or((value, ""));
        Some((id.parse().ok()?, version.parse().unwrap_or_default()))
    });
    ids.take(MAX_TICKED).collect()
}

/// The records that the page was rendered for, with the versions that the user saw.
pub(super) fn versions_in(form: &Form) -> HashMap<Uuid, i64> {
    let bytes = URL_SAFE_NO_PAD.decode(form.value(RECORDS).unwrap_or_default()).unwrap_or_default();
    let record = |pack: &[u8]| {
        let (id, version) = pack.split_at_checked(16)?;
        Some((Uuid::from_slice(id).ok()?, i64::from_be_bytes(version.try_into().ok()?)))
    };
    let pack = bytes.chunks_exact(PACKED_RECORD).take(MAX_UNDO_RECORDS).filter_map(record);
    ticked(form).into_iter().chain(pack).collect()
}

/// The value of [`RECORDS`].
pub(super) fn pack(records: &[SelectedRecord]) -> String {
    let bytes = records.iter().flat_map(|one| one.id.into_bytes().into_iter().chain(one.version.to_be_bytes()));
    URL_SAFE_NO_PAD.encode(bytes.collect::<Vec<_>>())
}

/// The name of the hidden field with a record's name.
pub(super) fn name_field(id: &Uuid) -> String {
    format!("{NAME_OF}{id}")
}

/// A record's name in the form, or else its id.
pub(super) fn name_in(form: &Form, id: &Uuid) -> String {
    form.value(&name_field(id)).map_or_else(|| id.to_string(), str::to_owned)
}

/// The current records that the form selects. One statement per hundred.
///
/// # Errors
/// [`Error::Conflict`] for more than 2,000 records, or for deleted ones.
pub(super) async fn read<K: Kind>(ports: &Ports, browser: &Browser, form: &Form) -> Result<Vec<SelectedRecord>, Error> {
    if selects_all(form) {
        return matching::<K>(ports, browser, form).await;
    }
    let ids: Vec<_> = versions_in(form).into_keys().collect();
    read_by_ids::<K, _>(ports, browser, &ids, SelectedRecord::of::<K>).await
}

/// Maps each of these records as it is now, and skips those that no longer exist. One statement per hundred.
pub(super) async fn read_by_ids<K: Kind, T>(
    ports: &Ports,
    browser: &Browser,
    ids: &[Uuid],
    map: impl Fn(&Json) -> Option<T>,
) -> Result<Vec<T>, Error> {
    // Not every list has a filter by ids.
    if let [id] = ids {
        return match stored::<K>(ports, browser, (*id).into()).await {
            Err(Error::NotFound(_)) => Ok(Vec::new()),
            record => Ok(map(&record?).into_iter().collect()),
        };
    }
    let mut records = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(MAX_TICKED) {
        let filters: Vec<_> = chunk.iter().map(|id| ("ids".to_owned(), id.to_string())).collect();
        records.extend(page_of::<K, T>(ports, browser, &filters, None, &map).await?.0);
    }
    Ok(records)
}

async fn matching<K: Kind>(ports: &Ports, browser: &Browser, form: &Form) -> Result<Vec<SelectedRecord>, Error> {
    let filters = filters_of::<K>(browser, form)?;
    let (mut records, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let (page, next) =
            page_of::<K, _>(ports, browser, &filters, cursor.as_deref(), &SelectedRecord::of::<K>).await?;
        records.extend(page);
        if records.len() > MAX_UNDO_RECORDS {
            return Err(Error::Conflict(text("bulk-too-many")));
        }
        cursor = next;
        if cursor.is_none() {
            return Ok(records);
        }
    }
}

/// A page of matching records, and the cursor of the next one.
async fn page_of<K: Kind, T>(
    ports: &Ports,
    browser: &Browser,
    filters: &[(String, String)],
    cursor: Option<&str>,
    map: &impl Fn(&Json) -> Option<T>,
) -> Result<(Vec<T>, Option<String>), Error> {
    let permit = browser.permit::<K::Read>().ok_or(Error::NotFound(K::KIND.as_str()))?;
    let mut page = form_urlencoded::Serializer::new(String::new());
    page.extend_pairs(filters).append_pair("limit", &MAX_LIMIT.to_string());
    if let Some(cursor) = cursor {
        page.append_pair("cursor", cursor);
    }
    let mut problems = Problems::in_context(ports);
    let list_query: ListQuery<K::Filter, K::Record> = query::read(&page.finish(), &mut problems);
    problems.into_result()?;
    let page = K::list(ports, &permit, list_query.filter, list_query.page).await?;
    Ok((page.items.iter().filter_map(|record| map(&json!(record))).collect(), page.next_cursor))
}

/// The filters of the list.
///
/// # Errors
/// [`Error::Malformed`] if the form does not name its list. Without filters, all records of the workspace would match.
fn filters_of<K: Kind>(browser: &Browser, form: &Form) -> Result<Vec<(String, String)>, Error> {
    let list = form.value("_next").filter(|next| is_address_of::<K>(next));
    let list = list.ok_or_else(|| Error::malformed("_next", "invalid", "must be the address of the list"))?;
    let query = api_query(list.split_once('?').map_or("", |(_, query)| query), &browser.preferences.zone);
    let filters: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    if filters.iter().any(|(name, value)| name == "deleted" && value == "true") {
        return Err(Error::Conflict(text("bulk-of-deleted")));
    }
    // A list sorted by change never ends.
    let is_filter = |name: &str| !matches!(name, "cursor" | "page" | "limit" | "columns" | "order");
    Ok(filters.into_iter().filter(|(name, _)| is_filter(name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_number_of_records_fits_in_one_field() {
        let record = |number: usize| SelectedRecord {
            id: Uuid::from_u128(u128::try_from(number).unwrap()),
            version: i64::MAX,
            title: String::new(),
            tags: Vec::new(),
            values: BTreeMap::new(),
        };
        let records: Vec<_> = (0..=MAX_UNDO_RECORDS).map(record).collect();
        let mut form = Form::default();
        form.set(RECORDS, &pack(&records));
        let versions = versions_in(&form);
        assert_eq!((versions.len(), versions.get(&records[7].id)), (MAX_UNDO_RECORDS, Some(&i64::MAX)));
        form.set(RECORDS, "AAAA");
        assert!(versions_in(&form).is_empty());
    }
}
