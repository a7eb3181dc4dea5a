//! The followers of the event log in this process (interface 24.4).
//!
//! After a commit, [`Feed::committed`] marks the workspace. A job then assigns positions to its events, reads the new ones once,
//! keeps them in a ring buffer and wakes all followers of the workspace. After a quiet period this happens at once. In a busy
//! workspace, the commits within [`FeedLimits::pause`] are handled together. A follower takes no thread and no connection.
//! Followers that have fallen behind the ring buffer read from the database, a few at a time per workspace.
//!
//! Nothing depends on notifications: [`Feed::jobs`] check every second for events that other processes left without positions,
//! and for positions that other processes assigned.

mod jobs;
mod limits;
mod metrics;
mod queue;
mod ring;
mod seat;
mod state;

use std::sync::Arc;

use domain::ports::{EventFeed, FollowerSeat};
use domain::{Error, WorkspaceId};
use uuid::Uuid;

pub use limits::FeedLimits;
pub use metrics::describe_metrics;

use seat::Seat;
use state::Shared;

/// The followers of this process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Feed(Arc<Shared>);

impl Feed {
    /// `numbers_all`: assign positions at once even to events of workspaces that nobody follows here, because other processes
    /// may have followers. Otherwise they get their positions within a second.
    pub fn new(limits: FeedLimits, numbers_all: bool) -> Self {
        Self(Arc::new(Shared::new(limits, numbers_all)))
    }

    /// Events were committed to the workspace's log. Does not block.
    pub fn committed(&self, workspace: WorkspaceId) {
        if self.0.numbers_all {
            self.0.mark(workspace);
        } else {
            self.0.mark_followed(workspace);
        }
    }

    /// Another process has assigned positions in the workspace. Does not block.
    pub fn numbered(&self, workspace: WorkspaceId) {
        self.0.mark_followed(workspace);
    }
}

impl EventFeed for Feed {
    fn follow(&self, workspace: WorkspaceId, credential: Uuid) -> Result<Box<dyn FollowerSeat>, Error> {
        Ok(Box::new(Seat::take(&self.0, workspace, credential)?))
    }

    fn close(&self) {
        self.0.closed.send_replace(true);
    }
}
