//! Who follows the event log in this process (interface 24.4).
//!
//! After a commit, [`Feed::committed`] marks the workspace. A job gives its events positions, reads those that are new once,
//! keeps them in a ring, and tells all followers of the workspace: at once after a quiet time, and in a busy workspace for all
//! that was committed in [`FeedLimits::pause`]. A follower costs a seat: no thread, and no connection.
//! Who is behind the ring reads from the database, a few at a time per workspace.
//!
//! Nothing depends on being told: [`Feed::jobs`] look each second for what other processes left, and for positions that they
//! gave.

mod jobs;
mod limits;
mod metrics;
mod ring;
mod seat;
mod state;
mod turns;

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
    /// `numbers_all`: whether events get positions at once even if nobody follows here, because other processes may have
    /// followers. Otherwise they get them within a second.
    pub fn new(limits: FeedLimits, numbers_all: bool) -> Self {
        Self(Arc::new(Shared::new(limits, numbers_all)))
    }

    /// Events were committed to the workspace's log. Does not block.
    pub fn committed(&self, workspace: WorkspaceId) {
        self.0.committed(workspace);
    }

    /// Another process has given positions in the workspace. Does not block.
    pub fn numbered(&self, workspace: WorkspaceId) {
        self.0.mark_followed(workspace);
    }
}

impl EventFeed for Feed {
    fn follow(&self, workspace: WorkspaceId, credential: Uuid) -> Result<Box<dyn FollowerSeat>, Error> {
        Ok(Box::new(Seat::take(&self.0, workspace, credential)?))
    }

    fn close(&self) {
        self.0.close();
    }
}
