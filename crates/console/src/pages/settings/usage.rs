//! Usage against the plan's limits.

use domain::identity::access::ManageWorkspace;
use domain::identity::usage::{self, Usage};

use crate::prelude::*;

pages! {
    Show = "GET /settings/usage", access: ManageWorkspace => show
}

#[derive(Template)]
#[template(path = "settings/usage.html")]
struct UsagePage {
    shell: Shell,
    usage: Usage,
    quota: Meter,
    limits: Vec<Meter>,
    waiting: Meter,
}

/// Usage of a limit, as a bar.
struct Meter {
    label: String,
    used: u64,
    /// `None` is unlimited.
    limit: Option<u64>,
}

/// From this percentage on, the bar warns.
const WARNING_PERCENT: u64 = 80;

impl Meter {
    /// The used part of the limit, from 0 to 100.
    fn percent(&self) -> u64 {
        let whole = |limit: u64| self.used.saturating_mul(100).checked_div(limit).unwrap_or(100).min(100);
        self.limit.map_or(0, whole)
    }

    fn level(&self) -> &'static str {
        match self.percent() {
            100.. => "full",
            WARNING_PERCENT.. => "scarce",
            _ => "enough",
        }
    }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    let usage = usage::read(&ports, &permit).await?;
    let quota = Meter { label: text("usage-records"), used: usage.crm_quota.used, limit: usage.crm_quota.limit };
    let limits = usage.limits.iter().map(|class| Meter {
        label: label("class", class.class.as_str()),
        used: class.limit.saturating_sub(class.remaining),
        limit: Some(class.limit),
    });
    let waiting =
        Meter { label: text("usage-waiting"), used: usage.webhooks.waiting, limit: Some(usage.webhooks.max_waiting) };
    let page =
        UsagePage { shell: browser.shell(text("settings-usage")), limits: limits.collect(), quota, waiting, usage };
    responses::page(&browser, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_longer_than_its_limit() {
        let meter = |used, limit| Meter { label: String::new(), used, limit };
        for (used, limit, percent, level) in [
            (0, Some(100), 0, "enough"),
            (79, Some(100), 79, "enough"),
            (80, Some(100), 80, "scarce"),
            (100, Some(100), 100, "full"),
            (u64::MAX, Some(1), 100, "full"),
            (0, Some(0), 100, "full"),
            (5, None, 0, "enough"),
        ] {
            let meter = meter(used, limit);
            assert_eq!((meter.percent(), meter.level()), (percent, level), "{used} of {limit:?}");
        }
    }
}
