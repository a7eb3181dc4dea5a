//! Opens tickets from outside, by API key or widget.

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::emails::acknowledge;
use super::{TicketSummary, WidgetVisitor};
use crate::events::EventBuilder;
use crate::identity::access::{Actor, CreatePublicTickets, Permit, Principal};
use crate::identity::workspaces::Workspace;
use crate::kernel::IssueKind;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{
    EmailAddress, Field, Input, InputMode, Line, LongText, Problems, SchemaMember, Value, fields, take,
};
use crate::ports::{Ports, statement_in, transact_idempotent_in};
use crate::work::issues::{Issue, Requester, TicketType, new_reference};
use crate::{Error, IssueId};

fields! {
    /// The members of an intake, except the type.
    pub struct IntakeTexts {
        /// Their name.
        name: Line<120> = required,
        /// Their e-mail address; replies go to it.
        email: EmailAddress = required,
        /// What it is about.
        subject: Line<500> = required,
        /// The request in the customer's own words.
        description: LongText<10_000>,
    }
}

/// The body of an intake. `type` is a Rust keyword, so it is read separately.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntakeFields {
    /// Everything but the type.
    pub texts: IntakeTexts,
    /// `question` by default.
    pub ticket_type: Field<TicketType>,
}

impl Input for IntakeFields {
    fn members() -> Vec<SchemaMember> {
        let lines = [" The type of the request.", " Default: question."];
        let ticket_type = SchemaMember::documented("type", &lines, false, TicketType::schema());
        IntakeTexts::members().into_iter().chain([ticket_type]).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let ticket_type = take(&mut object, "type", at, None, problems);
        Self { texts: IntakeTexts::read(object, at, mode, problems), ticket_type }
    }
}

/// Opens a ticket for a customer with a workspace's API key.
pub async fn open_by_key(
    ports: &Ports,
    permit: &Permit<CreatePublicTickets>,
    once: Option<IdempotentRequest<TicketSummary>>,
    fields: IntakeFields,
) -> Result<IdempotentResult<TicketSummary>, Error> {
    let opening = Opening {
        workspace: permit.workspace().clone(),
        owner: permit.idempotency_owner(),
        principal: permit.principal(),
        created_by: permit.actor(),
    };
    open(ports, opening, once, fields).await
}

/// Opens a ticket for a visitor of a page with the widget.
pub async fn open_by_widget(
    ports: &Ports,
    visitor: &WidgetVisitor,
    once: Option<IdempotentRequest<TicketSummary>>,
    fields: IntakeFields,
) -> Result<IdempotentResult<TicketSummary>, Error> {
    let name = fields.texts.name.set().map_or("", Line::as_str);
    let opening = Opening {
        workspace: visitor.workspace().clone(),
        owner: visitor.idempotency_owner(),
        principal: Principal::named(Actor::CUSTOMER, name, visitor.address()).in_request(visitor.request_id()),
        created_by: Actor::SYSTEM,
    };
    open(ports, opening, once, fields).await
}

/// Who opens a ticket, and in which workspace.
struct Opening {
    workspace: Workspace,
    owner: Uuid,
    principal: Principal,
    created_by: Actor,
}

async fn open(
    ports: &Ports,
    opening: Opening,
    once: Option<IdempotentRequest<TicketSummary>>,
    fields: IntakeFields,
) -> Result<IdempotentResult<TicketSummary>, Error> {
    let now = ports.clock.now();
    let (mut issue, requester) = new_ticket(ports, opening.created_by, fields)?;
    // The number is taken by a separate statement before the transaction, so that creates do not wait for each other.
    let reserve =
        statement_in(ports, opening.workspace.id, |tx| Ok(tx.issues().reserve_numbers(IssueKind::Ticket, 1)?));
    issue.number = reserve.await?;
    let random = std::sync::Arc::clone(&ports.random);
    let reporter = EventBuilder::new(&opening.principal, now);
    let ticket_type = requester.ticket_type;
    let (outside, workspace) = (ports.clone(), opening.workspace);
    let id = workspace.id;
    transact_idempotent_in(ports, id, opening.owner, once, move |tx| {
        let contact_id = tx.tickets().contact_with(&requester.email_key())?;
        // Generated inside the closure, so that a retry after a collision uses another reference.
        let reference = Some(new_reference(&*random));
        let requester = Some(Requester { contact_id, ..requester.clone() });
        let mut issue = Issue { reference, requester, ..issue.clone() };
        issue.begin_conversation();
        tx.records::<Issue>().insert(&issue)?;
        tx.emit(&[reporter.happened(&issue, "created")])?;
        if workspace.notifies_requesters(&outside.settings) {
            acknowledge(&outside, &workspace, tx, &issue)?;
        }
        Ok(TicketSummary::new(issue, ticket_type))
    })
    .await
}

fn new_ticket(ports: &Ports, created_by: Actor, fields: IntakeFields) -> Result<(Issue, Requester), Error> {
    let IntakeTexts { name, email, subject, description } = fields.texts;
    let (Field::Set(name), Field::Set(email), Field::Set(subject)) = (name, email, subject) else {
        return Err(Error::malformed("name", "required", "name, email and subject are required"));
    };
    let requester = Requester {
        name: name.into(),
        email: email.into(),
        ticket_type: fields.ticket_type.or_default(TicketType::Question).unwrap_or(TicketType::Question),
        contact_id: None,
    };
    let blank = Issue::blank(IssueId(ports.ids.new_id()), IssueKind::Ticket, created_by, ports.clock.now());
    let mut issue = Issue { title: subject.into(), ..blank };
    description.into_stored().store(&mut issue.description);
    Ok((issue, requester))
}
