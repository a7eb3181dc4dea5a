//! Link requests in order of arrival; networks do not take turns.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Shared, State};
use domain::LinkRequestId;
use domain::email::link_requests::{LinkRequest, QueueBounds, RecentLinks, RequestedLink};
use domain::ports::{LinkRequestRepo, StoreError};
use domain::work::issues::Issue;

/// A waiting request.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    request: LinkRequest,
    due_at: OffsetDateTime,
}

impl Shared {
    pub(super) fn put_link_request(&mut self, request: &LinkRequest, bounds: &QueueBounds) {
        let waiting = self.link_requests.len();
        if bounds.of_networks.iter().chain([&bounds.in_all]).any(|bound| waiting >= *bound as usize) {
            not_in_memory("more link requests than may wait");
        }
        self.link_requests.insert(request.id, Waiting { request: request.clone(), due_at: request.created_at });
    }

    /// Claims due requests.
    pub(super) fn take_link_requests(
        &mut self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
        limit: u32,
    ) -> Vec<LinkRequest> {
        let mut due: Vec<_> = self.link_requests.values_mut().filter(|one| one.due_at <= now).collect();
        due.sort_by_key(|one| (one.due_at, one.request.id));
        let claim = |one: &mut Waiting| {
            one.due_at = again_at;
            one.request.clone()
        };
        due.into_iter().take(limit as usize).map(claim).collect()
    }
}

impl State {
    /// Deletes requests that get no e-mail, and returns the others.
    pub(super) fn sift_link_requests(&mut self, ids: &[LinkRequestId], recent: RecentLinks) -> Vec<LinkRequestId> {
        let asked = ids.iter().filter_map(|id| self.shared.link_requests.get(id));
        let mut matching: Vec<_> =
            asked.map(|one| one.request.clone()).filter(|one| self.gets_email(&one.wanted, recent)).collect();
        let mut seen = BTreeSet::new();
        matching.retain(|request| seen.insert(key_of(&request.wanted)));
        let kept: Vec<_> = matching.into_iter().map(|request| request.id).collect();
        self.shared.link_requests.retain(|id, _| kept.contains(id) || !ids.contains(id));
        kept
    }

    fn gets_email(&self, wanted: &RequestedLink, recent: RecentLinks) -> bool {
        match wanted {
            RequestedLink::PasswordReset { email } => {
                let mut users = self.shared.users.values();
                let user = users.find(|user| user.email_key() == *email && user.password.is_some());
                user.is_some_and(|user| {
                    let reset = self.shared.resets.get(&user.id);
                    reset.is_none_or(|reset| reset.used_at.is_some() || reset.expires_at <= recent.resets_expire_after)
                })
            }
            RequestedLink::Ticket { workspace, reference, email } => {
                self.records.get(workspace).is_some_and(|records| {
                    let issue = records.of::<Issue>().live().find(|issue| {
                        let asks = issue.requester.as_ref().is_some_and(|requester| requester.email_key() == *email);
                        asks && issue.reference.as_ref() == Some(reference)
                    });
                    issue.is_some_and(|issue| {
                        !records.links.values().any(|link| {
                            let stands_in = link.issue_id == issue.id && link.is_requested && link.used_at.is_none();
                            stands_in && link.expires_at > recent.ticket_links_expire_after
                        })
                    })
                })
            }
        }
    }
}

/// The key by which two requests are equal.
fn key_of(wanted: &RequestedLink) -> (Option<domain::WorkspaceId>, String, String) {
    match wanted {
        RequestedLink::Ticket { workspace, reference, email } => (Some(*workspace), reference.clone(), email.clone()),
        RequestedLink::PasswordReset { email } => (None, String::new(), email.clone()),
    }
}

impl LinkRequestRepo for MemoryTx<'_> {
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError> {
        let requests = &mut self.shared.link_requests;
        let is_ours = requests.get(&id).is_some_and(
            |one| matches!(one.request.wanted, RequestedLink::Ticket { workspace, .. } if workspace == self.workspace),
        );
        Ok(is_ours && requests.remove(&id).is_some())
    }
}
