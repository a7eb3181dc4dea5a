//! The time report: hours and amounts of a period, by what the reader chooses, with links to the entries.

use std::collections::BTreeMap;

use askama::Template;
use domain::Error;
use domain::console::{Names, WantedNames};
use domain::identity::access::ReadTimeEntries;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Parameters, parse_date};
use domain::records::RecordKind;
use domain::work::time_entries::{
    self, EntryStatus, MAX_SUMMARY_DAYS, TimeAmount, TimeGroup, TimeSummary, TimeSummaryKey, TimeSummaryQuery,
    TimeSummaryRow,
};
use http_core::query::{Query, QueryReader};
use time::Date;
use uuid::Uuid;

use super::grid::Week;
use super::period;
use super::week::today;
use crate::filters;
use crate::form::{Choice, hours_of};
use crate::layout::Shell;
use crate::lists::set;
use crate::page::{PageRequest, PageResult, page};
use crate::parts::people;
use crate::records::money;
use crate::responses;
use crate::texts::{label, text, text_with};

page! {
    Show = "GET /time/report", access: ReadTimeEntries, query: ReportQuery => show
}

const PATH: &str = "/time/report";
/// The maximum number of rows on the page: their names are read at once.
const MAX_ROWS: usize = 500;

/// The period, as typed, and what its time is grouped by.
pub(crate) struct ReportQuery {
    from: String,
    to: String,
    group_by: TimeGroup,
    then_by: Option<TimeGroup>,
    status: Option<EntryStatus>,
}

impl Query for ReportQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let mut single = |name| Parameters::single(query, name).unwrap_or_default();
        let group_by = TimeGroup::parse(&single("group_by")).unwrap_or(TimeGroup::Project);
        let then_by = TimeGroup::parse(&single("then_by")).filter(|group| *group != group_by);
        let status = EntryStatus::parse(&single("status"));
        Self { from: single("from"), to: single("to"), group_by, then_by, status }
    }
}

impl ReportQuery {
    /// The month of a day, unless the reader chose a period.
    fn or_month_of(self, day: Date) -> Self {
        if !self.from.is_empty() || !self.to.is_empty() {
            return self;
        }
        let [from, to] = month_of(day).map(|day| day.to_string());
        Self { from, to, ..self }
    }

    fn groups(&self) -> Vec<TimeGroup> {
        std::iter::once(self.group_by).chain(self.then_by).collect()
    }

    /// What to add up.
    ///
    /// # Errors
    /// What is wrong with the period, in words.
    fn summary_query(&self) -> Result<TimeSummaryQuery, String> {
        let groups: Vec<_> = self.groups().into_iter().map(TimeGroup::as_str).collect();
        let mut object = Map::new();
        object.insert("from".to_owned(), Json::from(self.from.as_str()));
        object.insert("to".to_owned(), Json::from(self.to.as_str()));
        object.insert("group_by".to_owned(), Json::from(groups));
        object.extend(self.status.map(|status| ("status".to_owned(), Json::from(vec![status.as_str()]))));
        TimeSummaryQuery::from_object(object, InputMode::Create).map_err(|error| problem_of(&error))
    }

    /// The address of this report for another period.
    fn with_period(&self, from: Date, to: Date) -> String {
        let others = [("group_by", Some(self.group_by.as_str())), ("then_by", self.then_by.map(TimeGroup::as_str))];
        let others = others.into_iter().chain([("status", self.status.map(EntryStatus::as_str))]);
        let address = others.filter_map(|(name, value)| Some((name, value?)));
        let address = address.fold(PATH.to_owned(), |address, (name, value)| set(&address, name, value));
        set(&set(&address, "from", &from.to_string()), "to", &to.to_string())
    }
}

/// What is wrong with a period.
fn problem_of(error: &Error) -> String {
    match error.details().into_iter().next().map(|problem| problem.code) {
        Some("before_start") => text("time-report-order"),
        Some("too_long") => text_with("time-report-long", [("count", MAX_SUMMARY_DAYS.into())]),
        _ => text("time-report-days"),
    }
}

/// The first and the last day of the month of a day.
fn month_of(day: Date) -> [Date; 2] {
    [1, day.month().length(day.year())].map(|number| day.replace_day(number).unwrap_or(day))
}

/// A period to choose, by the key of its text.
struct Preset {
    text: &'static str,
    href: String,
    is_current: bool,
}

fn presets(query: &ReportQuery, today: Date) -> Vec<Preset> {
    let (week, month) = (Week::of(today), month_of(today));
    let last_week = week.previous();
    let last_month = month_of(month[0].previous_day().unwrap_or(today));
    let periods = [
        ("time-report-this-week", [week.first(), week.last()]),
        ("time-report-last-week", [last_week.first(), last_week.last()]),
        ("time-report-this-month", month),
        ("time-report-last-month", last_month),
    ];
    let preset = |(text, [from, to]): (&'static str, [Date; 2])| Preset {
        text,
        href: query.with_period(from, to),
        is_current: query.from == from.to_string() && query.to == to.to_string(),
    };
    periods.map(preset).into()
}

/// What a row is about, and the parameters that filter the list of entries by it; `None` if the list has no such filter.
struct Key {
    text: String,
    filters: Option<Vec<(&'static str, String)>>,
}

fn key_of(group: TimeGroup, key: &TimeSummaryKey, names: &Names) -> Key {
    let of_record = |kind: RecordKind, id: Option<Uuid>, parameter: &'static str| {
        let name = id.map(|id| names.records.get(&(kind, id)).cloned().unwrap_or_else(|| text("record-gone")));
        Key {
            text: name.unwrap_or_else(|| text("time-report-without")),
            filters: id.map(|id| vec![(parameter, id.to_string())]),
        }
    };
    match group {
        TimeGroup::Member => Key {
            text: key.member.and_then(|id| names.people.get(&id.0).cloned()).unwrap_or_else(|| text("unknown-member")),
            filters: key.member.map(|id| vec![("member", id.to_string())]),
        },
        TimeGroup::Project => of_record(RecordKind::Project, key.project.flatten().map(|id| id.0), "project_id"),
        TimeGroup::Company => of_record(RecordKind::Company, key.company.flatten().map(|id| id.0), "company_id"),
        TimeGroup::Task => of_record(RecordKind::Task, key.task.flatten().map(|id| id.0), "task_id"),
        TimeGroup::Week => {
            let week = key.week.as_deref().and_then(parse_date).map(Week::of);
            Key {
                text: week.map(period).unwrap_or_default(),
                filters: week.map(|week| vec![("from", week.first().to_string()), ("to", week.last().to_string())]),
            }
        }
        TimeGroup::Billable => Key {
            text: text(if key.billable == Some(true) { "time-billable" } else { "time-not-billable" }),
            filters: key.billable.map(|is_billable| vec![("billable", is_billable.to_string())]),
        },
    }
}

/// The members and records that rows are about.
fn wanted_names(rows: &[TimeSummaryRow]) -> WantedNames {
    let mut wanted = WantedNames::default();
    for TimeSummaryRow { key, .. } in rows {
        wanted.people.extend(key.member.map(|id| id.0));
        wanted.records.extend(key.project.flatten().map(|id| (RecordKind::Project, id.0)));
        wanted.records.extend(key.company.flatten().map(|id| (RecordKind::Company, id.0)));
        wanted.records.extend(key.task.flatten().map(|id| (RecordKind::Task, id.0)));
    }
    wanted
}

struct Row {
    keys: Vec<String>,
    /// The keys as one text, for screen readers.
    name: String,
    time: String,
    billable: String,
    amounts: String,
    /// The list of the entries.
    entries: Option<String>,
}

impl Row {
    fn of(row: &TimeSummaryRow, query: &ReportQuery, names: &Names) -> Self {
        let keys: Vec<_> = query.groups().into_iter().map(|group| key_of(group, &row.key, names)).collect();
        let entries = entries_of(query, &keys);
        let keys: Vec<_> = keys.into_iter().map(|key| key.text).collect();
        Self {
            name: keys.join(", "),
            keys,
            time: hours_of(row.seconds),
            billable: hours_of(row.billable_seconds),
            amounts: amounts_of(&row.amounts),
            entries,
        }
    }
}

/// The list of the entries behind a row. A week may begin before the period, or end after it.
fn entries_of(query: &ReportQuery, keys: &[Key]) -> Option<String> {
    let (mut from, mut to) = (query.from.clone(), query.to.clone());
    let mut address = "/time_entries".to_owned();
    for (name, value) in keys.iter().map(|key| key.filters.clone()).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        match name {
            // Days in this form are in the order of their texts.
            "from" => from = from.max(value),
            "to" => to = to.min(value),
            _ => address = set(&address, name, &value),
        }
    }
    address = set(&set(&address, "from", &from), "to", &to);
    Some(query.status.map_or_else(|| address.clone(), |status| set(&address, "status", status.as_str())))
}

fn amounts_of(amounts: &[TimeAmount]) -> String {
    let amounts = amounts.iter().map(|amount| money(&amount.value.to_string(), &amount.currency));
    amounts.collect::<Vec<_>>().join(", ")
}

/// The sums of all rows.
struct Total {
    time: String,
    billable: String,
    amounts: String,
}

impl Total {
    fn of(rows: &[TimeSummaryRow]) -> Self {
        let mut sums: BTreeMap<&str, TimeAmount> = BTreeMap::new();
        for amount in rows.iter().flat_map(|row| &row.amounts) {
            let add = |sum: &mut TimeAmount| sum.value += amount.value;
            sums.entry(&amount.currency).and_modify(add).or_insert_with(|| amount.clone());
        }
        Self {
            time: hours_of(rows.iter().map(|row| row.seconds).sum::<i64>()),
            billable: hours_of(rows.iter().map(|row| row.billable_seconds).sum::<i64>()),
            amounts: amounts_of(&sums.into_values().collect::<Vec<_>>()),
        }
    }
}

#[derive(Template)]
#[template(path = "time/report.html")]
struct ReportPage {
    shell: Shell,
    from: String,
    to: String,
    groups: Vec<Choice>,
    others: Vec<Choice>,
    statuses: Vec<Choice>,
    presets: Vec<Preset>,
    error: Option<String>,
    /// What the columns before the sums are about.
    heads: Vec<String>,
    rows: Vec<Row>,
    /// `None` if rows are left out.
    total: Option<Total>,
    has_amounts: bool,
    /// Whether the amounts are of the reader's own time only.
    has_own_amounts: bool,
    /// How many rows are left out.
    omitted: Option<String>,
}

/// The choices of a list of values, of which one may be chosen.
fn choices<T: Copy + PartialEq>(all: &[T], chosen: Option<T>, named: fn(T) -> (&'static str, String)) -> Vec<Choice> {
    let choice = |value: &T| {
        let (text, label) = named(*value);
        Choice::new(text, label, chosen == Some(*value))
    };
    all.iter().map(choice).collect()
}

fn named_group(group: TimeGroup) -> (&'static str, String) {
    (group.as_str(), label("time-group", group.as_str()))
}

fn named_status(status: EntryStatus) -> (&'static str, String) {
    (status.as_str(), label("value", status.as_str()))
}

/// The statuses of entries that have a length.
const STATUSES: [EntryStatus; 4] =
    [EntryStatus::Stopped, EntryStatus::Submitted, EntryStatus::Approved, EntryStatus::Exported];

/// Takes two statements.
async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let today = today(&ports, &permit);
    let query = query.or_month_of(today);
    let (summary, error) = match query.summary_query() {
        Ok(wanted) => (time_entries::summarize(&ports, &permit, wanted).await?, None),
        Err(message) => (TimeSummary { rows: Vec::new(), omitted_rows: 0 }, Some(message)),
    };
    let (found, mut rows) = (summary.omitted_rows + summary.rows.len() as u64, summary.rows);
    rows.truncate(MAX_ROWS);
    let omitted = found - rows.len() as u64;
    let names = people::names(&ports, &browser, wanted_names(&rows)).await?;
    let has_amounts = rows.iter().any(|row| !row.amounts.is_empty());
    let view = ReportPage {
        shell: browser.shell(text("time-report")),
        groups: choices(TimeGroup::ALL, Some(query.group_by), named_group),
        others: choices(TimeGroup::ALL, query.then_by, named_group),
        statuses: choices(&STATUSES, query.status, named_status),
        presets: presets(&query, today),
        error,
        heads: query.groups().into_iter().map(|group| named_group(group).1).collect(),
        total: (omitted == 0).then(|| Total::of(&rows)),
        rows: rows.iter().map(|row| Row::of(row, &query, &names)).collect(),
        has_amounts,
        has_own_amounts: has_amounts && !browser.administers(),
        omitted: (omitted > 0).then(|| text_with("time-report-omitted", [("count", omitted.into())])),
        from: query.from,
        to: query.to,
    };
    responses::page(&browser, view)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn query(group_by: TimeGroup, then_by: Option<TimeGroup>) -> ReportQuery {
        let (from, to) = ("2026-01-07".to_owned(), "2026-01-31".to_owned());
        ReportQuery { from, to, group_by, then_by, status: Some(EntryStatus::Approved) }
    }

    #[test]
    fn a_month_ends_before_the_next_one_begins() {
        for (day, first, last) in [
            (date!(2026 - 01 - 31), date!(2026 - 01 - 01), date!(2026 - 01 - 31)),
            (date!(2026 - 02 - 28), date!(2026 - 02 - 01), date!(2026 - 02 - 28)),
            (date!(2028 - 02 - 01), date!(2028 - 02 - 01), date!(2028 - 02 - 29)),
            (date!(2026 - 12 - 15), date!(2026 - 12 - 01), date!(2026 - 12 - 31)),
        ] {
            assert_eq!(month_of(day), [first, last], "{day}");
        }
    }

    #[test]
    fn periods_keep_what_the_time_is_grouped_by() {
        let query = query(TimeGroup::Member, Some(TimeGroup::Week));
        let hrefs: Vec<_> = presets(&query, date!(2026 - 01 - 01)).into_iter().map(|preset| preset.href).collect();
        let kept = "/time/report?group_by=member&then_by=week&status=approved";
        let expected = [
            ("2025-12-29", "2026-01-04"),
            ("2025-12-22", "2025-12-28"),
            ("2026-01-01", "2026-01-31"),
            ("2025-12-01", "2025-12-31"),
        ];
        assert_eq!(hrefs, expected.map(|(from, to)| format!("{kept}&from={from}&to={to}")));
    }

    #[test]
    fn a_row_links_to_its_entries_within_the_period() {
        let query = query(TimeGroup::Billable, Some(TimeGroup::Week));
        let key = TimeSummaryKey {
            billable: Some(false),
            week: Some("2026-01-05".to_owned()),
            project: Some(None),
            ..TimeSummaryKey::default()
        };
        let keys = [TimeGroup::Billable, TimeGroup::Week].map(|group| key_of(group, &key, &Names::default()));
        let expected = "/time_entries?billable=false&from=2026-01-07&to=2026-01-11&status=approved";
        assert_eq!(entries_of(&query, &keys).as_deref(), Some(expected));
        // The list has no filter for time without a project.
        let without = key_of(TimeGroup::Project, &key, &Names::default());
        assert_eq!(without.text, "None");
        assert_eq!(entries_of(&query, &[without]), None);
    }
}
