//! Set-up codes, links that sign in, and first steps.

use time::OffsetDateTime;

use super::state::{MemoryTx, Records, State};
use domain::identity::accounts::SignInLinkLookup;
use domain::identity::set_up::SetUpCode;
use domain::identity::workspaces::{FirstSteps, WorkspaceStatus};
use domain::{SessionId, UserId, WorkspaceId};

pub(super) fn find_link(state: &State, lookup_id: &str) -> Option<SignInLinkLookup> {
    state.records.iter().find_map(|(workspace, records)| {
        let link = records.sign_in_links.values().find(|link| link.lookup_id == lookup_id)?;
        Some(SignInLinkLookup {
            link: link.clone(),
            workspace: state.shared.workspaces.get(workspace)?.clone(),
            user: state.shared.users.get(&link.user_id)?.clone(),
            role: records.active_member(link.user_id)?.role,
        })
    })
}

pub(super) fn put_code(state: &mut State, code: &SetUpCode, keep: u32) -> bool {
    let is_new = state.shared.workspaces.is_empty();
    if is_new {
        let codes = &mut state.shared.set_up_codes;
        codes.insert(code.instance.clone(), code.clone());
        let mut newest: Vec<_> =
            codes.values().map(|one| (std::cmp::Reverse(one.created_at), one.instance.clone())).collect();
        newest.sort();
        for (_, instance) in newest.iter().skip(keep as usize) {
            codes.remove(instance);
        }
    }
    is_new
}

impl MemoryTx<'_> {
    pub(super) fn use_code(&mut self, lookup_id: &str, now: OffsetDateTime) -> bool {
        let mut codes = self.shared.set_up_codes.values();
        let is_good =
            codes.any(|code| code.lookup_id == lookup_id && now < code.expires_at) && self.shared.workspaces.is_empty();
        if is_good {
            self.shared.set_up_codes.clear();
        }
        is_good
    }

    pub(super) fn has_session(&self, user: UserId, id: SessionId, now: OffsetDateTime) -> bool {
        let own = std::iter::once(&*self.records);
        let mut sessions =
            own.chain(self.other_records().map(|(_, records)| records)).filter_map(|one| one.sessions.get(&id));
        sessions.any(|session| session.user_id == user && now < session.expires_at)
    }

    pub(super) fn steps(&self, user: UserId) -> FirstSteps {
        let began = self.records.demo_made_at.unwrap_or(time::macros::datetime!(0001-01-01 0:00 UTC));
        let is_own = |workspace: WorkspaceId, records: &Records| {
            let workspace = self.shared.workspaces.get(&workspace);
            workspace.is_some_and(|workspace| workspace.status == WorkspaceStatus::Active)
                && records.demo_made_at.is_none()
                && records.active_member(user).is_some()
        };
        FirstSteps {
            has_own_workspace: is_own(self.workspace, self.records)
                || self.other_records().any(|(workspace, records)| is_own(workspace, records)),
            has_colleague: self
                .records
                .members
                .values()
                .any(|member| member.user_id != user && member.created_at > began && member.deactivated_at.is_none()),
            has_key: self.records.api_keys.values().any(|key| key.created_at > began),
            has_ai_client: !self.records.keys_used_by_tools.is_empty(),
            lacks_password: self.shared.users.get(&user).is_some_and(|user| user.password.is_none()),
            has_webhook: self.records.subscriptions.live().any(|one| one.created_at > began),
        }
    }
}
