//! Looks up the names of records and people by their ids (interface 26.60).

use std::collections::HashMap;

use uuid::Uuid;

use super::{FoundRecord, RecordSearch};
use crate::identity::access::{Permit, SearchRecords};
use crate::kernel::Weight;
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, read_only, weighed_read_only};
use crate::records::RecordKind;
use crate::{CompanyId, Error};

/// The maximum number of ids per look-up, which is enough for the largest page.
pub const MAX_NAMES: usize = 1_000;

/// The ids whose names to look up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WantedNames {
    /// Members and API keys.
    pub people: Vec<Uuid>,
    pub records: Vec<(RecordKind, Uuid)>,
}

/// The names by id. Records that are deleted, or that the caller may not read, have none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    pub people: HashMap<Uuid, String>,
    pub records: HashMap<(RecordKind, Uuid), String>,
}

/// The names of members, API keys and records with these ids. One statement; none without ids.
pub async fn names_of(ports: &Ports, permit: &Permit<SearchRecords>, wanted: WantedNames) -> Result<Names, Error> {
    look_up(ports, permit, wanted).await
}

async fn look_up<P>(ports: &Ports, permit: &Permit<P>, mut wanted: WantedNames) -> Result<Names, Error> {
    wanted.people.sort_unstable();
    wanted.people.dedup();
    wanted.people.truncate(MAX_NAMES);
    wanted.records.retain(|(kind, _)| permit.may_read_here(kind.reads()));
    wanted.records.sort_unstable_by_key(|(kind, id)| (kind.as_str(), *id));
    wanted.records.dedup();
    wanted.records.truncate(MAX_NAMES);
    if wanted.people.is_empty() && wanted.records.is_empty() {
        return Ok(Names::default());
    }
    read_only(ports, permit, move |tx| Ok(tx.record_search().names_of(&wanted)?)).await
}

/// The names of live records, of the kinds that the caller may read. One statement; none without ids.
pub async fn names_of_records<P>(
    ports: &Ports,
    permit: &Permit<P>,
    records: Vec<(RecordKind, Uuid)>,
) -> Result<HashMap<(RecordKind, Uuid), String>, Error> {
    Ok(look_up(ports, permit, WantedNames { records, ..WantedNames::default() }).await?.records)
}

/// The names of live companies; empty for a caller who may not read companies. One statement; none without ids.
pub async fn names_of_companies<P>(
    ports: &Ports,
    permit: &Permit<P>,
    ids: Vec<CompanyId>,
) -> Result<HashMap<CompanyId, String>, Error> {
    let records = ids.into_iter().map(|id| (RecordKind::Company, id.0)).collect();
    let found = names_of_records(ports, permit, records).await?;
    Ok(found.into_iter().map(|((_, id), name)| (CompanyId(id), name)).collect())
}

/// Finds the newest few records of one kind by word prefixes.
///
/// # Errors
/// [`Error::NotFound`] for a kind that the caller may not read; [`Error::SearchTooSlow`].
pub async fn search_kind(
    ports: &Ports,
    permit: &Permit<SearchRecords>,
    kind: RecordKind,
    words: SearchQuery,
) -> Result<Vec<FoundRecord>, Error> {
    if !permit.may_read_here(kind.reads()) {
        return Err(Error::NotFound(kind.as_str()));
    }
    if words.matches_nothing() {
        return Ok(Vec::new());
    }
    let search = RecordSearch { words, kinds: vec![kind], drafts: false, comments: Vec::new() };
    weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.record_search().search_records(&search)?)).await
}
