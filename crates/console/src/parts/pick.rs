//! Choosing a record or a member by typing its name: suggestions while typing, and without scripts the same search when
//! the form is sent.

use actix_web::HttpRequest;
use domain::console;
use domain::identity::access::{ListMembers, SearchRecords};
use domain::identity::members::{self, MemberFilter};
use domain::kernel::input::{Problem, Problems, SchemaMember};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::search::SearchQuery;
use domain::records::RecordKind;
use http_core::path::PathIds;
use uuid::Uuid;

use crate::form::{FieldKind, ID_OF, NAME_OF, normalized};
use crate::lists::{self, SearchText};
use crate::pages::kinds;
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
            Ok(suggestions.collect())
        }
    }
}

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
        match only_match(search(ports, browser, pickable, &typed).await?, &typed) {
            Ok(suggestion) => {
                form.set(member.name, &suggestion.id.to_string());
                form.set(&format!("{NAME_OF}{}", member.name), &suggestion.name);
            }
            Err(message) => problems.push(Problem::new(member.name, "not_found", message)),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}

/// The match with exactly this name, or else the only match.
fn only_match(suggestions: Vec<Suggestion>, typed: &str) -> Result<Suggestion, String> {
    let is_called = |suggestion: &Suggestion| {
        suggestion.name.eq_ignore_ascii_case(typed)
            || (!suggestion.detail.is_empty() && suggestion.detail.eq_ignore_ascii_case(typed))
    };
    let mut called: Vec<_> = (0..suggestions.len()).filter(|place| is_called(&suggestions[*place])).collect();
    if called.is_empty() {
        called = (0..suggestions.len()).collect();
    }
    match (&*called, suggestions.len()) {
        ([], _) => Err(text_with("pick-none", [("typed", typed.into())])),
        ([only], _) => suggestions.into_iter().nth(*only).ok_or_else(|| text("pick-several")),
        _ => {
            let names = suggestions.iter().take(5).map(|suggestion| match suggestion.detail.as_str() {
                "" => suggestion.name.clone(),
                detail => format!("{} ({detail})", suggestion.name),
            });
            let names = names.collect::<Vec<_>>().join(", ");
            Err(text_with("pick-several-names", [("names", names.into())]))
        }
    }
}
