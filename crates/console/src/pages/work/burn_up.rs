//! The burn-up chart of a cycle, drawn on the server: the scope of the cycle, the completed work, and the ideal pace.

use std::fmt::Write;

use domain::work::cycles::BurnUpDay;
use time::Date;

/// The size of the drawing, and the margins for labels.
const WIDTH: i64 = 640;
const HEIGHT: i64 = 240;
const LEFT: i64 = 40;
const BOTTOM: i64 = 24;
const EDGE: i64 = 8;
/// The number of steps on the vertical axis.
const STEPS: i64 = 4;

/// A grid line with its number.
pub(super) struct Mark {
    pub(super) y: i64,
    pub(super) number: i64,
}

pub(super) struct Chart {
    pub(super) days: Vec<BurnUpDay>,
    pub(super) marks: Vec<Mark>,
    /// The points of the lines, in SVG syntax.
    pub(super) all: String,
    pub(super) done: String,
    pub(super) pace: String,
    pub(super) first: Date,
    pub(super) last: Date,
}

impl Chart {
    /// The chart for these days of a cycle; `None` before the cycle begins.
    pub(super) fn of(days: &[BurnUpDay], start: Date, end: Date) -> Option<Self> {
        let today = days.last()?;
        // A very long cycle shows only its last days.
        let first = days.first().map_or(start, |day| day.day.max(start));
        let highest = days.iter().map(|day| day.issues).max().unwrap_or_default().max(1);
        // A whole number of issues between grid lines.
        let step = (highest + STEPS - 1) / STEPS;
        let top = step * STEPS;
        let length = (end - first).whole_days().max(1);
        let x = |day: Date| LEFT + (WIDTH - LEFT - EDGE) * (day - first).whole_days() / length;
        let y = |number: i64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - EDGE) * number / top;
        let line = |value: fn(&BurnUpDay) -> i64| {
            let mut points = String::new();
            for day in days {
                let _ = write!(points, "{},{} ", x(day.day), y(value(day)));
            }
            points.truncate(points.trim_end().len());
            points
        };
        Some(Self {
            marks: (0..=STEPS).map(|number| Mark { y: y(step * number), number: step * number }).collect(),
            all: line(|day| day.issues),
            done: line(|day| day.completed),
            pace: format!("{},{} {},{}", x(first), y(0), x(end), y(today.issues)),
            days: days.to_vec(),
            first,
            last: end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    #[test]
    fn charts_fit_their_drawing_and_begin_with_the_cycle() {
        let (start, end) = (date!(2030 - 01 - 10), date!(2030 - 01 - 12));
        assert!(Chart::of(&[], start, end).is_none());
        let days = [(10, 3, 0), (11, 5, 2)];
        let days =
            days.map(|(day, issues, completed)| BurnUpDay { day: start.replace_day(day).unwrap(), issues, completed });
        let chart = Chart::of(&days, start, end).unwrap();
        assert_eq!(chart.marks.iter().map(|mark| mark.number).collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
        assert_eq!(chart.all, "40,138 336,86");
        assert_eq!(chart.done, "40,216 336,164");
        assert_eq!(chart.pace, "40,216 632,86");
    }

    #[test]
    fn a_cycle_of_one_day_without_issues_is_drawn() {
        let day = date!(2030 - 01 - 10);
        let chart = Chart::of(&[BurnUpDay { day, issues: 0, completed: 0 }], day, day).unwrap();
        assert_eq!((&*chart.all, &*chart.done), ("40,216", "40,216"));
    }
}
