//! Shows the progress of an import or export on standard error.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The interval between lines when the output is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// The interval between updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);
const WIDTH: u64 = 30;

/// A bar on a terminal, otherwise a line from time to time.
pub(crate) struct ProgressBar {
    noun: String,
    /// `None` if the total is unknown.
    total: Option<u64>,
    start: Instant,
    /// The count at which this process began.
    start_count: u64,
    shown_at: Option<Instant>,
    is_terminal: bool,
}

impl ProgressBar {
    pub(crate) fn new(noun: impl Into<String>, total: Option<u64>, start_count: u64) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { noun: noun.into(), total, start: Instant::now(), start_count, shown_at: None, is_terminal }
    }

    pub(crate) fn show(&mut self, done: u64) {
        let interval = if self.is_terminal { BAR_INTERVAL } else { LINE_INTERVAL };
        if self.shown_at.unwrap_or(self.start).elapsed() < interval {
            return;
        }
        self.shown_at = Some(Instant::now());
        let text = text(&self.noun, done, self.total, done.saturating_sub(self.start_count), self.start.elapsed());
        if self.is_terminal {
            eprint!("\r{text}\x1b[K");
        } else {
            eprintln!("{text}");
        }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if self.is_terminal && self.shown_at.is_some() {
            eprintln!();
        }
    }
}

/// `done_here` is what this process has done in the elapsed time.
fn text(noun: &str, done: u64, total: Option<u64>, done_here: u64, elapsed: Duration) -> String {
    let per_second = done_here.saturating_mul(1_000) / u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let Some(total) = total else { return format!("{done} {noun}, {per_second} a second") };
    let share = |scale: u64| done.saturating_mul(scale).checked_div(total).unwrap_or(scale).min(scale);
    let bar: String = (0..WIDTH).map(|column| if column < share(WIDTH) { '#' } else { '.' }).collect();
    let remaining = total.saturating_sub(done).checked_div(per_second).map(|remaining| format!(", {remaining} s left"));
    format!("[{bar}] {} % of {total} {noun}, {per_second} a second{}", share(100), remaining.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_how_much_is_left() {
        let line = text("rows", 500, Some(1_000), 250, Duration::from_secs(1));
        assert_eq!(line, "[###############...............] 50 % of 1000 rows, 250 a second, 2 s left");
        assert_eq!(
            text("rows", 0, Some(0), 0, Duration::ZERO),
            format!("[{}] 100 % of 0 rows, 0 a second", "#".repeat(30))
        );
        assert_eq!(text("records", 7, None, 7, Duration::from_secs(1)), "7 records, 7 a second");
    }
}
