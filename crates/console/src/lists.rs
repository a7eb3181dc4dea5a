//! List pages: a table, filters as removable chips, and cursor pagination. The URL holds the state.

use std::borrow::Cow;

use domain::console::{Names, WantedNames};
use domain::kernel::input::{Filter, Parameters, Problem};
use domain::kernel::paging::{Page, PageRequest, Paginated};
use domain::records::RecordKind;
use http_core::query::{Query, QueryReader};
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::form::{FieldKind, Form, FormView, ZONE, kind_of_reference};
use crate::texts;

/// The query of a list: the API's filter and page, and the columns that only the page takes.
#[derive(Debug)]
pub(crate) struct ListQuery<F, T> {
    pub(crate) filter: F,
    pub(crate) page: PageRequest,
    /// The columns to show; empty for the default ones.
    pub(crate) columns: Vec<String>,
    list: std::marker::PhantomData<fn() -> T>,
}

impl<F: Filter, T: Paginated> Query for ListQuery<F, T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = F::from_parameters(query);
        // A reader sorts by change to look at the list, not to follow it as a program does.
        let page = PageRequest { is_followed: false, ..query.page(T::LIST) };
        let columns = columns_in(&Parameters::all(query, "columns"));
        Self { filter, page, columns, list: std::marker::PhantomData }
    }

    fn says(problem: &Problem) -> bool {
        problem.code != "unknown_parameter"
    }
}

/// The text typed into a search field.
pub(crate) struct SearchText(pub(crate) String);

impl Query for SearchText {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "q").unwrap_or_default())
    }
}

/// The columns in a list's query, which may be repeated or comma-separated.
pub(crate) fn columns_in(parameters: &[String]) -> Vec<String> {
    parameters.iter().flat_map(|text| text.split(',')).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The URLs of a list's two exports, with all columns and with the visible ones, from the URL of the list.
pub(crate) fn exports_of(address: &str, shown: &[&str]) -> [String; 2] {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (path, shown) = (format!("/export{path}"), shown.join(","));
    let is_kept =
        |name: &str, value: &str| !matches!(name, "cursor" | "page" | "limit" | "columns") && !value.is_empty();
    [None, Some(("columns", &*shown))].map(|columns| changed(&path, query, is_kept, columns))
}

/// The URL of a list's totals.
pub(crate) fn totals_of(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let is_kept = |name: &str, value: &str| !value.is_empty() && (name == "search" || !NOT_FILTERS.contains(&name));
    changed(&format!("{path}/totals"), query, is_kept, None)
}

/// Parameters that are not filters.
const NOT_FILTERS: [&str; 6] = ["cursor", "page", "limit", "columns", "order", "search"];
/// Parameters that select a part of the list and its order.
const POSITION: [&str; 4] = ["cursor", "page", "limit", "order"];
/// Filters without a field: links set them, and the filter form keeps them.
const LINKED: [&str; 6] = ["search", "updated_since", "deleted", "order", "overdue", "waiting"];

/// An active filter, and the URL of the list without it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    pub(crate) label: String,
    /// Empty if the label says enough.
    pub(crate) value: String,
    pub(crate) without: String,
    /// The kind of record whose id the value is.
    pub(crate) record: Option<RecordKind>,
}

/// What a list page shows around the rows.
#[derive(Debug)]
pub(crate) struct ListView {
    pub(crate) path: String,
    /// One field per filter.
    pub(crate) filters: FormView,
    pub(crate) chips: Vec<Chip>,
    /// Invalid filters, which are not applied, with their errors.
    pub(crate) wrong: Vec<(String, String)>,
    /// Messages about an invalid page or order.
    pub(crate) ignored: Vec<String>,
    /// Filters whose value is found by a search: texts of the links, and the URLs of the search.
    pub(crate) searched: Vec<(String, String)>,
    /// Parameters without a field that the filter form keeps, such as the columns.
    pub(crate) kept: Vec<(String, String)>,
    pub(crate) is_searchable: bool,
    pub(crate) search: String,
    /// The URL of the first page.
    pub(crate) first: String,
    /// The URL of the list without filters or search text.
    pub(crate) unfiltered: String,
    /// The URL of the next page.
    pub(crate) next: Option<String>,
    /// Whether this is not the first page, so that a link back to it is shown.
    pub(crate) is_continued: bool,
    pub(crate) is_empty: bool,
}

impl ListView {
    /// The list at this URL, with times in the reader's zone.
    pub(crate) fn new<F: Filter, T>(address: &str, page: &Page<T>, zone: &TimeZone) -> Self {
        // A list sorted by change has a cursor even at its end, for programs that follow it.
        let next = page.next_cursor.as_deref().filter(|_| page.has_more);
        Self::at::<F>(address, page.items.is_empty(), next, zone)
    }

    /// The list at this URL. `next_cursor` continues after the part that is shown.
    pub(crate) fn at<F: Filter>(address: &str, is_empty: bool, next_cursor: Option<&str>, zone: &TimeZone) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let form = Form::parse(query.as_bytes());
        let filters = FormView::new::<F>().with_help_for("help-filter").with_answers();
        let is_searchable = filters.field("search").is_some();
        let mut filters = filters.without(&LINKED).with_input(&form).in_zone(zone);
        let is_filter = |name: &str| !NOT_FILTERS.contains(&name) && !name.starts_with(ZONE);
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
            unfiltered: changed(path, query, |name, old| matches!(name, "columns" | "order") && !old.is_empty(), None),
            is_searchable,
            search: form.value("search").unwrap_or_default().to_owned(),
            next,
            is_continued: form.has("cursor") || form.value("page").is_some_and(|page| page != "1"),
            is_empty,
            filters,
        }
    }

    /// Replaces the ids in chips by the names of members and records.
    #[must_use]
    pub(crate) fn with_names(mut self, names: &Names) -> Self {
        for chip in &mut self.chips {
            let Ok(id) = chip.value.parse::<Uuid>() else { continue };
            let record = names.records.iter().find(|((_, known), _)| *known == id).map(|(_, name)| name);
            if let Some(name) = names.people.get(&id).or(record) {
                chip.value.clone_from(name);
            }
        }
        self
    }

    /// Shows the errors of invalid filters next to their fields and above the list. These filters are not applied.
    #[must_use]
    pub(crate) fn with_problems(mut self, problems: &[Problem]) -> Self {
        for Problem { field: name, code, message } in problems {
            if POSITION.contains(&name.as_str()) {
                let message = texts::text(if name == "order" { "list-order-ignored" } else { "list-page-ignored" });
                self.ignored.push(message);
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

    /// Adds a search to each filter by a member, since its field offers only the members in `offered`, or none. Filters
    /// that are set stay set.
    pub(crate) fn search_members(&mut self, offered: &[&str]) {
        let (_, query) = self.first.split_once('?').unwrap_or((&self.first, ""));
        for field in self.filters.fields.iter().filter(|field| field.kind == FieldKind::Member) {
            let is_set = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
                name == field.name && !value.is_empty() && !offered.contains(&&**value)
            };
            let set = form_urlencoded::parse(query.as_bytes()).filter(is_set);
            self.kept.extend(set.map(|(name, value)| (name.into_owned(), value.into_owned())));
            let text = texts::text_named("filter-by-member", &field.label);
            self.searched.push((text, search_for("/pick/member/filter", field.name, &self.first)));
        }
    }

    /// Adds a search for the value of each of these filters by a record. They have no field, because the URL holds ids only.
    pub(crate) fn search_records(&mut self, names: &[&str]) {
        for name in names {
            let Some(kind) = kind_of_reference(name) else { continue };
            let text = texts::text_named("filter-by-record", &texts::label("member", name));
            self.searched.push((text, search_for(&format!("/pick/{kind}/filter"), name, &self.first)));
        }
    }

    /// Collects the ids in chips whose names are needed.
    pub(crate) fn note_names(&self, wanted: &mut WantedNames) {
        for chip in &self.chips {
            let Ok(id) = chip.value.parse::<Uuid>() else { continue };
            match chip.record {
                Some(kind) => wanted.records.push((kind, id)),
                None => wanted.people.push(id),
            }
        }
    }

    /// Whether a filter or a search is active.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.chips.is_empty() || !self.search.is_empty()
    }
}

/// The URL of a search at this path for the value of a filter of a list.
fn search_for(path: &str, name: &str, list: &str) -> String {
    set(&with(path, "", "name", name), "list", list)
}

fn chip(path: &str, query: &str, filters: &FormView, name: &str, value: &str) -> Chip {
    let field = filters.fields.iter().find(|field| field.name == name);
    let choice = field.and_then(|field| field.choices.iter().find(|choice| choice.value == value));
    Chip {
        label: field.map_or_else(|| texts::label("member", name), |field| field.label.clone()),
        value: match (choice, field.map(|field| &field.kind)) {
            (Some(choice), _) => choice.label.clone(),
            // The label says enough.
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

/// The URL without an invalid page or order, so that links on the page do not repeat it.
pub(crate) fn without_invalid_position(address: &str, wrong: &[Problem]) -> String {
    let is_wrong = |name: &str| POSITION.contains(&name) && wrong.iter().any(|problem| problem.field == name);
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    changed(path, query, |name, _| !is_wrong(name), None)
}

/// The URL of the first page without one value of a parameter.
fn without(path: &str, query: &str, name: &str, value: &str) -> String {
    changed(path, query, |known, old| (known, old) != (name, value) && !matches!(known, "cursor" | "page"), None)
}

/// The URL with the parameter set to this value.
pub(crate) fn with(path: &str, query: &str, name: &str, value: &str) -> String {
    changed(path, query, |known, old| known != name && !old.is_empty(), Some((name, value)))
}

/// The address with the parameter set to this value.
pub(crate) fn set(address: &str, name: &str, value: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    with(path, query, name, value)
}

/// The URL of the first page with one more value of a filter.
pub(crate) fn and(path: &str, query: &str, name: &str, value: &str) -> String {
    let is_other = |known: &str, old: &str| !matches!(known, "cursor" | "page") && (known, old) != (name, value);
    changed(path, query, |known, old| is_other(known, old) && !old.is_empty(), Some((name, value)))
}

/// The URL of the first page in another order.
pub(crate) fn sorted(path: &str, query: &str, order: &str) -> String {
    let order = (!order.is_empty()).then_some(("order", order));
    changed(path, query, |name, old| !matches!(name, "order" | "cursor" | "page") && !old.is_empty(), order)
}

/// The URL with the parameters that `is_kept` accepts by name and value, and perhaps one more.
fn changed(path: &str, query: &str, is_kept: impl Fn(&str, &str) -> bool, more: Option<(&str, &str)>) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.extend_pairs(form_urlencoded::parse(query.as_bytes()).filter(|(name, value)| is_kept(name, value)));
    let query = pairs.extend_pairs(more).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

domain::filter! {
    /// The filter of lists that have no filters.
    pub(crate) struct NoFilter {}
}

#[cfg(test)]
mod tests {
    use domain::crm::deals::DealFilter;
    use domain::kernel::paging::PageRequest;

    use super::*;

    #[test]
    fn exports_keep_filters_and_drop_pagination() {
        let address = "/deals?stage=proposal&search=a%26b&cursor=abc&limit=5&status=&columns=value&order=value";
        let kept = "/export/deals?stage=proposal&search=a%26b&order=value";
        let shown = format!("{kept}&columns=title%2Cvalue");
        assert_eq!(exports_of(address, &["title", "value"]), [kept.to_owned(), shown]);
        assert_eq!(exports_of("/deals", &["title"])[0], "/export/deals");
        assert_eq!(totals_of(address), "/deals/totals?stage=proposal&search=a%26b");
    }

    #[test]
    fn links_leave_out_an_invalid_page() {
        let wrong = |name: &str| Problem::new(name, "invalid_value", "");
        let address = "/deals?stage=proposal&order=zzz&cursor=zzz&columns=value";
        let left = without_invalid_position(address, &[wrong("order"), wrong("cursor"), wrong("stage")]);
        assert_eq!(left, "/deals?stage=proposal&columns=value");
        assert_eq!(without_invalid_position("/deals", &[wrong("page")]), "/deals");
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
        // Page numbers link on by cursor.
        let list = ListView::at::<DealFilter>("/deals?page=2&order=value", false, Some("abc"), &TimeZone::UTC);
        assert_eq!(list.next.as_deref(), Some("/deals?order=value&cursor=abc"));
    }

    #[test]
    fn a_filter_for_no_differs_from_no_filter() {
        let page = Page::<domain::work::time_entries::TimeEntry>::from_rows(Vec::new(), &PageRequest::first(10));
        let list_at = |address: &str| {
            ListView::new::<domain::work::time_entries::TimeEntryFilter, _>(address, &page, &TimeZone::UTC)
        };
        let list = list_at("/time_entries?billable=false");
        let chips: Vec<_> = list.chips.iter().map(|chip| (&*chip.value, &*chip.without)).collect();
        assert_eq!(chips, [("no", "/time_entries")]);
        for (query, chosen) in [("", None), ("?billable=true", Some("true")), ("?billable=false", Some("false"))] {
            let list = list_at(&format!("/time_entries{query}"));
            let field = list.filters.field("billable").unwrap();
            let found = field.choices.iter().find(|choice| choice.is_chosen).map(|choice| &*choice.value);
            assert_eq!((field.choices.len(), found), (2, chosen), "{query}");
        }
    }

    #[test]
    fn a_record_to_filter_by_is_found_by_a_search() {
        let page = Page::<domain::work::time_entries::TimeEntry>::from_rows(Vec::new(), &PageRequest::first(10));
        let address = "/time_entries?billable=true&cursor=abc";
        let mut list = ListView::new::<domain::work::time_entries::TimeEntryFilter, _>(address, &page, &TimeZone::UTC);
        list.search_records(&["project_id"]);
        let search = "/pick/project/filter?name=project_id&list=%2Ftime_entries%3Fbillable%3Dtrue";
        assert_eq!(list.searched, [("Project: find by name".to_owned(), search.to_owned())]);
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
