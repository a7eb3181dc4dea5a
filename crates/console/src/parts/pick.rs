//! Choosing a record or a member by typing its name: suggestions while typing, and without scripts the same search when
//! the form is sent.

use actix_web::HttpRequest;
use domain::IssueId;
use domain::console::{self, MAX_RESULTS_PER_KIND, WantedNames};
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

/// The results of a search, and whether there may be more.
#[derive(Default)]
struct Matches {
    suggestions: Vec<Suggestion>,
    may_have_more: bool,
}

#[derive(Template)]
#[template(path = "parts/pick.html")]
struct PickList {
    suggestions: Vec<Suggestion>,
}

async fn pick(request: PageRequest<Pick>) -> PageResult {
    let suggestions = search(&request.ports, &request.browser, request.path, &request.query.0).await?.suggestions;
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
    let suggestions = search(&ports, &browser, path, &filter_search.typed).await?.suggestions;
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

async fn search(ports: &Ports, browser: &Browser, pickable: Pickable, typed: &str) -> Result<Matches, Error> {
    // A search without words, or with too many, finds nothing.
    let Ok(Some(words)) = SearchQuery::parse(typed) else { return Ok(Matches::default()) };
    match pickable {
        Pickable::Member => {
            let Some(permit) = browser.permit::<ListMembers>() else { return Ok(Matches::default()) };
            let filter = MemberFilter { search: Some(words), ..MemberFilter::default() };
            let page = members::list_entries(ports, &permit, filter, Paging::first(MAX_SUGGESTIONS)).await?;
            let active = page.items.into_iter().filter(|member| member.active);
            let suggestions = active.map(|one| Suggestion { id: one.id, name: one.name, detail: one.email }).collect();
            Ok(Matches { suggestions, may_have_more: page.has_more })
        }
        Pickable::Record(kind) => {
            let Some(permit) = browser.permit::<SearchRecords>() else { return Ok(Matches::default()) };
            let results = console::search_kind(ports, &permit, kind, words).await?;
            let may_have_more = results.len() >= MAX_RESULTS_PER_KIND as usize;
            let pages = kinds::of(kind);
            let suggestions = results.into_iter().map(|one| Suggestion {
                id: one.id,
                name: one.title,
                detail: pages.detail(one.detail),
            });
            let mut suggestions = suggestions.collect();
            if kind == RecordKind::Task {
                suggestions = with_projects(ports, browser, suggestions).await?;
            }
            Ok(Matches { suggestions, may_have_more })
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
        let Matches { suggestions, may_have_more } = find(ports, browser, pickable, &typed).await?;
        match only_match(suggestions, &typed) {
            Ok(suggestion) => {
                form.set(member.name, &suggestion.id.to_string());
                form.set(&format!("{NAME_OF}{}", member.name), &suggestion.name);
            }
            Err(matches) => {
                problems.push(Problem::new(member.name, "not_found", no_match(&matches, &typed, may_have_more)));
                offers.push((member.name, matches.iter().map(Suggestion::choice).collect()));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}

/// Finds a typed name. If a detail in parentheses follows it, as messages show it, that label comes first, since the
/// same words may also be the name of another record.
async fn find(ports: &Ports, browser: &Browser, pickable: Pickable, typed: &str) -> Result<Matches, Error> {
    if let Some((name, _)) = typed.split_once(" (").filter(|_| typed.ends_with(')')) {
        let mut matches = search(ports, browser, pickable, name).await?;
        matches.suggestions.retain(|suggestion| suggestion.label().eq_ignore_ascii_case(typed));
        if !matches.suggestions.is_empty() {
            return Ok(matches);
        }
    }
    search(ports, browser, pickable, typed).await
}

/// The match with exactly this name, or else the only match.
///
/// # Errors
/// All matches, those with exactly this name first.
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
    let Some(place) = only else {
        suggestions.sort_by_key(|suggestion| !is_called(suggestion));
        return Err(suggestions);
    };
    Ok(suggestions.swap_remove(place))
}

/// Why a text was not taken.
fn no_match(matches: &[Suggestion], typed: &str, may_have_more: bool) -> String {
    if matches.is_empty() {
        return text_with("pick-none", [("typed", typed.into())]);
    }
    let names = matches.iter().map(Suggestion::label).collect::<Vec<_>>().join(", ");
    let key = if may_have_more { "pick-perhaps-more" } else { "pick-several-names" };
    text_with(key, [("names", names.into())])
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
    fn matches_with_exactly_the_typed_name_come_first() {
        let all = vec![suggestion(1, "Client meeting", ""), suggestion(2, "Client", "A"), suggestion(3, "Client", "B")];
        let matches = only_match(all, "client").map(|one| one.name).unwrap_err();
        assert_eq!(matches.iter().map(|one| one.id.as_u128()).collect::<Vec<_>>(), [2, 3, 1]);
    }

    #[test]
    fn matches_with_the_same_name_are_told_apart() {
        let all = vec![suggestion(1, "Meeting", "Shop, To do"), suggestion(2, "Meeting", "Roastery, To do")];
        let matches = only_match(all, "meeting").map(|one| one.name).unwrap_err();
        let message = no_match(&matches, "meeting", false);
        assert!(message.contains("Meeting (Shop, To do), Meeting (Roastery, To do)"), "{message}");
        assert!(!message.contains("there may be more"), "{message}");
        let message = no_match(&matches, "meeting", true);
        assert!(message.contains("there may be more: Meeting (Shop, To do), Meeting (Roastery, To do)"), "{message}");
        let second = matches[1].choice();
        assert_eq!((second.value, &*second.label), (Uuid::from_u128(2).to_string(), "Meeting (Roastery, To do)"));
    }
}
