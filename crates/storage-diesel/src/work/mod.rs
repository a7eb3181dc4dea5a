//! Projects with their cycles, and issues with their comments.

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
