//! Success rate and latency of a webhook's deliveries, as charts drawn on the server.

use domain::SubscriptionId;
use domain::identity::access::ReadWebhooks;
use domain::webhooks::{self, PeriodStats, StatsWindow};

use super::path_of;
use crate::prelude::*;

pages! {
    Show = "GET /settings/webhooks/{webhook_id}/health",
    access: ReadWebhooks, path: SubscriptionId, query: Window => show
}

/// The time span of the charts.
#[derive(Debug)]
pub(crate) struct Window(StatsWindow);

impl Query for Window {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(query.choice("window", StatsWindow::parse, StatsWindow::allowed_values).unwrap_or(StatsWindow::Day))
    }
}

/// The size of a chart in user units. It scales to the available width.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 100.0;

#[derive(Template)]
#[template(path = "webhooks/health.html")]
struct HealthPage {
    shell: Shell,
    path: String,
    window: StatsWindow,
    /// The share of successful deliveries, such as `99.5 %`; `None` if none has ended.
    rate: Option<String>,
    /// The highest 95th percentile of any period.
    slowest_ms: Option<u32>,
    most: u32,
    bars: Vec<Bar>,
    periods: Vec<PeriodStats>,
    has_samples: bool,
}

/// The bars of a period, from the bottom of the charts up.
struct Bar {
    x: f64,
    width: f64,
    succeeded: Part,
    failed: Part,
    waiting: Part,
    /// Median and 95th percentile of the durations.
    median: Part,
    slow: Part,
}

/// A segment of a bar.
struct Part {
    y: f64,
    height: f64,
}

impl Part {
    /// A segment with this value, on top of `below`. `most` is the height of the chart.
    fn new(value: u32, below: u32, most: u32) -> Self {
        let scaled = |value: u32| (f64::from(value) / f64::from(most.max(1)) * HEIGHT * 10.0).round() / 10.0;
        let height = scaled(value);
        Self { y: HEIGHT - scaled(below) - height, height }
    }
}

impl Bar {
    fn all(periods: &[PeriodStats], most: u32, slowest: u32) -> Vec<Self> {
        let step = WIDTH / f64::from(u32::try_from(periods.len()).unwrap_or(u32::MAX).max(1));
        let places = periods.iter().scan(0.0, |x, period| {
            let left = *x;
            *x += step;
            Some((left, period))
        });
        let bar = |(x, period): (f64, &PeriodStats)| {
            let ended = period.succeeded + period.failed;
            let slow = period.p95_ms.unwrap_or_default();
            Self {
                x: (x * 10.0).round() / 10.0,
                width: ((step - 2.0) * 10.0).round() / 10.0,
                succeeded: Part::new(period.succeeded, 0, most),
                failed: Part::new(period.failed, period.succeeded, most),
                waiting: Part::new(period.deliveries.saturating_sub(ended), ended, most),
                median: Part::new(period.p50_ms.unwrap_or_default(), 0, slowest),
                slow: Part::new(slow, 0, slowest),
            }
        };
        places.map(bar).collect()
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let (browser, window) = (request.browser, request.query.0);
    let periods = webhooks::delivery_stats(&request.ports, &request.permit, request.path, window).await?;
    let most = periods.iter().map(|period| period.deliveries).max().unwrap_or_default();
    let slowest_ms = periods.iter().filter_map(|period| period.p95_ms).max();
    let page = HealthPage {
        shell: browser.shell(text("health-title")),
        path: path_of(request.path),
        window,
        rate: rate_of(&periods),
        slowest_ms,
        most,
        bars: Bar::all(&periods, most, slowest_ms.unwrap_or_default()),
        has_samples: periods.iter().any(|period| period.is_sample),
        periods,
    };
    responses::page(&browser, page)
}

/// The success rate over all periods, rounded down: 100 % means that nothing has failed.
fn rate_of(periods: &[PeriodStats]) -> Option<String> {
    let sum = |part: fn(&PeriodStats) -> u32| periods.iter().map(|period| u64::from(part(period))).sum::<u64>();
    let (succeeded, failed) = (sum(|period| period.succeeded), sum(|period| period.failed));
    let per_thousand = (succeeded * 1_000).checked_div(succeeded + failed)?;
    Some(match per_thousand % 10 {
        0 => format!("{} %", per_thousand / 10),
        tenths => format!("{}.{tenths} %", per_thousand / 10),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    fn period(deliveries: u32, succeeded: u32, failed: u32) -> PeriodStats {
        let starts_at = datetime!(2030-01-01 00:00 UTC);
        let (p50_ms, p95_ms) = (Some(10), Some(40));
        PeriodStats { starts_at, deliveries, is_sample: false, succeeded, failed, p50_ms, p95_ms }
    }

    #[test]
    fn rates_are_rounded_down() {
        assert_eq!(rate_of(&[]), None);
        assert_eq!(rate_of(&[period(3, 0, 0)]), None, "nothing has ended");
        assert_eq!(rate_of(&[period(2, 1, 0), period(1, 1, 0)]).as_deref(), Some("100 %"));
        assert_eq!(rate_of(&[period(10_000, 9_999, 1)]).as_deref(), Some("99.9 %"));
        assert_eq!(rate_of(&[period(3, 2, 1)]).as_deref(), Some("66.6 %"));
    }

    #[test]
    fn the_segments_of_a_bar_are_stacked() {
        let bars = Bar::all(&[period(10, 5, 3), period(0, 0, 0)], 10, 40);
        let bar = &bars[0];
        assert_eq!((bar.succeeded.y, bar.succeeded.height), (50.0, 50.0));
        assert_eq!((bar.failed.y, bar.failed.height), (20.0, 30.0));
        assert_eq!((bar.waiting.y, bar.waiting.height), (0.0, 20.0));
        assert_eq!((bar.median.height, bar.slow.height), (25.0, 100.0));
        assert_eq!((bars[1].x, bars[1].succeeded.height), (360.0, 0.0));
    }
}
