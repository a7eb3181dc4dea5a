//! The printed report.

use std::fmt::{Display, Formatter, Result};

use crate::cpu::CpuTime;
use test_support::Tally;
use test_support::load::stats::Percentiles;

/// Results of one kind of request with one number of connections.
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) what: String,
    pub(crate) connections: usize,
    pub(crate) per_second: f64,
    /// Transactions per second of the same work in the database alone.
    pub(crate) database: Option<f64>,
    /// Fraction of the highest possible rate.
    pub(crate) of_limit: Option<f64>,
    /// p50 and p99 in ms in a closed loop.
    pub(crate) closed: [f64; 2],
    /// p50 and p99 in ms at a constant rate.
    pub(crate) open: [f64; 2],
    /// Per request.
    pub(crate) cpu: CpuTime,
}

impl Load {
    /// The CPU time of service and database in seconds per 1,000 requests, which is milliseconds per request.
    fn cpu(&self) -> [f64; 2] {
        [self.cpu.service, self.cpu.database].map(|used| used.as_secs_f64() * 1_000.0)
    }

    fn values(&self) -> Vec<(String, f64)> {
        let [p50, p99] = self.closed;
        let [open_p50, open_p99] = self.open;
        let [service, database] = self.cpu();
        let values = [
            ("requests per second", self.per_second),
            ("p50 ms", p50),
            ("p99 ms", p99),
            ("p50 ms at a constant rate", open_p50),
            ("p99 ms at a constant rate", open_p99),
            ("CPU of the service, ms", service),
            ("CPU of the database, ms", database),
        ];
        let name = |what: &str| format!("{}, {} connections, {what}", self.what, self.connections);
        let of_limit = self.of_limit.map(|part| (name("part of the limit"), part));
        values.map(|(what, value)| (name(what), value)).into_iter().chain(of_limit).collect()
    }
}

impl Display for Load {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let [p50, p99] = self.closed;
        let [open_p50, open_p99] = self.open;
        let [service, database] = self.cpu();
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
        writeln!(
            out,
            "| {} | {} | {:.0} | {} | {} | {p50:.2} | {p99:.2} | {open_p50:.2} | {open_p99:.2} | {service:.3} | \
             {database:.3} |",
            self.what,
            self.connections,
            self.per_second,
            or_dash(self.database.map(|rate| format!("{rate:.0}"))),
            or_dash(self.of_limit.map(|part| format!("{part:.2}"))),
        )
    }
}

/// Figures and failures.
#[derive(Debug, Default)]
pub(crate) struct Report {
    how: Vec<String>,
    loads: Vec<Load>,
    times: Vec<(String, [f64; 4], String)>,
    figures: Vec<(String, String, String)>,
    tallies: Vec<(String, Tally)>,
    broken: Vec<String>,
}

impl Report {
    /// Adds a line that says how the figures were measured.
    pub(crate) fn how(&mut self, text: impl Into<String>) {
        self.how.push(text.into());
    }

    /// Adds the results of one kind of request.
    pub(crate) fn load(&mut self, load: Load) {
        self.loads.push(load);
    }

    /// Adds percentiles of a duration, with their target.
    pub(crate) fn times(&mut self, what: &str, times: &Percentiles, aim: &str) {
        let row = [500, 900, 990, 1_000].map(|of_thousand| times.at(of_thousand));
        self.times.push((what.to_owned(), row, aim.to_owned()));
    }

    /// Adds percentiles whose 99th must not exceed this many milliseconds.
    pub(crate) fn bounded_times(&mut self, what: &str, times: &Percentiles, max: f64) {
        self.times(what, times, &format!("p99 ≤ {max}"));
        let p99 = times.at(990);
        if p99.is_nan() || p99 > max {
            self.broken.push(format!("{what}: p99 of {p99:.2} ms is more than {max}"));
        }
    }

    /// Adds a rate or ratio, with its target.
    pub(crate) fn figure(&mut self, what: &str, figure: impl Into<String>, aim: &str) {
        self.figures.push((what.to_owned(), figure.into(), aim.to_owned()));
    }

    /// Adds a figure that must not exceed a maximum.
    pub(crate) fn bound(&mut self, what: &str, figure: f64, max: f64) {
        self.figure(what, format!("{figure:.2}"), &format!("≤ {max}"));
        // A figure that was not measured (NaN) breaks its bound.
        if figure.is_nan() || figure > max {
            self.broken.push(format!("{what}: {figure:.2} is more than {max}"));
        }
    }

    /// Adds lost and duplicate deliveries.
    pub(crate) fn tally(&mut self, part: &str, tally: Tally) {
        self.tallies.push((part.to_owned(), tally));
    }

    /// Adds the results of another measurement.
    pub(crate) fn extend(&mut self, other: Self) {
        let Self { how, loads, times, figures, tallies, broken } = other;
        for line in how {
            if !self.how.contains(&line) {
                self.how.push(line);
            }
        }
        self.loads.extend(loads);
        self.times.extend(times);
        self.figures.extend(figures);
        self.tallies.extend(tallies);
        self.broken.extend(broken);
    }

    /// All numbers by name: percentiles and figures.
    pub(crate) fn values(&self) -> Vec<(String, f64)> {
        let times = self.times.iter().flat_map(|(what, [p50, _, p99, _], _)| {
            [(format!("{what}, p50 ms"), *p50), (format!("{what}, p99 ms"), *p99)]
        });
        let figures = self.figures.iter().filter_map(|(what, figure, _)| Some((what.clone(), figure.parse().ok()?)));
        self.loads.iter().flat_map(Load::values).chain(times).chain(figures).collect()
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
        if !self.loads.is_empty() {
            let columns = "| request | connections | requests/s | pgbench/s | of the limit | p50 ms | p99 ms | p50 ms at a \
                           constant rate | p99 ms at a constant rate | CPU of the service, s per 1,000 | CPU of the database |";
            writeln!(out, "\n{columns}\n|{}", " --- |".repeat(columns.matches('|').count() - 1))?;
        }
        for load in &self.loads {
            write!(out, "{load}")?;
        }
        if !self.times.is_empty() {
            writeln!(out, "\n| ms | p50 | p90 | p99 | max | aim |\n| --- | --- | --- | --- | --- | --- |")?;
        }
        for (what, [p50, p90, p99, max], aim) in &self.times {
            writeln!(out, "| {what} | {p50:.2} | {p90:.2} | {p99:.2} | {max:.2} | {aim} |")?;
        }
        if !self.figures.is_empty() {
            writeln!(out, "\n| figure | measured | aim |\n| --- | --- | --- |")?;
        }
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
