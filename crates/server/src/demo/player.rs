//! Replays the steps in `records.json` through the use cases, each by its actor and at its time, so that history, events and
//! audit log look like those of a workspace in use.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use domain::crm::comments::{self as record_comments, RecordCommentFields};
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::identity::access::{Caller, Credential, Permission, Permit, PlainToken, ToolPermit, authenticate};
use domain::identity::accounts::{self, Client, SignIn, sign_in_link};
use domain::identity::workspaces::Workspace;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{EmailAddress, Input, InputMode, Line, format_timestamp, parse_uuid};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::{Operator, Ports, StoreError};
use domain::records::{self, Editable};
use domain::support;
use domain::support::kb::Article;
use domain::tools::Tool;
use domain::work::issues::{NewRequester, TicketReference};
use domain::work::projects::Project;
use domain::work::{comments, cycles, issues};
use domain::{DealId, Error, webhooks};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::MEMBERS;
use super::clock::DemoClock;

const RECORDS: &str = include_str!("records.json");
/// The client from which the members sign in.
const CLIENT: Client =
    Client { address: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)), user_agent: None, is_behind_unlisted_proxy: false };

/// A recorded action.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Days before the start of the service.
    ago: f64,
    /// The actor: a member, the `operator`, the `key`, or an `agent` that uses the key over the tool API.
    by: String,
    /// The kind of action, such as `company`.
    make: String,
    /// The name by which later steps refer to the record, as `@name`.
    #[serde(default)]
    name: String,
    /// The record that the action applies to.
    #[serde(default)]
    on: String,
    /// The members of the request. `@name` stands for an id, `day:3` for the date three days after the start of the
    /// service, and `time:3` for that time.
    #[serde(default)]
    body: Map<String, Json>,
}

/// Reports an error in the records. A test replays all of them.
fn fault(message: impl std::fmt::Display) -> Error {
    StoreError::Internal(format!("the demo's records: {message}")).into()
}

fn fields<I: Input>(body: Map<String, Json>, mode: InputMode) -> Result<I, Error> {
    I::from_object(body, mode)
}

/// The record that a use case created.
fn fresh<T>(result: IdempotentResult<T>) -> Result<T, Error> {
    result.fresh().ok_or_else(|| fault("a record was made before"))
}

pub(super) struct Player<'a> {
    ports: &'a Ports,
    operator: &'a Operator,
    workspace: &'a Workspace,
    clock: &'a DemoClock,
    /// The start of the service.
    end: OffsetDateTime,
    callers: HashMap<&'static str, Caller>,
    ids: HashMap<String, String>,
    /// References of tickets, by name.
    references: HashMap<String, String>,
}

impl<'a> Player<'a> {
    /// Signs the members in.
    pub(super) async fn sign_in(
        ports: &'a Ports,
        operator: &'a Operator,
        workspace: &'a Workspace,
        key: &PlainToken,
        clock: &'a Arc<DemoClock>,
        end: OffsetDateTime,
    ) -> Result<Self, Error> {
        let begin = clock.replace(end);
        let mut callers = HashMap::new();
        let mut ids = HashMap::new();
        for (name, ..) in MEMBERS {
            let link = sign_in_link::issue(ports, operator, workspace, &format!("{name}@demo.example")).await?;
            let SignIn::Done(login) = sign_in_link::redeem(ports, &CLIENT, link.reveal()).await? else {
                return Err(fault("a new member has a second factor"));
            };
            let caller = authenticate(ports, login.token.reveal(), CLIENT.address).await?;
            if let Credential::Session { user, .. } = caller.credential() {
                ids.insert(name.to_owned(), user.to_string());
            }
            callers.insert(name, caller);
        }
        let by_key = authenticate(ports, key.reveal(), CLIENT.address).await?;
        callers.insert("key", by_key.clone());
        callers.insert("agent", by_key);
        clock.replace(begin);
        Ok(Self { ports, operator, workspace, clock, end, callers, ids, references: HashMap::new() })
    }

    /// Replays all steps and signs the members out.
    pub(super) async fn play(mut self) -> Result<(), Error> {
        let steps: Vec<Step> = serde_json::from_str(RECORDS).map_err(fault)?;
        for step in steps {
            let label = format!("{} {} {}", step.make, step.name, step.on);
            self.clock.move_to(self.end - Duration::seconds_f64(step.ago * 86_400.0));
            self.perform(step).await.map_err(|error| fault(format!("{label}: {error} {:?}", error.details())))?;
        }
        for (name, ..) in MEMBERS {
            accounts::logout(self.ports, &self.caller(name)?.permit()?).await?;
        }
        Ok(())
    }

    fn caller(&self, name: &str) -> Result<&Caller, Error> {
        self.callers.get(name).ok_or_else(|| fault(format!("nobody is called {name}")))
    }

    fn id(&self, name: &str) -> Result<Uuid, Error> {
        let id = self.ids.get(name).and_then(|id| parse_uuid(id));
        id.ok_or_else(|| fault(format!("nothing is called {name}")))
    }

    /// Replaces names and days in a value.
    fn resolve(&self, value: Json) -> Result<Json, Error> {
        let after = |days: &str| {
            let days: f64 = days.parse().map_err(fault)?;
            Ok::<_, Error>(self.end + Duration::seconds_f64(days * 86_400.0))
        };
        Ok(match value {
            Json::String(text) => Json::String(if let Some(name) = text.strip_prefix('@') {
                self.id(name)?.to_string()
            } else if let Some(days) = text.strip_prefix("day:") {
                after(days)?.date().to_string()
            } else if let Some(days) = text.strip_prefix("time:") {
                format_timestamp(after(days)?)
            } else {
                text
            }),
            Json::Array(items) => items.into_iter().map(|item| self.resolve(item)).collect::<Result<_, _>>()?,
            Json::Object(object) => Json::Object(self.resolve_all(object)?),
            other => other,
        })
    }

    fn resolve_all(&self, object: Map<String, Json>) -> Result<Map<String, Json>, Error> {
        object.into_iter().map(|(member, value)| Ok((member, self.resolve(value)?))).collect()
    }

    async fn perform(&mut self, step: Step) -> Result<(), Error> {
        let body = self.resolve_all(step.body)?;
        let step = Step { body: Map::new(), ..step };
        let id = match step.make.as_str() {
            "company" | "contact" | "deal" | "update_deal" | "deal_comment" => self.crm(&step, body).await?,
            "project" | "cycle" | "task" | "update_task" | "mark" | "comment" => self.work(&step, body).await?,
            "ticket" | "update_ticket" | "reply" => self.ticket(&step, body).await?,
            "article" | "update_article" | "webhook" => self.other(&step, body).await?,
            other => return Err(fault(format!("nobody can make a {other}"))),
        };
        if !step.name.is_empty() {
            self.ids.insert(step.name, id.to_string());
        }
        Ok(())
    }

    fn permit<P: Permission>(&self, step: &Step) -> Result<Permit<P>, Error> {
        self.caller(&step.by)?.permit()
    }

    /// The agent uses a tool.
    fn permit_for<P: ToolPermit>(&self, tool: Tool, step: &Step) -> Result<Permit<P>, Error> {
        if step.by == "agent" { self.caller("agent")?.permit_for_tool(tool) } else { self.permit(step) }
    }

    async fn create<K: Editable>(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        let fields = fields(body, InputMode::Create)?;
        Ok(fresh(records::create::<K>(self.ports, &self.permit(step)?, None, fields).await?)?.uuid())
    }

    async fn update<K: Editable>(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        let (id, fields) = (K::Id::from(self.id(&step.on)?), fields(body, InputMode::Patch)?);
        Ok(records::update::<K>(self.ports, &self.permit(step)?, id, ExpectedVersion::Any, fields).await?.uuid())
    }

    async fn crm(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        match step.make.as_str() {
            "company" => self.create::<Company>(step, body).await,
            "contact" => self.create::<Contact>(step, body).await,
            "deal" => self.create::<Deal>(step, body).await,
            "update_deal" => self.update::<Deal>(step, body).await,
            _ => {
                let (deal, fields) =
                    (DealId(self.id(&step.on)?), fields::<RecordCommentFields>(body, InputMode::Create)?);
                Ok(fresh(record_comments::create(self.ports, &self.permit(step)?, None, deal, fields).await?)?.id.0)
            }
        }
    }

    async fn work(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        let (ports, create) = (self.ports, InputMode::Create);
        Ok(match step.make.as_str() {
            "project" => self.create::<Project>(step, body).await?,
            "cycle" => {
                let (project, fields) = (domain::ProjectId(self.id(&step.on)?), fields(body, create)?);
                fresh(cycles::create(ports, &self.permit(step)?, None, project, fields).await?)?.id.0
            }
            "task" => {
                let body = body.into_iter().chain([("kind".to_owned(), "task".into())]).collect();
                let permit = self.permit_for(Tool::CreateTask, step)?;
                fresh(issues::create(ports, &permit, None, fields(body, create)?).await?)?.id.0
            }
            "update_task" => self.update_issue(step, body).await?,
            "mark" => {
                let patch = fields(body, InputMode::Patch)?;
                let ids = step.on.split(' ').map(|name| Ok(domain::IssueId(self.id(name)?)));
                let update = issues::BulkUpdate { ids: ids.collect::<Result<_, Error>>()?, patch };
                let done = fresh(issues::bulk_update(ports, &self.permit(step)?, None, update).await?)?;
                if let Some(failure) = done.failed.first() {
                    return Err(fault(&failure.message));
                }
                Uuid::nil()
            }
            _ => {
                let (issue, fields) = (domain::IssueId(self.id(&step.on)?), fields(body, create)?);
                let permit = self.permit_for(Tool::AddComment, step)?;
                fresh(comments::create(ports, &permit, None, issue, fields).await?)?.id.0
            }
        })
    }

    async fn update_issue(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        let (id, fields) = (domain::IssueId(self.id(&step.on)?), fields(body, InputMode::Patch)?);
        Ok(issues::update(self.ports, &self.permit(step)?, id, ExpectedVersion::Any, fields).await?.id.0)
    }

    /// Creates or changes a ticket, or adds an answer of its customer.
    async fn ticket(&mut self, step: &Step, mut body: Map<String, Json>) -> Result<Uuid, Error> {
        let ports = self.ports;
        match step.make.as_str() {
            "ticket" => {
                let text = |value: Option<Json>| value.and_then(|value| value.as_str().map(ToOwned::to_owned));
                let email = text(body.remove("email")).unwrap_or_default();
                let name = text(body.remove("from")).unwrap_or_default();
                let requester = NewRequester {
                    email: EmailAddress::parse(&email).ok_or_else(|| fault(&email))?,
                    name: Some(Line::parse(&name, "from")?),
                };
                let fields = fields(body, InputMode::Create)?;
                let permit = self.permit(step)?;
                let ticket = fresh(issues::create_ticket(ports, &permit, None, fields, Some(requester)).await?)?;
                self.references.insert(step.name.clone(), ticket.reference.unwrap_or_default());
                Ok(ticket.id.0)
            }
            "update_ticket" => self.update_issue(step, body).await,
            _ => {
                let reference = self.references.get(&step.on).and_then(|text| TicketReference::parse(text));
                let previous = self.clock.replace(self.end);
                let link = support::create_link(ports, &self.caller("key")?.permit()?, reference).await?;
                let token = Map::from_iter([("token".to_owned(), link.token.reveal().into())]);
                let login = support::begin_session(ports, fields(token, InputMode::Create)?).await?;
                let visitor = support::enter(ports, login.token.reveal(), CLIENT.address).await?;
                self.clock.replace(previous);
                fresh(support::reply(ports, &visitor, None, fields(body, InputMode::Create)?).await?)?;
                Ok(Uuid::nil())
            }
        }
    }

    async fn other(&self, step: &Step, body: Map<String, Json>) -> Result<Uuid, Error> {
        match step.make.as_str() {
            "article" => self.create::<Article>(step, body).await,
            "update_article" => self.update::<Article>(step, body).await,
            _ => {
                let fields = fields(body, InputMode::Create)?;
                // Created by the operator, because the sessions of the members end when all records exist.
                webhooks::create(self.ports, &self.operator.permit(self.workspace.clone()), fields).await?;
                Ok(Uuid::nil())
            }
        }
    }
}
