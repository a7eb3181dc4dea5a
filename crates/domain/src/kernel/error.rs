//! Errors of the use cases.

use time::Date;
use uuid::Uuid;

use super::input::{Problem, choices};
use super::{CommentId, RateLimitStatus, StoreError};

choices! {
    /// Machine-readable code of an error. Surfaces add the codes of their protocol.
    pub enum ErrorCode {
        /// The body is not JSON.
        InvalidJson = "invalid_json",
        /// A member that is not a field.
        UnknownField = "unknown_field",
        /// A value of the wrong shape.
        InvalidValue = "invalid_value",
        /// A value that fails validation.
        ValidationFailed = "validation_failed",
        /// No valid credential.
        Unauthorized = "unauthorized",
        /// A valid credential that lacks permission.
        Forbidden = "forbidden",
        /// No such record in the caller's workspace.
        NotFound = "not_found",
        /// A conflict with the current state.
        Conflict = "conflict",
        /// Another live record has the unique value.
        Duplicate = "duplicate",
        /// A transition that the current state does not allow.
        InvalidStateChange = "invalid_state_change",
        /// The record is not at the version that the caller expects.
        ConcurrentUpdate = "concurrent_update",
        /// The one-time token was already used.
        CapabilityConsumed = "capability_consumed",
        /// The idempotency key was used for another request, or its first request is still running.
        IdempotencyConflict = "idempotency_conflict",
        /// No tool of this name.
        UnknownTool = "unknown_tool",
        /// A tool's arguments do not have the shape of its schema.
        InvalidArguments = "invalid_arguments",
        /// The trial has used up its calls.
        TrialQuotaExceeded = "trial_quota_exceeded",
        /// Too many requests in the window.
        RateLimitExceeded = "rate_limit_exceeded",
        /// A quota of the workspace is used up: records a month, or bytes of stored responses.
        QuotaExceeded = "quota_exceeded",
        /// An internal error.
        Internal = "internal",
        /// Temporarily unavailable.
        Unavailable = "unavailable",
    }
}

/// The error of every use case. Messages are written for the client: what was wrong, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is not JSON.
    #[error("the body is not valid JSON: {0}")]
    InvalidJson(String),
    /// The request does not have the documented shape.
    #[error("the request does not have the documented shape; see details")]
    Malformed(Vec<Problem>),
    /// Well-formed values fail validation.
    #[error("some values are not valid; see details")]
    Invalid(Vec<Problem>),
    /// No valid credential. The same message for every cause: it does not reveal whether a key exists.
    #[error("a valid API key is required")]
    Unauthorized,
    /// A failed login. The same message for every cause: it does not reveal whether an account exists.
    #[error("the e-mail address, password or workspace is wrong")]
    InvalidLogin,
    /// No valid portal token. The same message for every cause.
    #[error("a valid portal token is required: ask for a new link to the ticket")]
    PortalTokenNeeded,
    /// A link to a ticket that is unknown or has expired.
    #[error("this link is unknown or has expired: ask for a new one")]
    LinkExpired,
    /// A valid credential from an address that the workspace or the key does not allow.
    #[error("your address is not in the allowed_networks of the workspace or the key")]
    AddressNotAllowed,
    /// An API key where a user's session is required.
    #[error("an API key cannot do this: sign in")]
    SessionNeeded,
    /// An API key whose permission map does not grant what the route requires of keys.
    #[error(
        "an API key cannot do this unless its permission map grants {needs}: use a key that has this permission, or sign in"
    )]
    GrantNeeded { needs: &'static str },
    /// A session of an owner or admin without the second factor that the workspace demands.
    #[error("this workspace requires a second factor for owners and admins: set one up first")]
    SecondFactorNeeded,
    /// A session of a member who is neither owner nor admin.
    #[error("this requires the role owner or admin")]
    RoleNeeded,
    /// A session where an API key is required.
    #[error("only an API key can do this: a session cannot")]
    KeyNeeded,
    /// The key lacks permission for a tool.
    #[error("this key cannot call {tool}: it needs {needs}")]
    ToolDenied {
        tool: &'static str,
        /// The permissions; any one suffices.
        needs: String,
    },
    /// The key may not read the records in the events of a webhook.
    #[error("this key cannot have a webhook for these events: it needs {needs} to read them")]
    EventsUnreadable {
        /// All missing permissions.
        needs: String,
    },
    #[error("there is no such tool")]
    UnknownTool,
    /// Arguments that do not match the tool's schema.
    #[error("the arguments do not match the tool's inputSchema; see details")]
    InvalidArguments(Vec<Problem>),
    /// The trial has used up its calls.
    #[error("this trial key has used up its {limit} calls: ask the workspace for a regular key")]
    TrialQuotaExceeded {
        /// Calls of the trial in total.
        limit: u32,
        /// Seconds until the key expires.
        retry_after: i64,
    },
    /// The tool is not among those of the trial.
    #[error("this trial key cannot call {tool}")]
    ToolNotInTrial { tool: &'static str },
    /// A valid credential that lacks permission for this action.
    #[error("{0}")]
    Forbidden(String),
    /// A valid credential that lacks scopes.
    #[error("this requires the scope {}, which the credential does not have", .0.join(" and "))]
    MissingScopes(Vec<String>),
    #[error("there is no such {}", .0.replace('_', " "))]
    NotFound(&'static str),
    /// Another live record of the workspace has this value.
    #[error("another record already has this {field}{}", id_suffix(*.existing_id))]
    Duplicate {
        field: &'static str,
        /// The record that has it, if the caller may read it.
        existing_id: Option<Uuid>,
    },
    /// The record's state does not allow the change.
    #[error("{0}")]
    InvalidStateChange(String),
    /// A conflict of another kind.
    #[error("{0}")]
    Conflict(String),
    /// Another time entry of the member takes the same time.
    #[error("it overlaps another time entry of the member on {day}")]
    Overlap {
        /// The day of the other entry.
        day: Date,
        existing_id: Uuid,
    },
    /// The caller expects another version than the stored one.
    #[error("the record is at version {current}, not the expected one: read it again first")]
    ConcurrentUpdate { current: i64 },
    /// A public comment whose author has not seen newer comments.
    #[error("{} public comment(s) were added in the meantime: read them, then send yours again", newer.len())]
    CrossedComments {
        /// The newer comments, oldest first.
        newer: Vec<CommentId>,
    },
    /// The one-time token was already used.
    #[error("{0}")]
    CapabilityConsumed(&'static str),
    #[error("{}", .0.refusal())]
    RateLimited(RateLimitStatus),
    /// The event log has as many followers as it may have.
    #[error(
        "{of} has reached its limit of {limit} followers of the event log: end one, or try again in {retry_after} s"
    )]
    TooManyFollowers {
        /// Who the limit applies to.
        of: &'static str,
        limit: usize,
        /// Seconds to wait before a retry.
        retry_after: i64,
    },
    /// The workspace has as many running exports as it may have.
    #[error("{reached}: wait until one ends, or try again in {retry_after} s")]
    TooManyExports {
        /// The limit that was reached, and who it applies to.
        reached: String,
        /// Seconds to wait before a retry.
        retry_after: i64,
    },
    /// The action is to send an e-mail, which would exceed a limit.
    #[error("{reason}: try again in {retry_after} s")]
    TooManyEmails { reason: &'static str, retry_after: i64 },
    /// The audit log accepts no further actions of this kind from the caller in this hour.
    #[error(
        "the audit log takes at most {limit} actions of this kind per hour from one user or key: try again in \
         {retry_after} s"
    )]
    TooManyAudited { limit: u32, retry_after: i64 },
    #[error(
        "this month's quota of {limit} contacts, companies and deals is used up: wait {retry_after} s until it resets, \
         or ask for a larger plan"
    )]
    QuotaExceeded {
        /// Records per month.
        limit: u64,
        /// Seconds until the month ends.
        retry_after: i64,
    },
    #[error(
        "the workspace has used up its {limit} bytes for responses to idempotency keys: send the request without \
         an idempotency key, or try again in {retry_after} s"
    )]
    ResponseBudgetExceeded {
        /// Bytes of the workspace.
        limit: u64,
        /// Seconds until the oldest responses expire and free enough space.
        retry_after: i64,
    },
    #[error(
        "the workspace has added the {limit} bytes to the event log that it can add per day: try again in \
         {retry_after} s, or ask for a higher limit"
    )]
    LogBudgetExceeded {
        /// Bytes per day.
        limit: u64,
        /// Seconds until the next day in UTC.
        retry_after: i64,
    },
    /// The idempotency key cannot be used for this request.
    #[error("{0}")]
    IdempotencyConflict(&'static str),
    /// A search or a summary that was stopped because it took too long.
    #[error("this took too long and was stopped: search for longer or rarer words, or use a narrower filter")]
    SearchTooSlow,
    #[error("the service is temporarily unavailable")]
    Store(#[source] StoreError),
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LogBudgetExceeded { limit, retry_after } => Self::LogBudgetExceeded { limit, retry_after },
            StoreError::AuditBound { limit, retry_after } => Self::TooManyAudited { limit, retry_after },
            error => Self::Store(error),
        }
    }
}

impl Error {
    /// A validation error of one field.
    pub fn invalid(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Problem::new(field, code, message)])
    }

    /// A shape error of one field.
    pub fn malformed(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Malformed(vec![Problem::new(field, code, message)])
    }

    /// Another live record has this value; the error does not reveal which one.
    pub const fn duplicate(field: &'static str) -> Self {
        Self::Duplicate { field, existing_id: None }
    }

    /// The record that already has the unique value, if the caller may read it, or that takes the same time.
    pub const fn existing_id(&self) -> Option<Uuid> {
        match self {
            Self::Duplicate { existing_id, .. } => *existing_id,
            Self::Overlap { existing_id, .. } => Some(*existing_id),
            _ => None,
        }
    }

    /// Seconds until the limit or quota resets, if that is the cause.
    pub const fn retry_after(&self) -> Option<i64> {
        match self {
            Self::RateLimited(rate_limit) => Some(rate_limit.retry_after),
            Self::TooManyEmails { retry_after, .. }
            | Self::TooManyFollowers { retry_after, .. }
            | Self::TooManyExports { retry_after, .. }
            | Self::TooManyAudited { retry_after, .. }
            | Self::QuotaExceeded { retry_after, .. }
            | Self::ResponseBudgetExceeded { retry_after, .. }
            | Self::LogBudgetExceeded { retry_after, .. }
            | Self::TrialQuotaExceeded { retry_after, .. } => Some(*retry_after),
            _ => None,
        }
    }

    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::Malformed(problems) => match problems.first().map(|problem| problem.code) {
                Some("unknown_field") => ErrorCode::UnknownField,
                _ => ErrorCode::InvalidValue,
            },
            Self::Invalid(_) => ErrorCode::ValidationFailed,
            Self::Unauthorized | Self::InvalidLogin | Self::PortalTokenNeeded | Self::LinkExpired => {
                ErrorCode::Unauthorized
            }
            Self::MissingScopes(_)
            | Self::SessionNeeded
            | Self::AddressNotAllowed
            | Self::SecondFactorNeeded
            | Self::KeyNeeded
            | Self::RoleNeeded
            | Self::ToolDenied { .. }
            | Self::EventsUnreadable { .. }
            | Self::GrantNeeded { .. }
            | Self::ToolNotInTrial { .. }
            | Self::Forbidden(_) => ErrorCode::Forbidden,
            Self::UnknownTool => ErrorCode::UnknownTool,
            Self::InvalidArguments(_) => ErrorCode::InvalidArguments,
            Self::TrialQuotaExceeded { .. } => ErrorCode::TrialQuotaExceeded,
            Self::NotFound(_) => ErrorCode::NotFound,
            Self::Duplicate { .. } | Self::Store(StoreError::Duplicate { .. }) => ErrorCode::Duplicate,
            Self::InvalidStateChange(_) => ErrorCode::InvalidStateChange,
            Self::Conflict(_) | Self::Overlap { .. } | Self::CrossedComments { .. } => ErrorCode::Conflict,
            Self::ConcurrentUpdate { .. } => ErrorCode::ConcurrentUpdate,
            Self::CapabilityConsumed(_) => ErrorCode::CapabilityConsumed,
            Self::RateLimited(_)
            | Self::TooManyEmails { .. }
            | Self::TooManyFollowers { .. }
            | Self::TooManyExports { .. }
            | Self::TooManyAudited { .. } => ErrorCode::RateLimitExceeded,
            Self::QuotaExceeded { .. } | Self::ResponseBudgetExceeded { .. } | Self::LogBudgetExceeded { .. } => {
                ErrorCode::QuotaExceeded
            }
            Self::IdempotencyConflict(_) => ErrorCode::IdempotencyConflict,
            Self::SearchTooSlow => ErrorCode::Unavailable,
            Self::Store(error) if error.is_passing() => ErrorCode::Unavailable,
            Self::Store(_) => ErrorCode::Internal,
        }
    }

    /// The problems of single values, if any.
    pub fn details(&self) -> Vec<Problem> {
        match self {
            Self::Malformed(problems) | Self::Invalid(problems) | Self::InvalidArguments(problems) => problems.clone(),
            Self::Duplicate { field, .. } | Self::Store(StoreError::Duplicate { field }) => {
                vec![Problem::new(*field, "duplicate", taken_message(field))]
            }
            Self::MissingScopes(scopes) => scopes
                .iter()
                .map(|scope| Problem::new("scopes", "missing_scope", format!("the scope {scope} is required")))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The message for the client. Internal details stay in the log.
    pub fn client_message(&self) -> String {
        match self {
            Self::Store(StoreError::Duplicate { field }) => Self::duplicate(field).to_string(),
            Self::Store(StoreError::Internal(_)) => "something went wrong on our side".to_owned(),
            other => other.to_string(),
        }
    }
}

/// The message for a taken value. Short names of workspaces are unique in the whole service.
const fn taken_message(field: &str) -> &'static str {
    match field.as_bytes() {
        b"slug" => "this short name is taken: choose another",
        _ => "another record of the workspace has this value",
    }
}

fn id_suffix(existing_id: Option<Uuid>) -> String {
    existing_id.map_or_else(String::new, |id| format!(": its id is {id}"))
}
