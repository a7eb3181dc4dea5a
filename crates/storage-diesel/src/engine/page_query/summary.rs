//! Summaries of lists.

use super::PageQuery;
use super::templates::fill;
use crate::engine::statement::Statement;
use crate::engine::summary::{Grouping, SUMMARY, SummarySql, TotalsSql};

impl PageQuery {
    /// Builds the statement that counts and sums the matching rows by group.
    pub(crate) fn summary(self, grouping: &Grouping) -> Statement<SummarySql> {
        let slots = grouping.slots();
        let text = |table: &str, conditions: &str| {
            fill(SUMMARY, |name| match name {
                "table" => table,
                "conditions" => conditions,
                _ => slots.iter().find(|(slot, _)| *slot == name).map_or("", |(_, value)| value),
            })
        };
        self.about_matches(text).returns().planned_each_time()
    }

    /// Builds the statement that counts the matching rows, up to one above the limit, and sums them.
    pub(crate) fn totals(self, shape: &'static str) -> Statement<TotalsSql> {
        let order = self.list.order.by();
        let text = |table: &str, conditions: &str| {
            fill(shape, |name| match name {
                "table" => table,
                "conditions" => conditions,
                "order" => order,
                _ => "",
            })
        };
        self.about_matches(text).returns().planned_each_time()
    }

    /// Builds a statement about all matching rows from a shape with the slots `{table}` and `{conditions}`, and others with these values.
    pub(crate) fn shaped<ST>(self, shape: &'static str, slots: &[(&str, &str)]) -> Statement<ST> {
        let text = |table: &str, conditions: &str| {
            fill(shape, |name| match name {
                "table" => table,
                "conditions" => conditions,
                _ => slots.iter().find(|(slot, _)| *slot == name).map_or("", |(_, value)| value),
            })
        };
        self.about_matches(text).returns().planned_each_time()
    }

    /// A statement about all matching rows; its text is built from the table, or a subquery in its place, and the conditions.
    fn about_matches(mut self, text_of: impl Fn(&str, &str) -> String) -> Statement {
        if let Some(several) = self.several.take() {
            self = self.with_any_of(&several);
        }
        if let Some([first, second]) = self.either.take() {
            self = self.with_condition(&["(", &first, " OR ", &second, ")"]);
        }
        let [commented, commented_in_cluster] =
            [false, true].map(|is_cluster| self.commented_rows(&format!("{}.*", self.list.from), "", is_cluster));
        if let Some(words) = self.words.take() {
            self = self.with_condition(&["search @@ ", &words.query]);
        }
        let text = |commented: Option<&str>| {
            let (table, conditions) = (self.list.from, self.conditions());
            match commented {
                Some(commented) => {
                    let matching = format!("SELECT * FROM {table} WHERE {conditions}");
                    text_of(&format!("({matching} UNION ALL {commented}) AS {table}"), "true")
                }
                None => text_of(table, &conditions),
            }
        };
        let in_cluster = commented.is_some().then(|| Statement::new(text(commented_in_cluster.as_deref())));
        let text = text(commented.as_deref());
        self.statement.with_text(text).or_in_cluster(in_cluster)
    }
}
