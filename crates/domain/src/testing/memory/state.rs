//! Everything that the store keeps, and the transaction's view of one workspace.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use uuid::Uuid;

use super::table::Table;
use crate::api_keys::ApiKey;
use crate::companies::Company;
use crate::contacts::Contact;
use crate::deals::Deal;
use crate::idempotency::Answer;
use crate::issues::{Comment, Issue, IssueKind};
use crate::ports::{
    ApiKeyRepo, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo, IdempotencyRepo, IssueRepo, ProjectRepo,
    StoreError, Tx,
};
use crate::projects::{Cycle, Project};
use crate::workspaces::{Member, User, Workspace};
use crate::{
    ApiKeyId, CommentId, CompanyId, ContactId, CycleId, DealId, IssueId, ProjectId, Reference, UserId, WorkspaceId,
};

/// All workspaces.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) workspaces: BTreeMap<WorkspaceId, Workspace>,
    pub(super) users: BTreeMap<UserId, User>,
    pub(super) records: BTreeMap<WorkspaceId, Records>,
}

/// What an idempotency key belongs to: credential, route and key.
pub(super) type KeptId = (Uuid, &'static str, String);

#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) fingerprint: [u8; 32],
    pub(super) answer: Answer,
    pub(super) at: OffsetDateTime,
}

/// The records of one workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    pub(super) members: BTreeMap<UserId, Member>,
    pub(super) api_keys: BTreeMap<ApiKeyId, ApiKey>,
    pub(super) companies: Table<CompanyId, Company>,
    pub(super) contacts: Table<ContactId, Contact>,
    pub(super) deals: Table<DealId, Deal>,
    pub(super) projects: Table<ProjectId, Project>,
    pub(super) cycles: Table<CycleId, Cycle>,
    pub(super) issues: Table<IssueId, Issue>,
    pub(super) comments: Table<CommentId, Comment>,
    pub(super) numbers: BTreeMap<IssueKind, i64>,
    pub(super) kept: BTreeMap<KeptId, Kept>,
}

/// An open transaction of one workspace.
pub(super) struct MemoryTx<'a> {
    pub(super) records: &'a mut Records,
}

impl<'a> MemoryTx<'a> {
    pub(super) fn new(state: &'a mut State, workspace: WorkspaceId) -> Self {
        Self { records: state.records.entry(workspace).or_default() }
    }

    fn exists(&self, reference: Reference) -> bool {
        let records = &self.records;
        match reference {
            Reference::Company(id) => records.companies.has(id),
            Reference::Contact(id) => records.contacts.has(id),
            Reference::Deal(id) => records.deals.has(id),
            Reference::Project(id) => records.projects.has(id),
            Reference::Cycle(project, id) => records.cycles.get(id).is_some_and(|cycle| cycle.project_id == project),
            Reference::Issue(kind, id) => records.issues.get(id).is_some_and(|issue| issue.kind == kind),
            // No port deactivates a member yet: whoever is one is active.
            Reference::Member(id) => records.members.contains_key(&id),
        }
    }
}

impl Tx for MemoryTx<'_> {
    fn api_keys(&mut self) -> &mut dyn ApiKeyRepo {
        self
    }

    fn companies(&mut self) -> &mut dyn CompanyRepo {
        self
    }

    fn contacts(&mut self) -> &mut dyn ContactRepo {
        self
    }

    fn deals(&mut self) -> &mut dyn DealRepo {
        self
    }

    fn projects(&mut self) -> &mut dyn ProjectRepo {
        self
    }

    fn cycles(&mut self) -> &mut dyn CycleRepo {
        self
    }

    fn issues(&mut self) -> &mut dyn IssueRepo {
        self
    }

    fn comments(&mut self) -> &mut dyn CommentRepo {
        self
    }

    fn idempotency(&mut self) -> &mut dyn IdempotencyRepo {
        self
    }

    fn references_exist(&mut self, references: &[Reference]) -> Result<Vec<bool>, StoreError> {
        Ok(references.iter().map(|reference| self.exists(*reference)).collect())
    }
}
