//! Names of members, keys and records, and the members to choose from.

use domain::console::{self, Names, WantedNames};
use domain::identity::access::{ListMembers, SearchRecords};
use domain::identity::members::{self, MemberFilter};
use domain::kernel::paging::PageRequest;

use crate::prelude::{Browser, Error, Ports};

/// The maximum number of members in a list of choices. In larger workspaces, members are found by typing.
const MAX_CHOICES: u32 = 100;

/// The names of these members and records, as far as the caller can read them. One statement.
pub(crate) async fn names(ports: &Ports, browser: &Browser, wanted: WantedNames) -> Result<Names, Error> {
    match browser.permit::<SearchRecords>() {
        Some(permit) => console::names_of(ports, &permit, wanted).await,
        None => Ok(Names::default()),
    }
}

/// The active members to choose from, with ids and names; empty if there are too many for a list. One statement.
pub(crate) async fn choices(ports: &Ports, browser: &Browser) -> Result<Vec<(String, String)>, Error> {
    let Some(permit) = browser.permit::<ListMembers>() else { return Ok(Vec::new()) };
    let page = members::list_entries(ports, &permit, MemberFilter::default(), PageRequest::first(MAX_CHOICES)).await?;
    if page.next_cursor.is_some() {
        return Ok(Vec::new());
    }
    let active = page.items.into_iter().filter(|member| member.active);
    let mut choices: Vec<_> = active.map(|member| (member.id.to_string(), member.name)).collect();
    choices.sort_by_key(|(_, name)| name.to_lowercase());
    Ok(choices)
}
