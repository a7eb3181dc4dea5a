//! Time entries added up.

use bigdecimal::BigDecimal;
use const_format::formatcp;
use diesel::sql_types::{Array, BigInt, Nullable, Numeric, Text};
use domain::kernel::paging::PageRequest;
use domain::ports::StoreError;
use domain::work::time_entries::{
    MAX_SUMMARY_ROWS, RateReach, TimeEntry, TimeEntryFilter, TimeGroup, TimeSummaryPart, TimeSummaryRows,
};
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::page_query::PageQuery;
use crate::engine::statement::Statement;
use crate::engine::tx::PgTx;
use crate::records::{ListedTable, StoredKind};

/// Returns the rows of a summary with the most time, one part per currency. Running timers add nothing. The values to group by become
/// text after the entries are added up, because there are far fewer sums than entries.
const SUMMARY: &str = formatcp!(
    "WITH sums AS MATERIALIZED (
         SELECT {{first}} AS value1, {{second}} AS value2, CASE WHEN billable AND {{visible}} THEN rate_currency END AS currency,
             sum(seconds) AS seconds, coalesce(sum(seconds) FILTER (WHERE billable), 0) AS billable,
             coalesce(sum(seconds * rate) FILTER (WHERE billable AND {{visible}}), 0) AS value
         FROM {{table}} WHERE {{conditions}} AND seconds IS NOT NULL
         GROUP BY 1, 2, 3
     ), grouped AS (
         SELECT *, {{first_text}} AS key1, {{second_text}} AS key2,
             sum(seconds) OVER (PARTITION BY value1, value2) AS row_seconds
         FROM sums
     ), ranked AS (
         SELECT *, dense_rank() OVER (ORDER BY row_seconds DESC, key1 COLLATE \"C\", key2 COLLATE \"C\") AS rank FROM grouped
     ), counted AS (
         SELECT *, max(rank) OVER () AS row_count FROM ranked
     )
     SELECT rank, ARRAY[key1, key2]::text[], currency, seconds::bigint, billable::bigint, value::numeric, row_count
     FROM counted WHERE rank <= {MAX_SUMMARY_ROWS} ORDER BY rank, currency"
);

/// A row of [`SUMMARY`].
pub(crate) type SummaryColumns = (BigInt, Array<Nullable<Text>>, Nullable<Text>, BigInt, BigInt, Numeric, BigInt);
type SummaryRow = (i64, Vec<Option<String>>, Option<String>, i64, i64, BigDecimal, i64);

const TOTAL: &str =
    "SELECT coalesce(sum(seconds), 0)::bigint, coalesce(sum(seconds) FILTER (WHERE billable), 0)::bigint
     FROM {table} WHERE {conditions}";

/// The value to group by, and how it becomes text as the first and as the second value of a row. A week is the number of weeks since
/// 0001-01-01: a Monday, and the earliest date that entries can have.
const fn key_of(group: TimeGroup) -> (&'static str, [&'static str; 2]) {
    let value = match group {
        TimeGroup::Member => "member_id",
        TimeGroup::Project => "in_project_id",
        TimeGroup::Company => "for_company_id",
        TimeGroup::Task => "task_id",
        TimeGroup::Billable => "billable",
        TimeGroup::Week => return ("(date - DATE '0001-01-01') / 7", [WEEK_OF_FIRST, WEEK_OF_SECOND]),
    };
    (value, TEXT)
}

const TEXT: [&str; 2] = ["value1::text", "value2::text"];
const WEEK_OF_FIRST: &str = "to_char(DATE '0001-01-01' + value1 * 7, 'YYYY-MM-DD')";
const WEEK_OF_SECOND: &str = "to_char(DATE '0001-01-01' + value2 * 7, 'YYYY-MM-DD')";

pub(crate) fn summary_query(
    workspace: Uuid,
    filter: &TimeEntryFilter,
    group_by: &[TimeGroup],
    reach: RateReach,
) -> Statement<SummaryColumns> {
    let query = PageQuery::new(TimeEntry::LIST, workspace, &PageRequest::first(1));
    // `$1` is the workspace, so the member is `$2`.
    let (query, visible) = match reach {
        RateReach::All => (query, "true"),
        RateReach::None => (query, "false"),
        RateReach::Own(member) => (query.bind(member.0), "member_id = $2"),
    };
    let key = |index: usize| group_by.get(index).copied().map_or(("NULL::text", TEXT), key_of);
    let ((first, first_text), (second, second_text)) = (key(0), key(1));
    let slots = [
        ("first", first),
        ("second", second),
        ("first_text", first_text[0]),
        ("second_text", second_text[1]),
        ("visible", visible),
    ];
    TimeEntry::matching(query, workspace, filter).shaped(SUMMARY, &slots)
}

pub(crate) fn total_query(workspace: Uuid, filter: &TimeEntryFilter) -> Statement<(BigInt, BigInt)> {
    TimeEntry::all_matching(workspace, filter).shaped(TOTAL, &[])
}

pub(super) fn load(tx: &mut PgTx<'_>, statement: Statement<SummaryColumns>) -> Result<TimeSummaryRows, StoreError> {
    let mut summary = TimeSummaryRows::default();
    for (rank, key, currency, seconds, billable_seconds, value, row_count) in tx.load::<_, SummaryRow>(statement)? {
        summary.rows = row_count.unsigned_abs();
        summary.parts.push(TimeSummaryPart {
            rank: rank.unsigned_abs(),
            key,
            currency,
            seconds,
            billable_seconds,
            value: convert::from_numeric(&value)?,
        });
    }
    Ok(summary)
}
