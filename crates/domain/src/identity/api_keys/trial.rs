//! Trial keys for evaluating AI clients: few tools, few calls, short lifetime (interface 15.20).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use time::Duration;

use crate::identity::access::{Caller, Credential};
use crate::kernel::input::schema::object_schema;
use crate::kernel::input::{Field, Input, InputMode, Integer, Problems, Read, Value, fields};
use crate::ports::{Ports, statement_in};
use crate::tools::Tool;
use crate::{ApiKeyId, Error};

pub(super) const DEFAULT_TTL: Duration = Duration::days(7);
pub(super) const MAX_TTL: Duration = Duration::days(14);
const DEFAULT_CALLS: u32 = 200;
const MAX_CALLS: i32 = 1_000;

/// A set of tool names in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolList(BTreeSet<Tool>);

impl Value for ToolList {
    fn schema() -> Json {
        json!({ "type": "array", "items": Tool::schema(), "minItems": 1 })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Array(items) = json else {
            return problems.malformed(at, "invalid_type", "must be an array of tool names, such as get_contact");
        };
        if items.is_empty() || items.len() > Tool::ALL.len() {
            return problems.invalid(at, "out_of_range", format!("must have 1 to {} items", Tool::ALL.len()));
        }
        let (mut tools, mut lists_names) = (BTreeSet::new(), false);
        for (index, item) in items.iter().enumerate() {
            let field = format!("{at}[{index}]");
            match item.as_str().map(Tool::parse) {
                Some(Some(tool)) if tool.manages_webhooks() => problems.rule(
                    field,
                    "unknown_tool",
                    "must not be a webhook tool: trials cannot send a workspace's events elsewhere",
                ),
                Some(Some(tool)) => drop(tools.insert(tool)),
                Some(None) => {
                    let is_first = !std::mem::replace(&mut lists_names, true);
                    let expected = if is_first { names_of_tools() } else { "a tool name too".to_owned() };
                    problems.rule(field, "unknown_tool", format!("must be {expected}"));
                }
                None => problems.shape(field, "invalid_type", "must be a string"),
            }
        }
        Read::Value(Self(tools))
    }
}

fields! {
    /// The trial's members of a key's creation.
    pub struct TrialFields {
        /// The tools it may call; the read-only tools by default.
        tools: ToolList,
        /// Number of calls; 200 by default.
        calls: Integer<1, MAX_CALLS>,
    }
}

/// The `trial` member of a key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrialObject(pub(super) TrialFields);

impl Value for TrialObject {
    fn schema() -> Json {
        object_schema(&TrialFields::members(), InputMode::Create)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            return problems.malformed(at, "invalid_type", "must be an object with tools and calls");
        };
        Read::Value(Self(TrialFields::read(object, at, InputMode::Create, problems)))
    }
}

/// The tools and calls of a trial key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trial {
    pub tools: BTreeSet<Tool>,
    /// Calls in total.
    pub calls_limit: u32,
    /// Calls used.
    pub calls_used: u32,
}

impl Trial {
    pub(super) fn from_fields(fields: &TrialFields) -> Self {
        let defaults = || Tool::ALL.iter().copied().filter(|tool| tool.is_read_only() && !tool.manages_webhooks());
        let calls = match &fields.calls {
            Field::Set(calls) => calls.get().unsigned_abs(),
            Field::Absent | Field::Null => DEFAULT_CALLS,
        };
        Self {
            tools: fields.tools.set().map_or_else(|| defaults().collect(), |list| list.0.clone()),
            calls_limit: calls,
            calls_used: 0,
        }
    }

    pub const fn calls_remaining(&self) -> u32 {
        self.calls_limit.saturating_sub(self.calls_used)
    }
}

/// Counts a tool call before it is made. Exact under parallel calls across instances; a caller without a trial is not
/// counted.
///
/// # Errors
/// [`Error::TrialQuotaExceeded`] if all calls are used.
pub async fn count_trial_call(ports: &Ports, caller: &Caller) -> Result<(), Error> {
    let (true, Credential::Key(id)) = (caller.tools().is_trial(), caller.credential()) else {
        return Ok(());
    };
    let now = ports.clock.now();
    statement_in(ports, caller.workspace().id, move |tx| {
        if tx.api_keys().take_trial_call(id)? {
            return Ok(());
        }
        let key = tx.api_keys().get(id)?.ok_or(Error::Unauthorized)?;
        let left = key.expires_at.map_or(Duration::ZERO, |end| end - now);
        let limit = key.trial.map_or(0, |trial| trial.calls_limit);
        // Rounded up, so that the key has expired for a client that waits this long.
        Err(Error::TrialQuotaExceeded { limit, retry_after: left.whole_seconds() + 1 })
    })
    .await
}

/// The caller's own key as stored, to describe it to the client.
///
/// # Errors
/// [`Error::KeyNeeded`] for a session; [`Error::Unauthorized`] for a deleted key.
pub async fn read_own(ports: &Ports, caller: &Caller) -> Result<super::ApiKey, Error> {
    let Credential::Key(id) = caller.credential() else { return Err(Error::KeyNeeded) };
    let find = |id: ApiKeyId| statement_in(ports, caller.workspace().id, move |tx| Ok(tx.api_keys().get(id)?));
    find(id).await?.ok_or(Error::Unauthorized)
}

/// The tools that a trial may have, for an error message.
fn names_of_tools() -> String {
    let names = Tool::ALL.iter().filter(|tool| !tool.manages_webhooks()).map(|tool| tool.as_str());
    format!("one of {}", names.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: Json) -> Result<Trial, Vec<String>> {
        let mut problems = Problems::default();
        let read = TrialObject::read(json, "trial", &mut problems);
        problems.into_codes().map(|()| Trial::from_fields(&read.value().unwrap().0))
    }

    #[test]
    fn a_trial_is_read_only_by_default() {
        let trial = read(json!({})).unwrap();
        assert_eq!((trial.calls_limit, trial.calls_remaining()), (200, 200));
        assert!(trial.tools.iter().all(|tool| tool.is_read_only() && !tool.manages_webhooks()));
        assert!(trial.tools.contains(&Tool::GetContact));
        let custom = read(json!({"tools": ["create_task", "create_task"], "calls": 1_000})).unwrap();
        assert_eq!((custom.tools.len(), custom.calls_limit), (1, 1_000));
    }

    #[test]
    fn invalid_trials_are_rejected() {
        for (body, problem) in [
            (json!([]), "trial:invalid_type"),
            (json!({"calls": 0}), "trial.calls:out_of_range"),
            (json!({"calls": 1_001}), "trial.calls:out_of_range"),
            (json!({"tools": []}), "trial.tools:out_of_range"),
            (json!({"tools": "get_contact"}), "trial.tools:invalid_type"),
            (json!({"tools": ["get_contact", "drop_tables"]}), "trial.tools[1]:unknown_tool"),
            (json!({"tools": ["list_webhooks"]}), "trial.tools[0]:unknown_tool"),
            (json!({"tools": [1]}), "trial.tools[0]:invalid_type"),
            (json!({"days": 3}), "trial.days:unknown_field"),
        ] {
            assert_eq!(read(body.clone()).unwrap_err(), [problem], "{body}");
        }
    }
}
