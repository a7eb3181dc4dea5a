//! What crosses workspaces.

use async_trait::async_trait;
use time::OffsetDateTime;

use super::MemoryStore;
use super::state::State;
use crate::api_keys::FoundKey;
use crate::input::parse_uuid;
use crate::ports::{Directory, StoreError};
use crate::workspaces::{Member, User, Workspace};
use crate::{UserId, WorkspaceId};

#[async_trait]
impl Directory for MemoryStore {
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<FoundKey>, StoreError> {
        Ok(self.with(|state| {
            state.records.iter().find_map(|(workspace, records)| {
                let key = records.api_keys.values().find(|key| key.lookup_id == lookup_id)?;
                Some(FoundKey { key: key.clone(), workspace: state.workspaces.get(workspace)?.clone() })
            })
        }))
    }

    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
        let id = parse_uuid(slug_or_id).map(WorkspaceId);
        Ok(self.with(|state| {
            let mut all = state.workspaces.values();
            all.find(|workspace| Some(workspace.id) == id || workspace.slug == slug_or_id).cloned()
        }))
    }

    async fn has_workspaces(&self) -> Result<bool, StoreError> {
        Ok(self.with(|state| !state.workspaces.is_empty()))
    }

    async fn create_workspace(&self, workspace: &Workspace, _: OffsetDateTime) -> Result<(), StoreError> {
        self.with(|state| {
            if state.workspaces.values().any(|other| other.slug == workspace.slug) {
                return Err(StoreError::Duplicate { field: "slug" });
            }
            state.workspaces.insert(workspace.id, workspace.clone());
            Ok(())
        })
    }

    async fn create_member(&self, workspace: WorkspaceId, user: &User, member: &Member) -> Result<UserId, StoreError> {
        self.with(|state| create_member(state, workspace, user, member))
    }

    async fn prune_idempotency(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let mut left = u64::from(limit);
            for records in state.records.values_mut() {
                records.kept.retain(|_, kept| {
                    let goes = left > 0 && kept.at < before;
                    left -= u64::from(goes);
                    !goes
                });
            }
            u64::from(limit) - left
        }))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn create_member(
    state: &mut State,
    workspace: WorkspaceId,
    user: &User,
    member: &Member,
) -> Result<UserId, StoreError> {
    if !state.workspaces.contains_key(&workspace) {
        return Err(StoreError::Internal("there is no such workspace".to_owned()));
    }
    let email = user.email.to_lowercase();
    let known = state.users.values().find(|other| other.email.to_lowercase() == email).map(|other| other.id);
    let id = known.unwrap_or(user.id);
    let members = &mut state.records.entry(workspace).or_default().members;
    if members.contains_key(&id) {
        return Err(StoreError::Duplicate { field: "email" });
    }
    members.insert(id, Member { user_id: id, ..member.clone() });
    state.users.entry(id).or_insert_with(|| user.clone());
    Ok(id)
}
