//! Names of members, keys and records, and the members that can be chosen.

use domain::Error;
use domain::console::{self, Names, WantedNames};
use domain::identity::access::{ListMembers, SearchRecords};
use domain::identity::members::{self, MemberFilter};
use domain::kernel::paging::PageRequest;
use domain::ports::Ports;

use crate::layout::Browser;

/// As many members as a list to choose from has. In a workspace with more, they are found by typing.
const MOST_LISTED: u32 = 100;

/// The names of what is wanted, as far as the caller reads it. One statement.
///
/// # Errors
/// Those of the store.
pub(crate) async fn names(ports: &Ports, browser: &Browser, wanted: WantedNames) -> Result<Names, Error> {
    match browser.permit::<SearchRecords>() {
        Some(permit) => console::names_of(ports, &permit, wanted).await,
        None => Ok(Names::default()),
    }
}

/// The active members, by id and name, to choose from; none in a workspace with too many for a list. One statement.
///
/// # Errors
/// Those of the store.
pub(crate) async fn choices(ports: &Ports, browser: &Browser) -> Result<Vec<(String, String)>, Error> {
    let Some(permit) = browser.permit::<ListMembers>() else { return Ok(Vec::new()) };
    let page = members::list_entries(ports, &permit, MemberFilter::default(), PageRequest::first(MOST_LISTED)).await?;
    if page.next_cursor.is_some() {
        return Ok(Vec::new());
    }
    let active = page.items.into_iter().filter(|member| member.active);
    let mut found: Vec<_> = active.map(|member| (member.id.to_string(), member.name)).collect();
    found.sort_by_key(|(_, name)| name.to_lowercase());
    Ok(found)
}
