//! The event feed of a process without followers, such as an operator's command or an unrelated test.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::ShownEvent;
use crate::ports::{EventFeed, FollowerSeat, Turn};
use crate::{Error, WorkspaceId};

/// Never reports new events; followers wait forever.
#[derive(Debug, Clone, Copy)]
pub struct NoFollowers;

impl EventFeed for NoFollowers {
    fn follow(&self, _: WorkspaceId, _: Uuid) -> Result<Box<dyn FollowerSeat>, Error> {
        Ok(Box::new(Self))
    }

    fn close(&self) {}
}

#[async_trait]
impl FollowerSeat for NoFollowers {
    fn recent(&self, _: i64) -> Option<Vec<Arc<ShownEvent>>> {
        None
    }

    async fn turn(&self) -> Turn {
        Box::new(())
    }

    async fn wait_after(&mut self, _: i64) -> bool {
        std::future::pending().await
    }
}
