//! Reads the parameters of a route one by one and collects all errors.

use std::collections::BTreeSet;

use domain::kernel::input::{Parameters, Problems};
use domain::kernel::paging::{ListName, PageRequest};

use super::decode::{Pair, pairs};
use crate::errors::UNKNOWN_PARAMETER;

/// Maximum length of an unknown parameter's name in an error, in characters.
const MAX_SHOWN_NAME: usize = 100;
/// Maximum number of unknown parameters in an error.
const MAX_SHOWN_UNKNOWN: usize = 50;

/// The parameters of a query that have not been read yet.
pub struct QueryReader<'a> {
    unread: Vec<(String, Option<String>)>,
    /// The parameters that the route has, in the order in which it reads them.
    known: Vec<String>,
    problems: &'a mut Problems,
}

impl<'a> QueryReader<'a> {
    /// Decodes a raw query.
    pub(super) fn new(raw: &str, problems: &'a mut Problems) -> Self {
        let mut unread = Vec::new();
        let mut unreadable = false;
        for Pair { name, value } in pairs(raw) {
            match name {
                Some(name) => unread.push((name, value)),
                None => unreadable = true,
            }
        }
        if unreadable {
            problems.shape("query", "invalid_value", "parameter names must be percent-encoded UTF-8");
        }
        Self { unread, known: Vec::new(), problems }
    }

    /// The distinct values of a parameter, in order.
    fn values(&mut self, name: &str) -> Vec<String> {
        if !self.known.iter().any(|known| known == name) {
            self.known.push(name.to_owned());
        }
        let mut values = Vec::new();
        let mut distinct = BTreeSet::new();
        let mut unreadable = false;
        for (_, value) in self.unread.extract_if(.., |(other, _)| other == name) {
            match value {
                Some(value) => {
                    if distinct.insert(value.clone()) {
                        values.push(value);
                    }
                }
                None => unreadable = true,
            }
        }
        if unreadable {
            self.problems.shape(name, "invalid_value", "must be percent-encoded UTF-8");
        }
        values
    }

    /// The value of a parameter that must not repeat.
    fn single(&mut self, name: &str) -> Option<String> {
        if self.unread.iter().filter(|(other, _)| other == name).count() > 1 {
            self.problems.shape(name, "invalid_value", "must not be sent more than once");
            self.unread.retain(|(other, _)| other != name);
        }
        self.values(name).pop()
    }

    pub fn page(&mut self, list: ListName) -> PageRequest {
        let (page, limit, cursor) = (self.single("page"), self.single("limit"), self.single("cursor"));
        PageRequest::parse(list, page.as_deref(), limit.as_deref(), cursor.as_deref(), self.problems)
    }

    /// One of the allowed values; `allowed` lists them for the error message.
    pub fn choice<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, allowed: fn() -> String) -> Option<T> {
        let value = self.single(name)?;
        self.parsed(name, &value, parse, allowed)
    }

    /// Any of the allowed values, without duplicates.
    pub fn choices<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, allowed: fn() -> String) -> Vec<T> {
        let values = self.values(name);
        // Only the first invalid one is reported.
        let parsed: Option<Vec<_>> = values.iter().map(|value| self.parsed(name, value, parse, allowed)).collect();
        parsed.unwrap_or_default()
    }

    fn parsed<T>(
        &mut self,
        name: &str,
        value: &str,
        parse: fn(&str) -> Option<T>,
        allowed: fn() -> String,
    ) -> Option<T> {
        let parsed = parse(value);
        if parsed.is_none() {
            self.problems.shape(name, "invalid_value", format!("must be one of {}", allowed()));
        }
        parsed
    }

    /// A parameter that must not repeat, parsed by a domain function.
    pub fn parsed_by<T>(&mut self, name: &str, parse: impl FnOnce(&str, Option<&str>, &mut Problems) -> T) -> T {
        let value = self.single(name);
        parse(name, value.as_deref(), self.problems)
    }

    /// Reports a parameter that was sent more than once although this route takes only one value.
    pub fn require_single(&mut self, name: &str) {
        let one = self.single(name);
        self.unread.extend(one.map(|value| (name.to_owned(), Some(value))));
    }

    /// Accepts the remaining parameters unread.
    pub(super) fn ignore_rest(&mut self) {
        self.unread.clear();
    }

    /// Reports the remaining parameters as unknown.
    pub(super) fn refuse_rest(self) {
        let message = match &*self.known {
            [] => "unknown parameter; this route takes none".to_owned(),
            known => format!("unknown parameter; this route takes {}", known.join(", ")),
        };
        let mut distinct = BTreeSet::new();
        for (name, _) in self.unread {
            if distinct.len() == MAX_SHOWN_UNKNOWN {
                break;
            }
            let shown: String = name.chars().take(MAX_SHOWN_NAME).collect();
            if distinct.insert(shown.clone()) {
                self.problems.shape(shown, UNKNOWN_PARAMETER, message.clone());
            }
        }
    }
}

impl Parameters for QueryReader<'_> {
    fn all(&mut self, name: &str) -> Vec<String> {
        self.values(name)
    }

    fn single(&mut self, name: &str) -> Option<String> {
        QueryReader::single(self, name)
    }

    fn problems(&mut self) -> &mut Problems {
        self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Filtered;
    use crate::query::{Paged, Query, read};
    use domain::Error;
    use domain::crm::deals::{Deal, DealFilter, DealStatus};
    use domain::kernel::paging::Position;
    use uuid::Uuid;

    /// The parameters of the list of deals, and one that takes a single choice.
    #[derive(Debug)]
    struct DealQuery {
        kind: Option<DealStatus>,
        list: Filtered<DealFilter, Deal>,
    }

    impl Query for DealQuery {
        fn read(query: &mut QueryReader<'_>) -> Self {
            let kind = query.choice("kind", DealStatus::parse, DealStatus::allowed_values);
            Self { kind, list: Filtered::read(query) }
        }
    }

    fn parse(raw: &str) -> Result<DealQuery, Error> {
        let mut problems = Problems::default();
        let all = read(raw, &mut problems);
        problems.into_result().map(|()| all)
    }

    fn problems_in(raw: &str) -> Vec<String> {
        let details = parse(raw).unwrap_err().details();
        details.into_iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect()
    }

    const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    #[test]
    fn every_parameter_is_read() {
        let raw = format!(
            "status=open&status=on_hold&status=open&kind=open&contact_id={ID}&assignee={ID}&assignee={}&value_min=-1.50\
             &search=a+b&page=2&limit=10",
            ID.to_uppercase()
        );
        let all = parse(&raw).unwrap();
        let Filtered { filter, page, .. } = all.list;
        assert_eq!(filter.status.0, [DealStatus::Open, DealStatus::OnHold]);
        assert_eq!(all.kind, Some(DealStatus::Open));
        assert_eq!(filter.contact_id.map(|id| id.to_string()).as_deref(), Some(ID));
        assert_eq!(filter.assignee.0.len(), 1);
        assert_eq!(filter.value_min.map(|value| value.0.to_string()).as_deref(), Some("-1.50"));
        assert_eq!(filter.search.unwrap().tokens().len(), 2);
        assert_eq!((page.position, page.limit), (Position::Page(2), 10));
        let none = parse("&&").unwrap().list;
        assert_eq!((none.filter, none.page), (DealFilter::default(), PageRequest::first(50)));
    }

    #[test]
    fn any_json_number_is_accepted() {
        for (text, value) in [("1e1", "10"), ("-1.5E%2B3", "-1500"), ("25e-1", "2.5"), ("1e-400", "0"), ("7.50", "7.5")]
        {
            let filter = parse(&format!("value_min={text}")).unwrap().list.filter;
            let read = filter.value_min.map(|number| number.0.normalize().to_string());
            assert_eq!(read.as_deref(), Some(value), "{text}");
        }
        let range = parse("value_min=30&value_max=10");
        assert!(range.is_ok(), "it matches nothing: {:?}", range.err());
    }

    #[test]
    fn every_problem_is_reported() {
        for (raw, problems) in [
            ("nope=1&sort=x&nope=2", &["nope:unknown_parameter", "sort:unknown_parameter"][..]),
            ("=", &[":unknown_parameter"]),
            ("page=1&page=1", &["page:invalid_value"]),
            ("page=0&limit=0", &["limit:invalid_value", "page:invalid_value"]),
            ("status=open&status=Open&status=x", &["status:invalid_value"]),
            ("status=", &["status:invalid_value"]),
            ("kind=open&kind=open", &["kind:invalid_value"]),
            ("contact_id=x", &["contact_id:invalid_uuid"]),
            ("assignee=", &["assignee:invalid_uuid"]),
            ("value_min=1e", &["value_min:invalid_value"]),
            ("value_min=1e16", &["value_min:invalid_value"]),
            ("value_min=1e300", &["value_min:invalid_value"]),
            ("value_min=+1e1", &["value_min:invalid_value"]),
            ("value_min=Infinity", &["value_min:invalid_value"]),
            ("search=1+2+3+4+5+6+7+8+9", &["search:too_many_tokens"]),
            ("search=%ff", &["search:invalid_value"]),
            ("search=%", &["search:invalid_value"]),
            ("%ff=1", &["query:invalid_value"]),
            ("page=0&nope=1", &["page:invalid_value", "nope:unknown_parameter"]),
        ] {
            assert_eq!(problems_in(raw), problems, "{raw}");
        }
        let ids: Vec<_> = (0..51).map(|number| format!("assignee={}", Uuid::from_u128(number))).collect();
        assert_eq!(problems_in(&ids.join("&")), ["assignee:too_many"]);
        assert_eq!(problems_in(&(0..60).map(|number| format!("x{number}=1")).collect::<Vec<_>>().join("&")).len(), 50);
        assert_eq!(problems_in(&"x".repeat(500))[0].len(), MAX_SHOWN_NAME + ":unknown_parameter".len());
    }

    #[test]
    fn an_unknown_parameter_error_lists_the_known_ones() {
        let message = parse("nope=1&status=open").unwrap_err().details().remove(0).message;
        assert_eq!(
            message,
            "unknown parameter; this route takes kind, search, status, stage, assignee, contact_id, company_id, \
             value_min, value_max, closed_since, closed_before, expected_close_since, expected_close_before, \
             currency, external_id, tag, deleted, created_since, created_before, updated_since, \
             order, ids, page, limit, cursor"
        );
        let mut problems = Problems::default();
        let _: () = read("nope=1", &mut problems);
        let details = problems.into_result().unwrap_err().details();
        assert_eq!(details[0].message, "unknown parameter; this route takes none");
    }

    #[test]
    fn a_list_without_a_filter_takes_only_paging() {
        let mut problems = Problems::default();
        let paged: Paged<Deal> = read("limit=7", &mut problems);
        assert_eq!(paged.page.limit, 7);
        let _: () = read("limit=7", &mut problems);
        assert_eq!(problems.into_result().unwrap_err().details()[0].code, "unknown_parameter");
    }
}
