//! Compares two binaries, measured alternately so that noise affects both.

use std::fmt::{Display, Formatter};

use crate::report::Report;

/// Ratios are always new over old, whether higher or lower is better.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The names in report order, each with one pair of values per round.
    rows: Vec<(String, Vec<Pair>)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    old: f64,
    new: f64,
}

impl Comparison {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new() }
    }

    /// Adds the reports of one round. Skips figures that only one of them has.
    pub(crate) fn add(&mut self, old: &Report, new: &Report) {
        let old = old.values();
        for (name, new) in new.values() {
            let Some((_, old)) = old.iter().find(|(other, _)| *other == name) else { continue };
            let pair = Pair { old: *old, new };
            match self.rows.iter_mut().find(|(known, _)| *known == name) {
                Some((_, pairs)) => pairs.push(pair),
                None => self.rows.push((name, vec![pair])),
            }
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(out, "\n| figure | old, median | new, median | new/old: min | median | max |")?;
        writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
        for (name, pairs) in &self.rows {
            let old = median(pairs.iter().map(|pair| pair.old).collect());
            let new = median(pairs.iter().map(|pair| pair.new).collect());
            let ratios = sorted(pairs.iter().map(|pair| pair.new / pair.old).collect());
            let (min, max) = (ratios.first().unwrap_or(&f64::NAN), ratios.last().unwrap_or(&f64::NAN));
            let middle = median(ratios.clone());
            writeln!(out, "| {name} | {old:.2} | {new:.2} | {min:.2} | {middle:.2} | {max:.2} |")?;
        }
        Ok(())
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The median; NaN if empty.
fn median(values: Vec<f64>) -> f64 {
    let values = sorted(values);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { at(middle) } else { f64::midpoint(at(middle.wrapping_sub(1)), at(middle)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(rate: &str) -> Report {
        let mut report = Report::default();
        report.figure("rate", rate, "");
        report
    }

    #[test]
    fn ratios_are_taken_pair_by_pair() {
        let mut comparison = Comparison::new();
        for (old, new) in [("100", "110"), ("200", "190"), ("50", "60")] {
            comparison.add(&report(old), &report(new));
        }
        // In the third round the machine was slow for both; the ratio is unaffected.
        assert!(comparison.to_string().contains("| rate | 100.00 | 110.00 | 0.95 | 1.10 | 1.20 |"), "{comparison}");
    }

    #[test]
    fn a_figure_that_only_one_report_has_is_skipped() {
        let mut comparison = Comparison::new();
        comparison.add(&Report::default(), &report("1"));
        assert_eq!(comparison.rows, []);
    }

    #[test]
    fn the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]).to_bits(), 2.5_f64.to_bits());
        assert_eq!(median(vec![3.0, 1.0, 2.0]).to_bits(), 2.0_f64.to_bits());
        assert!(median(Vec::new()).is_nan());
    }
}
