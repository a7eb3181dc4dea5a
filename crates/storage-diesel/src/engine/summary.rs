//! Summaries: counts and sums of the records that match a filter, as one statement.

use bigdecimal::BigDecimal;
use const_format::formatcp;
use diesel::sql_types::{Array, BigInt, Nullable, Numeric, Text};
use domain::kernel::summary::{MAX_GROUPS, SummaryPart, SummaryRows};
use domain::kernel::totals::{CountedPart, MAX_COUNTED};
use domain::ports::StoreError;

use crate::engine::convert;
use crate::engine::statement::Statement;
use crate::engine::tx::PgTx;

/// One row per group and currency, then one row per currency for all records, with the number of groups. The first step
/// returns only the grouping columns and the sums.
pub(crate) const SUMMARY: &str = "WITH sums AS MATERIALIZED (
        SELECT {keys} {currency} AS currency, count(*) AS records, sum({value}) AS value
        FROM {table} WHERE {conditions}
        GROUP BY {places}
    ), grouped AS (
        SELECT {key} AS key, currency, records, value, sum(records) OVER (PARTITION BY {key}) AS size FROM sums
    ), ranked AS (
        SELECT *, dense_rank() OVER (ORDER BY size DESC, key COLLATE \"C\") AS place FROM grouped
    )
    SELECT place, key, currency, records, value, 0::bigint AS groups FROM ranked WHERE place <= {most}
    UNION ALL
    SELECT NULL, ARRAY[]::text[], currency, sum(records)::bigint, sum(value), max(place) FROM ranked GROUP BY currency
    ORDER BY 1, 3";

/// A row of [`SUMMARY`].
pub(crate) type SummarySql =
    (Nullable<BigInt>, Array<Nullable<Text>>, Nullable<Text>, BigInt, Nullable<Numeric>, BigInt);
type SummaryRow = (Option<i64>, Vec<Option<String>>, Option<String>, i64, Option<BigDecimal>, i64);

/// The number of rows in a list, up to one above the limit. They are read in list order, so that Postgres uses the
/// index of the list or of a filter.
pub(crate) const TOTALS: &str = formatcp!(
    "SELECT NULL::text, count(*), NULL::numeric, NULL::numeric
     FROM (SELECT FROM {{table}} WHERE {{conditions}} {{order}} LIMIT {COUNTED}) AS counted"
);
/// [`TOTALS`] for rows with a currency, a value and a probability.
pub(crate) const TOTALS_OF_MONEY: &str = formatcp!(
    "SELECT currency, count(*), sum(value), sum(value * probability)
     FROM (SELECT currency, value, probability FROM {{table}} WHERE {{conditions}} {{order}} LIMIT {COUNTED}) AS counted
     GROUP BY currency ORDER BY currency"
);
const COUNTED: u32 = MAX_COUNTED + 1;

/// A row of [`TOTALS`].
pub(crate) type TotalsSql = (Nullable<Text>, BigInt, Nullable<Numeric>, Nullable<Numeric>);
type TotalsRow = (Option<String>, i64, Option<BigDecimal>, Option<BigDecimal>);

pub(crate) fn load_totals(tx: &mut PgTx<'_>, statement: Statement<TotalsSql>) -> Result<Vec<CountedPart>, StoreError> {
    let statement = tx.placed(statement);
    let part = |(currency, count, value, percent): TotalsRow| {
        let sum = |sum: Option<BigDecimal>| sum.as_ref().map(convert::from_numeric).transpose();
        Ok(CountedPart {
            currency,
            count: count.unsigned_abs(),
            value: sum(value)?.unwrap_or_default(),
            percent: sum(percent)?.unwrap_or_default(),
        })
    };
    tx.load::<_, TotalsRow>(statement)?.into_iter().map(part).collect()
}

/// The grouping columns and the summed columns.
#[derive(Debug, Clone)]
pub(crate) struct Grouping {
    /// The grouping columns.
    pub(crate) by: Vec<&'static str>,
    /// The columns of currency and value, if the records have them.
    pub(crate) money: Option<(&'static str, &'static str)>,
}

impl Grouping {
    /// Its values for the slots of [`SUMMARY`].
    pub(crate) fn slots(&self) -> [(&'static str, String); 6] {
        let (currency, value) = self.money.unwrap_or(("NULL::text", "NULL::numeric"));
        let per_column = |part: fn(usize, &str) -> String| {
            let parts = self.by.iter().enumerate().map(|(index, column)| part(index + 1, column));
            parts.collect::<Vec<_>>()
        };
        [
            ("keys", per_column(|number, column| format!("{column} AS key{number}, ")).concat()),
            ("places", (1..=self.by.len() + 1).map(|position| position.to_string()).collect::<Vec<_>>().join(", ")),
            ("key", format!("ARRAY[{}]::text[]", per_column(|number, _| format!("key{number}::text")).join(", "))),
            ("currency", currency.to_owned()),
            ("value", value.to_owned()),
            ("most", MAX_GROUPS.to_string()),
        ]
    }
}

pub(crate) fn load(tx: &mut PgTx<'_>, statement: Statement<SummarySql>) -> Result<SummaryRows, StoreError> {
    let mut summary = SummaryRows::default();
    let statement = tx.placed(statement);
    for (position, key, currency, count, value, groups) in tx.load::<_, SummaryRow>(statement)? {
        let part = SummaryPart {
            rank: position.map_or(0, i64::unsigned_abs),
            key,
            currency,
            count: count.unsigned_abs(),
            value: value.as_ref().map(convert::from_numeric).transpose()?.unwrap_or_default(),
        };
        if position.is_some() {
            summary.parts.push(part);
        } else {
            summary.total.push(part);
            summary.groups = summary.groups.max(groups.unsigned_abs());
        }
    }
    Ok(summary)
}
