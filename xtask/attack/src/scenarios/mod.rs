//! The declared list of scenarios, one file each.

mod audit_flood;
mod bulk_memory;
mod disabled_backlog;
mod doc_pages;
mod exports;
mod fair_share;
mod fan_out;
mod followers;
mod forged_keys;
mod half_bodies;
mod header_sets;
mod idle_connections;
mod import_parts;
mod link_flood;
mod login_flood;
mod login_memory;
mod many_followers;
mod metric_labels;
mod nested_bodies;
mod previews;
mod probe_flood;
mod public_articles;
mod slow_requests;
mod smuggling;
mod unread_answers;
mod unread_pipeline;

use futures_util::future::LocalBoxFuture;

use crate::lab::Lab;
use crate::table::Findings;

/// One attack.
pub(crate) struct Scenario {
    /// The row of the table in docs/security.md.
    pub(crate) row: &'static str,
    pub(crate) name: &'static str,
    pub(crate) tried: &'static str,
    pub(crate) run: for<'a> fn(&'a Lab) -> LocalBoxFuture<'a, anyhow::Result<Findings>>,
}

macro_rules! scenarios {
    ($($row:literal $name:literal $module:ident $tried:literal;)+) => {
        /// Every scenario, in the order of the table.
        pub(crate) const SCENARIOS: &[Scenario] =
            &[$(Scenario { row: $row, name: $name, tried: $tried, run: |lab| Box::pin($module::run(lab)) }),+];
    };
}

scenarios! {
    "H1" "login-memory" login_memory "failed log-ins from many addresses";
    "H2" "unread-answers" unread_answers "pages of 8 MB that nobody reads";
    "H2" "unread-pipeline" unread_pipeline "thousands of pipelined requests whose answers nobody reads";
    "H2" "bulk-memory" bulk_memory "bulk updates of 500 tasks with the longest descriptions";
    "H3" "fan-out" fan_out "a large record and many records for 100 webhooks";
    "H3" "disabled-backlog" disabled_backlog "a webhook that is off, with all the room of the queue";
    "H4" "fair-share" fair_share "searches, long lists, bulk updates and fan-out of one workspace during another's reads";
    "H6" "login-flood" login_flood "right log-ins during a flood of wrong ones";
    "M4" "idle-connections" idle_connections "thousands of connections that send nothing";
    "L3" "audit-flood" audit_flood "switches of workspaces and imports of single rows that fill the audit log";
    "X1" "slow-requests" slow_requests "heads and bodies that arrive a byte at a time";
    "X2" "half-bodies" half_bodies "bodies that never end";
    "X3" "header-sets" header_sets "huge and endless heads";
    "X4" "metric-labels" metric_labels "thousands of paths and methods that do not exist";
    "X5" "nested-bodies" nested_bodies "bodies that parse into far more memory than they have bytes";
    "X6" "link-flood" link_flood "a password reset in a flood of them";
    "X7" "forged-keys" forged_keys "keys of the right form that do not exist";
    "X8" "probe-flood" probe_flood "probes by the thousand";
    "X9" "smuggling" smuggling "requests hidden in the body of another";
    "X11" "followers" followers "followers, while two instances and their Postgres are killed again and again";
    "X12" "many-followers" many_followers "as many followers as an instance takes from five workspaces";
    "X13" "previews" previews "texts and pages of comments that are rendered for one viewer again and again";
    "X14" "public-articles" public_articles "a long article of a help centre, read again and again";
    "X15" "exports" exports "large files of records, read by several sessions at a time";
    "X16" "import-parts" import_parts "parts of an import whose report is much larger than they are";
    "X17" "doc-pages" doc_pages "the documentation, which counts in no limit, read again and again";
}
