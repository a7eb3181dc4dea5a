//! Work that is done in steps, one per workspace in turn, so that a lot of work in one workspace does not delay the others.

use crate::{Error, WorkspaceId};

/// The result of one step in each of several workspaces.
#[derive(Debug, Default)]
pub struct Stepped {
    /// Whether any workspace had work.
    pub any: bool,
    /// The workspaces whose step failed.
    pub failed: Vec<(WorkspaceId, Error)>,
}

/// Does one step in each workspace; a step returns whether there was work. A failed step does not stop the others.
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
