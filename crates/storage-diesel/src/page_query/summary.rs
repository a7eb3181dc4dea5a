//! Summaries of lists.

use super::PageQuery;
use super::templates::fill;
use crate::statement::Statement;
use crate::summary::{Grouping, SUMMARY, SummarySql};

impl PageQuery {
    /// Builds the statement that counts and sums the matching rows by group.
    pub(crate) fn summary(mut self, grouping: &Grouping) -> Statement<SummarySql> {
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
        let slots = grouping.slots();
        let text = |commented: Option<&str>| {
            let (table, conditions) = (self.list.from, self.conditions());
            let (rows, conditions) = match commented {
                Some(commented) => {
                    let listed = format!("SELECT * FROM {table} WHERE {conditions}");
                    (format!("({listed} UNION ALL {commented}) AS {table}"), "true".to_owned())
                }
                None => (table.to_owned(), conditions),
            };
            fill(SUMMARY, |name| match name {
                "table" => &rows,
                "conditions" => &conditions,
                _ => slots.iter().find(|(slot, _)| *slot == name).map_or("", |(_, value)| value),
            })
        };
        let in_cluster = commented.is_some().then(|| Statement::new(text(commented_in_cluster.as_deref())));
        let text = text(commented.as_deref());
        self.statement.with_text(text).or_in_cluster(in_cluster).returns().planned_each_time()
    }
}
