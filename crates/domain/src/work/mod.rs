//! Projects with their cycles, issues (tasks and tickets) with their comments, and the time worked on them.

pub mod cascades;
pub mod comments;
pub mod cycles;
pub mod drafts;
pub mod issues;
pub mod presence;
pub mod projects;
pub mod time_entries;
