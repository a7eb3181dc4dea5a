//! The declared list of scenarios.

mod audit_flood;
mod bulk_memory;
mod disabled_backlog;
mod exports;
mod fair_share;
mod fan_out;
mod followers;
mod idle_connections;
mod import_parts;
mod link_flood;
mod log_ins;
mod many_followers;
mod metric_labels;
mod nested_bodies;
mod oversized;
mod previews;
mod public_pages;
mod read_floods;
mod slow_requests;
mod smuggling;
mod unread;

use futures_util::future::LocalBoxFuture;

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

/// One attack.
pub(crate) struct Scenario {
    /// The row of the table in docs/security.md.
    pub(crate) row: &'static str,
    pub(crate) name: &'static str,
    pub(crate) tried: &'static str,
    pub(crate) run: for<'a> fn(&'a Lab) -> LocalBoxFuture<'a, anyhow::Result<Findings>>,
}

macro_rules! scenarios {
    ($($row:literal $name:literal $tried:literal $run:path;)+) => {
        /// Every scenario, in the order of the table.
        pub(crate) const SCENARIOS: &[Scenario] =
            &[$(Scenario { row: $row, name: $name, tried: $tried, run: |lab| Box::pin($run(lab)) }),+];
    };
}

scenarios! {
    "H1" "login-memory" "failed log-ins from many addresses" log_ins::memory;
    "H2" "unread-answers" "pages of 8 MB that nobody reads" unread::answers;
    "H2" "unread-pipeline" "thousands of pipelined requests whose answers nobody reads" unread::pipeline;
    "H2" "bulk-memory" "bulk updates of 500 tasks with the longest descriptions" bulk_memory::run;
    "H3" "fan-out" "a large record and many records for 100 webhooks" fan_out::run;
    "H3" "disabled-backlog" "a webhook that is off, with all the room of the queue" disabled_backlog::run;
    "H4" "fair-share" "searches, long lists, bulk updates and fan-out of one workspace during another's reads" fair_share::run;
    "H6" "login-flood" "right log-ins during a flood of wrong ones" log_ins::flood;
    "M4" "idle-connections" "thousands of connections that send nothing" idle_connections::run;
    "L3" "audit-flood" "switches of workspaces and imports of single rows that fill the audit log" audit_flood::run;
    "X1" "slow-requests" "heads and bodies that arrive a byte at a time" slow_requests::run;
    "X2" "half-bodies" "bodies that never end" oversized::half_bodies;
    "X3" "header-sets" "huge and endless heads" oversized::header_sets;
    "X4" "metric-labels" "thousands of paths and methods that do not exist" metric_labels::run;
    "X5" "nested-bodies" "bodies that parse into far more memory than they have bytes" nested_bodies::run;
    "X6" "link-flood" "a password reset in a flood of them" link_flood::run;
    "X7" "forged-keys" "keys of the right form that do not exist" read_floods::forged_keys;
    "X8" "probe-flood" "probes by the thousand" read_floods::probes;
    "X9" "smuggling" "requests hidden in the body of another" smuggling::run;
    "X11" "followers" "followers, while two instances and their Postgres are killed again and again" followers::run;
    "X12" "many-followers" "as many followers as an instance takes from five workspaces" many_followers::run;
    "X13" "previews" "texts and pages of comments that are rendered for one viewer again and again" previews::run;
    "X14" "public-articles" "a long article of a help centre, read again and again" public_pages::articles;
    "X15" "exports" "large files of records, read by several sessions at a time" exports::run;
    "X16" "import-parts" "parts of an import whose report is much larger than they are" import_parts::run;
    "X17" "doc-pages" "the documentation, which counts in no limit, read again and again" public_pages::documentation;
}
