//! Lists as pages: a table, filters as chips that can be removed, and a cursor to go on. The address is the state.

use std::borrow::Cow;

use domain::console::{Names, WantedNames};
use domain::kernel::input::{Filter, Parameters, Problem};
use domain::kernel::paging::{Page, PageRequest, Paginated};
use domain::records::RecordKind;
use http_core::query::{Query, QueryReader};
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::form::{FieldKind, Form, FormView, ZONE};
use crate::texts;

/// The query of a list: filter and page, and what the page alone takes.
#[derive(Debug)]
pub(crate) struct ListQuery<F, T> {
    pub(crate) filter: F,
    pub(crate) page: PageRequest,
    /// The columns that are shown; empty for the usual ones.
    pub(crate) columns: Vec<String>,
    list: std::marker::PhantomData<fn() -> T>,
}

impl<F: Filter, T: Paginated> Query for ListQuery<F, T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = F::from_parameters(query);
        // Whoever looks at a list by change is no program that follows it.
        let page = PageRequest { is_followed: false, ..query.page(T::LIST) };
        let columns = columns_in(&Parameters::all(query, "columns"));
        Self { filter, page, columns, list: std::marker::PhantomData }
    }

    fn says(problem: &Problem) -> bool {
        problem.code != "unknown_parameter"
    }
}

/// The columns in a list's parameters, which may be repeated or comma-separated.
pub(crate) fn columns_in(parameters: &[String]) -> Vec<String> {
    parameters.iter().flat_map(|text| text.split(',')).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The URLs of a list's two exports, all columns and visible columns, from the list's own path and query.
pub(crate) fn exports_of(address: &str, shown: &[&str]) -> [String; 2] {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let left = form_urlencoded::parse(query.as_bytes());
    let is_kept = |name: &str| !matches!(name, "cursor" | "page" | "limit" | "columns");
    let kept: Vec<_> = left.filter(|(name, value)| is_kept(name) && !value.is_empty()).collect();
    let shown = ("columns".into(), shown.join(",").into());
    let path = format!("/export{path}");
    [address_of(&path, kept.iter().cloned()), address_of(&path, kept.iter().cloned().chain([shown]))]
}

/// The address of what a list adds up to.
pub(crate) fn totals_of(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    address_of(&format!("{path}/totals"), pairs_of(query, |name| name == "search" || !BESIDE.contains(&name)))
}

/// The names of the parameters that are no filters.
const BESIDE: [&str; 6] = ["cursor", "page", "limit", "columns", "order", "search"];
/// Those that say which part of a list is shown, and in which order.
const PLACE: [&str; 4] = ["cursor", "page", "limit", "order"];
/// Filters that no field sets: they come from links, and stay as they are.
const LINKED: [&str; 6] = ["search", "updated_since", "deleted", "order", "overdue", "waiting"];

/// A filter that is set, and the address of the list without it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    pub(crate) label: String,
    /// Empty if the label says it.
    pub(crate) value: String,
    pub(crate) without: String,
    /// The kind of record that the value names.
    pub(crate) record: Option<RecordKind>,
}

/// What surrounds the rows of a list.
#[derive(Debug)]
pub(crate) struct ListView {
    /// Its path.
    pub(crate) path: String,
    /// A field for every filter.
    pub(crate) filters: FormView,
    pub(crate) chips: Vec<Chip>,
    /// The filters that narrow nothing because something is wrong with them, and what.
    pub(crate) wrong: Vec<(String, String)>,
    /// What is said of a page or an order that there is not.
    pub(crate) ignored: Vec<String>,
    /// Filters by a member whose field does not list all of them: their names, and the addresses of a search.
    pub(crate) searched: Vec<(String, String)>,
    /// What is set and has no field, such as the columns.
    pub(crate) kept: Vec<(String, String)>,
    /// Whether the list can be searched.
    pub(crate) is_searchable: bool,
    /// What is searched for.
    pub(crate) search: String,
    /// Address of the first page.
    pub(crate) first: String,
    /// Address of the list without filters and search.
    pub(crate) unfiltered: String,
    /// Address of the next page.
    pub(crate) next: Option<String>,
    /// Whether it is not the first page: there is a way back to that one.
    pub(crate) is_continued: bool,
    pub(crate) is_empty: bool,
}

impl ListView {
    /// The list at a path and query, showing this page in the reader's zone.
    pub(crate) fn new<F: Filter, T>(address: &str, page: &Page<T>, zone: &TimeZone) -> Self {
        // A list by change has a cursor at its end, too, for programs that follow it.
        let next = page.next_cursor.as_deref().filter(|_| page.has_more);
        Self::at::<F>(address, page.items.is_empty(), next, zone)
    }

    /// The list at an address of which a part is shown that goes on at this cursor.
    pub(crate) fn at<F: Filter>(address: &str, is_empty: bool, next_cursor: Option<&str>, zone: &TimeZone) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let form = Form::parse(query.as_bytes());
        let filters = FormView::new::<F>().with_help_for("help-filter");
        let is_searchable = filters.field("search").is_some();
        let mut filters = filters.without(&LINKED).typed(&form).in_zone(zone);
        let is_filter = |name: &str| !BESIDE.contains(&name) && !name.starts_with(ZONE);
        let chips = form.pairs().filter(|(name, value)| is_filter(name) && !value.is_empty());
        let chips = chips.map(|(name, value)| chip(path, query, &filters, name, value)).collect();
        filters.fields.retain(|field| !matches!(field.kind, FieldKind::Record(_)));
        let is_kept = |name: &str| !matches!(name, "cursor" | "page" | "search" | "_token");
        let kept = form.pairs().filter(|(name, value)| !value.is_empty() && is_kept(name));
        let kept = kept.filter(|(name, _)| filters.fields.iter().all(|field| field.name != *name));
        let kept = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let next = next_cursor.map(|cursor| and(path, query, "cursor", cursor));
        Self {
            path: path.to_owned(),
            chips,
            wrong: Vec::new(),
            ignored: Vec::new(),
            kept,
            searched: Vec::new(),
            first: without(path, query, "cursor", ""),
            unfiltered: address_of(path, pairs_of(query, |name| matches!(name, "columns" | "order"))),
            is_searchable,
            search: form.value("search").unwrap_or_default().to_owned(),
            next,
            is_continued: form.has("cursor") || form.value("page").is_some_and(|page| page != "1"),
            is_empty,
            filters,
        }
    }

    /// Names for the members and records that chips name by id.
    #[must_use]
    pub(crate) fn named(mut self, names: &Names) -> Self {
        for chip in &mut self.chips {
            let Ok(id) = chip.value.parse::<Uuid>() else { continue };
            let record = names.records.iter().find(|((_, known), _)| *known == id).map(|(_, name)| name);
            if let Some(name) = names.people.get(&id).or(record) {
                chip.value.clone_from(name);
            }
        }
        self
    }

    /// Says what is wrong with filters: beside their fields, and above the list, which they do not narrow.
    #[must_use]
    pub(crate) fn with_wrong(mut self, problems: &[Problem]) -> Self {
        for Problem { field: name, code, message } in problems {
            if PLACE.contains(&name.as_str()) {
                let said = texts::text(if name == "order" { "list-order-ignored" } else { "list-page-ignored" });
                self.ignored.push(said);
                continue;
            }
            let message = match *code {
                "invalid_uuid" => texts::text("filter-incomplete-id"),
                _ => texts::sentence(message),
            };
            let label = match self.filters.field_mut(name) {
                Some(field) => {
                    field.error = Some(message.clone());
                    field.has_focus = self.wrong.is_empty();
                    field.label.clone()
                }
                None => texts::label("member", name),
            };
            self.chips.retain(|chip| chip.label != label);
            self.wrong.push((label, message));
        }
        self
    }

    /// Offers a search for the filters by a member, which list none of them, or few: those in `offered`. Those that are set
    /// stay set.
    pub(crate) fn search_members(&mut self, offered: &[&str]) {
        let (_, query) = self.first.split_once('?').unwrap_or((&self.first, ""));
        for field in self.filters.fields.iter().filter(|field| field.kind == FieldKind::Member) {
            let is_set = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
                name == field.name && !value.is_empty() && !offered.contains(&&**value)
            };
            let set = form_urlencoded::parse(query.as_bytes()).filter(is_set);
            self.kept.extend(set.map(|(name, value)| (name.into_owned(), value.into_owned())));
            let search = with("/pick/member/filter", "", "name", field.name);
            let search = search.split_once('?').map_or("", |(_, query)| query);
            self.searched.push((field.label.clone(), with("/pick/member/filter", search, "list", &self.first)));
        }
    }

    /// Notes the ids that chips have.
    pub(crate) fn note_names(&self, wanted: &mut WantedNames) {
        for chip in &self.chips {
            let Ok(id) = chip.value.parse::<Uuid>() else { continue };
            match chip.record {
                Some(kind) => wanted.records.push((kind, id)),
                None => wanted.people.push(id),
            }
        }
    }

    /// Whether anything narrows the list.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.chips.is_empty() || !self.search.is_empty()
    }
}

fn chip(path: &str, query: &str, filters: &FormView, name: &str, value: &str) -> Chip {
    let field = filters.fields.iter().find(|field| field.name == name);
    let choice = field.and_then(|field| field.choices.iter().find(|choice| choice.value == value));
    Chip {
        label: field.map_or_else(|| texts::label("member", name), |field| field.label.clone()),
        value: match (choice, field.map(|field| &field.kind)) {
            (Some(choice), _) => choice.label.clone(),
            // The label alone says it.
            (None, _) if matches!(name, "deleted" | "overdue" | "waiting") && value == "true" => String::new(),
            (None, Some(FieldKind::Time)) => field.map_or_else(String::new, |field| field.value.replace('T', " ")),
            (None, _) => value.to_owned(),
        },
        without: without(path, query, name, value),
        record: field.and_then(|field| match field.kind {
            FieldKind::Record(kind) => Some(kind),
            _ => None,
        }),
    }
}

/// The address of a list without the page and the order that there is not: its links have them no more.
pub(crate) fn without_wrong_place(address: &str, wrong: &[Problem]) -> String {
    let is_wrong = |name: &str| PLACE.contains(&name) && wrong.iter().any(|problem| problem.field == name);
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    address_of(path, form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| !is_wrong(name)))
}

/// The address without one value of a parameter, from the first page on.
fn without(path: &str, query: &str, name: &str, value: &str) -> String {
    let left = form_urlencoded::parse(query.as_bytes());
    let left = left.filter(|(known, old)| !(known == name && old == value) && known != "cursor" && known != "page");
    address_of(path, left)
}

/// The address with another value of a parameter.
pub(crate) fn with(path: &str, query: &str, name: &str, value: &str) -> String {
    let left = form_urlencoded::parse(query.as_bytes()).filter(|(known, old)| known != name && !old.is_empty());
    address_of(path, left.chain([(name.into(), value.into())]))
}

/// The list with one more value of a filter, from the first page on.
pub(crate) fn and(path: &str, query: &str, name: &str, value: &str) -> String {
    let left = form_urlencoded::parse(query.as_bytes());
    let is_kept = |known: &str, old: &str| !matches!(known, "cursor" | "page") && (known, old) != (name, value);
    let left = left.filter(|(known, old)| is_kept(known, old) && !old.is_empty());
    address_of(path, left.chain([(name.into(), value.into())]))
}

/// The list in another order, from the first page on.
pub(crate) fn sorted(path: &str, query: &str, order: &str) -> String {
    let left = form_urlencoded::parse(query.as_bytes());
    let left = left.filter(|(name, value)| !matches!(&**name, "order" | "cursor" | "page") && !value.is_empty());
    let order = (!order.is_empty()).then(|| ("order".into(), order.into()));
    address_of(path, left.chain(order))
}

/// The parameters of a query with these names that have a value.
fn pairs_of(query: &str, is_kept: impl Fn(&str) -> bool) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(query.as_bytes()).filter(move |(name, value)| is_kept(name) && !value.is_empty())
}

fn address_of<'a>(path: &str, pairs: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

domain::filter! {
    /// Of a list that cannot be narrowed.
    pub(crate) struct NoFilter {}
}

#[cfg(test)]
mod tests {
    use domain::crm::deals::DealFilter;
    use domain::kernel::paging::PageRequest;

    use super::*;

    #[test]
    fn an_export_has_the_filters_of_its_list_and_no_page() {
        let address = "/deals?stage=proposal&search=a%26b&cursor=abc&limit=5&status=&columns=value&order=value";
        let kept = "/export/deals?stage=proposal&search=a%26b&order=value";
        let shown = format!("{kept}&columns=title%2Cvalue");
        assert_eq!(exports_of(address, &["title", "value"]), [kept.to_owned(), shown]);
        assert_eq!(exports_of("/deals", &["title"])[0], "/export/deals");
        assert_eq!(totals_of(address), "/deals/totals?stage=proposal&search=a%26b");
    }

    #[test]
    fn a_page_that_there_is_not_is_in_no_link() {
        let wrong = |name: &str| Problem::new(name, "invalid_value", "");
        let address = "/deals?stage=proposal&order=zzz&cursor=zzz&columns=value";
        let left = without_wrong_place(address, &[wrong("order"), wrong("cursor"), wrong("stage")]);
        assert_eq!(left, "/deals?stage=proposal&columns=value");
        assert_eq!(without_wrong_place("/deals", &[wrong("page")]), "/deals");
    }

    #[test]
    fn each_filter_is_a_chip_that_can_be_removed() {
        let page = Page::<domain::crm::deals::Deal>::from_rows(Vec::new(), &PageRequest::first(10));
        let address = "/deals?stage=proposal&stage=discovery&search=x&cursor=abc&status=";
        let list = ListView::new::<DealFilter, _>(address, &page, &TimeZone::UTC);
        let chips: Vec<_> = list.chips.iter().map(|chip| (&*chip.value, &*chip.without)).collect();
        assert_eq!(
            chips,
            [
                ("Proposal", "/deals?stage=discovery&search=x&status="),
                ("Discovery", "/deals?stage=proposal&search=x&status=")
            ]
        );
        assert_eq!((&*list.search, list.is_continued, list.is_empty), ("x", true, true));
        let list = ListView::new::<DealFilter, _>("/deals?stage=proposal&page=1&order=value", &page, &TimeZone::UTC);
        assert_eq!((&*list.unfiltered, list.is_continued), ("/deals?order=value", false));
        // A page by number is followed by one by cursor alone.
        let list = ListView::at::<DealFilter>("/deals?page=2&order=value", false, Some("abc"), &TimeZone::UTC);
        assert_eq!(list.next.as_deref(), Some("/deals?order=value&cursor=abc"));
    }

    #[test]
    fn the_time_of_a_filter_is_shown_in_the_readers_zone() {
        let page = Page::<domain::work::issues::Issue>::from_rows(Vec::new(), &PageRequest::first(10));
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let address = "/tasks?due_before=2026-07-01T07%3A30%3A00Z";
        let list = ListView::new::<domain::work::issues::IssueFilter, _>(address, &page, &berlin);
        let field = list.filters.field("due_before").unwrap();
        assert_eq!((&*field.value, field.zone_name()), ("2026-07-01T09:30", "Europe/Berlin"));
        let chips: Vec<_> = list.chips.iter().map(|chip| (&*chip.value, &*chip.without)).collect();
        assert_eq!(chips, [("2026-07-01 09:30", "/tasks")]);
    }
}
