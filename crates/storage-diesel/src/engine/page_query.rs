//! List queries: one statement that reads, in order, only rows that can be on the page.
//!
//! A list describes what it reads as SQL ([`List`]). Its filters are literals too; a request selects some of them, and they
//! fill one of a few templates. So there are few distinct statements, and none contains a value.

mod commented;
mod order;
mod summary;
mod templates;

use const_format::formatcp;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use uuid::Uuid;

use self::commented::{CommentSearch, either_way};
pub(crate) use self::commented::{CommentTable, ON_COMPANIES, ON_CONTACTS, ON_DEALS, ON_ISSUES, comments_with};
pub(crate) use self::order::Order;
use self::templates::{ALL_FOUND, BRANCHES, EITHER, FEW, PART, PARTS, PLAIN, SEARCHED, SEARCHED_WITH_FILTERS};
pub(crate) use self::templates::{fill, newest_matches};
use crate::engine::statement::{SqlValue, Statement};

/// Limits of prepared statements are literals, because a bound limit would be planned as a tenth of the table. The caller cuts
/// the page to the requested size.
const LIMITS: [u32; 5] = [2, 11, 21, 51, 101];

/// True for every record; states the condition of the partial indexes by time of change.
const HAS_CHANGED: &str = "updated_at > '-infinity'";

/// The condition of a table's search index, for [`PageQuery::search`].
pub(crate) const LIVE: &str = "deleted_at IS NULL";

/// A filter by the time of the last change, for [`PageQuery::bound`].
pub(crate) const UPDATED_SINCE: &str = formatcp!("{HAS_CHANGED} AND updated_at >= $n");

/// What a list reads, as SQL.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    pub(crate) select: &'static str,
    pub(crate) from: &'static str,
    /// `$1` is the workspace; the following values come from [`PageQuery::bind`].
    pub(crate) conditions: &'static str,
    pub(crate) order: Order,
}

/// A filter by several values of one column.
struct AnyOf {
    column: &'static str,
    /// The placeholder of the values, with its type.
    values: String,
}

/// Builds the statement of a list.
pub(crate) struct PageQuery {
    list: &'static List,
    order: Order,
    page: PageRequest,
    /// The list's own conditions and the first filter with a single value: an index has these rows in order.
    ordered: String,
    /// The conditions of the other filters, each after AND.
    other_conditions: String,
    /// Collects the binds; the text is set at the end.
    statement: Statement,
    /// The number of bound values.
    bound: usize,
    several: Option<AnyOf>,
    /// Two mutually exclusive conditions, one of which must hold.
    either: Option<[String; 2]>,
    /// Whether the two conditions split rows with a sort value from rows without one, which come last.
    is_in_halves: bool,
    /// The number of filters with a single value.
    single: usize,
    planned: bool,
    words: Option<Words>,
    commented: Option<CommentSearch>,
}

/// The words of a search.
struct Words {
    /// The placeholder of the tsquery.
    query: String,
    /// The condition of the search index.
    indexed: &'static str,
}

impl PageQuery {
    pub(crate) fn new(list: &'static List, workspace: Uuid, page: &PageRequest) -> Self {
        let query = Self {
            list,
            order: list.order,
            page: *page,
            ordered: list.conditions.to_owned(),
            other_conditions: String::new(),
            statement: Statement::new(""),
            bound: 0,
            several: None,
            either: None,
            is_in_halves: false,
            single: 0,
            planned: false,
            words: None,
            commented: None,
        };
        query.bind(workspace)
    }

    /// Binds the next placeholder of the list's own conditions.
    pub(crate) fn bind(mut self, value: impl SqlValue) -> Self {
        self.statement = self.statement.bind(value);
        self.bound += 1;
        self
    }

    /// Filters by a condition without a value, if it applies: the condition of a partial index.
    pub(crate) fn fixed(self, applies: bool, condition: &'static str) -> Self {
        if applies { self.in_order(&[condition]) } else { self }
    }

    /// Filters by one value, if present: `column = $n`.
    pub(crate) fn equal(mut self, condition: &'static str, value: Option<impl SqlValue>) -> Self {
        let Some(value) = value else { return self };
        self = self.bind(value);
        let placeholder = self.last();
        self.single(&[&condition.replace("$n", &placeholder)])
    }

    /// Filters by one end of a range, if present: `column >= $n`. The plan depends on how many rows the range has.
    pub(crate) fn bound(mut self, condition: &'static str, value: Option<impl SqlValue>) -> Self {
        let Some(value) = value else { return self };
        self.planned = true;
        self = self.bind(value);
        let placeholder = self.last();
        self.with_condition(&[&condition.replace("$n", &placeholder)])
    }

    /// Limits the list to rows that satisfy `shared` or that the reader created.
    pub(crate) fn seen_by(mut self, reader: Option<Uuid>, shared: &str) -> Self {
        self.planned = true;
        // No row was created by the nil id, so without a reader only shared rows remain.
        self = self.bind(reader.unwrap_or_default());
        let placeholder = self.last();
        self.with_condition(&["(", shared, " OR created_by_id = ", &placeholder, ")"])
    }

    /// Filters by the time of creation, by which every list is sorted, so that its own index finds the range.
    pub(crate) fn created(self, filter: &CreatedFilter) -> Self {
        self.bound("created_at >= $n", filter.created_since).bound("created_at < $n", filter.created_before)
    }

    /// Filters by one value, if present, with two conditions on `$n`, one of which must hold; no row may satisfy both.
    pub(crate) fn either(mut self, conditions: [&'static str; 2], value: Option<impl SqlValue>) -> Self {
        let Some(value) = value else { return self };
        self.planned |= self.narrows();
        self.single += 1;
        self = self.bind(value);
        let placeholder = self.last();
        self.either = Some(conditions.map(|condition| condition.replace("$n", &placeholder)));
        self
    }

    /// Filters by any of several texts; an empty list matches all.
    pub(crate) fn any_text<V: SqlValue + Ord>(self, column: &'static str, values: Vec<V>) -> Self
    where
        Vec<V>: SqlValue,
    {
        self.any(column, "text[]", values)
    }

    /// Filters by any of several ids; an empty list matches all.
    pub(crate) fn any_id(self, column: &'static str, values: Vec<Uuid>) -> Self {
        self.any(column, "uuid[]", values)
    }

    fn any<V: SqlValue + Ord>(mut self, column: &'static str, array: &'static str, mut values: Vec<V>) -> Self
    where
        Vec<V>: SqlValue,
    {
        values.sort_unstable();
        values.dedup();
        if values.len() <= 1 {
            let Some(value) = values.pop() else { return self };
            self = self.bind(value);
            let placeholder = self.last();
            return self.single(&[column, " = ", &placeholder]);
        }
        self.planned |= self.narrows();
        self = self.bind(values);
        let placeholder = self.last();
        if self.several.is_none() {
            self.several = Some(AnyOf { column, values: format!("{placeholder}::{array}") });
            return self;
        }
        self.with_condition(&[column, " = ANY (", &placeholder, ")"])
    }

    /// Filters by the text of a tsquery for words and tags; the search index covers the `indexed` rows.
    pub(crate) fn search(mut self, query: Option<String>, indexed: &'static str) -> Self {
        let Some(query) = query else { return self };
        self = self.bind(query);
        self.words = Some(Words { query: format!("{}::text::tsquery", self.last()), indexed });
        self
    }

    /// Whether an earlier filter already narrows the list: the best index then depends on the values.
    const fn narrows(&self) -> bool {
        self.single > 0 || self.several.is_some()
    }

    /// The placeholder of the value bound last.
    fn last(&self) -> String {
        format!("${}", self.bound)
    }

    /// Adds a filter with a single value. An index has the rows of the first such filter in order.
    fn single(mut self, parts: &[&str]) -> Self {
        self.planned |= self.narrows();
        self.single += 1;
        if self.single == 1 { self.in_order(parts) } else { self.with_condition(parts) }
    }

    fn in_order(mut self, parts: &[&str]) -> Self {
        self.ordered.push_str(" AND ");
        self.ordered.extend(parts.iter().copied());
        self
    }

    fn with_condition(mut self, parts: &[&str]) -> Self {
        self.other_conditions.push_str(" AND ");
        self.other_conditions.extend(parts.iter().copied());
        self
    }

    /// Any of several values, as an ordinary condition.
    fn with_any_of(self, AnyOf { column, values }: &AnyOf) -> Self {
        self.with_condition(&[*column, " = ANY (", values.as_str(), ")"])
    }

    /// If there are branches by column, turns words into an ordinary condition of each branch.
    fn words_per_branch(mut self) -> Self {
        match self.words.take_if(|_| self.either.is_some()) {
            Some(words) => self.with_condition(&["search @@ ", &words.query]),
            None => self,
        }
    }

    /// The filter with several values, if one branch per value pays off: no single value narrows the list already, and an index
    /// has the values in the list's order. Otherwise it becomes an ordinary condition.
    fn leading(mut self) -> (Self, Option<AnyOf>) {
        match self.several.take() {
            Some(several) if self.single == 0 && self.words.is_none() && self.order.is_by_creation() => {
                (self, Some(several))
            }
            Some(several) => (self.with_any_of(&several), None),
            None => (self, None),
        }
    }

    fn conditions(&self) -> String {
        [self.ordered.as_str(), &self.other_conditions].concat()
    }

    /// Builds the statement; `ST` is the SQL type of the list's columns.
    pub(crate) fn build<ST>(mut self) -> Statement<ST> {
        let offset = self.page.offset();
        let limit_with_next = self.page.limit + 1;
        let limit = LIMITS.into_iter().find(|limit| *limit >= limit_with_next).unwrap_or(limit_with_next);
        // Statements with an offset are planned for each value, and so are lists sorted by value or by change with any filter:
        // the best index then depends on how selective the filter is. A search without other filters has one plan for all
        // words: its text is long, and parsing and planning it takes as much time as executing it.
        let by_creation = self.order.is_by_creation();
        let one_plan = match self.words {
            Some(_) => by_creation && !self.narrows() && self.other_conditions.is_empty(),
            None => by_creation || !self.narrows(),
        };
        let cacheable = one_plan && !self.planned && offset == 0;
        let (mut reach, mut page) = (limit.to_string(), format!("LIMIT {limit}"));
        if offset > 0 {
            self = self.bind(i64::from(offset));
            page = format!("{page} OFFSET {}", self.last());
            reach = format!("{limit} + {}", self.last());
        }
        let this = self.after_last_page();
        let [commented, commented_in_cluster] = [false, true].map(|is_cluster| this.by_comments(&reach, is_cluster));
        let (this, leading) = this.words_per_branch().leading();
        let shape = this.shape(leading.as_ref(), offset == 0);
        let text = |shape: &str, commented: Option<&str>| match commented {
            Some(commented) => {
                let listed = this.text(shape, leading.as_ref(), &reach, &format!("LIMIT {reach}"));
                either_way(&listed, commented, this.list.from, this.order.by(), &page)
            }
            None => this.text(shape, leading.as_ref(), &reach, &page),
        };
        // The walk is recursive, which Citus plans only if it can see that the rows belong to one workspace.
        let is_walk = [SEARCHED, SEARCHED_WITH_FILTERS].contains(&shape);
        let shape_in_cluster = if is_walk { ALL_FOUND } else { shape };
        let in_cluster = (is_walk || commented.is_some())
            .then(|| Statement::new(text(shape_in_cluster, commented_in_cluster.as_deref())));
        let text = text(shape, commented.as_deref());
        let sql = this.statement.with_text(text).or_in_cluster(in_cluster).returns();
        if cacheable { sql } else { sql.planned_each_time() }
    }

    fn shape(&self, leading: Option<&AnyOf>, is_head: bool) -> &'static str {
        let by_creation = self.order.is_by_creation();
        match (leading, &self.words) {
            _ if self.either.is_some() => EITHER,
            (Some(_), _) => BRANCHES,
            (None, Some(_)) if is_head && by_creation && self.other_conditions.is_empty() => SEARCHED,
            (None, Some(_)) if is_head && by_creation => SEARCHED_WITH_FILTERS,
            (None, Some(_)) => ALL_FOUND,
            (None, None) => PLAIN,
        }
    }

    fn text(&self, shape: &str, leading: Option<&AnyOf>, reach: &str, page: &str) -> String {
        let [first, second] = self.either.as_ref().map_or(["", ""], |either| either.each_ref().map(String::as_str));
        let (conditions, words) = (self.conditions(), self.words.as_ref());
        fill(shape, |name| match name {
            "columns" => self.list.select,
            "table" => self.list.from,
            "conditions" => &conditions,
            "ordered" => &self.ordered,
            "other_conditions" => &self.other_conditions,
            "within" if self.is_in_halves => self.order.within_halves(),
            "order" | "within" => self.order.by(),
            "behind" => self.order.after_operator(),
            "part" => PART,
            "parts" => PARTS,
            "few" => FEW,
            "page" => page,
            "reach" => reach,
            "words" => words.map_or("", |words| &words.query),
            "indexed" => words.map_or("", |words| words.indexed),
            "column" => leading.map_or("", |several| several.column),
            "values" => leading.map_or("", |several| &several.values),
            "first" => first,
            "second" => second,
            _ => "",
        })
    }
}
