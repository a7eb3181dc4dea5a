//! Projects with their cycles, issues with their comments, and the time worked on them.

pub(crate) mod cascades;
pub(crate) mod comments;
pub(crate) mod cycles;
pub(crate) mod drafts;
pub(crate) mod inbox;
pub(crate) mod issue_batch;
pub(crate) mod issue_tree;
pub(crate) mod issues;
pub(crate) mod presence;
pub(crate) mod projects;
pub(crate) mod time_entries;
pub(crate) mod time_rates;
pub(crate) mod time_summaries;
