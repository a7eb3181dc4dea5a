//! Counts and sums over the records that match a filter, in groups.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::input::{decimal_as_number, parse_uuid};
use crate::{ProjectId, UserId};

/// Maximum number of groups in a summary; the largest are shown.
pub const MAX_GROUPS: u32 = 200;

/// What a store returns for a summary.
#[derive(Debug, Default)]
pub struct SummaryRows {
    /// The parts of the largest groups, at most [`MAX_GROUPS`] of them: one part per currency.
    pub parts: Vec<SummaryPart>,
    /// All matching records, one part per currency.
    pub total: Vec<SummaryPart>,
    /// The number of groups, including those that are not among the parts.
    pub groups: u64,
}

/// The records of a group in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryPart {
    /// The rank of the group, from 1: most records first, then by key.
    pub rank: u64,
    /// One value for each field grouped by; `None` for records without one.
    pub key: Vec<Option<String>>,
    /// `None` for records without a currency, such as tasks.
    pub currency: Option<String>,
    pub count: u64,
    pub value: Decimal,
}

/// A summary of the records that match a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// The groups with the most records first.
    pub groups: Vec<SummaryGroup>,
    /// All matching records, including those of omitted groups.
    pub total: Totals,
    /// How many smaller groups are not shown.
    pub omitted_groups: u64,
}

/// The records with the same values of the members grouped by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SummaryGroup {
    pub key: SummaryKey,
    #[serde(flatten)]
    pub totals: Totals,
}

/// The values of the members grouped by, and no others; null for records without one, such as unassigned ones.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(inline, extend("x-keeps-nulls" = true))]
pub struct SummaryKey {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Option<UserId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Option<ProjectId>>,
}

impl SummaryKey {
    fn of(members: &[&str], values: &[Option<String>]) -> Self {
        let value =
            |name: &str| members.iter().zip(values).find(|(member, _)| **member == name).map(|(_, value)| value);
        let text = |name: &str| value(name).cloned().flatten();
        let id = |name: &str| value(name).map(|value| value.as_deref().and_then(parse_uuid));
        Self {
            status: text("status"),
            stage: text("stage"),
            currency: text("currency"),
            priority: text("priority"),
            assignee: id("assignee").map(|id| id.map(UserId)),
            project: id("project").map(|id| id.map(ProjectId)),
        }
    }
}

/// How many records there are, and what they are worth.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Totals {
    pub count: u64,
    /// Of records with a value: one sum per currency, since sums across currencies mean nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<CurrencySum>>,
}

/// The deals in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct CurrencySum {
    pub currency: String,
    pub count: u64,
    /// The exact sum; records without a value add nothing.
    #[serde(serialize_with = "decimal_as_number")]
    #[schemars(with = "f64")]
    pub value: Decimal,
}

impl Totals {
    fn add(&mut self, part: SummaryPart) {
        self.count += part.count;
        if let Some(currency) = part.currency {
            let sum = CurrencySum { currency, count: part.count, value: part.value };
            self.values.get_or_insert_default().push(sum);
        }
    }
}

impl Summary {
    /// Builds the summary from the rows of a store. `members` are the names of the members grouped by, as in [`SummaryKey`].
    pub fn of(rows: SummaryRows, members: &[&str]) -> Self {
        let mut total = Totals::default();
        rows.total.into_iter().for_each(|part| total.add(part));
        let mut groups: BTreeMap<u64, SummaryGroup> = BTreeMap::new();
        // Without a member to group by, the only group is the total.
        for part in rows.parts.into_iter().filter(|_| !members.is_empty()) {
            let new = || SummaryGroup { key: SummaryKey::of(members, &part.key), totals: Totals::default() };
            let group = groups.entry(part.rank).or_insert_with(new);
            group.totals.add(part);
        }
        let groups: Vec<_> = groups.into_values().collect();
        let all = if members.is_empty() { 0 } else { rows.groups };
        let omitted_groups = all.saturating_sub(groups.len() as u64);
        Self { groups, total, omitted_groups }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn currencies_are_never_added_and_the_largest_groups_come_first() {
        let part = |rank, stage: &str, currency: &str, count, value: &str| SummaryPart {
            rank,
            key: vec![Some(stage.to_owned())],
            currency: Some(currency.to_owned()),
            count,
            value: value.parse().unwrap(),
        };
        let rows = || SummaryRows {
            parts: vec![
                part(2, "a", "EUR", 1, "0.10"),
                part(1, "b", "EUR", 2, "0.21"),
                part(1, "b", "USD", 1, "0"),
                part(3, "c", "USD", 1, "999999999999.99"),
            ],
            total: vec![part(0, "", "EUR", 3, "0.31"), part(0, "", "USD", 2, "999999999999.99")],
            groups: 3,
        };
        let sum =
            |currency: &str, count: u64, value: f64| json!({"currency": currency, "count": count, "value": value});
        let none = json!({"currency": "USD", "count": 1, "value": 0});
        assert_eq!(
            serde_json::to_value(Summary::of(rows(), &["stage"])).unwrap(),
            json!({
                "groups": [
                    {"key": {"stage": "b"}, "count": 3, "values": [sum("EUR", 2, 0.21), none]},
                    {"key": {"stage": "a"}, "count": 1, "values": [sum("EUR", 1, 0.1)]},
                    {"key": {"stage": "c"}, "count": 1, "values": [sum("USD", 1, 999_999_999_999.99)]},
                ],
                "total": {"count": 5, "values": [sum("EUR", 3, 0.31), sum("USD", 2, 999_999_999_999.99)]},
                "omitted_groups": 0,
            })
        );
        let whole = Summary::of(rows(), &[]);
        assert_eq!((whole.groups.len(), whole.total.count, whole.omitted_groups), (0, 5, 0));
    }

    #[test]
    fn omitted_groups_are_counted() {
        let part = |rank: u64, count| {
            let assignee = (rank > 1).then(|| uuid::Uuid::from_u128(rank.into()).to_string());
            SummaryPart { rank, key: vec![assignee], currency: None, count, value: Decimal::ZERO }
        };
        let parts = (1..=u64::from(MAX_GROUPS)).map(|rank| part(rank, if rank == 1 { 2 } else { 1 })).collect();
        let summary = Summary::of(SummaryRows { parts, total: vec![part(0, 251)], groups: 250 }, &["assignee"]);
        assert_eq!((summary.groups.len(), summary.omitted_groups, summary.total.count), (200, 50, 251));
        assert_eq!(summary.total.values, None);
        let first = serde_json::to_value(&summary.groups[0]).unwrap();
        assert_eq!(first, json!({"key": {"assignee": null}, "count": 2}), "nobody, and nothing else");
    }
}
