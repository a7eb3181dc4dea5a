//! Creating an API key.

use serde_json::{Value as Json, json};
use time::OffsetDateTime;

use super::ApiKey;
use super::trial::{DEFAULT_TTL, MAX_TTL, Trial, TrialObject};
use crate::identity::access::{ManageKeys, Permit, PlainToken, Preset, Scope, ScopeSet, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::Networks;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{InputMode, Line, Problems, Read, Value, fields, path};
use crate::ports::{Ports, transact_idempotent};
use crate::tools::ToolPermissions;
use crate::{ApiKeyId, Error};

/// Maximum scopes per key: all that exist.
const MAX_SCOPES: usize = 34;

/// The maximum number of keys of a workspace that are neither revoked nor expired.
pub const MAX_ACTIVE_KEYS: u64 = 200;

/// A list of scopes; unknown or granular ones fail validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeList {
    scopes: ScopeSet,
    /// Whether the list was empty. False if it had only invalid scopes.
    is_empty: bool,
}

/// The names of all scopes, for messages.
fn all_scopes() -> String {
    Scope::all().collect::<ScopeSet>().to_strings().join(", ")
}

impl Value for ScopeList {
    fn schema() -> Json {
        json!({ "type": "array", "items": { "type": "string" }, "maxItems": MAX_SCOPES })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Array(items) = json else {
            return problems.malformed(at, "invalid_type", "must be an array of scopes, such as deals.write");
        };
        if items.len() > MAX_SCOPES {
            problems.rule(at, "too_many", format!("must have at most {MAX_SCOPES} items"));
            return Read::Value(Self { scopes: ScopeSet::default(), is_empty: false });
        }
        let is_empty = items.is_empty();
        let mut scopes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let field = format!("{at}[{index}]");
            match item.as_str().map(Scope::parse) {
                Some(Some(scope)) => scopes.push(scope),
                Some(None) => {
                    problems.rule(field, "unknown_scope", format!("must be one of {}", all_scopes()));
                }
                None => problems.shape(field, "invalid_type", "must be a string"),
            }
        }
        Read::Value(Self { scopes: scopes.into_iter().collect(), is_empty })
    }
}

fields! {
    /// The body of a key's creation.
    pub struct KeyFields {
        /// Display name of the key.
        name: Line<120> = required,
        /// A named set of scopes; excludes `scopes`.
        preset: Preset,
        /// The scopes; excludes `preset`.
        scopes: ScopeList,
        /// Permissions, to narrow the scopes. Responses to writes show the whole record, even without the permission to read it.
        permissions: ToolPermissions,
        /// Expiry; never by default. A trial lasts 7 days by default and at most 14.
        expires_at: OffsetDateTime,
        /// Networks from which the key may be used; empty for any.
        allowed_networks: Networks,
        /// Tools and calls of a trial; only with the preset `agent_trial`.
        trial: TrialObject,
    }
    together check_fields;
}

fn check_fields(fields: &KeyFields, _: InputMode, problems: &mut Problems) {
    if let Some(context) = problems.context() {
        check_expiry(fields, context.now, problems);
    }
    let is_trial = fields.preset.set() == Some(&Preset::AgentTrial);
    if fields.trial.set().is_some() && !is_trial {
        problems.rule("trial", "needs_preset", "is only for keys with the preset agent_trial");
    }
    if fields.permissions.set().is_some() && is_trial {
        problems.rule("permissions", "not_for_trials", "are not for trial keys: list the tools in trial.tools instead");
    }
    let lists_scopes = fields.scopes.set().is_some_and(|list| !list.is_empty);
    if fields.preset.set().is_some() == lists_scopes {
        problems.rule(path("", "scopes"), "required", "either a preset or at least one scope is required, not both");
    }
}

/// A key must expire in the future, and a trial within its maximum lifetime.
fn check_expiry(fields: &KeyFields, now: OffsetDateTime, problems: &mut Problems) {
    let Some(expiry) = fields.expires_at.set().copied() else { return };
    if expiry <= now {
        problems.rule("expires_at", "out_of_range", "must be in the future");
    } else if fields.preset.set() == Some(&Preset::AgentTrial) && expiry > now + MAX_TTL {
        let message = format!("must be at most {} days from now for a trial", MAX_TTL.whole_days());
        problems.rule("expires_at", "out_of_range", message);
    }
}

/// A new key, with the text that is shown only once.
#[derive(Debug)]
pub struct CreatedKey {
    pub key: ApiKey,
    pub plain: PlainToken,
}

/// Creates a key. Only this response ever contains its text.
///
/// # Errors
/// [`Error::Invalid`] for an expiry in the past, or too far ahead for a trial; [`Error::Conflict`] above [`MAX_ACTIVE_KEYS`].
pub async fn create(ports: &Ports, permit: &Permit<ManageKeys>, fields: KeyFields) -> Result<CreatedKey, Error> {
    create_once(ports, permit, None, fields).await?.made_now()
}

/// Like [`create`], once per idempotency key. The stored response does not contain the key's text, so a replay does not show it again.
///
/// # Errors
/// The errors of [`create`] and of [`transact_idempotent`].
pub async fn create_once(
    ports: &Ports,
    permit: &Permit<ManageKeys>,
    once: Option<IdempotentRequest<ApiKey>>,
    fields: KeyFields,
) -> Result<IdempotentResult<CreatedKey>, Error> {
    let now = ports.clock.now();
    let preset = fields.preset.set().copied();
    let is_trial = preset == Some(Preset::AgentTrial);
    let expires_at = fields.expires_at.set().copied().or_else(|| is_trial.then(|| now + DEFAULT_TTL));
    let mut problems = Problems::default();
    check_expiry(&fields, now, &mut problems);
    problems.into_result()?;
    let trial = is_trial.then(|| Trial::from_fields(&fields.trial.set().cloned().unwrap_or_default().0));
    let scopes = preset.map(Preset::scopes).or_else(|| fields.scopes.set().map(|list| list.scopes)).unwrap_or_default();
    let plain = PlainToken::generate(TokenKind::ApiKey, &*ports.random);
    let mut name = String::new();
    fields.name.store_or(String::new(), &mut name);
    let key = ApiKey {
        id: ApiKeyId(ports.ids.new_id()),
        name,
        lookup_id: plain.lookup_id().to_owned(),
        secret: plain.hashed(),
        scopes,
        preset,
        permissions: fields.permissions.set().cloned().or_else(|| preset.and_then(Preset::permissions)),
        narrows_rest: true,
        trial,
        allowed_networks: fields.allowed_networks.set().cloned().unwrap_or_default(),
        expires_at,
        revoked_at: None,
        last_used_at: None,
        version: 1,
        created_at: now,
        updated_at: now,
        created_by: permit.actor(),
    };
    let details = json!({
        "name": key.name, "scopes": key.scopes.to_strings(), "preset": key.preset,
        "allowed_networks": key.allowed_networks,
    });
    let entry =
        AuditEntry::new(ports, &permit.principal(), AuditAction::KeyCreated, AuditSubject::key(key.id), details);
    let acting = permit.clone();
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        acting.confirm(tx, now)?;
        if tx.api_keys().count_active_for_update(now)? >= MAX_ACTIVE_KEYS {
            let message = format!("a workspace has at most {MAX_ACTIVE_KEYS} active API keys: revoke one first");
            return Err(Error::Conflict(message));
        }
        tx.api_keys().insert(&key)?;
        tx.audit().append(&entry)?;
        Ok(key.clone())
    });
    Ok(outcome.await?.map(|key| CreatedKey { key, plain }))
}
