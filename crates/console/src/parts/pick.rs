//! Choosing a record or a member by typing its name: suggestions while typing, and without scripts the same search when
//! the form is sent.

use actix_web::HttpRequest;
use domain::IssueId;
use domain::console::{self, WantedNames};
use domain::identity::access::{ListMembers, SearchRecords};
use domain::identity::members::{self, MemberFilter};
use domain::kernel::input::{Problem, Problems, SchemaMember};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::search::SearchQuery;
use domain::records::RecordKind;
use http_core::path::PathIds;
use uuid::Uuid;

use crate::form::{Choice, FieldKind, ID_OF, NAME_OF, normalized};
use crate::lists::{self, SearchText};
use crate::pages::kinds;
use crate::parts::people;
use crate::prelude::*;
use crate::texts;

pages! {
    Pick = "GET /pick/{kind}", access: SearchRecords, path: Pickable, query: SearchText => pick;
    Narrow = "GET /pick/{kind}/filter", access: SearchRecords, path: Pickable, query: FilterSearch => narrow;
}

const MAX_SUGGESTIONS: u32 = 8;

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pickable {
    Member,
    Record(RecordKind),
}

impl Pickable {
    fn parse(text: &str) -> Option<Self> {
        if text == "member" { Some(Self::Member) } else { RecordKind::parse(text).map(Self::Record) }
    }
}

impl PathIds for Pickable {
    fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
        request.match_info().get("kind").and_then(Self::parse).unwrap_or_else(|| {
            let message = format!("must be member or one of {}", RecordKind::allowed_values());
            problems.shape("kind", "invalid_value", message);
            Self::Member
        })
    }
}

/// A search for the value of a filter, and the list to filter.
pub(crate) struct FilterSearch {
    typed: String,
    name: String,
    list: String,
}

impl Query for FilterSearch {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let mut single = |name| Parameters::single(query, name).unwrap_or_default();
        Self { typed: single("q"), name: single("name"), list: single("list") }
    }
}

/// A suggested record or member.
pub(crate) struct Suggestion {
    id: Uuid,
    name: String,
    detail: String,
}

impl Suggestion {
    /// The name, with what tells it apart from others of the same name.
    fn label(&self) -> String {
        if self.detail.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.detail) }
    }

    fn choice(&self) -> Choice {
        Choice::new(self.id.to_string(), self.label(), false)
    }
}

#[derive(Template)]
#[template(path = "parts/pick.html")]
struct PickList {
    suggestions: Vec<Suggestion>,
}

async fn pick(request: PageRequest<Pick>) -> PageResult {
    let suggestions = search(&request.ports, &request.browser, request.path, &request.query.0).await?;
    responses::page(&request.browser, PickList { suggestions })
}

#[derive(Template)]
#[template(path = "parts/pick_filter.html")]
struct FilterPage {
    shell: Shell,
    action: String,
    filter_search: FilterSearch,
    /// The results, each with the URL of the list filtered by it.
    suggestions: Vec<(Suggestion, String)>,
}

/// A search whose results are links to the list with one more filter value. A list is filtered by one record of a kind at a time.
async fn narrow(request: PageRequest<Narrow>) -> PageResult {
    let PageRequest { ports, path, query: mut filter_search, browser, .. } = request;
    if !is_own_path(&filter_search.list) {
        "/".clone_into(&mut filter_search.list);
    }
    let (list, filters) = filter_search.list.split_once('?').unwrap_or((&filter_search.list, ""));
    let suggestions = search(&ports, &browser, path, &filter_search.typed).await?;
    let suggestions = suggestions.into_iter().map(|suggestion| {
        let (name, id) = (&filter_search.name, suggestion.id.to_string());
        let chosen = match path {
            Pickable::Member => lists::and(list, filters, name, &id),
            Pickable::Record(_) => lists::with(list, filters, name, &id),
        };
        (suggestion, chosen)
    });
    let suggestions = suggestions.collect();
    let action = browser.address.split('?').next().unwrap_or_default().to_owned();
    let name = texts::label("member", &filter_search.name);
    let title = if path == Pickable::Member { "filter-by-member" } else { "filter-by-record" };
    let shell = browser.shell(text_named(title, &name));
    responses::page(&browser, FilterPage { shell, action, filter_search, suggestions })
}

async fn search(ports: &Ports, browser: &Browser, pickable: Pickable, typed: &str) -> Result<Vec<Suggestion>, Error> {
    // A search without words, or with too many, finds nothing.
    let Ok(Some(words)) = SearchQuery::parse(typed) else { return Ok(Vec::new()) };
    match pickable {
        Pickable::Member => {
            let Some(permit) = browser.permit::<ListMembers>() else { return Ok(Vec::new()) };
            let filter = MemberFilter { search: Some(words), ..MemberFilter::default() };
            let page = members::list_entries(ports, &permit, filter, Paging::first(MAX_SUGGESTIONS)).await?;
            let active = page.items.into_iter().filter(|member| member.active);
            Ok(active.map(|member| Suggestion { id: member.id, name: member.name, detail: member.email }).collect())
        }
        Pickable::Record(kind) => {
            let Some(permit) = browser.permit::<SearchRecords>() else { return Ok(Vec::new()) };
            let results = console::search_kind(ports, &permit, kind, words).await?;
            let pages = kinds::of(kind);
            let suggestions = results.into_iter().map(|one| Suggestion {
                id: one.id,
                name: one.title,
                detail: pages.detail(one.detail),
            });
            let suggestions = suggestions.collect();
            if kind == RecordKind::Task { with_projects(ports, browser, suggestions).await } else { Ok(suggestions) }
        }
    }
}

/// Adds the projects of tasks, since tasks of different projects often have the same title. Two statements at most.
async fn with_projects(ports: &Ports, browser: &Browser, mut tasks: Vec<Suggestion>) -> Result<Vec<Suggestion>, Error> {
    let projects = people::projects_of(ports, browser, tasks.iter().map(|task| IssueId(task.id)).collect()).await?;
    let records = projects.values().map(|id| (RecordKind::Project, *id)).collect();
    let names = people::names(ports, browser, WantedNames { records, ..WantedNames::default() }).await?;
    for task in &mut tasks {
        let project = projects.get(&task.id).and_then(|id| names.records.get(&(RecordKind::Project, *id)));
        if let Some(project) = project {
            task.detail = format!("{project}, {}", task.detail);
        }
    }
    Ok(tasks)
}

/// The matches of each field whose text has several.
pub(crate) type Offers = Vec<(&'static str, Vec<Choice>)>;

/// Replaces the typed names of members and records by ids: that of the suggestion that was picked, a typed id, or that
/// of the only match of a search.
///
/// # Errors
/// [`Error::Invalid`] by the names of the fields whose text has no match, or more than one.
pub(crate) async fn resolve(
    ports: &Ports,
    browser: &Browser,
    form: &mut Form,
    members: &[SchemaMember],
) -> Result<(), Error> {
    resolve_or_offer(ports, browser, form, members, &mut Offers::new()).await
}

/// Like [`resolve`]. Adds the matches of a text that has several to `offers`, for [`FormView::with_offers`].
///
/// # Errors
/// Those of [`resolve`].
pub(crate) async fn resolve_or_offer(
    ports: &Ports,
    browser: &Browser,
    form: &mut Form,
    members: &[SchemaMember],
    offers: &mut Offers,
) -> Result<(), Error> {
    let mut problems = Vec::new();
    for member in members {
        let pickable = match FieldKind::of(member) {
            FieldKind::Member => Pickable::Member,
            FieldKind::Record(kind) => Pickable::Record(kind),
            _ => continue,
        };
        let Some(typed) = form.value(member.name).map(normalized) else { continue };
        if typed.is_empty() || typed.parse::<Uuid>().is_ok() {
            continue;
        }
        let picked = form.value(&format!("{ID_OF}{}", member.name)).filter(|id| !id.is_empty());
        let is_picked = form.value(&format!("{NAME_OF}{}", member.name)).map(normalized).as_deref() == Some(&*typed);
        if let Some(id) = picked.filter(|_| is_picked).map(str::to_owned) {
            form.set(member.name, &id);
            continue;
        }
        match only_match(find(ports, browser, pickable, &typed).await?, &typed) {
            Ok(suggestion) => {
                form.set(member.name, &suggestion.id.to_string());
                form.set(&format!("{NAME_OF}{}", member.name), &suggestion.name);
            }
            Err(matches) => {
                problems.push(Problem::new(member.name, "not_found", no_match(&matches, &typed)));
                offers.push((member.name, matches.iter().map(Suggestion::choice).collect()));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}

/// Finds a typed name, which may be followed by its detail in parentheses, as messages show it.
async fn find(ports: &Ports, browser: &Browser, pickable: Pickable, typed: &str) -> Result<Vec<Suggestion>, Error> {
    let found = search(ports, browser, pickable, typed).await?;
    let Some((name, _)) = typed.split_once(" (").filter(|_| found.is_empty() && typed.ends_with(')')) else {
        return Ok(found);
    };
    let mut found = search(ports, browser, pickable, name).await?;
    found.retain(|suggestion| suggestion.label().eq_ignore_ascii_case(typed));
    Ok(found)
}

/// The match with exactly this name, or else the only match.
///
/// # Errors
/// All matches.
fn only_match(mut suggestions: Vec<Suggestion>, typed: &str) -> Result<Suggestion, Vec<Suggestion>> {
    let is_called = |suggestion: &Suggestion| {
        suggestion.name.eq_ignore_ascii_case(typed)
            || (!suggestion.detail.is_empty() && suggestion.detail.eq_ignore_ascii_case(typed))
    };
    let mut called = (0..suggestions.len()).filter(|place| is_called(&suggestions[*place]));
    let only = match (called.next(), called.next()) {
        (Some(place), None) => Some(place),
        (None, _) if suggestions.len() == 1 => Some(0),
        _ => None,
    };
    match only {
        Some(place) => Ok(suggestions.swap_remove(place)),
        None => Err(suggestions),
    }
}

/// Why a text was not taken.
fn no_match(matches: &[Suggestion], typed: &str) -> String {
    if matches.is_empty() {
        return text_with("pick-none", [("typed", typed.into())]);
    }
    let names = matches.iter().take(5).map(Suggestion::label).collect::<Vec<_>>().join(", ");
    text_with("pick-several-names", [("names", names.into())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggestion(number: u128, name: &str, detail: &str) -> Suggestion {
        Suggestion { id: Uuid::from_u128(number), name: name.to_owned(), detail: detail.to_owned() }
    }

    #[test]
    fn the_exact_name_or_the_only_match_is_taken() {
        let all = || vec![suggestion(1, "Client meeting", "Shop, To do"), suggestion(2, "Client", "")];
        let taken = |found: Vec<Suggestion>, typed: &str| only_match(found, typed).map(|one| one.id.as_u128());
        for (found, typed, id) in [
            (all(), "client", Some(2)),
            (all(), "shop, to do", Some(1)),
            (all(), "cli", None),
            (all().split_off(1), "cli", Some(2)),
            (Vec::new(), "cli", None),
        ] {
            assert_eq!(taken(found, typed).ok(), id, "{typed}");
        }
    }

    #[test]
    fn matches_with_the_same_name_are_told_apart() {
        let all = vec![suggestion(1, "Meeting", "Shop, To do"), suggestion(2, "Meeting", "Roastery, To do")];
        let matches = only_match(all, "meeting").map(|one| one.name).unwrap_err();
        let message = no_match(&matches, "meeting");
        assert!(message.contains("Meeting (Shop, To do), Meeting (Roastery, To do)"), "{message}");
        let second = matches[1].choice();
        assert_eq!((second.value, &*second.label), (Uuid::from_u128(2).to_string(), "Meeting (Roastery, To do)"));
    }
}
