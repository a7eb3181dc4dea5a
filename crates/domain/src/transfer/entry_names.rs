//! Finds the members and projects that rows of time entries name, because reports of other systems have names instead of keys.

use std::collections::HashMap;

use uuid::Uuid;

use super::Notes;
use super::by_name::distinct;
use super::link_texts::Reasons;
use super::links::{CLIENT_BY_NAME, MEMBER_BY_NAME, PROJECT_BY_NAME};
use super::side_values::keep_lines;
use crate::Error;
use crate::identity::members::{MemberRecord, MemberStatus};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::{fold, name_key};
use crate::ports::{MAX_NAMESAKE_PROJECTS, NamedProject, Tx};
use crate::records::{ImportRow, text_of};

const MEMBER: &str = "member_id";
const PROJECT: &str = "project_id";
/// What else an entry can be for: it has at most one target.
const OTHER_TARGETS: [&str; 3] = ["task_id", "ticket_id", "deal_id"];
/// How many members are read at once.
const MEMBERS_AT_ONCE: u32 = 1_000;

/// The active members and the projects that the names in a batch refer to.
#[derive(Debug, Default)]
pub(super) struct EntryNames {
    /// Members with their names, by the names without case and accents.
    members: HashMap<String, Vec<(String, Uuid)>>,
    /// Projects by [`name_key`].
    projects: HashMap<String, Vec<NamedProject>>,
    /// Companies by [`name_key`].
    clients: HashMap<String, Vec<Uuid>>,
}

impl EntryNames {
    /// Looks up all names: with one statement for projects, one for clients, and one per thousand members of the workspace.
    pub(super) fn look_up(
        tx: &mut dyn Tx,
        members: &[String],
        projects: &[String],
        clients: &[String],
    ) -> Result<Self, Error> {
        let mut names = Self::default();
        if !members.is_empty() {
            names.members = members_named(tx, members)?;
        }
        if !projects.is_empty() {
            for project in tx.projects().named(&distinct(projects))? {
                names.projects.entry(name_key(&project.name)).or_default().push(project);
            }
        }
        if !clients.is_empty() {
            for company in tx.companies().named(clients)? {
                names.clients.entry(name_key(&company.name)).or_default().push(company.id);
            }
        }
        Ok(names)
    }

    /// Sets the member and the project of a row by the names in it. `title` is the name of the system that the file comes from.
    pub(super) fn resolve(&self, title: &str, row: &mut ImportRow, refused: &mut Reasons, notes: &mut Notes) {
        if let Some(name) = text_of(row, MEMBER_BY_NAME).map(str::to_owned) {
            self.member(&name, title, row, refused, notes);
        }
        let text = |column| text_of(row, column).map(str::to_owned);
        let (project, client) = (text(PROJECT_BY_NAME), text(CLIENT_BY_NAME));
        if let Some(name) = &project
            && !OTHER_TARGETS.iter().any(|member| row.contains_key(*member))
        {
            match self.project(name, client.as_deref()) {
                Ok(id) => {
                    row.insert(PROJECT.to_owned(), id.to_string().into());
                    refused.remove(PROJECT);
                    return;
                }
                Err(reason) => notes.add(format!("{reason}: the name is kept in the note")),
            }
        }
        let lines = [("Client", client), ("Project", project)];
        let lines: Vec<_> = lines.into_iter().filter_map(|(label, text)| Some((label, text?))).collect();
        if !lines.is_empty() && replaces_note(row) {
            let message =
                "no project has this name, and the name would replace the note: correct it, or add the column note";
            refused.entry(PROJECT).or_insert_with(|| format!("{PROJECT_BY_NAME}: {message}"));
            return;
        }
        keep_lines(row, "note", title, &lines);
    }

    /// Sets the active member with this name. If there is none, the member for all rows is used, or the row is refused.
    fn member(&self, name: &str, title: &str, row: &mut ImportRow, refused: &mut Reasons, notes: &mut Notes) {
        match self.only_member(name) {
            Ok(id) => {
                row.insert(MEMBER.to_owned(), id.to_string().into());
                refused.remove(MEMBER);
            }
            Err(reason) if row.contains_key(MEMBER) && !replaces_note(row) => {
                keep_lines(row, "note", title, &[("Person", name.to_owned())]);
                notes.add(format!("{reason}: the member for all rows is used, and the name is kept in the note"));
            }
            Err(reason) => {
                let message = format!("{MEMBER_BY_NAME}: {reason}: correct the name, or give the member for all rows");
                refused.entry(MEMBER).or_insert(message);
            }
        }
    }

    /// The only active member with this name. Case does not matter, and accents only tell members apart.
    fn only_member(&self, name: &str) -> Result<Uuid, String> {
        let similar = self.members.get(&person_key(name)).map(Vec::as_slice).unwrap_or_default();
        let key = name_key(name);
        let same: Vec<_> = similar.iter().filter(|(stored, _)| name_key(stored) == key).collect();
        match (same.as_slice(), similar) {
            ([(_, id)], _) | ([], [(_, id)]) => Ok(*id),
            ([], []) => Err(format!("no active member is named {name:?}")),
            _ => Err(format!("several active members are named {name:?}")),
        }
    }

    /// The only project with this name, of this client if one is given.
    fn project(&self, name: &str, client: Option<&str>) -> Result<Uuid, String> {
        let companies = client.map(|client| self.clients.get(&name_key(client)).map(Vec::as_slice).unwrap_or_default());
        let of_client = client.map(|client| format!(" of the client {client:?}")).unwrap_or_default();
        let named = self.projects.get(&name_key(name)).map(Vec::as_slice).unwrap_or_default();
        if named.len() >= MAX_NAMESAKE_PROJECTS {
            return Err(format!("too many projects are named {name:?}"));
        }
        let is_of_client = |project: &&NamedProject| {
            companies.is_none_or(|companies| project.company_id.is_some_and(|company| companies.contains(&company.0)))
        };
        let mut found = named.iter().filter(is_of_client);
        match (found.next(), found.next()) {
            (Some(project), None) => Ok(project.id.0),
            (None, _) => Err(format!("no project{of_client} is named {name:?}")),
            (Some(_), Some(_)) => Err(format!("several projects{of_client} are named {name:?}")),
        }
    }
}

/// Whether text that is kept in the note of this row would replace the note of a stored entry.
fn replaces_note(row: &ImportRow) -> bool {
    row.contains_key("id") && !row.contains_key("note")
}

/// The name of a person without case and accents.
fn person_key(name: &str) -> String {
    fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The active members with these names, by [`person_key`].
fn members_named(tx: &mut dyn Tx, names: &[String]) -> Result<HashMap<String, Vec<(String, Uuid)>>, Error> {
    let mut found: HashMap<_, Vec<_>> = names.iter().map(|name| (person_key(name), Vec::new())).collect();
    let mut request = PageRequest::first(MEMBERS_AT_ONCE);
    loop {
        let rows = tx.members().list_joined(None, &CreatedFilter::default(), &request)?;
        let page = Page::from_rows(rows, &request);
        let next = page.next_position();
        for member in page.items.iter().map(MemberRecord::to_view) {
            if member.status == MemberStatus::Active
                && let Some(same) = found.get_mut(&person_key(&member.name))
            {
                same.push((member.name, member.id.0));
            }
        }
        match next {
            Some(position) => request = PageRequest::at(position, MEMBERS_AT_ONCE),
            None => return Ok(found),
        }
    }
}
