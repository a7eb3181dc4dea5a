//! Summaries of time entries.

use std::collections::BTreeMap;

use rust_decimal::{Decimal, RoundingStrategy};
use schemars::JsonSchema;
use serde::Serialize;
use time::Date;
use uuid::Uuid;

use super::{EntryStatus, TimeEntryFilter};
use crate::identity::access::{Credential, Permit, ReadTimeEntries};
use crate::kernel::Weight;
use crate::kernel::input::{
    Field, InputMode, Problems, Several, choices, decimal_as_number, fields, parse_date, parse_uuid, readable_choices,
};
use crate::ports::{Ports, weighed_read_only};
use crate::{CompanyId, Error, IssueId, ProjectId, UserId};

/// The maximum number of days in a summary.
pub const MAX_SUMMARY_DAYS: i64 = 366;
/// The maximum number of rows in a summary: those with the most time.
pub const MAX_SUMMARY_ROWS: u32 = 1_000;
/// The maximum number of fields that a summary is grouped by.
const MAX_GROUPS: usize = 2;
const SECONDS_PER_HOUR: u32 = 3_600;

choices! {
    /// What time is grouped by.
    pub enum TimeGroup {
        Member = "member",
        /// The project that the time counts towards.
        Project = "project",
        /// The company that the time is for.
        Company = "company",
        Task = "task",
        /// By the Monday of the week.
        Week = "week",
        Billable = "billable",
    }
}

readable_choices!(TimeGroup);

fields! {
    /// What is added up, by what, and from when until when.
    pub struct TimeSummaryQuery {
        /// The first day, in the time zone of the workspace.
        from: Date = required,
        /// The last day, at most 366 days in all.
        to: Date = required,
        /// One or two of these.
        group_by: Several<TimeGroup, MAX_GROUPS> = required,
        /// Of any of these members.
        member: Several<UserId, 50>,
        /// Time that counts towards this project.
        project_id: ProjectId,
        /// Time for this company.
        company_id: CompanyId,
        /// On this task.
        task_id: IssueId,
        /// In any of these statuses.
        status: Several<EntryStatus, 5>,
        /// Whether the customer pays for it.
        billable: bool,
    }
    together TimeSummaryQuery::check_together;
}

impl TimeSummaryQuery {
    fn check_together(&self, _: InputMode, problems: &mut Problems) {
        if let (Some(from), Some(to)) = (self.from.set(), self.to.set()) {
            if to < from {
                problems.rule("to", "before_start", "must not be before from");
            } else if (*to - *from).whole_days() >= MAX_SUMMARY_DAYS {
                problems.rule("to", "too_long", format!("must end a range of at most {MAX_SUMMARY_DAYS} days"));
            }
        }
        if let Some(Several(groups)) = self.group_by.set()
            && (groups.is_empty() || matches!(groups[..], [first, second] if first == second))
        {
            problems.rule("group_by", "invalid_value", "must be one or two different values");
        }
    }

    /// The entries that are added up.
    fn filter(self) -> TimeEntryFilter {
        fn set<T>(field: Field<T>) -> Option<T> {
            if let Field::Set(value) = field { Some(value) } else { None }
        }
        TimeEntryFilter {
            member: set(self.member).unwrap_or_default(),
            task_id: set(self.task_id),
            project_id: set(self.project_id),
            company_id: set(self.company_id),
            status: set(self.status).unwrap_or_default(),
            billable: set(self.billable),
            from: set(self.from),
            to: set(self.to),
            ..TimeEntryFilter::default()
        }
    }
}

/// The members whose rates a caller may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateReach {
    All,
    Own(UserId),
    None,
}

impl RateReach {
    pub(super) const fn of(credential: Option<Credential>) -> Self {
        match credential {
            None => Self::All,
            Some(Credential::Session { role, .. }) if role.administers() => Self::All,
            Some(Credential::Session { user, .. }) => Self::Own(user),
            Some(Credential::Key(_)) => Self::None,
        }
    }

    pub fn covers(self, member: UserId) -> bool {
        match self {
            Self::All => true,
            Self::Own(user) => user == member,
            Self::None => false,
        }
    }
}

/// What a store returns for a summary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeSummaryRows {
    /// The parts of the rows with the most time, at most [`MAX_SUMMARY_ROWS`] of them: one part per currency.
    pub parts: Vec<TimeSummaryPart>,
    /// The number of rows, including those that are not among the parts.
    pub rows: u64,
}

/// The time of a row whose amounts are in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSummaryPart {
    /// The rank of the row, from 1: most time first, then by key.
    pub rank: u64,
    /// One value for each field grouped by; `None` for entries without one.
    pub key: Vec<Option<String>>,
    /// `None` for entries without a rate that may be seen.
    pub currency: Option<String>,
    pub seconds: i64,
    pub billable_seconds: i64,
    /// The sum of billable seconds times rate.
    pub value: Decimal,
}

/// Time added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TimeSummary {
    /// The rows with the most time first.
    pub rows: Vec<TimeSummaryRow>,
    /// How many rows with less time are not shown.
    pub omitted_rows: u64,
}

/// The time of the entries with the same values of the members grouped by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TimeSummaryRow {
    pub key: TimeSummaryKey,
    /// Running timers add nothing.
    pub seconds: i64,
    pub billable_seconds: i64,
    /// What the billable time costs, by currency, as far as the caller may see the rates.
    pub amounts: Vec<TimeAmount>,
}

/// An amount in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct TimeAmount {
    pub currency: String,
    /// With two decimals.
    #[serde(serialize_with = "decimal_as_number")]
    #[schemars(with = "f64")]
    pub value: Decimal,
}

/// The values of the members grouped by, and no others; null for entries without one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(inline, extend("x-keeps-nulls" = true))]
pub struct TimeSummaryKey {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Option<ProjectId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<Option<CompanyId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Option<IssueId>>,
    /// The Monday of the week, such as 2030-03-04.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub week: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
}

impl TimeSummaryKey {
    fn of(groups: &[TimeGroup], values: &[Option<String>]) -> Self {
        let mut key = Self::default();
        for (group, value) in groups.iter().zip(values) {
            let id: Option<Uuid> = value.as_deref().and_then(parse_uuid);
            match group {
                TimeGroup::Member => key.member = id.map(UserId),
                TimeGroup::Project => key.project = Some(id.map(ProjectId)),
                TimeGroup::Company => key.company = Some(id.map(CompanyId)),
                TimeGroup::Task => key.task = Some(id.map(IssueId)),
                TimeGroup::Week => key.week = value.clone().filter(|day| parse_date(day).is_some()),
                TimeGroup::Billable => key.billable = value.as_deref().map(|text| text == "true"),
            }
        }
        key
    }
}

impl TimeSummary {
    /// Builds the summary from the rows of a store.
    fn of(stored: TimeSummaryRows, groups: &[TimeGroup]) -> Self {
        let mut rows: BTreeMap<u64, TimeSummaryRow> = BTreeMap::new();
        for part in stored.parts {
            let row = rows.entry(part.rank).or_insert_with(|| TimeSummaryRow {
                key: TimeSummaryKey::of(groups, &part.key),
                seconds: 0,
                billable_seconds: 0,
                amounts: Vec::new(),
            });
            row.seconds += part.seconds;
            row.billable_seconds += part.billable_seconds;
            if let Some(currency) = part.currency {
                row.amounts.push(TimeAmount { currency, value: amount(part.value) });
            }
        }
        let rows: Vec<_> = rows.into_values().collect();
        let omitted_rows = stored.rows.saturating_sub(rows.len() as u64);
        Self { rows, omitted_rows }
    }
}

/// Converts seconds times an hourly rate to an amount with two decimals.
fn amount(value: Decimal) -> Decimal {
    (value / Decimal::from(SECONDS_PER_HOUR)).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// Adds up the time of a range of days. One statement.
///
/// # Errors
/// [`Error::SearchTooSlow`] if there is too much.
pub async fn summarize(
    ports: &Ports,
    permit: &Permit<ReadTimeEntries>,
    query: TimeSummaryQuery,
) -> Result<TimeSummary, Error> {
    let Some(Several(groups)) = query.group_by.set().cloned() else {
        return Err(Error::malformed("group_by", "required", "group_by is required"));
    };
    let (filter, reach) = (query.filter(), RateReach::of(permit.credential()));
    let by = groups.clone();
    let found = weighed_read_only(ports, permit, Weight::Search, move |tx| {
        Ok(tx.time_entries().summarize(&filter, &by, reach)?)
    });
    Ok(TimeSummary::of(found.await?, &groups))
}

/// The time of all entries that match a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct TimeTotals {
    pub seconds: i64,
    pub billable_seconds: i64,
}

/// Adds up the time of all entries that match a filter, such as those on a task. One statement.
///
/// # Errors
/// [`Error::SearchTooSlow`] if there is too much.
pub async fn total(
    ports: &Ports,
    permit: &Permit<ReadTimeEntries>,
    filter: TimeEntryFilter,
) -> Result<TimeTotals, Error> {
    weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.time_entries().total(&filter)?)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::input::Input;
    use serde_json::{Value as Json, json};

    fn codes_of(body: Json) -> Option<Vec<String>> {
        let Json::Object(object) = body else { panic!() };
        let read = TimeSummaryQuery::from_object(object, InputMode::Create);
        read.err().map(|error| error.details().iter().map(|one| format!("{}:{}", one.field, one.code)).collect())
    }

    #[test]
    fn a_summary_has_at_most_366_days_and_two_groups() {
        for (from, to, groups, expected) in [
            ("2030-01-01", "2030-12-31", json!(["member"]), None),
            ("2028-01-01", "2028-12-31", json!(["member", "week"]), None),
            ("2030-01-01", "2030-01-01", json!(["task"]), None),
            ("2030-01-01", "2031-01-02", json!(["member"]), Some("to:too_long")),
            ("2030-01-02", "2030-01-01", json!(["member"]), Some("to:before_start")),
            ("2030-01-01", "2030-01-02", json!([]), Some("group_by:invalid_value")),
            ("2030-01-01", "2030-01-02", json!(["week", "week"]), Some("group_by:invalid_value")),
            ("2030-01-01", "2030-01-02", json!(["week", "task", "member"]), Some("group_by:too_many")),
        ] {
            let found = codes_of(json!({ "from": from, "to": to, "group_by": groups })).map(|codes| codes.concat());
            assert_eq!(found.as_deref(), expected, "{from} {to} {groups}");
        }
    }

    #[test]
    fn amounts_are_rounded_once_per_row_and_never_added_across_currencies() {
        let part = |rank, currency: Option<&str>, seconds, value: i64| TimeSummaryPart {
            rank,
            key: vec![Some("true".to_owned()), None],
            currency: currency.map(str::to_owned),
            seconds,
            billable_seconds: seconds,
            value: Decimal::new(value, 2),
        };
        let parts = vec![part(1, Some("CHF"), 1_800, 18_000_000), part(1, Some("EUR"), 18, 1_800), part(1, None, 5, 0)];
        let summary = TimeSummary::of(TimeSummaryRows { parts, rows: 3 }, &[TimeGroup::Billable, TimeGroup::Task]);
        let shown = serde_json::to_value(&summary).unwrap();
        let expected = json!({
            "rows": [{
                "key": { "billable": true, "task": null },
                "seconds": 1_823,
                "billable_seconds": 1_823,
                "amounts": [{ "currency": "CHF", "value": 50 }, { "currency": "EUR", "value": 0.01 }],
            }],
            "omitted_rows": 2,
        });
        assert_eq!(shown, expected);
    }
}
