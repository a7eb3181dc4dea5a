//! Projects with their cycles, and issues (tasks and tickets) with their comments.

pub mod cascades;
pub mod comments;
pub mod cycles;
pub mod drafts;
pub mod issues;
pub mod presence;
pub mod projects;
