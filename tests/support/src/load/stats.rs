//! Percentiles.

use std::time::Duration;

/// Sorted durations.
#[derive(Debug)]
pub struct Percentiles(Vec<Duration>);

impl Percentiles {
    pub fn of(durations: impl IntoIterator<Item = Duration>) -> Self {
        let mut sorted: Vec<_> = durations.into_iter().collect();
        sorted.sort_unstable();
        Self(sorted)
    }

    /// The percentile (`permille` of 1,000) in milliseconds; NaN if empty.
    pub fn at(&self, permille: usize) -> f64 {
        let rank = (self.0.len() * permille).div_ceil(1_000).max(1);
        self.0.get(rank - 1).map_or(f64::NAN, |duration| duration.as_secs_f64() * 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_values() {
        let all = Percentiles::of((1..=100).rev().map(Duration::from_millis));
        let percentiles = [500, 900, 990, 1_000, 0].map(|permille| format!("{:.0}", all.at(permille)));
        assert_eq!(percentiles, ["50", "90", "99", "100", "1"]);
        assert!(Percentiles::of([]).at(500).is_nan());
    }
}
