//! One follower.

use std::sync::Arc;

use async_trait::async_trait;
use domain::events::ShownEvent;
use domain::ports::{FollowerSeat, Turn};
use domain::{Error, WorkspaceId};
use uuid::Uuid;

use crate::metrics;
use crate::state::{Shared, Subscription};

/// Dropping it makes room for another follower.
pub(crate) struct Seat {
    shared: Arc<Shared>,
    workspace: WorkspaceId,
    credential: Uuid,
    subscription: Subscription,
}

impl Seat {
    pub(crate) fn take(shared: &Arc<Shared>, workspace: WorkspaceId, credential: Uuid) -> Result<Self, Error> {
        let subscription = shared.join(workspace, credential)?;
        Ok(Self { shared: Arc::clone(shared), workspace, credential, subscription })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.leave(self.workspace, self.credential);
    }
}

#[async_trait]
impl FollowerSeat for Seat {
    fn recent(&self, position: i64) -> Option<Vec<Arc<ShownEvent>>> {
        let events = self.shared.recent(self.workspace, position);
        if events.is_some() {
            metrics::read("memory");
        }
        events
    }

    async fn turn(&self) -> Turn {
        metrics::read("database");
        // The semaphore is never closed.
        Box::new(Arc::clone(&self.subscription.readers).acquire_owned().await.ok())
    }

    async fn wait_after(&mut self, position: i64) -> bool {
        let Subscription { announced, closed, .. } = &mut self.subscription;
        // Neither channel closes before this seat does. The seat owns the sender of `closed`. The sender of the announcements belongs
        // to the workspace, which stays as long as it has a follower.
        tokio::select! {
            biased;
            _ = closed.wait_for(|closed| *closed) => false,
            found = announced.wait_for(|announced| *announced > position) => found.is_ok(),
        }
    }
}
