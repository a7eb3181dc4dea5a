//! Creates tasks and tickets.

use serde_json::{Map, Value as Json};
use time::OffsetDateTime;

use super::emails::assignment;
use super::reference::new_reference;
use super::requester::find_requester;
use super::{Issue, IssueFields, IssueStatus, NewRequester};
use crate::events::EventBuilder;
use crate::identity::access::{Actor, CreateIssues, Permit};
use crate::identity::notifications::notify_assigned;
use crate::kernel::IssueKind;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, take};
use crate::ports::{Ports, statement, transact_idempotent};
use crate::records::{RecordKind, Resource};
use crate::{Error, IssueId, Reference, References};

/// The body of a create: the fields and the kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewIssue {
    /// Task or ticket.
    pub kind: Field<IssueKind>,
    /// Everything else.
    pub fields: IssueFields,
}

impl Input for NewIssue {
    fn members() -> Vec<SchemaMember> {
        let kind = SchemaMember::required("kind", IssueKind::schema());
        std::iter::once(kind).chain(IssueFields::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let kind = take(&mut object, "kind", at, Some(mode), problems);
        let fields = IssueFields::read(object, at, mode, problems);
        if let (Some(kind), Some(status)) = (kind.set(), fields.status.set())
            && status.kind() != *kind
        {
            problems.shape(
                "status",
                "invalid_value",
                format!("the status of a {kind} must be one of {}", IssueStatus::allowed_values_of(*kind)),
            );
        }
        if let Some(kind) = kind.set() {
            fields.note_crm_links(*kind, problems);
        }
        Self { kind, fields }
    }
}

/// The references to validate: those that are new, and those that depend on a changed kind or project.
pub(super) fn new_references(issue: &Issue, stored: Option<&Issue>) -> References {
    let wrap_parent = match issue.kind {
        IssueKind::Task => |id| Reference::Issue(IssueKind::Task, id),
        IssueKind::Ticket => |id| Reference::Issue(IssueKind::Ticket, id),
    };
    let mut references = issue.new_references(stored);
    references.add("parent_id", issue.parent_id, stored.and_then(|old| old.parent_id), wrap_parent);
    // A cycle is checked again if it or the project changes: it must belong to the issue's project.
    let pair = |issue: &Issue| issue.project_id.zip(issue.cycle_id);
    references.add("cycle_id", pair(issue), stored.and_then(pair), |(project, cycle)| Reference::Cycle(project, cycle));
    references
}

impl IssueFields {
    /// Checks a create, which has only what is sent. A change is checked later, together with the stored issue.
    pub(super) fn check_cycle(&self, mode: InputMode, problems: &mut Problems) {
        if mode == InputMode::Create {
            note_cycle_needs_project(self.cycle_id.set().is_some(), self.project_id.set().is_some(), problems);
        }
    }
}

/// The rule that a cycle needs a project.
pub(super) fn note_cycle_needs_project(has_cycle: bool, has_project: bool, problems: &mut Problems) {
    if has_cycle && !has_project {
        problems.rule(
            "cycle_id",
            "needs_project",
            "an issue in a cycle must belong to the cycle's project: set project_id, or clear cycle_id",
        );
    }
}

impl Issue {
    /// A new issue, which has no number and no reference yet.
    ///
    /// # Errors
    /// [`Error::InvalidStateChange`].
    pub(super) fn from_fields(
        id: IssueId,
        kind: IssueKind,
        fields: IssueFields,
        by: Actor,
        now: OffsetDateTime,
    ) -> Result<Self, Error> {
        let mut issue = Self::blank(id, kind, by, now);
        let status = fields.status.clone().or_default(issue.status);
        issue.apply(fields);
        if let Some(status) = status {
            issue.move_to(status, now)?;
        }
        Ok(issue)
    }
}

/// Creates a task or a ticket.
///
/// # Errors
/// [`Error::Invalid`] for missing references and a cycle without its project.
pub async fn create(
    ports: &Ports,
    permit: &Permit<CreateIssues>,
    once: Option<IdempotentRequest<Issue>>,
    new: NewIssue,
) -> Result<IdempotentResult<Issue>, Error> {
    create_for(ports, permit, once, new, None).await
}

/// Creates a ticket, for a customer if a requester is given.
///
/// # Errors
/// Those of [`create`].
pub async fn create_ticket(
    ports: &Ports,
    permit: &Permit<CreateIssues>,
    once: Option<IdempotentRequest<Issue>>,
    fields: IssueFields,
    requester: Option<NewRequester>,
) -> Result<IdempotentResult<Issue>, Error> {
    let new = NewIssue { kind: Field::Set(IssueKind::Ticket), fields };
    create_for(ports, permit, once, new, requester).await
}

async fn create_for(
    ports: &Ports,
    permit: &Permit<CreateIssues>,
    once: Option<IdempotentRequest<Issue>>,
    new: NewIssue,
    requester: Option<NewRequester>,
) -> Result<IdempotentResult<Issue>, Error> {
    let now = ports.clock.now();
    let Field::Set(kind) = new.kind else {
        return Err(Error::malformed("kind", "required", "kind is required"));
    };
    permit.check_kind(kind)?;
    let mut issue = Issue::from_fields(IssueId(ports.ids.new_id()), kind, new.fields, permit.actor(), now)?;
    let references = new_references(&issue, None);
    // The number is taken by a separate statement before the transaction, so that creates do not wait for each other.
    issue.number = statement(ports, permit, move |tx| Ok(tx.issues().reserve_numbers(kind, 1)?)).await?;
    let (acting, outside) = (permit.clone(), ports.clone());
    let random = std::sync::Arc::clone(&ports.random);
    let reporter = EventBuilder::new(&permit.principal(), now);
    let may_read_contacts = permit.may_read(RecordKind::Contact.reads());
    transact_idempotent(ports, permit, once, move |tx| {
        references.check(tx)?;
        let requester = requester.as_ref().map(|new| find_requester(tx, new, may_read_contacts)).transpose()?;
        // Generated inside the closure, so that a retry after a collision uses another reference.
        let reference = (kind == IssueKind::Ticket).then(|| new_reference(&*random));
        let mut issue = Issue { reference, requester, ..issue.clone() };
        issue.begin_conversation();
        tx.records::<Issue>().insert(&issue)?;
        tx.emit(&[reporter.happened(&issue, "created")])?;
        let assigned = assignment(None, &issue);
        notify_assigned(&outside, acting.workspace(), tx, &acting.principal(), assigned.as_slice())?;
        Ok(issue)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(body: Json) -> Vec<String> {
        let Json::Object(object) = body else { panic!() };
        match NewIssue::from_object(object, InputMode::Create) {
            Ok(_) => vec![],
            Err(error) => {
                error.details().into_iter().map(|problem| format!("{}:{}", problem.field, problem.code)).collect()
            }
        }
    }

    #[test]
    fn a_create_needs_title_and_kind_and_a_status_of_the_kind() {
        assert_eq!(problems(json!({})), ["kind:required", "title:required"]);
        assert_eq!(problems(json!({"kind": "task", "title": "t", "status": "open"})), ["status:invalid_value"]);
        assert_eq!(problems(json!({"kind": "ticket", "title": "t", "status": "todo"})), ["status:invalid_value"]);
        assert_eq!(problems(json!({"kind": "Task", "title": "t"})), ["kind:invalid_value"]);
        assert_eq!(problems(json!({"kind": "task", "title": "t", "labels": []})), ["labels:unknown_field"]);
        assert_eq!(problems(json!({"kind": null, "title": null})), ["kind:required", "title:required"]);
        assert!(problems(json!({"kind": "ticket", "title": "t", "status": "pending"})).is_empty());
    }
}
