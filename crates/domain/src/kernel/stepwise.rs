//! Work that is done in steps, one in each of some workspaces at a time, so that a lot of it in one delays no other.

use crate::{Error, WorkspaceId};

/// What became of one step in each of some workspaces.
#[derive(Debug, Default)]
pub struct Stepped {
    /// Whether there was anything to do.
    pub any: bool,
    /// The workspaces whose step failed.
    pub failed: Vec<(WorkspaceId, Error)>,
}

/// Does one step in each workspace; a step returns whether there was anything to do. If one fails, the others are done all the same.
pub(crate) async fn step_in_each<F: Future<Output = Result<bool, Error>>>(
    workspaces: Vec<WorkspaceId>,
    step: impl Fn(WorkspaceId) -> F,
) -> Stepped {
    let mut stepped = Stepped::default();
    for workspace in workspaces {
        match step(workspace).await {
            Ok(any) => stepped.any |= any,
            Err(error) => stepped.failed.push((workspace, error)),
        }
    }
    stepped
}
