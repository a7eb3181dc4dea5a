//! Link requests.

use time::OffsetDateTime;

use super::state::{MemoryTx, Shared};
use domain::LinkRequestId;
use domain::email::link_requests::{LinkRequest, RequestedLink};
use domain::ports::{LinkRequestRepo, StoreError};

impl Shared {
    /// Queues a request unless the queue is full.
    pub(super) fn put_link_request(&mut self, request: &LinkRequest, room: u32) {
        if self.link_requests.len() < room as usize {
            self.link_requests.insert(request.id, (request.clone(), request.created_at));
        }
    }

    /// Claims the one that has been due longest.
    pub(super) fn take_link_request(&mut self, now: OffsetDateTime, again_at: OffsetDateTime) -> Option<LinkRequest> {
        let due = self.link_requests.values_mut().filter(|(_, due_at)| *due_at <= now);
        let (request, due_at) = due.min_by_key(|(request, due_at)| (*due_at, request.id))?;
        *due_at = again_at;
        Some(request.clone())
    }
}

impl LinkRequestRepo for MemoryTx<'_> {
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError> {
        let requests = &mut self.shared.link_requests;
        let is_ours = requests.get(&id).is_some_and(|(request, _)| {
            matches!(request.wanted, RequestedLink::Ticket { workspace, .. } if workspace == self.workspace)
        });
        Ok(is_ours && requests.remove(&id).is_some())
    }
}
