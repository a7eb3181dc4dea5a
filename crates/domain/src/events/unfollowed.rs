//! The feed of a process in which nobody waits for events: a command of the operator, a test of other things.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::ShownEvent;
use crate::ports::{EventFeed, FollowerSeat, Turn};
use crate::{Error, WorkspaceId};

/// Tells nobody of new events: who waits does so in vain.
#[derive(Debug, Clone, Copy)]
pub struct Unfollowed;

impl EventFeed for Unfollowed {
    fn follow(&self, _: WorkspaceId, _: Uuid) -> Result<Box<dyn FollowerSeat>, Error> {
        Ok(Box::new(Self))
    }

    fn close(&self) {}
}

#[async_trait]
impl FollowerSeat for Unfollowed {
    fn recent(&self, _: i64) -> Option<Vec<Arc<ShownEvent>>> {
        None
    }

    async fn turn(&self) -> Turn {
        Box::new(())
    }

    async fn beyond(&mut self, _: i64) -> bool {
        std::future::pending().await
    }
}
