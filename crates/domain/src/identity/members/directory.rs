//! The members of a workspace as shown to everybody who may read its records, to find the people in records and possible assignees
//! (interface 22.3–22.6).

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{MemberRecord, MemberStatus, MemberView};
use crate::identity::access::{Caller, ListMembers, ManageMembers, Permit};
use crate::identity::workspaces::Role;
use crate::kernel::Weight;
use crate::kernel::input::{CreatedFilter, EmailKey, times_of_creation};
use crate::kernel::paging::{ListName, Page, PageRequest, Paginated};
use crate::kernel::search::{SearchQuery, SearchWords};
use crate::ports::{Ports, Tx, read_only, read_only_by, statement_in, weighed_read_only};
use crate::{Error, UserId, filter};

/// How many members a search reads at once. There is no search index, because a workspace has few members and a search reads only
/// those.
const SEARCHED_AT_ONCE: u32 = 1_000;

/// A member as listed. `active` is false for one who was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemberEntry {
    /// The member's id in records.
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub role: Role,
    pub active: bool,
    #[serde(skip)]
    #[schemars(skip)]
    created_at: OffsetDateTime,
}

impl Paginated for MemberEntry {
    const LIST: ListName = ListName::MEMBERS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id)
    }
}

impl MemberRecord {
    fn to_entry(&self) -> MemberEntry {
        let view = self.to_view();
        let active = view.status == MemberStatus::Active;
        let MemberView { id, name, email, role, created_at, .. } = view;
        MemberEntry { id: id.0, name, email, role, active, created_at }
    }

    fn search_words(&self) -> SearchWords {
        let mut words = SearchWords::default();
        words.text(Some(&self.name)).email(&self.email);
        words
    }
}

filter! {
    /// Filters of the list of members; what is absent matches all.
    pub struct MemberFilter {
        /// Word prefixes in name and e-mail address; all must match.
        search: Option<SearchQuery>,
        /// With this address, in any spelling.
        email: Option<EmailKey>,
    }
    only in queries {
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    together MemberFilter::check_range;
}

times_of_creation!(MemberFilter, checked);

/// Lists members in every state that match a filter, newest first.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<MemberView>, Error> {
    let rows = read_only(ports, permit, move |tx| Ok(tx.members().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page).map(|record| record.to_view()))
}

/// A page of the members who have joined the workspace, including removed ones, newest first.
///
/// # Errors
/// Store errors; [`Error::SearchTooSlow`].
pub async fn list_entries(
    ports: &Ports,
    permit: &Permit<ListMembers>,
    filter: MemberFilter,
    page: PageRequest,
) -> Result<Page<MemberEntry>, Error> {
    if filter.search.as_ref().is_some_and(SearchQuery::matches_nothing) {
        return Ok(Page::from_rows(Vec::<MemberRecord>::new(), &page).map(|record| record.to_entry()));
    }
    let weight = Weight::of_list(&page, filter.search.is_some());
    let rows = weighed_read_only(ports, permit, weight, move |tx| {
        let (email_key, created) = (filter.email.as_ref().map(EmailKey::as_str), filter.created());
        match &filter.search {
            None => Ok(tx.members().list_joined(email_key, &created, &page)?),
            Some(query) => search(tx, query, email_key, &created, &page),
        }
    })
    .await?;
    Ok(Page::from_rows(rows, &page).map(|record| record.to_entry()))
}

/// The matching members of a page, one more than its limit.
fn search(
    tx: &mut dyn Tx,
    query: &SearchQuery,
    email_key: Option<&str>,
    created: &CreatedFilter,
    page: &PageRequest,
) -> Result<Vec<MemberRecord>, Error> {
    let (mut skip, count) = (page.offset() as usize, page.limit as usize + 1);
    let mut chunk = PageRequest { limit: SEARCHED_AT_ONCE, ..page.beginning() };
    let mut matches = Vec::new();
    loop {
        let rows = tx.members().list_joined(email_key, created, &chunk)?;
        let has_more = rows.len() > SEARCHED_AT_ONCE as usize;
        let rows = &rows[..rows.len().min(SEARCHED_AT_ONCE as usize)];
        for record in rows.iter().filter(|record| record.search_words().matches(query)) {
            if skip > 0 {
                skip -= 1;
            } else {
                matches.push(record.clone());
            }
            if matches.len() == count {
                return Ok(matches);
            }
        }
        match rows.last() {
            Some(last) if has_more => {
                let (time, id) = last.cursor_key();
                chunk = PageRequest::after(time, id, SEARCHED_AT_ONCE);
            }
            _ => return Ok(matches),
        }
    }
}

/// Finds members in any state by their addresses, in any spelling. Callers that may read records may see the members in them; a
/// caller who sends an address only learns whether it belongs to a member. One statement.
pub async fn find_by_addresses(
    ports: &Ports,
    caller: &Caller,
    addresses: Vec<String>,
) -> Result<HashMap<String, UserId>, Error> {
    let keys: Vec<_> = addresses.iter().map(|address| String::from(EmailKey::of(address))).collect();
    let email_keys = keys.clone();
    let ids = statement_in(ports, caller.workspace().id, move |tx| Ok(tx.members().ids_of(&email_keys)?)).await?;
    let ids: HashMap<_, _> = ids.into_iter().collect();
    Ok(addresses.into_iter().zip(keys).filter_map(|(address, key)| Some((address, *ids.get(&key)?))).collect())
}

/// The names of the members and API keys with these ids; others are left out. One statement.
pub async fn names_of(ports: &Ports, caller: &Caller, ids: Vec<Uuid>) -> Result<HashMap<Uuid, String>, Error> {
    let names = read_only_by(ports, caller, move |tx| Ok(tx.members().names_of(&ids)?)).await?;
    Ok(names.into_iter().collect())
}
