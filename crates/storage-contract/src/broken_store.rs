//! A test double of a store that always fails.

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{Job, Store, StoreError};

pub(crate) struct BrokenStore;

#[async_trait]
impl Store for BrokenStore {
    async fn run(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("on purpose".to_owned()))
    }

    async fn statement(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("on purpose".to_owned()))
    }
}
