//! Link requests.

use std::collections::BTreeSet;

use time::{Duration, OffsetDateTime};

use super::state::{MemoryTx, Shared, State};
use domain::LinkRequestId;
use domain::email::link_requests::{LinkRequest, QueueBounds, RecentLinks, RequestedLink, networks_of};
use domain::limits::AddressGroup;
use domain::ports::{LinkRequestRepo, StoreError};

/// A request that waits.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    request: LinkRequest,
    network: AddressGroup,
    due_at: OffsetDateTime,
    turn_at: OffsetDateTime,
}

impl Shared {
    /// Queues a request unless as many wait as may.
    pub(super) fn put_link_request(&mut self, request: &LinkRequest, network: AddressGroup, bounds: &QueueBounds) {
        let networks = networks_of(network);
        let waiting = networks.map(|network| {
            let within = |one: &&Waiting| networks_of(one.network).contains(&network);
            self.link_requests.values().filter(within).count()
        });
        let is_full = waiting.iter().zip(bounds.of_networks).any(|(waiting, bound)| *waiting >= bound as usize);
        if is_full || self.link_requests.len() >= bounds.in_all as usize {
            return;
        }
        let behind = Duration::seconds(i64::try_from(waiting[0]).unwrap_or(i64::MAX));
        let (request, due_at) = (request.clone(), request.created_at);
        let waiting = Waiting { request, network: networks[0], due_at, turn_at: due_at + behind };
        self.link_requests.insert(waiting.request.id, waiting);
    }

    /// Deletes those for such links.
    pub(super) fn drop_link_requests(&mut self, is_chosen: impl Fn(&RequestedLink) -> bool) {
        self.link_requests.retain(|_, waiting| !is_chosen(&waiting.request.wanted));
    }

    /// Claims those whose turn is next.
    pub(super) fn take_link_requests(
        &mut self,
        now: OffsetDateTime,
        again_at: OffsetDateTime,
        limit: u32,
    ) -> Vec<LinkRequest> {
        // One that is due much later than any retry was queued or claimed by a clock that was ahead.
        let is_due = |one: &&mut Waiting| one.due_at <= now || one.due_at > again_at + Duration::minutes(10);
        let mut due: Vec<_> = self.link_requests.values_mut().filter(is_due).collect();
        due.sort_by_key(|one| (one.turn_at, one.request.id));
        let claim = |one: &mut Waiting| {
            (one.due_at, one.turn_at) = (again_at, again_at);
            one.request.clone()
        };
        due.into_iter().take(limit as usize).map(claim).collect()
    }
}

impl State {
    /// Deletes requests that get no e-mail, and returns the others.
    pub(super) fn sift_link_requests(&mut self, ids: &[LinkRequestId], recent: RecentLinks) -> Vec<LinkRequestId> {
        let mut matching: Vec<_> = ids
            .iter()
            .filter_map(|id| self.shared.link_requests.get(id))
            .filter_map(|one| Some((!self.is_from_known_network(one, recent)?, one.request.clone())))
            .collect();
        // Stable: in each half, the order stays.
        matching.sort_by_key(|(is_unknown, _)| *is_unknown);
        let mut seen = BTreeSet::new();
        matching.retain(|(_, request)| seen.insert(key_of(&request.wanted)));
        let kept: Vec<_> = matching.into_iter().map(|(_, request)| request.id).collect();
        self.shared.link_requests.retain(|id, _| kept.contains(id) || !ids.contains(id));
        kept
    }

    /// `None` if the request gets no e-mail.
    fn is_from_known_network(&self, one: &Waiting, recent: RecentLinks) -> Option<bool> {
        match &one.request.wanted {
            RequestedLink::PasswordReset { email } => {
                let mut users = self.shared.users.values();
                let user = users.find(|user| user.email.to_lowercase() == *email && user.password.is_some())?;
                let is_recent = self
                    .shared
                    .resets
                    .get(&user.id)
                    .is_some_and(|reset| reset.used_at.is_none() && reset.expires_at > recent.resets_expire_after);
                let places = self.shared.sign_ins.get(&user.id);
                let is_known = places.is_some_and(|places| places.iter().any(|place| place.network == one.network));
                (!is_recent).then_some(is_known)
            }
            RequestedLink::Ticket { workspace, reference, email } => {
                let records = self.records.get(workspace)?;
                let issue = records.issues.live().find(|issue| {
                    let asks = issue.requester.as_ref().is_some_and(|requester| requester.email_key() == *email);
                    asks && issue.reference.as_ref() == Some(reference)
                })?;
                let is_recent = records.links.values().any(|link| {
                    link.issue_id == issue.id
                        && link.is_requested
                        && link.used_at.is_none()
                        && link.expires_at > recent.ticket_links_expire_after
                });
                (!is_recent).then_some(false)
            }
        }
    }
}

/// What makes two requests equal.
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
