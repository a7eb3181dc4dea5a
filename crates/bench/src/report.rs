//! The printed report.

use std::fmt::{Display, Formatter, Result};

use harness::receiver::Tally;
use harness::stats::Percentiles;

/// Figures and failures.
#[derive(Debug, Default)]
pub(crate) struct Report {
    how: Vec<String>,
    times: Vec<(String, [f64; 4], String)>,
    figures: Vec<(String, String, String)>,
    tallies: Vec<(String, Tally)>,
    broken: Vec<String>,
}

impl Report {
    /// Adds a line on how it was measured.
    pub(crate) fn how(&mut self, text: impl Into<String>) {
        self.how.push(text.into());
    }

    /// Adds percentiles of a duration, with their target.
    pub(crate) fn times(&mut self, what: &str, times: &Percentiles, aim: &str) {
        let row = [500, 900, 990, 1_000].map(|of_thousand| times.at(of_thousand));
        self.times.push((what.to_owned(), row, aim.to_owned()));
    }

    /// Adds percentiles of which the 99th must not be more than so many milliseconds.
    pub(crate) fn bounded_times(&mut self, what: &str, times: &Percentiles, most: f64) {
        self.times(what, times, &format!("p99 ≤ {most}"));
        let p99 = times.at(990);
        if p99.is_nan() || p99 > most {
            self.broken.push(format!("{what}: p99 of {p99:.2} ms is more than {most}"));
        }
    }

    /// Adds a rate or ratio, with its target.
    pub(crate) fn figure(&mut self, what: &str, figure: impl Into<String>, aim: &str) {
        self.figures.push((what.to_owned(), figure.into(), aim.to_owned()));
    }

    /// Adds a figure that must not be greater than this.
    pub(crate) fn bound(&mut self, what: &str, figure: f64, most: f64) {
        self.figure(what, format!("{figure:.2}"), &format!("≤ {most}"));
        // A figure that was not measured keeps no bound.
        if figure.is_nan() || figure > most {
            self.broken.push(format!("{what}: {figure:.2} is more than {most}"));
        }
    }

    /// Adds lost and duplicate deliveries.
    pub(crate) fn tally(&mut self, part: &str, tally: Tally) {
        self.tallies.push((part.to_owned(), tally));
    }

    /// All numbers by name: percentiles and figures.
    pub(crate) fn values(&self) -> Vec<(String, f64)> {
        let times = self.times.iter().flat_map(|(what, [p50, _, p99, _], _)| {
            [(format!("{what}, p50 ms"), *p50), (format!("{what}, p99 ms"), *p99)]
        });
        let figures = self.figures.iter().filter_map(|(what, figure, _)| Some((what.clone(), figure.parse().ok()?)));
        times.chain(figures).collect()
    }

    /// Whether nothing was lost and no bound is broken. Duplicates are fine: delivery is at least once.
    pub(crate) fn is_good(&self) -> bool {
        self.broken.is_empty() && self.tallies.iter().all(|(_, tally)| tally.lost == 0)
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        for line in &self.how {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "\n| ms | p50 | p90 | p99 | max | aim |\n| --- | --- | --- | --- | --- | --- |")?;
        for (what, [p50, p90, p99, max], aim) in &self.times {
            writeln!(out, "| {what} | {p50:.2} | {p90:.2} | {p99:.2} | {max:.2} | {aim} |")?;
        }
        writeln!(out, "\n| figure | measured | aim |\n| --- | --- | --- |")?;
        for (what, figure, aim) in &self.figures {
            writeln!(out, "| {what} | {figure} | {aim} |")?;
        }
        for broken in &self.broken {
            writeln!(out, "\nbroken: {broken}")?;
        }
        if self.tallies.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n| deliveries | expected | lost | more than once |\n| --- | --- | --- | --- |")?;
        for (part, Tally { expected, lost, duplicates }) in &self.tallies {
            writeln!(out, "| {part} | {expected} | {lost} | {duplicates} |")?;
        }
        Ok(())
    }
}
