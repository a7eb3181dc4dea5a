//! The table of results: what was checked, its bound, and the measured value.

use std::fmt::{Display, Formatter, Result};

use crate::scenarios::Scenario;

/// One bound and whether it holds.
#[derive(Debug)]
pub(crate) struct Finding {
    what: String,
    bound: String,
    measured: String,
    holds: bool,
}

/// The findings of one scenario.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    /// Records a number that must not exceed a bound.
    pub(crate) fn at_most(&mut self, what: &str, bound: u64, measured: u64, unit: &str) {
        let (limit, value) = (format!("≤ {bound} {unit}"), format!("{measured} {unit}"));
        self.expect(what, limit.trim_end(), value.trim_end(), measured <= bound);
    }

    /// Records a number that must not be below a bound.
    pub(crate) fn at_least(&mut self, what: &str, bound: u64, measured: u64, unit: &str) {
        let (limit, value) = (format!("≥ {bound} {unit}"), format!("{measured} {unit}"));
        self.expect(what, limit.trim_end(), value.trim_end(), measured >= bound);
    }

    /// Records a value that must equal the expected one.
    pub(crate) fn equal<T: Display + PartialEq>(&mut self, what: &str, bound: &T, measured: &T) {
        self.expect(what, &bound.to_string(), &measured.to_string(), bound == measured);
    }

    pub(crate) fn expect(&mut self, what: &str, bound: &str, measured: &str, holds: bool) {
        let (what, bound, measured) = (what.to_owned(), bound.to_owned(), measured.to_owned());
        self.0.push(Finding { what, bound, measured, holds });
    }
}

/// The findings of all scenarios.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<(&'static str, &'static str, Finding)>,
}

impl Table {
    /// A scenario that could not be run counts as a broken bound.
    pub(crate) fn add(&mut self, scenario: &Scenario, findings: anyhow::Result<Findings>) {
        let findings = findings.unwrap_or_else(|error| {
            let mut failed = Findings::default();
            failed.expect(scenario.tried, "the scenario runs", &format!("{error:#}"), false);
            failed
        });
        self.rows.extend(findings.0.into_iter().map(|finding| (scenario.row, scenario.name, finding)));
    }

    pub(crate) fn holds(&self) -> bool {
        self.rows.iter().all(|(_, _, finding)| finding.holds)
    }
}

impl Display for Table {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(
            out,
            "| row | scenario | what was tried | bound | measured | ok |\n| --- | --- | --- | --- | --- | --- |"
        )?;
        for (row, name, Finding { what, bound, measured, holds }) in &self.rows {
            let ok = if *holds { "yes" } else { "NO" };
            writeln!(out, "| {row} | {name} | {what} | {bound} | {measured} | {ok} |")?;
        }
        let broken = self.rows.iter().filter(|(_, _, finding)| !finding.holds).count();
        writeln!(out, "\nattack: {} bounds, {broken} broken", self.rows.len())
    }
}
